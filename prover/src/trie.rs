//! A Merkle Patricia trie over keys of equal length, whose nodes are loaded by path when they are
//! needed.
//!
//! A node lives in its source under the path from the root to it; inline nodes live inside their
//! parents. An update loads only the nodes on the way to the keys it touches, and [`Trie::finish`]
//! tells which paths changed. A node that was not loaded never changes its path: splitting or
//! merging moves leaves and extensions only, and those are loaded first.

mod neighbours;
pub mod nibbles;
pub mod node;

use std::collections::{BTreeMap, BTreeSet};

use crate::error::StoreError;
use crate::hash::{EMPTY_ROOT, Word, keccak256};
use nibbles::{Nibbles, common_prefix};
use node::Node;

pub use neighbours::{Neighbours, neighbours};

/// Where a trie's nodes come from.
pub trait NodeSource {
    /// The RLP of the node at `path`, `None` if no node that is referenced by hash (or is the root)
    /// stands there.
    ///
    /// # Errors
    /// [`StoreError`] if the store cannot be read.
    fn node(&self, path: &[u8]) -> Result<Option<Vec<u8>>, StoreError>;

    /// What [`Self::node`] gives for the first `depth` nibbles of a key, for one more, and so on:
    /// as many as the source reads at once. None if it reads one after the other.
    ///
    /// # Errors
    /// [`StoreError`] if the store cannot be read.
    fn ahead(&self, _key: &[u8], _depth: usize) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        Ok(Vec::new())
    }
}

/// Nodes in memory, by path: what [`Trie::finish`] returns for a trie that began empty.
impl NodeSource for BTreeMap<Nibbles, Vec<u8>> {
    fn node(&self, path: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.get(path).cloned())
    }
}

/// An update in progress.
#[derive(Debug)]
pub struct Trie<'s, S> {
    source: &'s S,
    root: Node,
    loaded: BTreeMap<Nibbles, Vec<u8>>,
}

/// What an update changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// The new root.
    pub root: Word,
    /// New or changed nodes by path.
    pub written: BTreeMap<Nibbles, Vec<u8>>,
    /// Which of them stand where another node stood.
    pub replaced: BTreeSet<Nibbles>,
    /// Paths at which a node stood and none stands now.
    pub removed: Vec<Nibbles>,
}

impl<'s, S: NodeSource> Trie<'s, S> {
    /// Opens the trie whose root node `source` has at the empty path.
    ///
    /// # Errors
    /// [`StoreError`] if the root cannot be read.
    pub fn open(source: &'s S) -> Result<Self, StoreError> {
        let mut trie = Self { source, root: Node::Empty, loaded: BTreeMap::new() };
        if let Some(encoded) = source.node(&[])? {
            trie.root = trie.decode(&[], encoded)?;
        }
        Ok(trie)
    }

    /// Sets `key` to `value`; an empty value removes it.
    ///
    /// # Errors
    /// [`StoreError`] if a node on the way is missing or no node.
    pub fn set(&mut self, key: &[u8], value: Vec<u8>) -> Result<(), StoreError> {
        let nibbles = nibbles::unpack(key);
        let root = std::mem::replace(&mut self.root, Node::Empty);
        self.root = if value.is_empty() {
            self.remove(root, &nibbles, 0)?
        } else {
            self.insert(root, &nibbles, 0, value)?
        };
        Ok(())
    }

    /// Hashes what changed.
    pub fn finish(self) -> Changes {
        let mut now = BTreeMap::new();
        let mut root = EMPTY_ROOT;
        match &self.root {
            Node::Empty => {}
            node => {
                let encoded = node.encode(&Vec::new(), &mut now);
                root = keccak256(&encoded);
                now.insert(Vec::new(), encoded);
            }
        }
        let removed = self.loaded.keys().filter(|path| !now.contains_key(*path)).cloned().collect();
        now.retain(|path, encoded| self.loaded.get(path) != Some(encoded));
        let replaced = now.keys().filter(|path| self.loaded.contains_key(*path)).cloned().collect();
        Changes { root, written: now, replaced, removed }
    }

    fn load(&mut self, path: &[u8]) -> Result<Node, StoreError> {
        let encoded =
            self.source.node(path)?.ok_or(StoreError::Corrupt("a trie node is missing"))?;
        self.decode(path, encoded)
    }

    fn decode(&mut self, path: &[u8], encoded: Vec<u8>) -> Result<Node, StoreError> {
        let node =
            Node::decode(&encoded).ok_or(StoreError::Corrupt("a stored trie node is no node"))?;
        self.loaded.insert(path.to_vec(), encoded);
        Ok(node)
    }

    fn insert(
        &mut self,
        node: Node,
        key: &[u8],
        depth: usize,
        value: Vec<u8>,
    ) -> Result<Node, StoreError> {
        let rest = &key[depth..];
        match node {
            Node::Stored(_) => {
                let loaded = self.load(&key[..depth])?;
                self.insert(loaded, key, depth, value)
            }
            Node::Empty => Ok(Node::Leaf { path: rest.to_vec(), value }),
            Node::Leaf { path, .. } if path == rest => Ok(Node::Leaf { path, value }),
            Node::Leaf { path, value: old } => {
                let shared = common_prefix(&path, rest);
                let mut children = empty_children();
                children[usize::from(path[shared])] =
                    Node::Leaf { path: path[shared + 1..].to_vec(), value: old };
                children[usize::from(rest[shared])] =
                    Node::Leaf { path: rest[shared + 1..].to_vec(), value };
                Ok(extend(&rest[..shared], Node::Branch { children }))
            }
            Node::Extension { path, child } => {
                let shared = common_prefix(&path, rest);
                if shared == path.len() {
                    let child = self.insert(*child, key, depth + shared, value)?;
                    return Ok(extend(&path, child));
                }
                let mut children = empty_children();
                children[usize::from(path[shared])] = extend(&path[shared + 1..], *child);
                children[usize::from(rest[shared])] =
                    Node::Leaf { path: rest[shared + 1..].to_vec(), value };
                Ok(extend(&rest[..shared], Node::Branch { children }))
            }
            Node::Branch { mut children } => {
                let slot = &mut children[usize::from(rest[0])];
                let child = std::mem::replace(slot, Node::Empty);
                *slot = self.insert(child, key, depth + 1, value)?;
                Ok(Node::Branch { children })
            }
        }
    }

    fn remove(&mut self, node: Node, key: &[u8], depth: usize) -> Result<Node, StoreError> {
        let rest = &key[depth..];
        match node {
            Node::Stored(_) => {
                let loaded = self.load(&key[..depth])?;
                self.remove(loaded, key, depth)
            }
            Node::Leaf { path, .. } if path == rest => Ok(Node::Empty),
            Node::Extension { path, child } if rest.starts_with(&path) => {
                let child = self.remove(*child, key, depth + path.len())?;
                Ok(extend(&path, child))
            }
            Node::Branch { mut children } => {
                let slot = &mut children[usize::from(rest[0])];
                let child = std::mem::replace(slot, Node::Empty);
                *slot = self.remove(child, key, depth + 1)?;
                self.collapse(children, &key[..depth])
            }
            Node::Empty | Node::Leaf { .. } | Node::Extension { .. } => Ok(node),
        }
    }

    /// A branch that may be left with one child becomes that child, one nibble longer.
    fn collapse(&mut self, mut children: Box<[Node; 16]>, path: &[u8]) -> Result<Node, StoreError> {
        let mut occupied =
            (0_u8..16).filter(|nibble| children[usize::from(*nibble)] != Node::Empty);
        let (Some(nibble), None) = (occupied.next(), occupied.next()) else {
            return Ok(Node::Branch { children });
        };
        let mut child = std::mem::replace(&mut children[usize::from(nibble)], Node::Empty);
        if let Node::Stored(_) = child {
            child = self.load(&[path, &[nibble]].concat())?;
        }
        Ok(extend(&[nibble], child))
    }
}

/// `node` below `prefix`: leaves and extensions take the nibbles in, a branch gets an extension.
fn extend(prefix: &[u8], node: Node) -> Node {
    if prefix.is_empty() {
        return node;
    }
    match node {
        Node::Empty => Node::Empty,
        Node::Leaf { path, value } => Node::Leaf { path: [prefix, &path].concat(), value },
        Node::Extension { path, child } => {
            Node::Extension { path: [prefix, &path].concat(), child }
        }
        Node::Branch { .. } | Node::Stored(_) => {
            Node::Extension { path: prefix.to_vec(), child: Box::new(node) }
        }
    }
}

fn empty_children() -> Box<[Node; 16]> {
    Box::new([const { Node::Empty }; 16])
}

/// A proof for one key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    /// RLP of the nodes from the root down; inline nodes come inside their parents. Empty for an
    /// empty trie.
    pub nodes: Vec<Vec<u8>>,
    /// The value, `None` if the key is absent.
    pub value: Option<Vec<u8>>,
}

/// The nodes on the way to a key, read ahead where the source does that.
struct Way<'k, S> {
    source: &'k S,
    /// In nibbles.
    key: &'k [u8],
    /// The depth of the first of `nodes`.
    first: usize,
    nodes: Vec<Option<Vec<u8>>>,
}

impl<S: NodeSource> Way<'_, S> {
    /// The node at a depth; each is asked for once.
    fn node(&mut self, depth: usize) -> Result<Option<Vec<u8>>, StoreError> {
        let read = |way: &Self| depth.checked_sub(way.first).filter(|at| *at < way.nodes.len());
        if read(self).is_none() {
            (self.first, self.nodes) = (depth, self.source.ahead(self.key, depth)?);
        }
        match read(self) {
            Some(at) => Ok(self.nodes[at].take()),
            None => self.source.node(&self.key[..depth]),
        }
    }
}

/// Walks from the root towards `key` and keeps every node that is visited.
///
/// # Errors
/// [`StoreError`] if a node on the way is missing or no node.
pub fn prove(source: &impl NodeSource, key: &[u8]) -> Result<Walk, StoreError> {
    let key = nibbles::unpack(key);
    let mut walk = Walk::default();
    let mut way = Way { source, key: &key, first: 0, nodes: Vec::new() };
    let Some(root) = way.node(0)? else { return Ok(walk) };
    let mut root = Some(root);
    let mut depth = 0;
    // Only the first node has no parent to give its hash; the hash is not needed, nodes are found
    // by path.
    let mut next = Node::Stored(EMPTY_ROOT);
    loop {
        let node = match next {
            Node::Stored(_) => {
                let encoded = match root.take() {
                    Some(root) => root,
                    None => {
                        way.node(depth)?.ok_or(StoreError::Corrupt("a trie node is missing"))?
                    }
                };
                let node = Node::decode(&encoded)
                    .ok_or(StoreError::Corrupt("a stored trie node is no node"))?;
                walk.nodes.push(encoded);
                node
            }
            inline => inline,
        };
        match node {
            Node::Leaf { path, value } => {
                walk.value = (path == key[depth..]).then_some(value);
                return Ok(walk);
            }
            Node::Extension { path, child } if key[depth..].starts_with(&path) => {
                depth += path.len();
                next = *child;
            }
            Node::Branch { mut children } => {
                next = std::mem::replace(&mut children[usize::from(key[depth])], Node::Empty);
                depth += 1;
            }
            Node::Empty | Node::Extension { .. } | Node::Stored(_) => return Ok(walk),
        }
    }
}
