//! The walk through one layer: every node's hash is recomputed, every nibble accounted for.

use alloc::vec::Vec;

use super::NULL;
use super::node::{Node, Path};
use crate::error::{DecodeError, Malformed, Span, VerifyError};
use crate::hash::Hash;
use crate::observer::{Observer, note};
use crate::trie::nibble;
use crate::wire::{Bytes, Item, Reader};

/// Most nodes in a proof, as Conflux caps them.
const MAX_NODES: usize = 1000;

/// The nodes on one key's path, root first; decoded, not yet checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NodeList<'a> {
    nodes: Vec<Node<'a>>,
    span: Span,
}

/// The node that ends at a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found<'a> {
    /// Its hash without the path.
    pub(super) node_hash: Hash,
    /// Its value; empty for a tombstone, `None` if it only leads on.
    pub(super) value: Option<Bytes<'a>>,
}

impl<'a> NodeList<'a> {
    pub(super) fn read(mut list: Reader<'a>) -> Result<Self, DecodeError> {
        let span = list.span();
        let mut nodes = Vec::new();
        while !list.is_empty() {
            if nodes.len() == MAX_NODES {
                let reason = "more than 1000 nodes";
                return Err(Malformed::Limit.at("trie node", reason, span));
            }
            match list.item("trie node")? {
                Item::List { items, encoded } => nodes.push(Node::read(items, encoded.span)?),
                Item::String(Bytes { span, .. }) => {
                    return Err(Malformed::Node.at(
                        "trie node",
                        "a string in place of a node",
                        span,
                    ));
                }
            }
        }
        // As many lists as a query has keys are held at once, three each.
        nodes.shrink_to_fit();
        Ok(Self { nodes, span })
    }

    /// The proof of a layer that was never written: one empty node.
    pub(super) fn must_be_null(&self) -> Result<(), VerifyError> {
        match self.nodes.as_slice() {
            [node @ Node { value: None, path: None, merkle, span, .. }]
                if node.children.is_empty() =>
            {
                let got = node.hash();
                if got == *merkle {
                    Ok(())
                } else {
                    Err(VerifyError::Merkle { expected: *merkle, got, span: *span })
                }
            }
            _ => Err(VerifyError::Root { expected: NULL, got: Hash::ZERO, span: self.span }),
        }
    }

    /// Walks from `root` along `key` to the node that ends there, `None` if it is proven absent.
    pub(super) fn walk(
        &self,
        root: Hash,
        key: &[u8],
        observer: &mut impl Observer,
    ) -> Result<Option<Found<'a>>, VerifyError> {
        let length = key.len().saturating_mul(2);
        let mut nodes = self.nodes.iter();
        let mut expected = root;
        let mut depth = 0_usize;
        let found = loop {
            let node = nodes.next().ok_or(VerifyError::Incomplete { span: self.span })?;
            let index = depth.checked_sub(1).and_then(|last| nibble(key, last));
            let steps = aligned(node, depth, index)?;
            let node_hash = authentic(node, expected, depth, observer)?;
            if !follows(node.path, key, depth) {
                node.ended("another path", depth, observer);
                break None;
            }
            depth = depth.saturating_add(steps);
            let Some(nibble) = nibble(key, depth) else {
                let found = depth == length;
                note!(observer, Compared "leaf", node.span, found: found, depth: depth);
                break found.then_some(Found { node_hash, value: node.value });
            };
            expected = node.children.get(nibble);
            if expected == NULL {
                node.ended("empty child", depth, observer);
                break None;
            }
            note!(observer, Compared "branch", node.span, depth: depth, nibble: nibble);
            depth = depth.saturating_add(1);
        };
        match nodes.next() {
            Some(node) => Err(VerifyError::Surplus { span: node.span }),
            None => Ok(found),
        }
    }
}

impl Node<'_> {
    /// Tells that the walk ends off the key, and what stands in its way.
    fn ended(&self, by: &'static str, depth: usize, observer: &mut impl Observer) {
        note!(observer, Compared "end", self.span, found: false, by: by, depth: depth);
    }
}

/// The path's alignment follows from its depth and the nibbles outside of it from the key, so that
/// nothing uncommitted can steer the walk. Returns the number of nibbles.
///
/// * `depth`: nibbles consumed above the path, the child index included.
/// * `index`: the child index, `None` at the root.
fn aligned(node: &Node<'_>, depth: usize, index: Option<u8>) -> Result<usize, VerifyError> {
    let impossible = |reason| VerifyError::Path { reason, span: node.span };
    let is_odd = |count: usize| count & 1 == 1;
    let Some(path) = node.path else {
        return if is_odd(depth) {
            Err(impossible("a missing path at an odd depth"))
        } else {
            Ok(0)
        };
    };
    let steps = path.steps();
    let Some(index) = index else { return Err(impossible("a path at the root")) };
    if steps == 0 && !is_odd(depth) {
        return Err(impossible("a path of no nibbles at an even depth"));
    }
    // Its bytes have two nibbles each, so where the start is aligned, the end is.
    if path.skips_first != is_odd(depth) {
        return Err(impossible("a path that is not aligned to its depth"));
    }
    if path.skips_first && path.bytes.first().map(|byte| byte >> 4) != Some(index) {
        return Err(impossible("an excluded first nibble that is not the child index"));
    }
    if path.skips_last && path.bytes.last().map(|byte| byte & 0x0f) != Some(0) {
        return Err(impossible("an excluded last nibble that is not zero"));
    }
    Ok(steps)
}

fn authentic(
    node: &Node<'_>,
    expected: Hash,
    depth: usize,
    observer: &mut impl Observer,
) -> Result<Hash, VerifyError> {
    let (hash, span) = (node.hash(), node.span);
    let got = node.merkle(hash);
    if got != expected {
        return Err(if depth == 0 {
            VerifyError::Root { expected, got, span }
        } else {
            VerifyError::Merkle { expected, got, span }
        });
    }
    if node.merkle != got {
        return Err(VerifyError::Claim { field: "merkle", span });
    }
    note!(observer, Hashed "trie node", span, depth: depth, hashes: 2_u8, digest: &got);
    Ok(hash)
}

/// Whether `key` goes on with this path at nibble `depth`. A key that ends inside of it does not.
fn follows(path: Option<Path<'_>>, key: &[u8], depth: usize) -> bool {
    let Some(path) = path else { return true };
    let skip = usize::from(path.skips_first);
    (0..path.steps()).all(|step| {
        let own = nibble(path.bytes, skip.saturating_add(step));
        own.is_some() && own == nibble(key, depth.saturating_add(step))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observer::{Cost, Step};
    use crate::wire::{prefix, string};

    fn list(payload: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        prefix(&mut out, 0xc0, payload.len());
        out.extend_from_slice(payload);
        out
    }

    /// A node without value and path that claims its own hash.
    fn node(children: usize) -> Vec<u8> {
        let mut hashes = Vec::new();
        for _ in 0..children {
            string(&mut hashes, &[9; 32]);
        }
        let with = |merkle: &Hash| {
            let mut fields = Vec::new();
            string(&mut fields, &merkle.0);
            fields.extend(list(&hashes));
            fields.extend(list(&[]));
            list(&fields)
        };
        let unsure = with(&Hash::ZERO);
        let items = Reader::whole_list(&unsure, 0, "node").unwrap();
        with(&Node::read(items, Span::default()).unwrap().hash())
    }

    #[test]
    fn a_layer_that_was_never_written_has_no_children() {
        for (children, expected) in [(0, None), (16, Some("verify.root"))] {
            let bytes = list(&node(children));
            let nodes = NodeList::read(Reader::whole_list(&bytes, 0, "nodes").unwrap()).unwrap();
            assert_eq!(nodes.must_be_null().err().map(|error| error.code()), expected);
        }
    }

    /// What steps were about.
    #[derive(Default)]
    struct Told(Vec<&'static str>);

    impl Observer for Told {
        fn step(&mut self, step: Step<'_>) {
            self.0.push(step.what);
        }

        fn cost(&mut self, _cost: Cost) {}
    }

    #[test]
    fn a_walk_that_ends_off_the_key_says_so() {
        let (bytes, mut told) = (list(&node(0)), Told::default());
        let nodes = NodeList::read(Reader::whole_list(&bytes, 0, "nodes").unwrap()).unwrap();
        let [node] = nodes.nodes.as_slice() else { panic!("one node") };
        assert_eq!(nodes.walk(node.merkle, &[0x12], &mut told), Ok(None));
        assert_eq!(told.0, ["trie node", "end"]);
    }
}
