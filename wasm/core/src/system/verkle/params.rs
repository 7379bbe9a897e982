//! Public parameters: which tree, and the points of its node commitment.

use ark_bls12_381::{Bls12_381, Fr, G1Affine};
use ark_ec::pairing::Pairing;
use ark_ff::One;

use super::cf::Cf;
use super::kzg::Kzg;
use super::node::{Commitment, NodeCommitment};
use crate::algebra::{Base, Fixed, Prepared};
use crate::error::InputError;
use crate::hash::{Hash, sha256};
use crate::system::SystemConfig;

/// Every format, with log₂ k.
const FORMATS: [(&[u8], Commitment, usize); 6] = [
    (b"verkle/cf-32", Commitment::Cf, 5),
    (b"verkle/cf-256", Commitment::Cf, 8),
    (b"verkle/cf-1024", Commitment::Cf, 10),
    (b"verkle/kzg-32", Commitment::Kzg, 5),
    (b"verkle/kzg-256", Commitment::Kzg, 8),
    (b"verkle/kzg-1024", Commitment::Kzg, 10),
];

/// A tree's public parameters, as the chain configuration pins them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    /// What nodes commit with.
    pub commitment: Commitment,
    /// log₂ k: bits of a digit.
    pub bits: usize,
    /// SHA-256(kind ‖ k as 4 bytes, big-endian ‖ points).
    pub digest: Hash,
    points: Points,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Points {
    Cf(Cf),
    Kzg(Kzg),
}

impl Params {
    /// Reads the verifier's points: cf: h₀…, ĥ₀…; kzg: G1, G2, τ·G2; all compressed.
    pub(super) fn read(config: &SystemConfig<'_>, bytes: &[u8]) -> Result<Self, InputError> {
        let format = FORMATS.iter().find(|(name, _, _)| *name == config.format);
        let unknown =
            InputError::Config("unknown format; verkle has verkle/{cf,kzg}-{32,256,1024}");
        let (_, commitment, bits) = *format.ok_or(unknown)?;
        let k = 1_usize << bits;
        let digest = digest(commitment, k, bytes);
        // Before anything is read: what is pinned was checked by whoever pinned it, too.
        if config.params_digest != Some(digest) {
            return Err(InputError::Params("not the parameters that the configuration pins"));
        }
        let points = match commitment {
            Commitment::Cf => Points::Cf(Cf::read(k, bytes, digest)?),
            Commitment::Kzg => Points::Kzg(Kzg::read(k, bytes)?),
        };
        Ok(Self { commitment, bits, digest, points })
    }

    /// Slots of a node.
    pub const fn k(&self) -> usize {
        1 << self.bits
    }

    /// Most levels: digits that a hash has.
    pub(super) fn levels(&self) -> usize {
        256_usize.checked_div(self.bits).unwrap_or(0)
    }

    pub(super) fn node(&self) -> &dyn NodeCommitment {
        match &self.points {
            Points::Cf(cf) => cf,
            Points::Kzg(kzg) => kzg,
        }
    }
}

/// What names the parameters: SHA-256(kind ‖ u32be k ‖ points).
fn digest(commitment: Commitment, k: usize, bytes: &[u8]) -> Hash {
    sha256(&[commitment.kind(), &big_endian(k), bytes])
}

/// A number below 2³², 4 bytes big-endian.
pub(super) fn big_endian(number: usize) -> [u8; 4] {
    u32::try_from(number).unwrap_or(u32::MAX).to_be_bytes()
}

/// Coefficient number `index` under a seed: one for the first, else the first 16 bytes of SHA-256(seed ‖ u32be index).
pub(super) fn coefficient(seed: Hash, index: usize) -> Fr {
    if index == 0 {
        return Fr::one();
    }
    let Hash(digest) = sha256(&[&seed.0, &big_endian(index)]);
    Fr::from(digest.first_chunk().map_or(0, |half| u128::from_be_bytes(*half)))
}

impl Fixed for Params {
    type Curve = Bls12_381;

    fn g1(&self, index: usize) -> Option<Base<G1Affine>> {
        self.node().g1(index)
    }

    fn g2(&self, index: usize) -> Option<<Bls12_381 as Pairing>::G2Prepared> {
        self.node().g2(index).map(Prepared::lines)
    }
}
