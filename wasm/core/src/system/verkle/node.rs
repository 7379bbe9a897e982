//! What the tree asks of a node commitment, and the scalars that a node's slots hold.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt::Debug;

use ark_bls12_381::{Bls12_381, Fr, G1Affine};
use ark_ff::One;

use crate::algebra::{Base, Equation, FixedG2, Point, Prepared};
use crate::error::{DecodeError, Span};
use crate::hash::{Hash, sha256};
use crate::wire::point::{G1_BYTES, g1, g1_with_multiples};
use crate::wire::{Bytes, reduced, short};

/// Which node commitment a tree is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commitment {
    /// Catalano and Fiore's, the paper's.
    Cf,
    /// Kate, Zaverucha and Goldberg's.
    Kzg,
}

impl Commitment {
    /// Its name in formats.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cf => "cf",
            Self::Kzg => "kzg",
        }
    }

    /// What its parameters are hashed with.
    pub const fn kind(self) -> &'static [u8] {
        match self {
            Self::Cf => b"KVT-CF-v1",
            Self::Kzg => b"KVT-KZG-v1",
        }
    }

    /// Reads points of nodes as equations take them: cf adds up many sums of few terms each, which
    /// known multiples make short; kzg two of many terms, which have little of their doublings.
    pub(super) fn points(
        self,
        from: &[Bytes<'_>],
        field: &'static str,
    ) -> Result<Vec<Base<G1Affine>>, DecodeError> {
        match self {
            Self::Cf => g1_with_multiples(from, field),
            Self::Kzg => from.iter().map(|from| g1(*from, field).map(Base::from)).collect(),
        }
    }

    /// The scalar that stands for a node in its parent's slot.
    ///
    /// * `commitment`: the node's, compressed.
    pub fn inner(self, commitment: &[u8; G1_BYTES]) -> Fr {
        let tag: &[u8] = match self {
            Self::Cf => b"KVT-CF-v1/inner-node",
            Self::Kzg => b"KVT-KZG-v1/inner-node",
        };
        hash_to_scalar(tag, &[commitment])
    }

    /// The scalar that stands for a leaf. Its tag keeps it from passing as a node.
    pub fn leaf(self, key: &Hash, value: &Hash) -> Fr {
        let tag: &[u8] = match self {
            Self::Cf => b"KVT-CF-v1/leaf",
            Self::Kzg => b"KVT-KZG-v1/leaf",
        };
        hash_to_scalar(tag, &[&key.0, &value.0])
    }
}

/// What a proof says of one slot: the vector of `commitment` holds `scalar` at `digit`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) commitment: Point,
    pub(super) digit: usize,
    pub(super) scalar: Fr,
}

/// One opening of all slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aggregate<P> {
    /// There are no slots.
    Nothing,
    /// cf: Σ ρₗ·πₗ.
    Sum(P),
    /// kzg: D = Σ ρₗ·πₗ, and U.
    Quotient {
        /// D, as it stands in the proof.
        sum_bytes: [u8; G1_BYTES],
        /// D.
        sum: P,
        /// U.
        quotient: P,
    },
}

/// What was seen before. One type for all uses: a map of another is kilobytes in wasm.
pub(super) type Known = BTreeMap<[u8; G1_BYTES], usize>;

/// A vector commitment with its parameters: what a check under it comes to.
pub(super) trait NodeCommitment: Debug {
    /// A point of G1 that equations may name.
    fn g1(&self, index: usize) -> Option<Base<G1Affine>>;

    /// A point of G2 that equations may name.
    fn g2(&self, index: FixedG2) -> Option<&Prepared<Bls12_381>>;

    /// The equation that `opening` shows what is said of `slot`.
    fn opens(&self, slot: &Slot, opening: Point, span: Span) -> Equation<Bls12_381>;

    /// The equation that one aggregate shows what is said of all slots, each with its coefficient.
    /// `None` if the aggregate is not of this commitment's kind, or its challenge is a point of the
    /// domain.
    ///
    /// * `seed`: binds parameters and slots.
    fn opens_all(
        &self,
        slots: &[(Slot, Fr)],
        aggregate: &Aggregate<Point>,
        seed: Hash,
        span: Span,
    ) -> Option<Equation<Bls12_381>>;
}

/// A number below 2³², 4 bytes big-endian.
pub(super) fn big_endian(number: usize) -> [u8; 4] {
    u32::try_from(number).unwrap_or(u32::MAX).to_be_bytes()
}

/// Coefficient number `index` under a seed: one for the first, else the first 16 bytes of
/// SHA-256(seed ‖ u32be index).
pub(super) fn coefficient(seed: Hash, index: usize) -> Fr {
    if index == 0 {
        return Fr::one();
    }
    let Hash(digest) = sha256(&[&seed.0, &big_endian(index)]);
    short(digest.first_chunk().map_or(0, |half| u128::from_be_bytes(*half)))
}

/// `hash_to_field` of RFC 9380 §5.2 with `expand_message_xmd` (§5.3.1) and SHA-256: 48 bytes modulo
/// r.
///
/// * `tag`: below 256 bytes.
pub fn hash_to_scalar(tag: &[u8], message: &[&[u8]]) -> Fr {
    let suffix = [u8::try_from(tag.len()).unwrap_or(u8::MAX)];
    let mut parts: Vec<&[u8]> = Vec::with_capacity(message.len().saturating_add(4));
    parts.push(&[0; Z_PAD]);
    parts.extend(message);
    parts.extend([&[0, 48, 0][..], tag, &suffix]);
    let Hash(first) = sha256(&parts);
    let Hash(second) = sha256(&[&first, &[1], tag, &suffix]);
    let mut mixed = first;
    for (to, from) in mixed.iter_mut().zip(second) {
        *to ^= from;
    }
    let Hash(third) = sha256(&[&mixed, &[2], tag, &suffix]);
    let mut bytes = [0; 48];
    let (head, tail) = bytes.split_at_mut(second.len());
    head.copy_from_slice(&second);
    for (to, from) in tail.iter_mut().zip(third) {
        *to = from;
    }
    reduced(&bytes)
}

/// Zeros before the message.
const Z_PAD: usize = 64;
