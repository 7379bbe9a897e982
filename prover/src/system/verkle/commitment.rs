//! What both node commitments do, and the scalars in their slots.

use std::fmt::Debug;

use ark_bls12_381::{Fr, G1Affine, G1Projective};
use ark_ec::{AffineRepr as _, CurveGroup as _};
use ark_ff::{BigInteger as _, One as _, PrimeField as _, Zero as _};
use ark_serialize::CanonicalSerialize as _;

use super::multiples::Multiples;
use crate::hash::{Word, sha256};
use crate::sums::sum;

/// Bytes of a compressed point of G1.
pub const POINT_BYTES: usize = 48;

/// A compressed point of G1.
pub type Compressed = [u8; POINT_BYTES];

/// One claim of an aggregate: the vector that it is about, the slot, and its coefficient.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    /// Every slot of the node.
    pub vector: &'a [Fr],
    /// The slot.
    pub digit: usize,
    /// Its coefficient.
    pub coefficient: Fr,
}

/// A claim whose slot was opened.
#[derive(Clone, Copy, Debug)]
pub struct Opened {
    /// The opening.
    pub opening: G1Affine,
    /// The slot.
    pub digit: usize,
    /// Its coefficient.
    pub coefficient: Fr,
}

/// A commitment to vectors of k scalars, with the points that it takes.
pub trait Committer: Debug + Send + Sync {
    /// `KVT-CF-v1` or `KVT-KZG-v1`: separates its hashes from the other's.
    fn tag(&self) -> &'static str;

    /// log₂ k.
    fn bits(&self) -> usize;

    /// What verifiers need: the points, compressed, one after the other.
    fn params(&self) -> Vec<u8>;

    /// The commitment to the vector that holds 1 in one slot.
    fn basis(&self, digit: usize) -> G1Affine;

    /// Where multiples of those are kept; `None` where there are too many of them.
    fn multiples(&self) -> Option<&Multiples>;

    /// Opens one slot of a vector; linear in the vector.
    fn open(&self, vector: &[Fr], digit: usize) -> G1Projective;

    /// Opens all claims at once, in the form that travels, from the opening of each.
    ///
    /// * `seed`: what the coefficients were made from.
    fn aggregate(&self, claims: &[Opened], seed: &Word) -> Vec<u8>;

    /// The same from the vectors; `None` where it is quicker to open every claim first.
    fn aggregate_unopened(&self, _claims: &[Claim<'_>], _seed: &Word) -> Option<Vec<u8>> {
        None
    }

    /// Slots of a node.
    fn k(&self) -> usize {
        1 << self.bits()
    }

    /// The digest that pins the verifier's points: SHA-256(tag ‖ u32be k ‖ points).
    fn digest(&self) -> Word {
        let k = u32::try_from(self.k()).unwrap_or(u32::MAX);
        sha256(&[self.tag().as_bytes(), &k.to_be_bytes(), &self.params()])
    }

    /// The scalar of a node in its parent's slot.
    fn inner(&self, commitment: &Compressed) -> Fr {
        hash_to_scalar(&format!("{}/inner-node", self.tag()), commitment)
    }

    /// The scalar of a leaf, by the hashes of its key and value.
    fn leaf(&self, key: &Word, value: &Word) -> Fr {
        hash_to_scalar(&format!("{}/leaf", self.tag()), &[*key, *value].concat())
    }

    /// Σ scalar · basis: how a commitment moves when slots change by these scalars.
    fn combine(&self, changes: &[(usize, Fr)]) -> G1Projective {
        let multiples = self.multiples().filter(|_| changes.len() <= MOST_CHANGES);
        if let Some(multiples) = multiples {
            let mut sum = G1Projective::zero();
            for (digit, scalar) in changes {
                multiples.add(&mut sum, *digit, self.basis(*digit), *scalar);
            }
            return sum;
        }
        let bases: Vec<_> = changes.iter().map(|(digit, _)| self.basis(*digit)).collect();
        let scalars: Vec<_> = changes.iter().map(|(_, scalar)| *scalar).collect();
        sum(&bases, &scalars)
    }
}

/// Changes of a node up to which kept multiples are faster than a sum without them:
/// [`multiples`](super::multiples) has the figures.
const MOST_CHANGES: usize = 16;

/// log₂ of the slots up to which multiples are kept: those of 256 points are 14 MB.
const MOST_BITS: usize = 8;

/// Where multiples of the bases of nodes of 2^`bits` slots are kept.
pub fn multiples(bits: usize) -> Option<Multiples> {
    (bits <= MOST_BITS).then(|| Multiples::new(1 << bits))
}

/// The compressed form of a point.
pub fn compress(point: &G1Affine) -> Compressed {
    let mut out = [0; POINT_BYTES];
    // Exactly that long.
    let _ = point.serialize_compressed(out.as_mut_slice());
    out
}

/// The compressed form of a sum.
pub fn compressed(point: G1Projective) -> Compressed {
    compress(&point.into_affine())
}

/// A point of which only its own writer's bytes are read.
pub fn read_point(bytes: &[u8]) -> Option<G1Affine> {
    use ark_serialize::CanonicalDeserialize as _;
    G1Affine::deserialize_compressed_unchecked(bytes).ok()
}

/// The identity, which the empty tree has for a root.
pub fn identity() -> Compressed {
    compress(&G1Affine::zero())
}

/// 32 bytes, big-endian.
pub fn scalar_bytes(scalar: Fr) -> Word {
    let bytes = scalar.into_bigint().to_bytes_be();
    std::array::from_fn(|at| bytes[at])
}

/// RFC 9380: `expand_message_xmd` with SHA-256 to 48 bytes, modulo r.
pub fn hash_to_scalar(tag: &str, message: &[u8]) -> Fr {
    let length = u8::try_from(tag.len()).unwrap_or(u8::MAX);
    let tag = [tag.as_bytes(), &[length]].concat();
    let first = sha256(&[&[0; 64], message, &[0, 48, 0], &tag]);
    let second = sha256(&[&first, &[1], &tag]);
    let mixed: Word = std::array::from_fn(|at| first[at] ^ second[at]);
    let third = sha256(&[&mixed, &[2], &tag]);
    Fr::from_be_bytes_mod_order(&[&second[..], &third[..16]].concat())
}

/// Coefficient number `index` under a seed.
pub fn coefficient(seed: &Word, index: usize) -> Fr {
    if index == 0 {
        return Fr::one();
    }
    let index = u32::try_from(index).unwrap_or(u32::MAX);
    let digest = sha256(&[seed, &index.to_be_bytes()]);
    Fr::from(u128::from_be_bytes(std::array::from_fn(|at| digest[at])))
}

/// Digit number `level` of a hash, `bits` wide.
pub fn digit(hash: &Word, level: usize, bits: usize) -> usize {
    (level * bits..(level + 1) * bits).fold(0, |digit, at| {
        let byte = hash.get(at / 8).copied().unwrap_or(0);
        digit << 1 | usize::from(byte >> (7 - at % 8) & 1)
    })
}

#[cfg(test)]
mod tests {
    use super::super::kzg::Kzg;
    use super::*;

    #[test]
    fn changes_add_up_whether_or_not_multiples_are_kept() {
        let kzg = Kzg::new(5);
        assert!(kzg.multiples().is_some());
        for count in [0, 1, MOST_CHANGES, MOST_CHANGES + 1, 32] {
            let changes: Vec<_> =
                (0..count).map(|digit| (digit, -Fr::from(digit as u64 * 99 + 5))).collect();
            let one_by_one: G1Projective =
                changes.iter().map(|(digit, scalar)| kzg.basis(*digit) * scalar).sum();
            assert_eq!(kzg.combine(&changes), one_by_one, "{count}");
        }
    }
}
