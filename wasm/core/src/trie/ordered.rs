//! Tries over a list, keyed by the RLP of each item's index: what a header's roots of transactions,
//! receipts and withdrawals commit to (Yellow Paper §4.4.2).

use alloc::vec::Vec;

use super::EMPTY_ROOT;
use crate::hash::{Hash, keccak256_of};
use crate::wire::{prefix, string};

/// A node shorter than this stands inside its parent; any other is referred to by its hash.
const HASH_BYTES: usize = 32;
/// What stands before a payload: one byte, and at most those of a `usize`.
const MAX_PREFIX_BYTES: usize = 9;

/// Root of the trie that holds each of `values` under its index. No value is empty.
pub fn ordered_root(values: &[&[u8]]) -> Hash {
    if values.is_empty() {
        return EMPTY_ROOT;
    }
    match (Keys { values }).node(0, values.len(), 0) {
        Node::Hash(hash) => hash,
        Node::Inline(encoded) => keccak256_of(&[&encoded]),
    }
}

/// A node as its parent holds it.
enum Node {
    /// 32 bytes or more.
    Hash(Hash),
    /// Shorter: its own encoding.
    Inline(Vec<u8>),
}

impl Node {
    /// A list whose payload is `head` and, behind it, `tail`.
    fn new(head: &[u8], tail: &[u8]) -> Self {
        let length = head.len().saturating_add(tail.len());
        let mut start = Vec::with_capacity(MAX_PREFIX_BYTES.saturating_add(head.len()));
        prefix(&mut start, 0xc0, length);
        start.extend_from_slice(head);
        if start.len().saturating_add(tail.len()) < HASH_BYTES {
            start.extend_from_slice(tail);
            return Self::Inline(start);
        }
        Self::Hash(keccak256_of(&[&start, tail]))
    }

    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Hash(hash) => string(out, &hash.0),
            Self::Inline(encoded) => out.extend_from_slice(encoded),
        }
    }
}

/// The keys of the values, in ascending order of their nibbles: 1 to 127, then 0 (whose RLP is
/// 0x80), then the others.
struct Keys<'a> {
    values: &'a [&'a [u8]],
}

impl Keys<'_> {
    /// The index whose key stands at `place` in ascending order.
    fn index(&self, place: usize) -> usize {
        let small = self.values.len().min(128).saturating_sub(1);
        match place {
            _ if place < small => place.saturating_add(1),
            _ if place == small => 0,
            _ => place,
        }
    }

    fn key(&self, place: usize) -> Key {
        Key::new(self.index(place))
    }

    /// The node over the keys at places `start..end`, of which there is one at least, below `depth`
    /// nibbles that they share. Recursion ends with the key's nibbles, 18 at most.
    fn node(&self, start: usize, end: usize, depth: usize) -> Node {
        let last = end.saturating_sub(1);
        let (first, final_key) = (self.key(start), self.key(last));
        if start == last {
            let value = self.values.get(self.index(start)).copied().unwrap_or_default();
            return leaf(first, depth, value);
        }
        let shared = (depth..first.nibbles()).take_while(|at| first.at(*at) == final_key.at(*at));
        let shared = shared.count();
        if shared > 0 {
            let below = depth.saturating_add(shared);
            let mut head = Vec::new();
            string(&mut head, &first.path(depth, below, 0));
            self.node(start, end, below).write(&mut head);
            return Node::new(&head, &[]);
        }
        let mut head = Vec::new();
        let mut from = start;
        for nibble in 0..16 {
            let to = (from..end).find(|place| self.key(*place).at(depth) != Some(nibble));
            let to = to.unwrap_or(end);
            if from == to {
                string(&mut head, &[]);
            } else {
                self.node(from, to, depth.saturating_add(1)).write(&mut head);
            }
            from = to;
        }
        // No key ends at a branch: the RLP of an integer is never the start of another's.
        string(&mut head, &[]);
        Node::new(&head, &[])
    }
}

fn leaf(key: Key, depth: usize, value: &[u8]) -> Node {
    let mut head = Vec::new();
    string(&mut head, &key.path(depth, key.nibbles(), 2));
    if !matches!(value, [0..=0x7f]) {
        prefix(&mut head, 0x80, value.len());
    }
    Node::new(&head, value)
}

/// An index, as the bytes of its RLP.
#[derive(Clone, Copy)]
struct Key {
    index: usize,
    /// Bytes of the index, without leading zeros.
    digits: usize,
}

impl Key {
    fn new(index: usize) -> Self {
        let zeros = index.to_be_bytes().iter().take_while(|byte| **byte == 0).count();
        Self { index, digits: size_of::<usize>().saturating_sub(zeros) }
    }

    /// Whether the RLP is the byte itself.
    const fn is_small(self) -> bool {
        self.index > 0 && self.index < 0x80
    }

    const fn nibbles(self) -> usize {
        let bytes = if self.is_small() { 1 } else { self.digits.saturating_add(1) };
        bytes.saturating_mul(2)
    }

    /// The nibble at a place, high half of a byte first.
    fn at(self, place: usize) -> Option<u8> {
        let little_endian = self.index.to_le_bytes();
        let byte = match place >> 1 {
            0 if self.is_small() => *little_endian.first()?,
            // A usize has at most 8 digits.
            0 => u8::try_from(self.digits).unwrap_or(8).saturating_add(0x80),
            at => *little_endian.get(self.digits.checked_sub(at)?)?,
        };
        Some(if place & 1 == 0 { byte >> 4 } else { byte & 0x0f })
    }

    /// Nibbles `from..to` in the hex-prefix encoding; `flag` is 2 for a leaf, 0 for an extension.
    fn path(self, from: usize, to: usize, flag: u8) -> Vec<u8> {
        let odd = to.saturating_sub(from) & 1;
        let start: &[u8] = if odd == 1 { &[flag | 1] } else { &[flag, 0] };
        let mut nibbles = start.to_vec();
        nibbles.extend((from..to).filter_map(|place| self.at(place)));
        nibbles.as_chunks::<2>().0.iter().map(|[high, low]| (high << 4) | low).collect()
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use alloy_trie::root::ordered_trie_root_with_encoder;

    use super::*;

    fn agree(values: &[Vec<u8>]) {
        let slices: Vec<&[u8]> = values.iter().map(Vec::as_slice).collect();
        let expected =
            ordered_trie_root_with_encoder(values, |value, out| out.extend_from_slice(value));
        assert_eq!(ordered_root(&slices).0, expected.0, "{} values", values.len());
    }

    /// Counts around those at which keys get longer and branches fill.
    #[test]
    fn roots_are_those_of_another_implementation() {
        for count in (0..40).chain(120..140).chain(250..262).chain([4_095, 4_096, 4_097, 65_600]) {
            agree(&(0..count).map(|index| vec![0x80; 1 + index % 70]).collect::<Vec<_>>());
        }
    }

    /// Nodes of 31 and 32 bytes, and values that are their own encoding.
    #[test]
    fn short_values_stand_inside_their_parents() {
        for count in [1, 2, 3, 16, 17, 127, 128, 129, 130, 300] {
            for length in [1, 2, 26, 27, 28, 29, 30, 31, 32, 55, 56] {
                for byte in [0x00, 0x7f, 0x80] {
                    agree(&vec![vec![byte; length]; count]);
                }
            }
        }
    }
}
