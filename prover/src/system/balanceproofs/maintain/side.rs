//! What a change of one value does to the proofs of a side's positions.

use ark_bls12_381::{Fr, G1Affine};
use ark_ff::{Field, One, batch_inversion};
use lightproof_core::system::balanceproofs::Domain;

/// A term of a sum: a point and its factor.
pub(super) type Term = (G1Affine, Fr);

/// Roots of unity, and what is divided by along their side.
#[derive(Debug)]
pub(super) struct Side {
    /// ωᵈ.
    roots: Vec<Fr>,
    /// 1/(ωᵈ − 1), zero for d = 0.
    inverses: Vec<Fr>,
}

impl Side {
    pub(super) fn new(domain: &Domain) -> Self {
        let roots: Vec<Fr> = (0..domain.size()).map(|exponent| domain.root(exponent)).collect();
        let mut inverses: Vec<Fr> = roots.iter().map(|root| *root - Fr::one()).collect();
        batch_inversion(&mut inverses);
        Self { roots, inverses }
    }

    /// d for ωᵈ = ω^at / ω^other.
    fn distance(&self, at: usize, other: usize) -> usize {
        // There are a power of two of them.
        at.wrapping_sub(other) & (self.roots.len() - 1)
    }

    /// ω^−at.
    pub(super) fn back(&self, at: usize) -> Fr {
        self.roots[self.distance(0, at)]
    }

    /// ω^at/(ω^changed − ω^at); zero where they are the same.
    pub(super) fn slope(&self, changed: usize, at: usize) -> Fr {
        self.inverses[self.distance(changed, at)]
    }

    /// What a change of the value at one root does to the proof at another, by commitments l to one
    /// at each root: for L the Lagrange polynomial of `changed`, \[L/(X − ω^at)\]₁ = (l −
    /// `(ω^changed/ω^at)·l_at`)/(ω^changed − ω^at).
    pub(super) fn moved(&self, l: &[G1Affine], changed: usize, at: usize, change: Fr) -> Vec<Term> {
        if changed == at {
            let others = (0..l.len()).filter(|other| *other != at);
            let factor = change * self.back(at);
            let others = others.map(|other| (l[other], -factor * self.slope(other, at)));
            return others.chain([(l[at], change * self.own(at))]).collect();
        }
        let factor = change * self.slope(changed, at) * self.back(at);
        let other = factor * self.roots[self.distance(changed, at)];
        vec![(l[changed], factor), (l[at], -other)]
    }

    /// What a change does to the proof at its own root: \[(L − 1)/(X − ω^at)\]₁ is the negative of
    /// the sum of all others', since the vector of ones has proofs of zero: `(n −
    /// 1)/2·ω^−at·l_at` − Λ, with Λ the sum of the others' l/(ω^other − ω^at). Here the
    /// factor of `l_at`.
    pub(super) fn own(&self, at: usize) -> Fr {
        let half = Fr::from(2).inverse().unwrap_or_default();
        half * Fr::from(self.roots.len() as u64 - 1) * self.back(at)
    }
}
