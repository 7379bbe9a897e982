//! Nodes of many tries in one bag, each under the hash that its parent refers to it by.

use alloc::collections::BTreeMap;

use super::node::Node;
use super::{Descent, EMPTY_ROOT, MAX_NODE_BYTES, Walk};
use crate::error::{DecodeError, Malformed, Rejection, Span};
use crate::hash::{Hash, keccak256};
use crate::wire::Bytes;

/// What the nodes at hand show about a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup<'a> {
    /// Proven: the key is there, with this value.
    Present(Bytes<'a>),
    /// Proven: the key is not there.
    Absent,
    /// Nothing is proven: the node with this hash is not at hand.
    Unknown(Hash),
}

/// Nodes of any number of tries. Each stands under the hash of its bytes, which is computed here,
/// so that a walk from a trusted root only meets nodes that the root commits to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nodes<'a>(BTreeMap<Hash, &'a [u8]>);

impl<'a> Nodes<'a> {
    /// Adds a node; one that no trie refers to is never met.
    ///
    /// # Errors
    /// `decode.limit` over 600 bytes.
    pub fn insert(&mut self, node: Bytes<'a>) -> Result<(), DecodeError> {
        if node.bytes.len() > MAX_NODE_BYTES {
            return Err(Malformed::Limit.at("trie node", "longer than 600 bytes", node.span));
        }
        self.0.insert(keccak256(node.bytes), node.bytes);
        Ok(())
    }

    /// Walks from `root` along `key`, as far as the nodes go. Spans are places in the node.
    ///
    /// # Errors
    /// `decode.node`, `decode.rlp` and `decode.shape` for a node that no canonical trie holds;
    /// `verify.path` for a path that no 32-byte key takes.
    pub fn find(&self, root: Hash, key: &Hash) -> Result<Lookup<'a>, Rejection> {
        if root == EMPTY_ROOT {
            return Ok(Lookup::Absent);
        }
        let mut walk = Walk { key, depth: 0, branch_due: false };
        let (mut next, mut is_root) = (root, true);
        loop {
            let Some(bytes) = self.0.get(&next).copied() else {
                return Ok(Lookup::Unknown(next));
            };
            let span = Span { start: 0, end: bytes.len() };
            let bytes = Bytes { bytes, span };
            let node = if is_root { Node::root(bytes)? } else { Node::by_hash(bytes)? };
            is_root = false;
            // Invariant: every step consumes nibbles of the key, so the walk ends.
            next = match walk.descend(node, span, &mut |_| (), &mut ())? {
                Descent::To(hash) => hash,
                Descent::Ended(Some(value)) => return Ok(Lookup::Present(value)),
                Descent::Ended(None) => return Ok(Lookup::Absent),
            };
        }
    }
}
