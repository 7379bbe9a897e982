//! Public parameters: which tree, and the points of its node commitment.

use alloc::vec::Vec;

use ark_bls12_381::{Bls12_381, G1Affine};
use ark_ec::pairing::Pairing;

use super::cf::Cf;
use super::kzg::Kzg;
use super::node::{Commitment, NodeCommitment, big_endian};
use crate::algebra::{Base, Fixed, FixedG2, Prepared};
use crate::error::{DecodeError, InputError};
use crate::hash::{Hash, sha256};
use crate::system::{Encoded, SystemConfig};
use crate::wire::point::g1_or_identity;

/// Every format, with log₂ k.
const FORMATS: [(&[u8], Commitment, usize); 6] = [
    (b"verkle/cf-32", Commitment::Cf, 5),
    (b"verkle/cf-256", Commitment::Cf, 8),
    (b"verkle/cf-1024", Commitment::Cf, 10),
    (b"verkle/kzg-32", Commitment::Kzg, 5),
    (b"verkle/kzg-256", Commitment::Kzg, 8),
    (b"verkle/kzg-1024", Commitment::Kzg, 10),
];

/// Leading bits that the hashes of two keys share at most. To find two keys that share more takes
/// 2⁶⁴ hashes, and one that shares more with a given key 2¹²⁸; whoever finds two proves neither,
/// and hurts nobody else.
const SHARED_BITS: usize = 128;

/// A tree's public parameters, as the chain configuration pins them.
#[derive(Clone, Debug)]
pub struct Params {
    /// What nodes commit with.
    pub commitment: Commitment,
    /// log₂ k: bits of a digit.
    pub bits: usize,
    /// SHA-256(kind ‖ k as 4 bytes, big-endian ‖ points).
    pub digest: Hash,
    points: Points,
}

#[derive(Clone, Debug)]
enum Points {
    Cf(Cf),
    Kzg(Kzg),
}

impl Params {
    /// Reads the verifier's points: cf: h₀…, ĥ₀…; kzg: G1, G2, τ·G2; all compressed.
    pub(super) fn read(config: &SystemConfig<'_>, bytes: &[u8]) -> Result<Self, InputError> {
        let format = FORMATS.iter().find(|(name, _, _)| *name == config.format);
        let unknown = InputError::Config("expected verkle/{cf,kzg}-{32,256,1024}");
        let (_, commitment, bits) = *format.ok_or(unknown)?;
        let k = 1_usize << bits;
        let digest = digest(commitment, k, bytes);
        // Before anything is read: what is pinned was checked by whoever pinned it, too.
        if config.params_digest != Some(digest) {
            return Err(InputError::Params("digest does not match the configuration"));
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

    /// Most levels of a path: one more than the digits that two keys' hashes may share.
    pub(super) fn levels(&self) -> usize {
        SHARED_BITS.div_ceil(self.bits.max(1)).saturating_add(1)
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

impl Fixed for Params {
    type Curve = Bls12_381;

    fn g1(&self, index: usize) -> Option<Base<G1Affine>> {
        self.node().g1(index)
    }

    fn g2(&self, index: FixedG2) -> Option<<Bls12_381 as Pairing>::G2Prepared> {
        self.node().g2(index).map(Prepared::lines)
    }

    /// Nodes are finite, openings need not be.
    fn read(&self, points: &[Encoded<'_>]) -> Result<Vec<Base<G1Affine>>, DecodeError> {
        let opening = |point: &Encoded<'_>| {
            if point.is_finite {
                return Ok(None);
            }
            g1_or_identity(point.from, point.field).map(|point| Some(Base::from(point)))
        };
        let openings = points.iter().map(opening).collect::<Result<Vec<_>, _>>()?;
        let nodes = points.iter().filter(|point| point.is_finite).map(|point| point.from);
        let mut nodes = self.commitment.points(&nodes.collect::<Vec<_>>(), "node")?.into_iter();
        Ok(openings.into_iter().filter_map(|opening| opening.or_else(|| nodes.next())).collect())
    }
}
