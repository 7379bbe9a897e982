//! `cf`: the commitment of Catalano and Fiore. Its setup has a secret for every slot.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ark_bls12_381::{Fr, G1Affine, G1Projective, G2Affine, G2Projective};
use ark_ec::PrimeGroup as _;
use ark_ec::scalar_mul::ScalarMul as _;
use ark_ff::{PrimeField as _, Zero as _};
use ark_serialize::CanonicalSerialize as _;

use super::commitment::{Committer, Opened, compressed, multiples};
use super::multiples::Multiples;
use crate::hash::{Word, sha256};
use crate::sums::sum;

/// The points of a setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Points {
    /// hᵢ = zᵢ·G1.
    pub h: Vec<G1Affine>,
    /// ĥᵢ = zᵢ·G2.
    pub hh: Vec<G2Affine>,
    /// `h_ij` = zᵢzⱼ·G1 for i < j, by j and then i. There is no `h_ii`, ever.
    pub cross: Vec<G1Affine>,
}

impl Points {
    /// Where `h_ij` stands, for i != j.
    pub fn place(i: usize, j: usize) -> usize {
        let (low, high) = (i.min(j), i.max(j));
        high * (high - 1) / 2 + low
    }

    /// Points of these secrets.
    pub fn of(secrets: &[Fr]) -> Self {
        let h = G1Projective::generator().batch_mul(secrets);
        let hh = G2Projective::generator().batch_mul(secrets);
        let products: Vec<Fr> = (1..secrets.len())
            .flat_map(|j| (0..j).map(move |i| (i, j)))
            .map(|(i, j)| secrets[i] * secrets[j])
            .collect();
        let cross = G1Projective::generator().batch_mul(&products);
        Self { h, hh, cross }
    }
}

/// A setup for one k.
#[derive(Debug)]
pub struct Cf {
    bits: usize,
    points: Points,
    params: OnceLock<Vec<u8>>,
    multiples: Option<Multiples>,
}

/// The secrets that a seed stands for: SHA-256('lightproof/verkle/INSECURE' ‖ seed ‖ i) modulo r.
pub fn insecure_secrets(bits: usize, seed: u64) -> Vec<Fr> {
    let secret = |index: u64| {
        let tag = b"lightproof/verkle/INSECURE";
        Fr::from_be_bytes_mod_order(&sha256(&[tag, &seed.to_be_bytes(), &index.to_be_bytes()]))
    };
    (0..1 << bits).map(secret).collect()
}

impl Cf {
    /// A setup whose secrets everybody knows: for tests and devnets.
    pub fn insecure(bits: usize, seed: u64) -> Arc<Self> {
        static MADE: Mutex<Vec<(usize, u64, Arc<Cf>)>> = Mutex::new(Vec::new());
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((.., setup)) = made.iter().find(|(b, s, _)| (*b, *s) == (bits, seed)) {
            return Arc::clone(setup);
        }
        let setup = Arc::new(Self::new(Points::of(&insecure_secrets(bits, seed))));
        made.push((bits, seed, Arc::clone(&setup)));
        setup
    }

    /// A setup of points that were checked.
    pub fn new(points: Points) -> Self {
        let bits = points.h.len().checked_ilog2().unwrap_or(0) as usize;
        Self { bits, points, params: OnceLock::new(), multiples: multiples(bits) }
    }
}

impl Committer for Cf {
    fn tag(&self) -> &'static str {
        "KVT-CF-v1"
    }

    fn bits(&self) -> usize {
        self.bits
    }

    fn params(&self) -> Vec<u8> {
        let write = || {
            let mut out = Vec::new();
            // Writing to a vector cannot fail.
            for point in &self.points.h {
                let _ = point.serialize_compressed(&mut out);
            }
            for point in &self.points.hh {
                let _ = point.serialize_compressed(&mut out);
            }
            out
        };
        self.params.get_or_init(write).clone()
    }

    fn basis(&self, digit: usize) -> G1Affine {
        self.points.h[digit]
    }

    fn multiples(&self) -> Option<&Multiples> {
        self.multiples.as_ref()
    }

    /// Σ_{j ≠ i} mⱼ·`h_ij`.
    fn open(&self, vector: &[Fr], digit: usize) -> G1Projective {
        let others = vector.iter().enumerate();
        let (points, scalars): (Vec<_>, Vec<_>) = others
            .filter(|(other, scalar)| *other != digit && !scalar.is_zero())
            .map(|(other, scalar)| (self.points.cross[Points::place(digit, other)], *scalar))
            .unzip();
        sum(&points, &scalars)
    }

    fn aggregate(&self, claims: &[Opened], _seed: &Word) -> Vec<u8> {
        let openings: Vec<_> = claims.iter().map(|claim| claim.opening).collect();
        let coefficients: Vec<_> = claims.iter().map(|claim| claim.coefficient).collect();
        compressed(sum(&openings, &coefficients)).to_vec()
    }
}
