//! What a chain fixes once: the format, the size of its AMTs, and the powers of tau in G2.

// Operators on field and group elements reduce modulo a prime; they cannot overflow.
#![allow(clippy::arithmetic_side_effects)]

use alloc::vec::Vec;

use ark_bn254::{Bn254, Fr, G1Affine, G2Affine};
use ark_ec::pairing::Pairing;
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{FftField, Field};

use crate::algebra::{Base, Fixed, FixedG2};
use crate::error::{DecodeError, InputError, Malformed, Span};
use crate::hash::{Hash, keccak256};
use crate::system::{Encoded, SystemConfig};
use crate::wire::{Bytes, bn254};

/// Largest k: an index has two bytes.
const MAX_K: u8 = 16;

/// Length of the shortest key of `lvmt/osdi23`, in bytes.
pub(super) const SHORTEST_OSDI23_KEY: usize = 32;

/// The order of Fr's subgroup of roots of unity is 2^28.
const TWO_ADICITY: u64 = 28;

/// Which bytes are hashed, and how points are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `lvmt/1`: hashed keys, tagged hashes, counts and the list of blocks committed.
    One,
    /// `lvmt/osdi23`: the bytes of the paper's authors.
    Osdi23,
}

impl Format {
    /// Most levels: as many as 256 bits of a key give indices for. In `lvmt/osdi23` 32 at most, so
    /// that a path to a sub-AMT has no more than 31 indices: the tuple of a key starts with the
    /// key's length, that of a sub-AMT with its path's, and keys have at least 32 bytes.
    pub(super) fn levels(self, k: u8) -> usize {
        let spelled = 256_usize.checked_div(usize::from(k)).unwrap_or(0);
        match self {
            Self::One => spelled,
            Self::Osdi23 => spelled.min(SHORTEST_OSDI23_KEY),
        }
    }

    /// Bytes of a point of G1.
    pub const fn point_bytes(self) -> usize {
        match self {
            Self::One => bn254::G1_BYTES,
            Self::Osdi23 => bn254::G1_AFFINE_BYTES,
        }
    }

    /// A point of G1, the identity among them.
    pub(super) fn point(
        self,
        from: Bytes<'_>,
        field: &'static str,
    ) -> Result<G1Affine, DecodeError> {
        match self {
            Self::One => bn254::g1(from, field),
            Self::Osdi23 => bn254::g1_affine(from, field),
        }
    }
}

/// Public parameters, prepared: `k ‖ [tau^(2^j)]_2, j = 0..k`, a byte and 128 bytes for each point,
/// whose keccak the configuration pins.
#[derive(Clone, Debug)]
pub struct Params {
    /// Named by the configuration.
    pub format: Format,
    /// keccak of the parameters' bytes, as the configuration pins it.
    pub(super) digest: Hash,
    k: u8,
    omega: Fr,
    /// [tau^(2^j)]_2 for j = 0..k, then g2, then Z = [tau^n − 1]_2.
    right: Vec<<Bn254 as Pairing>::G2Prepared>,
}

impl Params {
    /// Reads parameters whose keccak the configuration names.
    ///
    /// # Errors
    /// `input.config` for an unknown format, `input.params` for other or malformed parameters.
    pub(super) fn pinned(config: &SystemConfig<'_>, bytes: &[u8]) -> Result<Self, InputError> {
        let format = match config.format {
            b"lvmt/1" => Format::One,
            b"lvmt/osdi23" => Format::Osdi23,
            _ => return Err(InputError::Config("unknown format; lvmt has lvmt/1 and lvmt/osdi23")),
        };
        // Their order and that each is a power of the same tau is the setup's matter: the digest
        // binds them.
        let digest = keccak256(bytes);
        if config.params_digest != Some(digest) {
            return Err(InputError::Params("they do not hash to the configured digest"));
        }
        let wrong =
            InputError::Params("expected a byte k from 1 to 16 and k + 1 points of 128 bytes");
        let Some((&k, points)) = bytes.split_first() else { return Err(wrong) };
        let (points, []) = points.as_chunks::<{ bn254::G2_BYTES }>() else { return Err(wrong) };
        if !(1..=MAX_K).contains(&k) || points.len() != usize::from(k).saturating_add(1) {
            return Err(wrong);
        }
        let read = |bytes: &[u8; bn254::G2_BYTES]| {
            bn254::g2_on_curve(Bytes { bytes, span: Span::default() }, "power of tau")
        };
        let mut right = Vec::with_capacity(points.len().saturating_add(2));
        for point in points {
            right.push(read(point).map_err(|error| InputError::Params(error.reason))?);
        }
        let generator = G2Affine::generator();
        let last = right.last().copied().unwrap_or(generator);
        right.push(generator);
        right.push((last.into_group() - generator).into_affine());
        // 5^((r − 1)/n): arkworks' generator of the subgroup is a power of 5, too.
        let omega = Fr::TWO_ADIC_ROOT_OF_UNITY.pow([1 << TWO_ADICITY.saturating_sub(u64::from(k))]);
        let right = right.into_iter().map(Into::into).collect();
        Ok(Self { format, digest, k, omega, right })
    }

    /// log2 of the number of leaves.
    pub const fn k(&self) -> u8 {
        self.k
    }

    /// Most levels that a proof may have.
    pub(super) fn levels(&self) -> usize {
        self.format.levels(self.k)
    }

    /// w^(index · 2^(k − depth)): `X_depth` of the leaves that are `index` modulo 2^depth.
    pub(super) fn power(&self, index: u32, depth: u8) -> Fr {
        let shift = self.k.saturating_sub(depth);
        self.omega.pow([u64::from(index) << shift])
    }
}

/// Index of the generator of G1.
pub(super) const G1: usize = 0;

impl Params {
    /// Index of \[tau^(2^(k − depth))\]₂.
    pub(super) fn tau(&self, depth: u8) -> FixedG2 {
        FixedG2(usize::from(self.k.saturating_sub(depth)))
    }

    /// Index of g2.
    pub(super) fn g2(&self) -> FixedG2 {
        FixedG2(usize::from(self.k).saturating_add(1))
    }

    /// Index of Z.
    pub(super) fn z(&self) -> FixedG2 {
        FixedG2(usize::from(self.k).saturating_add(2))
    }
}

impl Fixed for Params {
    type Curve = Bn254;

    fn g1(&self, index: usize) -> Option<Base<G1Affine>> {
        (index == G1).then(|| G1Affine::generator().into())
    }

    fn g2(&self, FixedG2(index): FixedG2) -> Option<<Bn254 as Pairing>::G2Prepared> {
        self.right.get(index).cloned()
    }

    fn read(&self, points: &[Encoded<'_>]) -> Result<Vec<Base<G1Affine>>, DecodeError> {
        let read = |Encoded { from, field, is_finite }: &Encoded<'_>| {
            let point = self.format.point(*from, field)?;
            if *is_finite && point.is_zero() {
                let reason = "a sub-AMT exists only if a key is in it";
                return Err(Malformed::Point.at(field, reason, from.span));
            }
            Ok(point.into())
        };
        points.iter().map(read).collect()
    }
}
