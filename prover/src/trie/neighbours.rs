//! The leaves next to a key that is not in the trie.

use super::NodeSource;
use super::nibbles::{self, Nibbles};
use super::node::Node;
use crate::error::StoreError;
use crate::hash::EMPTY_ROOT;

/// Keys of the leaves next to `key`, which is not in the trie: left and right of it, `None` at an
/// edge.
///
/// # Errors
/// [`StoreError`] if a node on the way is missing or no node.
pub fn neighbours(source: &impl NodeSource, key: &[u8]) -> Result<Neighbours, StoreError> {
    let key = nibbles::unpack(key);
    let (mut left, mut right) = (None, None);
    let mut next = stored_root(source)?;
    let mut depth = 0;
    while let Some(node) = next.take() {
        let at = &key[..depth];
        match loaded(source, at, node)? {
            Node::Branch { mut children } => {
                let own = key[depth];
                for nibble in (0_u8..16).filter(|nibble| *nibble != own) {
                    let child = std::mem::replace(&mut children[usize::from(nibble)], Node::Empty);
                    if child == Node::Empty {
                        continue;
                    }
                    let subtree = Some(([at, &[nibble]].concat(), child));
                    if nibble < own {
                        left = subtree;
                    } else {
                        right = subtree;
                        break;
                    }
                }
                next = Some(std::mem::replace(&mut children[usize::from(own)], Node::Empty));
                depth += 1;
            }
            Node::Extension { path, child } if key[depth..].starts_with(&path) => {
                next = Some(*child);
                depth += path.len();
            }
            node @ (Node::Extension { .. } | Node::Leaf { .. }) => {
                let (Node::Extension { path, .. } | Node::Leaf { path, .. }) = &node else { break };
                let side = if key[depth..] > path[..] { &mut left } else { &mut right };
                *side = Some((at.to_vec(), node));
            }
            Node::Empty | Node::Stored(_) => {}
        }
    }
    let key_of = |subtree: Option<(Nibbles, Node)>, last| {
        subtree.map(|(path, node)| outermost(source, path, node, last)).transpose()
    };
    Ok((key_of(left, true)?, key_of(right, false)?))
}

/// Keys left and right of a place.
pub type Neighbours = (Option<Vec<u8>>, Option<Vec<u8>>);

fn stored_root(source: &impl NodeSource) -> Result<Option<Node>, StoreError> {
    // Nodes are found by path: the hash does not matter.
    Ok(source.node(&[])?.map(|_| Node::Stored(EMPTY_ROOT)))
}

fn loaded(source: &impl NodeSource, path: &[u8], node: Node) -> Result<Node, StoreError> {
    if !matches!(node, Node::Stored(_)) {
        return Ok(node);
    }
    let encoded = source.node(path)?.ok_or(StoreError::Corrupt("a trie node is missing"))?;
    Node::decode(&encoded).ok_or(StoreError::Corrupt("a stored trie node is no node"))
}

/// The first or last key below a node.
fn outermost(
    source: &impl NodeSource,
    mut path: Nibbles,
    mut node: Node,
    last: bool,
) -> Result<Vec<u8>, StoreError> {
    loop {
        match loaded(source, &path, node)? {
            Node::Leaf { path: rest, .. } => {
                path.extend(rest);
                return Ok(nibbles::pack(&path));
            }
            Node::Extension { path: rest, child } => {
                path.extend(rest);
                node = *child;
            }
            Node::Branch { mut children } => {
                let mut nibbles = 0_u8..16;
                let occupied = |nibble: &u8| children[usize::from(*nibble)] != Node::Empty;
                let nibble = if last { nibbles.rfind(occupied) } else { nibbles.find(occupied) };
                let nibble = nibble.ok_or(StoreError::Corrupt("a branch without children"))?;
                path.push(nibble);
                node = std::mem::replace(&mut children[usize::from(nibble)], Node::Empty);
            }
            Node::Empty | Node::Stored(_) => {
                return Err(StoreError::Corrupt("a stored trie node is no node"));
            }
        }
    }
}
