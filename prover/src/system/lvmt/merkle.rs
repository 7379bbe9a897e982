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

/// All nodes of the same tree: its leaves, then row by row; the last node of an odd row also stands
/// in the row above. The last one is the root. No leaves have no nodes.
pub fn nodes(leaves: &[Word]) -> Vec<Word> {
    let (mut nodes, mut start) = (leaves.to_vec(), 0);
    while nodes.len() > start + 1 {
        let end = nodes.len();
        for at in (start..end).step_by(2) {
            let above = match &nodes[at..end] {
                [left, right, ..] => inner(left, right),
                alone => alone[0],
            };
            nodes.push(above);
        }
        start = end;
    }
    nodes
}

/// Siblings of a leaf, bottom-up (RFC 9162 §2.1.3.1), from all nodes of a tree of `count` leaves.
pub fn path(nodes: &[Word], count: usize, position: usize) -> Vec<Word> {
    let (mut row, mut at, mut rest, mut path) = (count, position, nodes, Vec::new());
    while row > 1 && row <= rest.len() {
        let (nodes, above) = rest.split_at(row);
        path.extend(nodes.get(at ^ 1));
        (row, at, rest) = (row.div_ceil(2), at / 2, above);
    }
    path
}

/// The largest power of two below `count`, which is at least 2.
pub fn split(count: usize) -> usize {
    count.next_power_of_two() / 2
}

/// An inner node.
pub fn inner(left: &Word, right: &Word) -> Word {
    keccak256(&[&[1], left.as_slice(), right].concat())
}

/// The authors' tree: root, and a leaf's siblings. An odd row is padded with one keccak(""); no
/// leaves make zero.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 9162 §2.1.3.1, word by word.
    fn siblings(leaves: &[Word], position: usize) -> Vec<Word> {
        if leaves.len() < 2 {
            return Vec::new();
        }
        let (left, right) = leaves.split_at(split(leaves.len()));
        let (mut below, sibling) = match position.checked_sub(left.len()) {
            None => (siblings(left, position), root(right)),
            Some(position) => (siblings(right, position), root(left)),
        };
        below.push(sibling);
        below
    }

    #[test]
    fn nodes_have_the_root_and_the_path_of_every_leaf() {
        for count in 0..=70 {
            let leaves: Vec<Word> = (0..count).map(|leaf: u8| keccak256(&[leaf])).collect();
            let nodes = nodes(&leaves);
            assert_eq!(nodes.last().copied().unwrap_or(keccak256(&[])), root(&leaves));
            for position in 0..leaves.len() {
                assert_eq!(path(&nodes, leaves.len(), position), siblings(&leaves, position));
            }
        }
    }
}
