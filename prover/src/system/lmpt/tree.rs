//! A layer: a radix tree whose nodes lie in memory or in the database.
//!
//! A node stands for the nibbles of its path and what lies below them. What it hashes to depends on
//! the format (`ethereum`, `conflux`); what it is made of does not. A write reads the nodes on its
//! way, and [`stored`] writes those that changed behind the others: every block of the window keeps
//! its own layers and shares what did not change. Cloning a tree costs one counter.

pub mod conflux;
mod ethereum;
pub mod stored;

use std::sync::{Arc, OnceLock};

use super::config::Format;
use crate::error::StoreError;
use crate::hash::Word;
use crate::trie::nibbles::{Nibbles, common_prefix, unpack};
use stored::{Nowhere, Records, Reference, Stub};

/// One version of a layer.
#[derive(Clone, Debug)]
pub struct Tree {
    format: Format,
    root: Child,
}

/// What lies below a node at a nibble.
#[derive(Clone, Debug, Default)]
pub(super) enum Child {
    /// Nothing.
    #[default]
    None,
    /// A node in memory.
    Here(Arc<Node>),
    /// A node in the database.
    Stored(Box<Stub>),
}

/// References to nodes below, by nibble.
pub(super) type Children = [Child; 16];

/// A node.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) path: Nibbles,
    pub(super) value: Option<Vec<u8>>,
    /// `None` if nothing lies below.
    pub(super) children: Option<Box<Children>>,
    /// How a parent refers to the node, once that was asked for.
    reference: OnceLock<Reference>,
    /// Where the node lies in the database as it is; 0 if it does not.
    at: u64,
}

impl Tree {
    /// A layer without keys.
    pub fn new(format: Format) -> Self {
        Self { format, root: Child::None }
    }

    /// What the header commits to.
    pub fn root(&self) -> Word {
        if let Child::Stored(stub) = &self.root {
            return stub.word();
        }
        match self.format {
            Format::Layered => ethereum::root(self.top()),
            Format::Conflux => conflux::root(self.top()),
        }
    }

    /// The root node, if it is in memory.
    pub(super) fn top(&self) -> Option<&Node> {
        self.root.here()
    }

    /// The value of `key`, if the nodes on its way are in memory.
    pub fn get(&self, key: &[u8]) -> Option<&[u8]> {
        let key = unpack(key);
        let (mut node, mut rest) = (self.top()?, key.as_slice());
        loop {
            rest = rest.strip_prefix(node.path.as_slice())?;
            let Some((nibble, below)) = rest.split_first() else { return node.value.as_deref() };
            (node, rest) = (node.child(*nibble)?.here()?, below);
        }
    }

    /// Sets `key` in a layer that is in memory as a whole.
    pub fn insert(&mut self, key: &[u8], value: Vec<u8>) {
        // Invariant: nothing is read, so nothing fails.
        let _ = self.set(key, value, &Nowhere);
    }

    /// Sets `key`; nodes on its way come from `records`.
    ///
    /// # Errors
    /// [`StoreError`] if a node cannot be read.
    pub fn set(
        &mut self,
        key: &[u8],
        value: Vec<u8>,
        records: &impl Records,
    ) -> Result<(), StoreError> {
        if matches!(self.root, Child::None) && self.format == Format::Conflux {
            // Its root holds no path.
            self.root = Child::Here(Arc::new(Node::new(Vec::new(), None)));
        }
        insert(&mut self.root, &unpack(key), value, records)
    }

    /// Removes `key` from a layer that is in memory as a whole, if it is there.
    pub fn remove(&mut self, key: &[u8]) {
        if self.get(key).is_some() {
            let keeps_root = self.format == Format::Conflux;
            remove(&mut self.root, &unpack(key), keeps_root);
        }
    }
}

impl Child {
    pub(super) fn here(&self) -> Option<&Node> {
        if let Self::Here(node) = self { Some(node) } else { None }
    }

    /// How a parent refers to the child, which begins below `depth` nibbles; `None` if none is
    /// there.
    pub(super) fn reference(&self, format: Format, depth: usize) -> Option<&[u8]> {
        match self {
            Self::None => None,
            Self::Here(node) => Some(node.reference(format, depth).as_slice()),
            Self::Stored(stub) => Some(stub.reference.as_slice()),
        }
    }

    /// The node that is there, read if need be, copied if another version holds it too; what it
    /// hashed to is forgotten.
    fn change(&mut self, records: &impl Records) -> Result<Option<&mut Node>, StoreError> {
        Ok(self.loaded(records)?.map(|node| {
            let node = Arc::make_mut(node);
            node.reference.take();
            node.at = 0;
            node
        }))
    }
}

impl Node {
    fn new(path: Nibbles, value: Option<Vec<u8>>) -> Self {
        Self { path, value, children: None, reference: OnceLock::new(), at: 0 }
    }

    pub(super) fn child(&self, nibble: u8) -> Option<&Child> {
        Some(&self.children.as_ref()?[usize::from(nibble)])
    }

    /// How a parent refers to the node, which begins below `depth` nibbles. A node keeps its depth
    /// as long as it keeps its path.
    fn reference(&self, format: Format, depth: usize) -> &Reference {
        self.reference.get_or_init(|| match format {
            Format::Layered => Reference::new(&ethereum::reference(self, depth)),
            Format::Conflux => Reference::new(&conflux::merkle(self, depth)),
        })
    }

    fn slot(&mut self, nibble: u8) -> &mut Child {
        let children = self.children.get_or_insert_with(|| Box::new([const { Child::None }; 16]));
        &mut children[usize::from(nibble)]
    }
}

fn insert(
    slot: &mut Child,
    key: &[u8],
    value: Vec<u8>,
    records: &impl Records,
) -> Result<(), StoreError> {
    let Some(node) = slot.change(records)? else {
        *slot = Child::Here(Arc::new(Node::new(key.to_vec(), Some(value))));
        return Ok(());
    };
    let shared = common_prefix(&node.path, key);
    if shared < node.path.len() {
        let mut fork = Node::new(key[..shared].to_vec(), None);
        let rest = node.path.split_off(shared);
        node.path = rest[1..].to_vec();
        *fork.slot(rest[0]) = std::mem::take(slot);
        let (place, rest) = (key[shared..].first(), key.get(shared + 1..).unwrap_or_default());
        match place {
            None => fork.value = Some(value),
            Some(nibble) => insert(fork.slot(*nibble), rest, value, records)?,
        }
        *slot = Child::Here(Arc::new(fork));
        return Ok(());
    }
    match key[shared..].split_first() {
        None => {
            node.value = Some(value);
            Ok(())
        }
        Some((nibble, rest)) => insert(node.slot(*nibble), rest, value, records),
    }
}

/// Removes a key that is there.
fn remove(slot: &mut Child, key: &[u8], keeps_path: bool) {
    let Ok(Some(node)) = slot.change(&Nowhere) else { return };
    match key[node.path.len()..].split_first() {
        None => node.value = None,
        Some((nibble, rest)) => remove(node.slot(*nibble), rest, false),
    }
    if node.value.is_some() {
        return;
    }
    let below = node.children.iter_mut().flat_map(|children| children.iter_mut());
    let mut occupied = (0_u8..).zip(below).filter(|(_, child)| !matches!(child, Child::None));
    match (occupied.next(), occupied.next()) {
        (None, _) => *slot = Child::None,
        (Some((nibble, child)), None) if !keeps_path => {
            let mut child = std::mem::take(child);
            if let Ok(Some(child)) = child.change(&Nowhere) {
                child.path = [node.path.as_slice(), &[nibble], &child.path].concat();
            }
            *slot = child;
        }
        _ => {}
    }
}
