//! Powers of secrets in both groups.

use std::sync::{Arc, LazyLock, OnceLock};

use ark_bls12_381::{Fr, G1Affine, G1Projective, G2Affine, G2Projective};
use ark_ec::{AffineRepr, CurveGroup, PrimeGroup, ScalarMul, VariableBaseMSM};
use ark_ff::{Field, One, PrimeField, Zero};
use lightproof_core::system::balanceproofs::{Outer, Query, Scheme, Shape};
use sha2::{Digest, Sha256};

use super::bases::Bases;
use super::ceremony::Ceremony;
use super::config::{Config, Source};
use super::encoding::{bytes, params};
use super::fft;
use super::variant::Variant;
use crate::hash::{Word, keccak256};
use crate::rng;
use crate::sums::sum;

/// Powers that a verifier's parameters hold: `plain` proofs reach so many positions of a bucket.
pub const PLAIN: usize = 64;

/// Ethereum's ceremony: \[τⁱ\]₁, compressed. Digests: in the tests.
static CEREMONY_G1: &[u8] = include_bytes!("ceremony/g1.bin");
/// \[Lᵢ(τ)\]₁ over 4,096 roots of unity.
static CEREMONY_LAGRANGE: &[u8] = include_bytes!("ceremony/lagrange.bin");
/// \[τⁱ\]₂.
static CEREMONY_G2: &[u8] = include_bytes!("ceremony/g2.bin");

/// Powers that are kept a second time, in the form that commits faster: 786 kB of them.
const MAX_BASES: usize = 8_192;

/// A setup for vectors of one shape.
#[derive(Debug)]
pub struct Setup {
    /// How positions are split.
    pub shape: Shape,
    /// \[αⁱβʲγᵏ\]₁, k first to run.
    g1: Lazy<Vec<G1Affine>>,
    /// What is kept of them for sums, unless they are too many.
    bases: Bases,
    /// Commitment to the vector with a one at one position and zeros elsewhere, by position.
    lagrange: Lagrange,
    /// Those of the ceremony, decoded.
    decoded: OnceLock<Vec<G1Affine>>,
    /// Powers of the last side's secret in G2.
    pub g2: Vec<G2Affine>,
    /// What a verifier gets.
    pub params: Vec<u8>,
    /// SHA-256 of the verifier's key, for transcripts.
    pub key: Word,
    /// Whether `params` hold what `halved` proofs need.
    has_grid: bool,
    /// Positions of a bucket that `plain` proofs reach by `params`.
    plain: usize,
}

type Lazy<T> = LazyLock<T, Box<dyn FnOnce() -> T + Send>>;

#[derive(Debug)]
enum Lagrange {
    /// Compressed, from the ceremony.
    Bytes(&'static [u8]),
    Points(Lazy<Vec<G1Affine>>),
}

impl Setup {
    /// The setup that a configuration names; the same one for all that ask.
    ///
    /// # Panics
    /// If the configuration's sides are none, or the ceremony does not reach so far: a caller's
    /// mistake.
    pub fn of(config: &Config) -> Arc<Self> {
        static ETHEREUM: OnceLock<Arc<Setup>> = OnceLock::new();
        match config.source {
            Source::Ethereum if config.sides == Config::DEFAULT.sides => {
                Arc::clone(ETHEREUM.get_or_init(|| Arc::new(Self::ethereum())))
            }
            Source::Ethereum => panic!("the ceremony serves `basic` with 4,096 values"),
            Source::Seed(seed) => Arc::new(Self::insecure(config, seed, PLAIN)),
            Source::Ceremony(ceremony) => Arc::new(Self::contributed(config, ceremony)),
        }
    }

    /// Ethereum's KZG ceremony: 4,096 values.
    fn ethereum() -> Self {
        let shape = Config::DEFAULT.shape().unwrap_or_else(|| unreachable!("a shape"));
        let g2 = CEREMONY_G2.chunks(96).map(read::<G2Affine>).collect();
        let params = params(&shape, &CEREMONY_G1[..PLAIN * 48], CEREMONY_G2, &[], &[]);
        let g1 = || CEREMONY_G1.chunks(48).map(read::<G1Affine>).collect();
        let g1 = LazyLock::new(Box::new(g1) as Box<_>);
        let key = key(CEREMONY_G1, CEREMONY_G2, &[]);
        Self {
            decoded: OnceLock::new(),
            shape,
            g1,
            bases: Bases::default(),
            lagrange: Lagrange::Bytes(CEREMONY_LAGRANGE),
            g2,
            params,
            key,
            has_grid: false,
            plain: PLAIN,
        }
    }

    /// The powers of a ceremony.
    fn contributed(config: &Config, ceremony: &'static Ceremony) -> Self {
        let shape = config.shape().unwrap_or_else(|| panic!("sides: {:?}", config.sides));
        let g1 = || ceremony.g1().to_vec();
        let lagrange = || to_lagrange(ceremony.g1(), ceremony.sides());
        let powers = PLAIN.min(ceremony.sides()[2]);
        let (last, g2) = (bytes(&ceremony.g1()[..powers]), ceremony.g2()[..=powers].to_vec());
        let outer = bytes(ceremony.outer());
        Self {
            params: params(&shape, &last, &bytes(&g2), &outer, &[]),
            key: key(&last, &bytes(&g2), &outer),
            shape,
            g1: LazyLock::new(Box::new(g1) as Box<_>),
            bases: Bases::default(),
            lagrange: Lagrange::Points(LazyLock::new(Box::new(lagrange) as Box<_>)),
            decoded: OnceLock::new(),
            g2,
            has_grid: false,
            plain: powers,
        }
    }

    /// INSECURE: secrets from a seed. `powers`: how many positions of a bucket `plain` proofs
    /// reach.
    ///
    /// # Panics
    /// If the configuration's sides are none.
    pub fn insecure(config: &Config, seed: u64, powers: usize) -> Self {
        let shape = config.shape().unwrap_or_else(|| panic!("sides: {:?}", config.sides));
        let secrets = insecure_secrets(seed);
        let [alpha, beta, gamma] = secrets;
        let domains = [&shape.outer, &shape.middle, &shape.inner];
        let sides = domains.map(|domain| usize::try_from(domain.size()).unwrap_or(usize::MAX));
        let powers = powers.min(sides[2]);
        let g2 = multiples_g2(&powers_of(gamma, powers + 1));
        let other = |secret| (G2Projective::generator() * secret).into_affine();
        let outer: Vec<G2Affine> = match shape.scheme {
            Scheme::Basic => vec![],
            Scheme::Bucketed => vec![other(alpha)],
            Scheme::TwoLayer => vec![other(alpha), other(beta)],
        };
        let last = multiples(&powers_of(gamma, powers));
        let grid = grid(&shape, sides, secrets);
        let key = key(&bytes(&last), &bytes(&g2), &bytes(&outer));
        let params = params(&shape, &bytes(&last), &bytes(&g2), &bytes(&outer), &bytes(&grid));
        let g1 = move || {
            let [x, y, z] = [0, 1, 2].map(|at| powers_of(secrets[at], sides[at]));
            multiples(&products([&x, &y, &z]))
        };
        let lagrange = move || {
            let [x, y, z] = [0, 1, 2].map(|at| lagrange(secrets[at], sides[at]));
            multiples(&products([&x, &y, &z]))
        };
        let g1 = LazyLock::new(Box::new(g1) as Box<_>);
        let lagrange = Lagrange::Points(LazyLock::new(Box::new(lagrange) as Box<_>));
        Self {
            decoded: OnceLock::new(),
            shape,
            g1,
            bases: Bases::default(),
            lagrange,
            g2,
            params,
            key,
            has_grid: !grid.is_empty(),
            plain: powers,
        }
    }

    /// \[αⁱβʲγᵏ\]₁.
    pub fn g1(&self) -> &[G1Affine] {
        &self.g1
    }

    /// The commitment to one at a position.
    pub fn lagrange(&self, position: u64) -> G1Affine {
        let place = usize::try_from(position).unwrap_or(usize::MAX);
        match &self.lagrange {
            Lagrange::Bytes(bytes) => read(&bytes[place * 48..place * 48 + 48]),
            Lagrange::Points(points) => points[place],
        }
    }

    /// The commitments to one at each position.
    pub fn lagranges(&self) -> &[G1Affine] {
        match &self.lagrange {
            Lagrange::Bytes(bytes) => {
                self.decoded.get_or_init(|| bytes.chunks(48).map(read::<G1Affine>).collect())
            }
            Lagrange::Points(points) => points,
        }
    }

    /// \[polynomial\]₁ by its coefficients.
    pub fn commit(&self, coefficients: &[Fr]) -> G1Affine {
        // Quotients in fewer variables end in zeros.
        let count = coefficients.iter().rposition(|one| !one.is_zero()).map_or(0, |last| last + 1);
        let coefficients = &coefficients[..count];
        if self.g1().len() > MAX_BASES {
            return sum(self.g1(), coefficients).into_affine();
        }
        self.bases.sum(self.g1(), coefficients).into_affine()
    }

    /// \[polynomial in the last variable\]₂; `None` if the setup does not reach so far.
    pub fn commit_g2(&self, coefficients: &[Fr]) -> Option<G2Affine> {
        let powers = self.g2.get(..coefficients.len())?;
        Some(G2Projective::msm_unchecked(powers, coefficients).into_affine())
    }

    /// Buckets of positions.
    fn buckets(&self, positions: &[u64]) -> Vec<Outer> {
        Query { positions: positions.to_vec() }.buckets(&self.shape)
    }

    /// Whether a verifier's parameters reach as far as a proof needs them to.
    pub fn reaches(&self, positions: &[u64], variant: Variant) -> bool {
        let most = |buckets: Vec<Outer>| {
            let inner = buckets.iter().flat_map(|bucket| &bucket.inner);
            inner.map(|inner| inner.members.len()).max().unwrap_or(0)
        };
        match variant {
            Variant::Plain => most(self.buckets(positions)) <= self.plain,
            Variant::Halved => {
                let grid = self.shape.scheme != Scheme::Basic && self.has_grid;
                grid && most(self.buckets(positions)) <= self.plain
            }
            Variant::CommitHinted => positions.len() < self.g2.len(),
            Variant::Singles | Variant::Hinted | Variant::T1 | Variant::T3 => true,
        }
    }

    /// What a chain configuration pins.
    pub fn digest(&self) -> Word {
        keccak256(&self.params)
    }

    /// p, t and m.
    pub fn sides(&self) -> [usize; 3] {
        [&self.shape.outer, &self.shape.middle, &self.shape.inner]
            .map(|domain| usize::try_from(domain.size()).unwrap_or(usize::MAX))
    }
}

/// SHA-256 of \[1\]₁, \[1\]₂ and the secrets in G2, the last side's last.
fn key(g1: &[u8], g2: &[u8], outer: &[u8]) -> Word {
    Sha256::digest([&g1[..48], &g2[..96], outer, &g2[96..192]].concat()).into()
}

/// Largest grid that is made: `halved` proofs without a hint are for small vectors.
const MAX_GRID: usize = 400;

fn grid(shape: &Shape, sides: [usize; 3], secrets: [Fr; 3]) -> Vec<G2Affine> {
    let [x, y, z] = [0, 1, 2].map(|at| powers_of(secrets[at], sides[at] + 1));
    let y = if shape.scheme == Scheme::TwoLayer { y } else { vec![Fr::one()] };
    if shape.scheme == Scheme::Basic || x.len() * y.len() * z.len() > MAX_GRID {
        return Vec::new();
    }
    multiples_g2(&products([&x, &y, &z]))
}

/// α, β and γ that everybody can compute.
pub fn insecure_secrets(seed: u64) -> [Fr; 3] {
    ["alpha", "beta", "gamma"].map(|name| {
        let half = |half| rng::digest(seed, &format!("balanceproofs/INSECURE/{name}"), half);
        Fr::from_be_bytes_mod_order(&[half(0), half(1)].concat())
    })
}

fn powers_of(base: Fr, count: usize) -> Vec<Fr> {
    std::iter::successors(Some(Fr::one()), |power| Some(*power * base)).take(count).collect()
}

/// Lᵢ(x) for each i.
pub fn lagrange(x: Fr, count: usize) -> Vec<Fr> {
    // Σ Lᵢ(x)·mᵢ for all vectors m, read off the transposed transform of the powers of x.
    let mut values = powers_of(x, count);
    fft::forward(&mut values);
    let size = Fr::from(count as u64).inverse().unwrap_or_default();
    // Lᵢ(x) = 1/n·Σ (x·ω⁻ⁱ)ᵏ: the transform at −i.
    (0..count).map(|place| values[(count - place) % count] * size).collect()
}

/// The commitments to one at each position, from those to monomials: Lᵢ = 1/n·Σ ω⁻ⁱᵏ·Xᵏ, side by
/// side.
fn to_lagrange(powers: &[G1Affine], [p, t, m]: [usize; 3]) -> Vec<G1Affine> {
    let mut points = powers.to_vec();
    for (count, stride) in [(p, t * m), (t, m), (m, 1)] {
        for first in (0..points.len()).filter(|place| place / stride % count == 0) {
            let places = (0..count).map(|step| first + step * stride);
            let mut line: Vec<_> = places.clone().map(|place| points[place]).collect();
            fft::inverse(&mut line);
            places.zip(line).for_each(|(place, point)| points[place] = point);
        }
    }
    points
}

fn products([x, y, z]: [&[Fr]; 3]) -> Vec<Fr> {
    let planes = x.iter().flat_map(|x| y.iter().map(move |y| *x * y));
    planes.flat_map(|factor| z.iter().map(move |z| factor * z)).collect()
}

fn multiples(scalars: &[Fr]) -> Vec<G1Affine> {
    G1Projective::generator().batch_mul(scalars)
}

fn multiples_g2(scalars: &[Fr]) -> Vec<G2Affine> {
    G2Projective::generator().batch_mul(scalars)
}

fn read<P: AffineRepr>(bytes: &[u8]) -> P {
    P::deserialize_compressed_unchecked(bytes)
        .unwrap_or_else(|_| unreachable!("a ceremony's point"))
}

#[cfg(test)]
mod tests;
