//! All proofs of a vector at once, in n·log n steps that can be taken a few at a time (Feist,
//! Khovratovich; here over the domain, where transforms of points have length n, not 2n).
//!
//! The quotient (φ − mᵢ)/(X − ωⁱ) has the value (mⱼ − mᵢ)/(ωʲ − ωⁱ) at ωʲ, and φ'(ωⁱ) at ωⁱ. With
//! commitments lⱼ to one at each position, πᵢ = Σⱼ mⱼ·lⱼ/(ωʲ − ωⁱ) − mᵢ·Λᵢ + φ'(ωⁱ)·lᵢ for Λᵢ = Σⱼ
//! lⱼ/(ωʲ − ωⁱ), sums over j ≠ i: a cyclic correlation with 1/(ωᵈ − 1), whose transform at k is (n
//! + 1)/2 − k for k = 1 … n: small numbers, once the points are divided by 2n.

use ark_bls12_381::{Fr, G1Affine};
use ark_ff::Field;

use super::fft::{self, Transform};
use super::lanes;

/// Commitments to one at each position, prepared for all vectors of their length.
#[derive(Clone, Debug)]
pub struct Lines {
    /// lⱼ/2n.
    scaled: Vec<G1Affine>,
    /// Λᵢ.
    sums: Vec<G1Affine>,
}

impl Lines {
    /// Prepares commitments to one at each position; `powers` are those to monomials.
    pub fn new(powers: &[G1Affine], lines: &[G1Affine]) -> Self {
        let scale = Fr::from(lines.len() as u64 * 2).inverse().unwrap_or_default();
        // Λ is the first sum for ones, of which the first transform is known: the powers.
        let factors: Vec<Fr> = centred(lines.len()).map(|factor| factor * scale).collect();
        let reversed: Vec<G1Affine> = powers.iter().rev().copied().collect();
        let mut sums = lanes::multiply(&reversed, &factors);
        fft::forward(&mut sums);
        Self { scaled: lanes::multiply(lines, &vec![scale; lines.len()]), sums }
    }

    /// Λᵢ.
    pub fn sum(&self, position: usize) -> G1Affine {
        self.sums[position]
    }

    /// Proofs of all positions of a vector.
    pub fn open_all(&self, values: &[Fr]) -> Vec<G1Affine> {
        let mut job = self.start(values);
        job.advance(usize::MAX);
        job.proofs().map(<[_]>::to_vec).unwrap_or_default()
    }

    /// The same as work that can be done in parts.
    pub fn start(&self, values: &[Fr]) -> Job {
        let count = values.len();
        let mut slopes = values.to_vec();
        fft::inverse(&mut slopes);
        // φ', times 2n since the points are divided by it.
        slopes.rotate_left(1);
        for (power, slope) in slopes.iter_mut().enumerate() {
            *slope *= Fr::from((power as u64 + 1) % count as u64 * count as u64 * 2);
        }
        fft::forward(&mut slopes);
        let points = [&self.scaled[..], &self.scaled, &self.sums].concat();
        let negative = values.iter().map(|value| -*value);
        let factors = values.iter().copied().chain(slopes).chain(negative).collect();
        Job { count, own: Vec::new(), stage: Stage::Multiply(points, factors, 0) }
    }
}

/// n − 1 − 2k for each k below n.
fn centred(count: usize) -> impl Iterator<Item = Fr> {
    let last = Fr::from(count as u64 - 1);
    (0..count as u64).map(move |k| last - Fr::from(2 * k))
}

/// Proofs in the making.
#[derive(Clone, Debug)]
pub struct Job {
    count: usize,
    /// φ'(ωⁱ)·lᵢ − mᵢ·Λᵢ.
    own: Vec<G1Affine>,
    stage: Stage,
}

#[derive(Clone, Debug)]
enum Stage {
    /// Points, by what, and how many are multiplied.
    Multiply(Vec<G1Affine>, Vec<Fr>, usize),
    Back(Transform),
    Forward(Transform),
    Done(Vec<G1Affine>),
}

impl Job {
    /// How many [halves of a multiplication](fft::WHOLE) there are, at most.
    pub fn work(count: usize) -> usize {
        let log = usize::try_from(count.max(1).ilog2()).unwrap_or(0);
        (count * 3 + count * log) * fft::WHOLE
    }

    /// Does about `budget` halves of a multiplication; the multiplications by small numbers between
    /// the transforms do not count.
    pub fn advance(&mut self, mut budget: usize) {
        while budget > 0 && !matches!(self.stage, Stage::Done(_)) {
            budget = self.step(budget);
        }
    }

    /// Works on one stage; what is left of the budget.
    fn step(&mut self, budget: usize) -> usize {
        let taken = std::mem::replace(&mut self.stage, Stage::Done(Vec::new()));
        let (stage, left) = match taken {
            Stage::Multiply(mut points, by, from) => {
                let to = points.len().min(from.saturating_add((budget / fft::WHOLE).max(1)));
                let products = lanes::multiply(&points[from..to], &by[from..to]);
                points[from..to].copy_from_slice(&products);
                let left = budget.saturating_sub((to - from) * fft::WHOLE);
                if to < points.len() {
                    (Stage::Multiply(points, by, to), left)
                } else {
                    self.own = points.split_off(self.count);
                    let sums = self.own.split_off(self.count);
                    lanes::add(&mut self.own, &sums);
                    let root = fft::omega(self.count).inverse().unwrap_or_default();
                    (Stage::Back(Transform::new(points, root)), left)
                }
            }
            Stage::Back(mut transform) => match transform.advance(budget) {
                (left, false) => (Stage::Back(transform), left),
                (left, true) => {
                    let mut points = transform.values();
                    points.rotate_left(1);
                    let factors: Vec<Fr> = centred(self.count).collect();
                    let points = lanes::multiply(&points, &factors);
                    (Stage::Forward(Transform::new(points, fft::omega(self.count))), left)
                }
            },
            Stage::Forward(mut transform) => match transform.advance(budget) {
                (left, false) => (Stage::Forward(transform), left),
                (left, true) => {
                    let mut proofs = transform.values();
                    lanes::add(&mut proofs, &self.own);
                    (Stage::Done(proofs), left)
                }
            },
            Stage::Done(points) => (Stage::Done(points), budget),
        };
        self.stage = stage;
        left
    }

    /// The proofs, once they are made.
    pub fn proofs(&self) -> Option<&[G1Affine]> {
        match &self.stage {
            Stage::Done(proofs) => Some(proofs),
            _ => None,
        }
    }
}
