//! Merkleisation and branches of SSZ (consensus-specs, `ssz/simple-serialize.md` and
//! `ssz/merkle-proofs.md`): SHA-256 over 32-byte nodes, a tree whose missing leaves are zero.

use alloc::vec::Vec;

use sha2::{Digest, Sha256};

use super::Hash;
use crate::observer::{Cost, Observer};

/// Roots of trees whose leaves are all zero, by depth. Deeper ones are needed nowhere.
const ZERO_TREES: [Hash; 9] = [
    Hash::ZERO,
    Hash([
        0xf5, 0xa5, 0xfd, 0x42, 0xd1, 0x6a, 0x20, 0x30, 0x27, 0x98, 0xef, 0x6e, 0xd3, 0x09, 0x97,
        0x9b, 0x43, 0x00, 0x3d, 0x23, 0x20, 0xd9, 0xf0, 0xe8, 0xea, 0x98, 0x31, 0xa9, 0x27, 0x59,
        0xfb, 0x4b,
    ]),
    Hash([
        0xdb, 0x56, 0x11, 0x4e, 0x00, 0xfd, 0xd4, 0xc1, 0xf8, 0x5c, 0x89, 0x2b, 0xf3, 0x5a, 0xc9,
        0xa8, 0x92, 0x89, 0xaa, 0xec, 0xb1, 0xeb, 0xd0, 0xa9, 0x6c, 0xde, 0x60, 0x6a, 0x74, 0x8b,
        0x5d, 0x71,
    ]),
    Hash([
        0xc7, 0x80, 0x09, 0xfd, 0xf0, 0x7f, 0xc5, 0x6a, 0x11, 0xf1, 0x22, 0x37, 0x06, 0x58, 0xa3,
        0x53, 0xaa, 0xa5, 0x42, 0xed, 0x63, 0xe4, 0x4c, 0x4b, 0xc1, 0x5f, 0xf4, 0xcd, 0x10, 0x5a,
        0xb3, 0x3c,
    ]),
    Hash([
        0x53, 0x6d, 0x98, 0x83, 0x7f, 0x2d, 0xd1, 0x65, 0xa5, 0x5d, 0x5e, 0xea, 0xe9, 0x14, 0x85,
        0x95, 0x44, 0x72, 0xd5, 0x6f, 0x24, 0x6d, 0xf2, 0x56, 0xbf, 0x3c, 0xae, 0x19, 0x35, 0x2a,
        0x12, 0x3c,
    ]),
    Hash([
        0x9e, 0xfd, 0xe0, 0x52, 0xaa, 0x15, 0x42, 0x9f, 0xae, 0x05, 0xba, 0xd4, 0xd0, 0xb1, 0xd7,
        0xc6, 0x4d, 0xa6, 0x4d, 0x03, 0xd7, 0xa1, 0x85, 0x4a, 0x58, 0x8c, 0x2c, 0xb8, 0x43, 0x0c,
        0x0d, 0x30,
    ]),
    Hash([
        0xd8, 0x8d, 0xdf, 0xee, 0xd4, 0x00, 0xa8, 0x75, 0x55, 0x96, 0xb2, 0x19, 0x42, 0xc1, 0x49,
        0x7e, 0x11, 0x4c, 0x30, 0x2e, 0x61, 0x18, 0x29, 0x0f, 0x91, 0xe6, 0x77, 0x29, 0x76, 0x04,
        0x1f, 0xa1,
    ]),
    Hash([
        0x87, 0xeb, 0x0d, 0xdb, 0xa5, 0x7e, 0x35, 0xf6, 0xd2, 0x86, 0x67, 0x38, 0x02, 0xa4, 0xaf,
        0x59, 0x75, 0xe2, 0x25, 0x06, 0xc7, 0xcf, 0x4c, 0x64, 0xbb, 0x6b, 0xe5, 0xee, 0x11, 0x52,
        0x7f, 0x2c,
    ]),
    Hash([
        0x26, 0x84, 0x64, 0x76, 0xfd, 0x5f, 0xc5, 0x4a, 0x5d, 0x43, 0x38, 0x51, 0x67, 0xc9, 0x51,
        0x44, 0xf2, 0x64, 0x3f, 0x53, 0x3c, 0xc8, 0x5b, 0xb9, 0xd1, 0x6b, 0x78, 0x2f, 0x8d, 0x7d,
        0xb1, 0x93,
    ]),
];

/// The parent of two nodes.
pub(crate) fn pair(left: &Hash, right: &Hash, observer: &mut impl Observer) -> Hash {
    observer.cost(Cost::Hashes(1));
    let hasher = Sha256::new_with_prefix(left.0).chain_update(right.0);
    Hash(hasher.finalize().into())
}

/// Root of a tree with 2^`depth` leaves, those after `leaves` zero; at most nine levels may have an
/// odd number of nodes.
pub(crate) fn root(mut leaves: Vec<Hash>, depth: usize, observer: &mut impl Observer) -> Hash {
    for level in 0..depth {
        let zero = ZERO_TREES.get(level).unwrap_or(&Hash::ZERO);
        leaves = leaves
            .chunks(2)
            .map(|nodes| match nodes {
                [left, right] => pair(left, right, observer),
                [left] => pair(left, zero, observer),
                _ => Hash::ZERO,
            })
            .collect();
    }
    leaves.first().copied().unwrap_or_default()
}

/// Root that a leaf at generalized index `gindex` leads to along `branch`, whose nodes start at the
/// leaf.
///
/// A branch of a later fork's length is read too, if the surplus nodes in front are zero
/// (`is_valid_normalized_merkle_branch`); `None` if they are not, or nodes are missing.
pub(crate) fn climb(
    leaf: Hash,
    gindex: u64,
    branch: &[u8],
    observer: &mut impl Observer,
) -> Option<Hash> {
    let (nodes, []) = branch.as_chunks::<32>() else {
        return None;
    };
    let depth = usize::try_from(gindex.checked_ilog2()?).ok()?;
    let (padding, nodes) = nodes.split_at_checked(nodes.len().checked_sub(depth)?)?;
    if padding.iter().any(|node| *node != [0; 32]) {
        return None;
    }
    let mut index = gindex;
    let mut root = leaf;
    for node in nodes {
        let sibling = Hash(*node);
        let is_right = index & 1 == 1;
        root = if is_right {
            pair(&sibling, &root, observer)
        } else {
            pair(&root, &sibling, observer)
        };
        index >>= 1;
    }
    Some(root)
}

/// An integer as an SSZ leaf: little-endian, padded with zeros.
pub(crate) fn leaf_of_u64(value: u64) -> Hash {
    leaf_of(&value.to_le_bytes())
}

/// At most 32 bytes as an SSZ leaf, padded with zeros.
pub(crate) fn leaf_of(bytes: &[u8]) -> Hash {
    let mut leaf = Hash::ZERO;
    for (to, from) in leaf.0.iter_mut().zip(bytes) {
        *to = *from;
    }
    leaf
}

/// Bytes as SSZ leaves, the last one padded with zeros.
pub(crate) fn leaves_of(bytes: &[u8]) -> Vec<Hash> {
    bytes.chunks(32).map(leaf_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_trees_are_roots_of_zero_leaves() {
        for level in ZERO_TREES.windows(2) {
            assert_eq!(pair(&level[0], &level[0], &mut ()), level[1]);
        }
    }

    #[test]
    fn a_missing_leaf_is_a_zero_leaf() {
        let leaves: Vec<Hash> = (1..=5).map(|byte| Hash([byte; 32])).collect();
        let mut padded = leaves.clone();
        padded.resize(16, Hash::ZERO);
        assert_eq!(super::root(leaves, 4, &mut ()), super::root(padded, 4, &mut ()));
    }

    #[test]
    fn climbs_to_the_root_along_a_branch_and_along_its_padded_form() {
        let leaves: Vec<Hash> = (1..=4).map(|byte| Hash([byte; 32])).collect();
        let root = super::root(leaves.clone(), 2, &mut ());
        let left = pair(&leaves[0], &leaves[1], &mut ());
        let branch = [leaves[3].0, left.0].concat();
        assert_eq!(climb(leaves[2], 6, &branch, &mut ()), Some(root));
        let padded = [alloc::vec![0; 64], branch.clone()].concat();
        assert_eq!(climb(leaves[2], 6, &padded, &mut ()), Some(root));
    }

    #[test]
    fn refuses_padding_that_is_not_zero_and_branches_of_another_depth() {
        let branch = [[7; 32], [8; 32]].concat();
        let mut padded = [alloc::vec![0; 32], branch.clone()].concat();
        padded[31] = 1;
        assert_eq!(climb(Hash::ZERO, 6, &padded, &mut ()), None);
        assert_eq!(climb(Hash::ZERO, 8, &branch, &mut ()), None);
        assert_eq!(climb(Hash::ZERO, 6, &branch[..63], &mut ()), None);
        assert_eq!(climb(Hash::ZERO, 0, &branch, &mut ()), None);
    }
}
