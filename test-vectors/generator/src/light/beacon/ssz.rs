//! Containers as bytes (consensus-specs, `ssz/simple-serialize.md`), and what their fields hold.

use super::tree::{leaf, leaf_of, pair, root_of};
use lightproof_prover::hash::Word;

/// A field, in place or behind an offset.
#[derive(Clone, Debug)]
pub(super) enum Field {
    /// Of fixed size.
    Fixed(Vec<u8>),
    /// Of variable size.
    Variable(Vec<u8>),
}

/// What a field holds.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// Of 64 bits.
    Uint(u64),
    /// Of 256 bits, little-endian.
    Uint256(Word),
    /// As many as the type has.
    Bytes(Vec<u8>),
    /// At most 32.
    List(Vec<u8>),
}

impl Value {
    /// In its container.
    pub(super) fn field(self) -> Field {
        match self {
            Self::Uint(integer) => Field::Fixed(integer.to_le_bytes().to_vec()),
            Self::Uint256(bytes) => Field::Fixed(bytes.to_vec()),
            Self::Bytes(bytes) => Field::Fixed(bytes),
            Self::List(bytes) => Field::Variable(bytes),
        }
    }

    /// Its bytes; an integer's from the most significant on.
    pub(super) fn big_endian(&self) -> Vec<u8> {
        match self {
            Self::Uint(integer) => integer.to_be_bytes().to_vec(),
            Self::Uint256(bytes) => bytes.iter().copied().rev().collect(),
            Self::Bytes(bytes) | Self::List(bytes) => bytes.clone(),
        }
    }

    /// `hash_tree_root`.
    pub(super) fn root(&self) -> Word {
        match self {
            Self::Uint(integer) => leaf_of(*integer),
            Self::Uint256(bytes) => *bytes,
            Self::Bytes(bytes) => root_of(bytes.chunks(32).map(leaf).collect()),
            Self::List(bytes) => {
                pair(&leaf(bytes), &leaf_of(u64::try_from(bytes.len()).unwrap_or(0)))
            }
        }
    }
}

/// The container of these fields.
pub(super) fn container(fields: &[Field]) -> Vec<u8> {
    let size = |field: &Field| match field {
        Field::Fixed(bytes) => bytes.len(),
        Field::Variable(_) => 4,
    };
    let fixed: usize = fields.iter().map(size).sum();
    let (mut head, mut tail) = (Vec::new(), Vec::new());
    for field in fields {
        match field {
            Field::Fixed(bytes) => head.extend(bytes),
            Field::Variable(bytes) => {
                head.extend(offset(fixed + tail.len()));
                tail.extend(bytes);
            }
        }
    }
    [head, tail].concat()
}

/// An offset's four bytes.
pub(super) fn offset(at: usize) -> [u8; 4] {
    u32::try_from(at).unwrap_or(u32::MAX).to_le_bytes()
}
