//! A layer in memory: a radix tree whose versions share what did not change.
//!
//! A node stands for the nibbles of its path and what lies below them. What it hashes to depends on
//! the format (`ethereum`, `conflux`); what it is made of does not. Cloning a tree costs one
//! counter, and a write copies the nodes on its way that another version still holds, so every
//! block of the window keeps its own layers.

pub mod conflux;
mod ethereum;

use std::sync::{Arc, OnceLock};

use super::config::Format;
use crate::hash::Word;
use crate::trie::nibbles::{Nibbles, common_prefix, unpack};

/// One version of a layer.
#[derive(Clone, Debug)]
pub struct Tree {
    format: Format,
    root: Option<Arc<Node>>,
}

/// References to nodes below, by nibble.
pub(super) type Children = [Option<Arc<Node>>; 16];

/// A node.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) path: Nibbles,
    pub(super) value: Option<Vec<u8>>,
    /// `None` if nothing lies below.
    pub(super) children: Option<Box<Children>>,
    /// How a parent refers to the node, once that was asked for.
    reference: OnceLock<Vec<u8>>,
}

impl Tree {
    /// A layer without keys.
    pub fn new(format: Format) -> Self {
        Self { format, root: None }
    }

    /// What the header commits to.
    pub fn root(&self) -> Word {
        match self.format {
            Format::Layered => ethereum::root(self.top()),
            Format::Conflux => conflux::root(self.top()),
        }
    }

    pub(super) fn top(&self) -> Option<&Node> {
        self.root.as_deref()
    }

    /// The value of `key`.
    pub fn get(&self, key: &[u8]) -> Option<&[u8]> {
        let key = unpack(key);
        let (mut node, mut rest) = (self.top()?, key.as_slice());
        loop {
            rest = rest.strip_prefix(node.path.as_slice())?;
            let Some((nibble, below)) = rest.split_first() else { return node.value.as_deref() };
            (node, rest) = (node.child(*nibble)?, below);
        }
    }

    /// Sets `key`.
    pub fn insert(&mut self, key: &[u8], value: Vec<u8>) {
        if self.root.is_none() && self.format == Format::Conflux {
            // Its root holds no path.
            self.root = Some(Arc::new(Node::new(Vec::new(), None)));
        }
        insert(&mut self.root, &unpack(key), value);
    }

    /// Removes `key`, if it is there.
    pub fn remove(&mut self, key: &[u8]) {
        if self.get(key).is_some() {
            let keeps_root = self.format == Format::Conflux;
            remove(&mut self.root, &unpack(key), keeps_root);
        }
    }
}

impl Node {
    fn new(path: Nibbles, value: Option<Vec<u8>>) -> Self {
        Self { path, value, children: None, reference: OnceLock::new() }
    }

    pub(super) fn child(&self, nibble: u8) -> Option<&Self> {
        self.children.as_ref()?[usize::from(nibble)].as_deref()
    }

    /// How a parent refers to the node, which begins below `depth` nibbles. A node keeps its depth
    /// as long as it keeps its path.
    pub(super) fn reference(&self, format: Format, depth: usize) -> &[u8] {
        self.reference.get_or_init(|| match format {
            Format::Layered => ethereum::reference(self, depth),
            Format::Conflux => conflux::merkle(self, depth).to_vec(),
        })
    }

    fn slot(&mut self, nibble: u8) -> &mut Option<Arc<Self>> {
        let children = self.children.get_or_insert_with(|| Box::new([const { None }; 16]));
        &mut children[usize::from(nibble)]
    }
}

/// The node itself, copied if another version holds it too; what it hashed to is forgotten.
fn change(node: &mut Arc<Node>) -> &mut Node {
    let node = Arc::make_mut(node);
    node.reference.take();
    node
}

fn insert(slot: &mut Option<Arc<Node>>, key: &[u8], value: Vec<u8>) {
    let Some(node) = slot else {
        *slot = Some(Arc::new(Node::new(key.to_vec(), Some(value))));
        return;
    };
    let shared = common_prefix(&node.path, key);
    if shared < node.path.len() {
        let mut fork = Node::new(key[..shared].to_vec(), None);
        let below = change(node);
        let rest = below.path.split_off(shared);
        below.path = rest[1..].to_vec();
        *fork.slot(rest[0]) = slot.take();
        *slot = Some(Arc::new(fork));
        insert(slot, key, value);
        return;
    }
    let node = change(node);
    match key[shared..].split_first() {
        None => node.value = Some(value),
        Some((nibble, rest)) => insert(node.slot(*nibble), rest, value),
    }
}

/// Removes a key that is there.
fn remove(slot: &mut Option<Arc<Node>>, key: &[u8], keeps_path: bool) {
    let Some(node) = slot else { return };
    let node = change(node);
    match key[node.path.len()..].split_first() {
        None => node.value = None,
        Some((nibble, rest)) => remove(node.slot(*nibble), rest, false),
    }
    if node.value.is_some() {
        return;
    }
    let below = node.children.iter_mut().flat_map(|children| children.iter_mut());
    let mut occupied = (0_u8..).zip(below).filter(|(_, child)| child.is_some());
    match (occupied.next(), occupied.next()) {
        (None, _) => *slot = None,
        (Some((nibble, child)), None) if !keeps_path => {
            let mut child = child.take();
            if let Some(child) = &mut child {
                let child = change(child);
                child.path = [node.path.as_slice(), &[nibble], &child.path].concat();
            }
            *slot = child;
        }
        _ => {}
    }
}
