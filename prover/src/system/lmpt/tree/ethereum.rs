//! Format `lmpt/1`: a layer's tree as an Ethereum trie (Yellow Paper, appendix D).
//!
//! A node of the tree with a path and children is two nodes of the trie: an extension and its
//! branch.

use super::{Child, Node, Tree};
use crate::error::StoreError;
use crate::hash::{EMPTY_ROOT, Word, keccak256};
use crate::rlp::{header, string};
use crate::system::lmpt::config::Format;
use crate::trie::NodeSource;
use crate::trie::nibbles::hex_prefix;

/// The root of a layer.
pub(in crate::system::lmpt) fn root(node: Option<&Node>) -> Word {
    node.map_or(EMPTY_ROOT, |node| keccak256(&encode(node, 0)))
}

/// The RLP item by which a parent refers to the node: itself below 32 bytes, its hash otherwise.
pub(in crate::system::lmpt) fn reference(node: &Node, depth: usize) -> Vec<u8> {
    refer(encode(node, depth))
}

fn refer(encoded: Vec<u8>) -> Vec<u8> {
    if encoded.len() < 32 {
        return encoded;
    }
    let mut reference = vec![0xa0];
    reference.extend(keccak256(&encoded));
    reference
}

/// The RLP of the node at the top of its path.
fn encode(node: &Node, depth: usize) -> Vec<u8> {
    let mut body = Vec::with_capacity(80);
    match &node.value {
        Some(value) => {
            string(&hex_prefix(&node.path, true), &mut body);
            string(value, &mut body);
        }
        None if node.path.is_empty() => return branch(node, depth),
        None => {
            string(&hex_prefix(&node.path, false), &mut body);
            body.extend(refer(branch(node, depth)));
        }
    }
    list(&body)
}

/// The RLP of the branch at the end of the node's path.
fn branch(node: &Node, depth: usize) -> Vec<u8> {
    let depth = depth + node.path.len() + 1;
    let mut body = Vec::with_capacity(16 * 33 + 1);
    for child in node.children.iter().flat_map(|children| children.iter()) {
        match child.reference(Format::Layered, depth) {
            Some(reference) => body.extend_from_slice(reference),
            None => body.push(0x80),
        }
    }
    body.push(0x80);
    list(&body)
}

fn list(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len() + 3);
    header(0xc0, body.len(), &mut out);
    out.extend_from_slice(body);
    out
}

/// Nodes by their path, as if they were stored; those on the way must be in memory.
impl NodeSource for Tree {
    fn node(&self, path: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        let (mut next, mut rest, mut depth) = (self.top(), path, 0);
        while let Some(node) = next {
            let encoded = if rest.is_empty() {
                Some(encode(node, depth))
            } else {
                let is_branch = rest == node.path && node.value.is_none();
                is_branch.then(|| branch(node, depth))
            };
            if let Some(encoded) = encoded {
                // A smaller node lives inside its parent, unless it has none.
                return Ok(Some(encoded).filter(|node| node.len() >= 32 || path.is_empty()));
            }
            let Some(below) = rest.strip_prefix(node.path.as_slice()) else { break };
            let Some((nibble, below)) = below.split_first() else { break };
            depth += node.path.len() + 1;
            (next, rest) = (node.child(*nibble).and_then(Child::here), below);
        }
        Ok(None)
    }
}
