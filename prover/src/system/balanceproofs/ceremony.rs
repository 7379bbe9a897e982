//! The ceremony for three independent secrets: powers of a single one would not do, since with β =
//! αᵖ the polynomials X − φⁱ and Xᵖ − θʲ have no common root, so that anything could be opened to
//! anything.
//!
//! Everybody multiplies (α, β, γ) by secrets of their own and proves to know them; the result is
//! safe if one of them forgot theirs. What is published: \[αⁱβʲγᵏ\]₁ for i < p, j < t, k < m,
//! \[α\]₂, \[β\]₂ and \[γᵏ\]₂ for k ≤ m.

// The names of the paper.
#![allow(clippy::many_single_char_names)]

mod file;

use ark_bls12_381::{Bls12_381, Fr, G1Affine, G1Projective, G2Affine, G2Projective};
use ark_ec::pairing::Pairing;
use ark_ec::{AffineRepr, CurveGroup, VariableBaseMSM};
use ark_ff::{One, PrimeField, Zero};
use lightproof_core::system::balanceproofs::{Scheme, Shape};

use super::encoding::{bytes, params};
use crate::hash::{Word, keccak256};
use crate::sums::sum;

/// Why a transcript of the ceremony is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Sides that no vector has, or as many points as other sides have.
    #[error("the points are not as many as the sides say")]
    Shape,
    /// A secret that is zero or one, or two that are powers of each other.
    #[error("secrets that are trivial, or depend on each other")]
    Dependent,
    /// Points that are not products of powers of three secrets.
    #[error("the points do not fit together: {0}")]
    Grid(&'static str),
    /// A contribution without a proof of knowledge, or on top of something else.
    #[error("contribution {0} does not follow from the one before")]
    Contribution(usize),
    /// Bytes that are no file of a ceremony.
    #[error("malformed: {0}")]
    Form(&'static str),
}

/// What has been contributed, and what came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ceremony {
    sides: [usize; 3],
    g1: Vec<G1Affine>,
    outer: [G2Affine; 2],
    g2: Vec<G2Affine>,
    /// In their order.
    pub contributions: Vec<Contribution>,
}

/// A contribution: for α, β and γ, what it was multiplied to, and that the factor is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contribution {
    secrets: [Knowledge; 3],
}

/// A proof of knowledge of x for P' = xP (Schnorr).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Knowledge {
    /// P'.
    result: G1Affine,
    /// kP.
    commitment: G1Affine,
    /// k + ex, e a hash of everything.
    response: Fr,
}

impl Ceremony {
    /// Nobody has contributed: all secrets are one.
    ///
    /// # Errors
    /// [`Fault::Shape`] for sides that no vector has.
    pub fn new(sides: [usize; 3]) -> Result<Self, Fault> {
        shape(sides)?;
        Ok(Self {
            sides,
            g1: vec![G1Affine::generator(); sides.iter().product()],
            outer: [G2Affine::generator(); 2],
            g2: vec![G2Affine::generator(); sides[2] + 1],
            contributions: Vec::new(),
        })
    }

    /// Multiplies the secrets by those that follow from 64 bytes that nobody else has and that are
    /// forgotten afterwards.
    pub fn contribute(&mut self, entropy: &[u8; 64]) {
        let secret = |name: &str| {
            let half =
                |half: u8| keccak256(&[entropy.as_slice(), name.as_bytes(), &[half]].concat());
            Fr::from_be_bytes_mod_order(&[half(0), half(1)].concat())
        };
        let factors = ["alpha", "beta", "gamma"].map(secret);
        let before = self.secrets();
        let digest = self.digest();
        let knowledge = |at: usize| {
            let nonce = secret(["nonce alpha", "nonce beta", "nonce gamma"][at]);
            let result = (before[at] * factors[at]).into_affine();
            let commitment = (before[at] * nonce).into_affine();
            let e = challenge(digest, at, &[before[at], result, commitment]);
            Knowledge { result, commitment, response: nonce + e * factors[at] }
        };
        self.contributions.push(Contribution { secrets: [0, 1, 2].map(knowledge) });
        let [x, y, z] = [0, 1, 2].map(|at| powers(factors[at], self.sides[at].max(2)));
        let [_, t, m] = self.sides;
        let scaled =
            self.g1.iter().enumerate().map(|(place, point)| {
                *point * (x[place / (t * m)] * y[place / m % t] * z[place % m])
            });
        self.g1 = G1Projective::normalize_batch(&scaled.collect::<Vec<_>>());
        self.outer =
            [self.outer[0] * factors[0], self.outer[1] * factors[1]].map(CurveGroup::into_affine);
        let z = powers(factors[2], m + 1);
        let scaled = self.g2.iter().zip(z).map(|(point, power)| *point * power);
        self.g2 = G2Projective::normalize_batch(&scaled.collect::<Vec<_>>());
    }

    /// Checks everything, from the generators on.
    fn verify(&self, fresh: &[u8; 32]) -> Result<(), Fault> {
        shape(self.sides)?;
        let count: usize = self.sides.iter().product();
        if self.g1.len() != count || self.g2.len() != self.sides[2] + 1 {
            return Err(Fault::Shape);
        }
        let mut before = [G1Affine::generator(); 3];
        let mut digest = start(self.sides);
        for (number, Contribution { secrets }) in self.contributions.iter().enumerate() {
            for (at, knowledge) in secrets.iter().enumerate() {
                let Knowledge { result, commitment, response } = *knowledge;
                let e = challenge(digest, at, &[before[at], result, commitment]);
                if result.is_zero() || before[at] * response != result * e + commitment {
                    return Err(Fault::Contribution(number));
                }
            }
            digest = after(digest, secrets);
            before = secrets.map(|knowledge| knowledge.result);
        }
        self.independent()?;
        self.fits(&before, fresh)
    }

    /// Refuses what shows: secrets of zero or one, and those that are powers of another.
    fn independent(&self) -> Result<(), Fault> {
        let [p, t, m] = self.sides;
        let mut seen = self.g2.clone();
        seen.extend(self.outer);
        let mut powers: Vec<G1Affine> = (0..m).map(|k| self.g1[k]).collect();
        powers.extend((1..t).map(|j| self.g1[j * m]));
        powers.extend((1..p).map(|i| self.g1[i * t * m]));
        let mut xs: Vec<_> = seen.iter().map(|point| point.x).collect();
        xs.sort_unstable();
        let mut ys: Vec<_> = powers.iter().map(|point| point.x).collect();
        ys.sort_unstable();
        let twice = xs.windows(2).any(|pair| pair[0] == pair[1])
            || ys.windows(2).any(|pair| pair[0] == pair[1]);
        let zero = seen.iter().any(AffineRepr::is_zero) || powers.iter().any(AffineRepr::is_zero);
        if twice || zero { Err(Fault::Dependent) } else { Ok(()) }
    }

    /// Every point follows from the one before it by one of the secrets, and those are the
    /// contributors'. Each line of the grid is one equation of pairings, its points weighted by
    /// numbers that the file's maker could not foresee.
    fn fits(&self, secrets: &[G1Affine; 3], fresh: &[u8; 32]) -> Result<(), Fault> {
        let [p, t, m] = self.sides;
        let (g, h) = (G1Affine::generator(), G2Affine::generator());
        let [alpha, beta] = self.outer;
        let gamma = self.g2[1];
        if self.g1[0] != g || self.g2[0] != h {
            return Err(Fault::Grid("the first point of G1 or of G2 is not the generator"));
        }
        for ((secret, other), what) in secrets.iter().zip([alpha, beta, gamma]).zip([
            "alpha in G2 is not the contributors' secret",
            "beta in G2 is not the contributors' secret",
            "gamma in G2 is not the contributors' secret",
        ]) {
            pairs(*secret, h, g, other, what)?;
        }
        let weights: Vec<Fr> = (0..p * t * m.max(self.g2.len()))
            .map(|place| {
                let digest = keccak256(&[fresh.as_slice(), &(place as u64).to_be_bytes()].concat());
                Fr::from_be_bytes_mod_order(&digest[..16])
            })
            .collect();
        // Along γ in the first line, along β in the first plane, along α everywhere.
        for (stride, count, other, what) in [
            (1, m, gamma, "powers of gamma in G1"),
            (m, t * m, beta, "powers of beta in G1"),
            (t * m, p * t * m, alpha, "powers of alpha in G1"),
        ] {
            let weights = &weights[..count - stride];
            let later = sum(&self.g1[stride..count], weights);
            let first = sum(&self.g1[..count - stride], weights);
            pairs(later.into_affine(), h, first.into_affine(), other, what)?;
        }
        let weights = &weights[..m];
        let later = G2Projective::msm_unchecked(&self.g2[1..], weights).into_affine();
        let first = G2Projective::msm_unchecked(&self.g2[..m], weights).into_affine();
        pairs(g, later, secrets[2], first, "powers of gamma in G2")
    }

    /// \[α\]₁, \[β\]₁ and \[γ\]₁ after the last contribution.
    fn secrets(&self) -> [G1Affine; 3] {
        let last = self.contributions.last();
        last.map_or([G1Affine::generator(); 3], |last| last.secrets.map(|one| one.result))
    }

    /// Follows from the sides and all contributions.
    pub fn digest(&self) -> Word {
        let step = |digest, Contribution { secrets }: &Contribution| after(digest, secrets);
        self.contributions.iter().fold(start(self.sides), step)
    }

    /// p, t and m.
    pub const fn sides(&self) -> [usize; 3] {
        self.sides
    }

    /// \[αⁱβʲγᵏ\]₁, k first to run.
    pub fn g1(&self) -> &[G1Affine] {
        &self.g1
    }

    /// \[α\]₂ and \[β\]₂.
    pub const fn outer(&self) -> &[G2Affine; 2] {
        &self.outer
    }

    /// \[γᵏ\]₂.
    pub fn g2(&self) -> &[G2Affine] {
        &self.g2
    }

    /// What a verifier gets, with so many powers for `plain` proofs.
    ///
    /// # Errors
    /// [`Fault::Shape`] for sides that no vector has.
    pub fn params(&self, powers: usize) -> Result<Vec<u8>, Fault> {
        let powers = powers.min(self.sides[2]);
        let (g1, g2) = (bytes(&self.g1[..powers]), bytes(&self.g2[..=powers]));
        Ok(params(&shape(self.sides)?, &g1, &g2, &bytes(&self.outer), &[]))
    }
}

/// e(`a`, `b`) = e(`c`, `d`).
fn pairs(
    a: G1Affine,
    b: G2Affine,
    c: G1Affine,
    d: G2Affine,
    what: &'static str,
) -> Result<(), Fault> {
    let holds = Bls12_381::multi_pairing([a, -c], [b, d]).is_zero();
    if holds { Ok(()) } else { Err(Fault::Grid(what)) }
}

fn shape(sides: [usize; 3]) -> Result<Shape, Fault> {
    Shape::new(Scheme::TwoLayer, &sides.map(|side| side as u64)).ok_or(Fault::Shape)
}

fn start(sides: [usize; 3]) -> Word {
    let sides = sides.map(|side| (side as u64).to_be_bytes()).concat();
    keccak256(&[b"lightproof/balanceproofs/ceremony/1".as_slice(), &sides].concat())
}

fn after(digest: Word, secrets: &[Knowledge; 3]) -> Word {
    let points = secrets.map(|one| bytes(&[one.result, one.commitment])).concat();
    keccak256(&[digest.as_slice(), &points].concat())
}

fn challenge(digest: Word, at: usize, points: &[G1Affine; 3]) -> Fr {
    let input = [digest.as_slice(), &(at as u64).to_be_bytes(), &bytes(points)].concat();
    Fr::from_be_bytes_mod_order(&keccak256(&input)[..16])
}

fn powers(base: Fr, count: usize) -> Vec<Fr> {
    debug_assert!(!base.is_zero());
    std::iter::successors(Some(Fr::one()), |power| Some(*power * base)).take(count).collect()
}

#[cfg(test)]
mod tests;
