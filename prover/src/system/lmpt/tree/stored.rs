//! Nodes of layers in the database.
//!
//! Nodes are written once, one behind the other, each after those below it. A node names the nodes
//! below it by place and by reference, so that a change writes the nodes on its way and nothing
//! else, and what a layer was after an older block stays where it is.

mod codec;

use std::cell::RefCell;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use codec::{decode, encode};

use super::{Child, Node, Tree};
use crate::error::StoreError;
use crate::hash::Word;
use crate::system::lmpt::config::Format;
use crate::trie::NodeSource;
use crate::trie::nibbles::pack;

/// Where the bytes of nodes come from.
pub trait Records {
    /// The bytes that begin with the node at a place.
    ///
    /// # Errors
    /// [`StoreError`] if the place cannot be read.
    fn record<T>(&self, at: u64, read: impl FnOnce(&[u8]) -> Option<T>) -> Result<T, StoreError>;
}

/// Where new nodes go.
pub trait Sink {
    /// Writes a node and returns its place, which is not 0.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written.
    fn put(&mut self, record: &[u8]) -> Result<u64, StoreError>;
}

/// Of layers that are in memory as a whole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nowhere;

impl Records for Nowhere {
    fn record<T>(&self, _: u64, _: impl FnOnce(&[u8]) -> Option<T>) -> Result<T, StoreError> {
        Err(StoreError::Corrupt("a layer of lmpt in memory has nodes elsewhere"))
    }
}

/// How a parent refers to a node: at most 33 bytes.
#[derive(Clone, Copy, Debug)]
pub(in crate::system::lmpt) struct Reference {
    length: u8,
    bytes: [u8; 33],
}

impl Reference {
    /// Takes over bytes, of which there are at most 33.
    pub(super) fn new(reference: &[u8]) -> Self {
        let mut bytes = [0; 33];
        let length = reference.len().min(bytes.len());
        bytes[..length].copy_from_slice(&reference[..length]);
        Self { length: u8::try_from(length).unwrap_or_default(), bytes }
    }

    pub(super) fn as_slice(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

/// A node in the database.
#[derive(Clone, Copy, Debug)]
pub(in crate::system::lmpt) struct Stub {
    at: u64,
    /// How the parent refers to it; for a root, its hash.
    pub(super) reference: Reference,
}

impl Stub {
    /// The hash of a root.
    pub(super) fn word(&self) -> Word {
        std::array::from_fn(|at| self.reference.bytes[at])
    }
}

impl Child {
    /// The node that is there, read if need be.
    pub(super) fn loaded(
        &mut self,
        records: &impl Records,
    ) -> Result<Option<&mut Arc<Node>>, StoreError> {
        if let Self::Stored(stub) = self {
            let mut node = records.record(stub.at, decode)?;
            node.at = stub.at;
            node.reference = OnceLock::from(stub.reference);
            *self = Self::Here(Arc::new(node));
        }
        Ok(if let Self::Here(node) = self { Some(node) } else { None })
    }

    /// Writes the nodes that are not in the database, each behind those below it; the place of the
    /// uppermost, 0 if there is none.
    fn store(&self, format: Format, depth: usize, sink: &mut impl Sink) -> Result<u64, StoreError> {
        match self {
            Self::None => Ok(0),
            Self::Stored(stub) => Ok(stub.at),
            Self::Here(node) if node.at != 0 => Ok(node.at),
            Self::Here(node) => {
                let below = depth + node.path.len() + 1;
                let mut places = [0; 16];
                for (place, child) in
                    places.iter_mut().zip(node.children.iter().flat_map(|children| children.iter()))
                {
                    *place = child.store(format, below, sink)?;
                }
                sink.put(&encode(node, format, below, &places))
            }
        }
    }
}

impl Tree {
    /// A layer in the database.
    ///
    /// * `at`: place of its root, 0 if it has no keys.
    pub(in crate::system::lmpt) fn stored(format: Format, root: &Word, at: u64) -> Self {
        if at == 0 {
            return Self::new(format);
        }
        let stub = Stub { at, reference: Reference::new(root) };
        Self { format, root: Child::Stored(Box::new(stub)) }
    }

    /// Writes what is not in the database and returns the place of the root, 0 without keys. What
    /// is in memory is forgotten.
    ///
    /// # Errors
    /// [`StoreError`] if a node cannot be written.
    pub(in crate::system::lmpt) fn store(
        &mut self,
        sink: &mut impl Sink,
    ) -> Result<u64, StoreError> {
        let root = self.root();
        let at = self.root.store(self.format, 0, sink)?;
        *self = Self::stored(self.format, &root, at);
        Ok(at)
    }

    /// Reads the nodes on the way to `path`, in nibbles.
    ///
    /// # Errors
    /// [`StoreError`] if a node cannot be read.
    pub fn load(&mut self, path: &[u8], records: &impl Records) -> Result<(), StoreError> {
        let (mut slot, mut rest) = (&mut self.root, path);
        while let Some(node) = slot.loaded(records)? {
            let Some(below) = rest.strip_prefix(node.path.as_slice()) else { break };
            let Some((nibble, below)) = below.split_first() else { break };
            let Some(children) = &mut Arc::make_mut(node).children else { break };
            (slot, rest) = (&mut children[usize::from(*nibble)], below);
        }
        Ok(())
    }

    /// Reads all nodes.
    ///
    /// # Errors
    /// [`StoreError`] if a node cannot be read.
    pub fn load_all(&mut self, records: &impl Records) -> Result<(), StoreError> {
        let mut slots = vec![&mut self.root];
        while let Some(slot) = slots.pop() {
            if let Some(node) = slot.loaded(records)? {
                let node = Arc::make_mut(node);
                slots.extend(node.children.iter_mut().flat_map(|children| children.iter_mut()));
            }
        }
        Ok(())
    }

    /// The leaves whose keys begin with two bytes in `range`, by key ascending. No key is shorter.
    ///
    /// # Errors
    /// [`StoreError`] if a node cannot be read.
    pub(in crate::system::lmpt) fn leaves(
        &self,
        range: &Range<u32>,
        records: &impl Records,
    ) -> Result<Vec<Leaf>, StoreError> {
        let mut leaves = Vec::new();
        let mut stack = vec![(Vec::new(), self.root.clone())];
        while let Some((above, mut child)) = stack.pop() {
            let Some(node) = child.loaded(records)? else { continue };
            let path = [above.as_slice(), &node.path].concat();
            if let Some(value) = node.value.as_ref().filter(|_| overlaps(&path, range)) {
                leaves.push((pack(&path), value.clone()));
            }
            let below = (0_u8..).zip(node.children.iter().flat_map(|children| children.iter()));
            let below = below.map(|(nibble, child)| ([path.as_slice(), &[nibble]].concat(), child));
            let below = below
                .filter(|(path, child)| !matches!(child, Child::None) && overlaps(path, range));
            let below: Vec<_> = below.map(|(path, child)| (path, child.clone())).collect();
            stack.extend(below.into_iter().rev());
        }
        Ok(leaves)
    }
}

/// Key and value.
pub(in crate::system::lmpt) type Leaf = (Vec<u8>, Vec<u8>);

/// Whether keys below a path may begin with two bytes in `range`.
fn overlaps(path: &[u8], range: &Range<u32>) -> bool {
    let word = |fill: u8| {
        let nibbles = path.iter().copied().chain([fill; 4]).take(4);
        nibbles.fold(0, |word, nibble| word << 4 | u32::from(nibble))
    };
    word(0) < range.end && word(15) >= range.start
}

/// A layer in the database as the trie of `lmpt/1`, whose nodes are read when they are asked for.
#[derive(Debug)]
pub(in crate::system::lmpt) struct Stored<'r, R> {
    tree: RefCell<Tree>,
    records: &'r R,
}

impl<'r, R: Records> Stored<'r, R> {
    pub(in crate::system::lmpt) fn new(tree: &Tree, records: &'r R) -> Self {
        Self { tree: RefCell::new(tree.clone()), records }
    }
}

impl<R: Records> NodeSource for Stored<'_, R> {
    fn node(&self, path: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        let mut tree = self.tree.borrow_mut();
        tree.load(path, self.records)?;
        tree.node(path)
    }
}
