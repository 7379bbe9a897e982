//! Public parameters: the lengths of the vector's sides, and points of the setup. Their bytes:
//! `spec/systems/balanceproofs.md`, section 3.

use alloc::vec::Vec;

use ark_bls12_381::{Bls12_381, Fr, G1Affine, G2Affine};
use ark_ec::CurveGroup;
use ark_ec::pairing::Pairing;

use super::Summand;
use super::domain::Domain;
use super::point::point;
use crate::algebra::{Base, Fixed, FixedG2, sum};
use crate::error::{DecodeError, InputError};
use crate::hash::{Hash, keccak256, sha256};
use crate::system::{Encoded, SystemConfig};
use crate::wire::point::{G1_BYTES, G2_BYTES, g1, g2};
use crate::wire::{Bytes, Reader};

/// A commitment scheme of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// One vector, §3.
    Basic,
    /// Buckets by a second variable, §4.2.
    Bucketed,
    /// Buckets of buckets, §4.3.
    TwoLayer,
}

impl Scheme {
    /// Its name in formats.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Basic => "basic",
            Self::Bucketed => "bucketed",
            Self::TwoLayer => "two-layer",
        }
    }
}

/// How positions are split: position = (i·t + j)·m + k. A layer that a scheme does not have is one
/// bucket.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The scheme.
    pub scheme: Scheme,
    /// i < p, for φⁱ.
    pub outer: Domain,
    /// j < t, for θʲ.
    pub middle: Domain,
    /// k < m, for ηᵏ; of `basic`, the whole vector.
    pub inner: Domain,
}

impl Shape {
    /// A shape with the given sides; `None` if they are not powers of two, or too many for the
    /// scheme or field.
    pub fn new(scheme: Scheme, sides: &[u64]) -> Option<Self> {
        let (p, t, m) = match (scheme, sides) {
            (Scheme::Basic, [n]) => (1, 1, *n),
            (Scheme::Bucketed, [p, m]) => (*p, 1, *m),
            (Scheme::TwoLayer, [p, t, m]) => (*p, *t, *m),
            _ => return None,
        };
        let domains = [Domain::new(p)?, Domain::new(t)?, Domain::new(m)?];
        let log = domains.iter().fold(0_u32, |sum, domain| sum.saturating_add(domain.log()));
        let [outer, middle, inner] = domains;
        (log <= super::domain::MAX_LOG).then_some(Self { scheme, outer, middle, inner })
    }

    /// n, the length of the vector.
    pub const fn size(&self) -> u64 {
        1 << self.outer.log().saturating_add(self.middle.log()).saturating_add(self.inner.log())
    }

    /// i, j and k of a position.
    pub const fn split(&self, position: u64) -> [u64; 3] {
        let rest = position >> self.inner.log();
        let k = position & self.inner.size().wrapping_sub(1);
        [rest >> self.middle.log(), rest & self.middle.size().wrapping_sub(1), k]
    }

    /// Points of G2 in a grid.
    fn grid(&self) -> u64 {
        let side = |domain: &Domain| domain.size().saturating_add(1);
        let middle = if self.scheme == Scheme::TwoLayer { side(&self.middle) } else { 1 };
        side(&self.outer).saturating_mul(middle).saturating_mul(side(&self.inner))
    }
}

/// Prepared parameters.
#[derive(Clone, Debug)]
pub struct Params {
    /// How positions are split.
    pub shape: Shape,
    /// Powers of the last side's secret.
    pub(super) g1: Vec<G1Affine>,
    /// The same in G2.
    pub(super) g2: Vec<G2Affine>,
    /// Products of powers of all secrets, or none.
    pub(super) grid: Vec<G2Affine>,
    /// As [`Right`] numbers them.
    prepared: Vec<<Bls12_381 as Pairing>::G2Prepared>,
    /// Names the verifier's key in transcripts.
    pub(super) digest: Hash,
}

/// Points of G2 that equations pair with.
#[derive(Clone, Copy, Debug)]
pub(super) enum Right {
    /// \[1\]₂.
    One = 0,
    /// The last side's secret.
    Last = 1,
    /// α.
    Alpha = 2,
    /// β of `two-layer`.
    Beta = 3,
}

impl From<Right> for FixedG2 {
    fn from(right: Right) -> Self {
        Self(right as usize)
    }
}

impl Params {
    pub(super) fn read(config: &SystemConfig<'_>, bytes: &[u8]) -> Result<Self, InputError> {
        let scheme = match config.format {
            b"balanceproofs/basic" => Scheme::Basic,
            b"balanceproofs/bucketed" => Scheme::Bucketed,
            b"balanceproofs/two-layer" => Scheme::TwoLayer,
            _ => {
                return Err(InputError::Config(
                    "unknown format; expected balanceproofs/basic, /bucketed or /two-layer",
                ));
            }
        };
        if config.params_digest != Some(keccak256(bytes)) {
            return Err(InputError::Params("digest does not match the configuration"));
        }
        let malformed = |error: DecodeError| InputError::Params(error.reason);
        let mut items = Reader::whole_list(bytes, 0, "parameters").map_err(malformed)?;
        let mut list = items.list("sides").map_err(malformed)?;
        let mut sides = Vec::new();
        while !list.is_empty() {
            sides.push(list.u64("side").map_err(malformed)?);
        }
        let sides = Shape::new(scheme, &sides);
        let shape = sides.ok_or(InputError::Params("expected one power of two per side"))?;
        let mut points = |field| items.string(field).map_err(malformed);
        let (first, second) = (points("g1")?, points("g2")?);
        let (outer, grid) = (points("outer")?, points("grid")?);
        items.finish("parameters").map_err(malformed)?;
        let digest = key_digest(first.bytes, second.bytes, outer.bytes);
        let first = all::<G1_BYTES, _>(first, g1).map_err(malformed)?;
        let second = all::<G2_BYTES, _>(second, g2).map_err(malformed)?;
        let outer = all::<G2_BYTES, _>(outer, g2).map_err(malformed)?;
        let grid = all::<G2_BYTES, _>(grid, g2).map_err(malformed)?;
        let layers = match scheme {
            Scheme::Basic => 0,
            Scheme::Bucketed => 1,
            Scheme::TwoLayer => 2,
        };
        let whole = scheme != Scheme::Basic && grid.len() as u64 == shape.grid();
        if first.is_empty() || second.len() < 2 || outer.len() != layers {
            return Err(InputError::Params("wrong number of points"));
        }
        if !grid.is_empty() && !whole {
            return Err(InputError::Params("grid: expected all points or none"));
        }
        // Secrets must be independent: of powers of a single one, proofs can be forged. What shows
        // here is refused.
        if repeats(second.iter().chain(&outer)) {
            return Err(InputError::Params("secrets are not independent"));
        }
        let prepared = second.iter().take(2).chain(&outer).map(|point| (*point).into()).collect();
        Ok(Self { shape, g1: first, g2: second, grid, prepared, digest })
    }

    /// Most positions of one bucket that a `plain` proof can hold.
    pub(super) fn plain_limit(&self) -> usize {
        self.g1.len().min(self.g2.len().saturating_sub(1))
    }
}

/// SHA-256 of \[1\]₁, \[1\]₂ and the secrets in G2: τ; α, β (, γ).
fn key_digest(g1: &[u8], g2: &[u8], outer: &[u8]) -> Hash {
    let part = |bytes, from, to| <[u8]>::get(bytes, from..to).unwrap_or_default();
    let last = part(g2, G2_BYTES, G2_BYTES.saturating_mul(2));
    sha256(&[part(g1, 0, G1_BYTES), part(g2, 0, G2_BYTES), outer, last])
}

/// Points one after the other.
fn all<const N: usize, P>(
    from: Bytes<'_>,
    read: fn(Bytes<'_>, &'static str) -> Result<P, DecodeError>,
) -> Result<Vec<P>, DecodeError> {
    let mut start = from.span.start;
    let chunks = from.bytes.chunks(N);
    chunks
        .map(|bytes| {
            let end = start.saturating_add(bytes.len());
            let span = crate::error::Span { start, end };
            start = end;
            read(Bytes { bytes, span }, "point")
        })
        .collect()
}

/// Whether any point occurs twice.
fn repeats<'a>(points: impl Iterator<Item = &'a G2Affine>) -> bool {
    let points: Vec<_> = points.collect();
    let mut behind = points.as_slice();
    while let [point, rest @ ..] = behind {
        behind = rest;
        if rest.contains(point) {
            return true;
        }
    }
    false
}

impl Fixed for Params {
    type Curve = Bls12_381;

    fn g1(&self, index: usize) -> Option<Base<G1Affine>> {
        self.g1.get(index).copied().map(Base::from)
    }

    fn g2(&self, FixedG2(index): FixedG2) -> Option<<Bls12_381 as Pairing>::G2Prepared> {
        self.prepared.get(index).cloned()
    }

    fn right(&self, terms: &[(Summand, Fr)]) -> Option<G2Affine> {
        let point = |summand: &Summand| match summand {
            Summand::Given(point) => Some(*point),
            Summand::Fixed(index) => {
                let grid = index.checked_sub(self.g2.len());
                self.g2.get(*index).or_else(|| self.grid.get(grid?)).copied()
            }
        };
        let terms = terms.iter().map(|(summand, scalar)| Some((point(summand)?, *scalar)));
        Some(sum(&terms.collect::<Option<Vec<_>>>()?).into_affine())
    }

    fn read(&self, points: &[Encoded<'_>]) -> Result<Vec<Base<G1Affine>>, DecodeError> {
        points.iter().map(|encoded| point(encoded).map(Base::from)).collect()
    }
}
