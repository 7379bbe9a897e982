//! Merkle paths of both formats: from a leaf to its tree's root.

use crate::hash::{Hash, Keccak256};

/// `lvmt/1`: the root of a tree of `count` leaves by RFC 9162 §2.1.3.2, inner nodes keccak(01 ‖
/// left ‖ right). `None` if there is no such leaf, or the path is not of the length that position
/// and count give.
pub fn climb(leaf: Hash, position: u64, count: u64, path: &[[u8; 32]]) -> Option<Hash> {
    let mut last = count.checked_sub(1)?;
    let mut at = position;
    if at > last {
        return None;
    }
    let mut root = leaf;
    for sibling in path {
        if last == 0 {
            return None;
        }
        if at & 1 == 1 || at == last {
            root = inner(sibling, &root.0);
            // A last node without a sibling rises until it has one.
            let shift = at.trailing_zeros();
            if at & 1 == 0 {
                at = at.checked_shr(shift).unwrap_or(0);
                last = last.checked_shr(shift).unwrap_or(0);
            }
        } else {
            root = inner(&root.0, sibling);
        }
        at >>= 1;
        last >>= 1;
    }
    (last == 0).then_some(root)
}

fn inner(left: &[u8; 32], right: &[u8; 32]) -> Hash {
    let mut hasher = Keccak256::default();
    hasher.update(&[1]);
    hasher.update(left);
    hasher.update(right);
    hasher.finish()
}

/// `lvmt/osdi23`: the root of a tree of `depth` rows, inner nodes keccak(left ‖ right). `None` if
/// there is no such leaf, or the path is not of that length.
pub fn climb_osdi23(leaf: Hash, position: u64, depth: u8, path: &[[u8; 32]]) -> Option<Hash> {
    let high = position.checked_shr(u32::from(depth)).unwrap_or(0);
    if path.len() != usize::from(depth) || high != 0 {
        return None;
    }
    let mut at = position;
    Some(path.iter().fold(leaf, |root, sibling| {
        let (left, right) = if at & 1 == 1 { (sibling, &root.0) } else { (&root.0, sibling) };
        at >>= 1;
        let mut hasher = Keccak256::default();
        hasher.update(left);
        hasher.update(right);
        hasher.finish()
    }))
}
