//! Merkle trees of blocks and of the list of blocks, in both formats.

use crate::hash::{Word, keccak256};

/// RFC 9162 §2.1.1 over keccak: inner nodes keccak(01 ‖ left ‖ right).
pub fn root(leaves: &[Word]) -> Word {
    match leaves {
        [] => keccak256(&[]),
        [leaf] => *leaf,
        _ => {
            let (left, right) = leaves.split_at(split(leaves.len()));
            inner(&root(left), &root(right))
        }
    }
}

/// Siblings of a leaf, bottom-up (RFC 9162 §2.1.3.1).
pub fn path(leaves: &[Word], position: usize) -> Vec<Word> {
    if leaves.len() < 2 {
        return Vec::new();
    }
    let (left, right) = leaves.split_at(split(leaves.len()));
    let (mut below, sibling) = match position.checked_sub(left.len()) {
        None => (path(left, position), root(right)),
        Some(position) => (path(right, position), root(left)),
    };
    below.push(sibling);
    below
}

/// The largest power of two below `count`, which is at least 2.
pub fn split(count: usize) -> usize {
    count.next_power_of_two() / 2
}

/// An inner node.
pub fn inner(left: &Word, right: &Word) -> Word {
    keccak256(&[&[1], left.as_slice(), right].concat())
}

/// The authors' tree: root, and a leaf's siblings. An odd row is padded with one keccak(""); no leaves make zero.
pub fn padded(leaves: &[Word], position: usize) -> (Word, Vec<Word>) {
    let (mut row, mut at, mut path) = (leaves.to_vec(), position, Vec::new());
    while row.len() > 1 {
        if row.len() % 2 == 1 {
            row.push(keccak256(&[]));
        }
        path.extend(row.get(at ^ 1));
        at /= 2;
        row = row.chunks(2).map(|pair| keccak256(&pair.concat())).collect();
    }
    (row.first().copied().unwrap_or_default(), path)
}
