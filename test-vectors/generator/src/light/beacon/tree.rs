//! Binary trees of hashes (consensus-specs, `ssz/merkle-proofs.md`): some nodes are given, filler
//! stands for the rest.

use std::collections::BTreeMap;

use lightproof_prover::hash::{Word, sha256};

/// Nodes by generalized index: 1 is the root, 2i and 2i + 1 are under i.
pub(super) type Tree = BTreeMap<u64, Word>;

/// Parent of two nodes.
pub(super) fn pair(left: &Word, right: &Word) -> Word {
    sha256(&[left, right])
}

/// A chunk of 32 bytes, zeros after the value.
pub(super) fn leaf(bytes: &[u8]) -> Word {
    std::array::from_fn(|at| bytes.get(at).copied().unwrap_or(0))
}

/// The chunk of an integer.
pub(super) fn leaf_of(integer: u64) -> Word {
    leaf(&integer.to_le_bytes())
}

/// Root of leaves, zero ones after them up to a power of two.
pub(super) fn root_of(mut nodes: Vec<Word>) -> Word {
    nodes.resize(nodes.len().next_power_of_two(), [0; 32]);
    while nodes.len() > 1 {
        nodes = nodes.as_chunks::<2>().0.iter().map(|[left, right]| pair(left, right)).collect();
    }
    nodes[0]
}

/// Node `index`.
pub(super) fn node(tree: &Tree, index: u64) -> Word {
    if let Some(node) = tree.get(&index) {
        return *node;
    }
    let is_below = |other: &u64| {
        let levels = other.ilog2().saturating_sub(index.ilog2());
        *other > index && other >> levels == index
    };
    if tree.keys().any(is_below) {
        pair(&node(tree, 2 * index), &node(tree, 2 * index + 1))
    } else {
        sha256(&[b"filler", &index.to_be_bytes()])
    }
}

/// The nodes beside the way from node `index` up to the root.
pub(super) fn branch(tree: &Tree, index: u64) -> Vec<Word> {
    let up = std::iter::successors(Some(index), |index| Some(index / 2));
    up.take_while(|index| *index > 1).map(|index| node(tree, index ^ 1)).collect()
}
