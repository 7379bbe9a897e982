//! All proofs of a vector at once, in n·log n steps (Feist, Khovratovich), which can be taken a few at a time.
//!
//! πᵢ = Σⱼ ωⁱʲ·hⱼ for hⱼ = \[Σₖ φⱼ₊ₖ₊₁·τᵏ\]₁, and the h are a correlation of φ with the powers of τ.

use ark_bls12_381::{Fr, G1Affine, G1Projective};
use ark_ec::CurveGroup;
use ark_ff::{Field, Zero};

use super::fft::{self, Transform};

/// Powers of a secret, transformed once for all vectors of their length.
#[derive(Clone, Debug)]
pub struct Powers {
    transformed: Vec<G1Projective>,
}

impl Powers {
    /// Prepares the powers 0 to n − 1 of a secret.
    pub fn new(powers: &[G1Affine]) -> Self {
        let mut spread = vec![G1Projective::zero(); powers.len() * 2];
        for (place, power) in powers.iter().enumerate() {
            // At −k, so that the product of transforms is a correlation.
            spread[(powers.len() * 2 - place) % (powers.len() * 2)] = (*power).into();
        }
        fft::forward(&mut spread);
        Self { transformed: spread }
    }

    /// Proofs of all positions of the vector with these coefficients.
    pub fn open_all(&self, coefficients: &[Fr]) -> Vec<G1Affine> {
        let mut job = self.start(coefficients);
        job.advance(usize::MAX);
        job.proofs().unwrap_or_default()
    }

    /// The same as work that can be done in parts.
    pub fn start(&self, coefficients: &[Fr]) -> Job {
        let count = coefficients.len();
        let mut shifted = coefficients[1..].to_vec();
        shifted.resize(count * 2, Fr::zero());
        // The scale of the transform back, taken here where it costs field elements.
        let scale = Fr::from(count as u64 * 2).inverse().unwrap_or_default();
        for coefficient in &mut shifted {
            *coefficient *= scale;
        }
        fft::forward(&mut shifted);
        Job { count, stage: Stage::Multiply(self.transformed.clone(), shifted, 0) }
    }
}

/// Proofs in the making.
#[derive(Clone, Debug)]
pub struct Job {
    count: usize,
    stage: Stage,
}

#[derive(Clone, Debug)]
enum Stage {
    /// Points, by what, and how many are multiplied.
    Multiply(Vec<G1Projective>, Vec<Fr>, usize),
    Back(Transform<G1Projective>),
    Forward(Transform<G1Projective>),
    Done(Vec<G1Projective>),
}

impl Job {
    /// How many multiplications of points there are in all.
    pub fn work(count: usize) -> usize {
        let log = |size: usize| usize::try_from(size.max(1).ilog2()).unwrap_or(0);
        count * 2 + count * log(count * 2) + count / 2 * log(count)
    }

    /// Takes at most so many multiplications of points further.
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
                let to = points.len().min(from.saturating_add(budget));
                for (point, by) in points[from..to].iter_mut().zip(&by[from..to]) {
                    *point *= by;
                }
                let left = budget - (to - from);
                if to < points.len() {
                    (Stage::Multiply(points, by, to), left)
                } else {
                    let root = fft::omega(points.len()).inverse().unwrap_or_default();
                    (Stage::Back(Transform::new(points, root)), left)
                }
            }
            Stage::Back(mut transform) => match transform.advance(budget) {
                (left, false) => (Stage::Back(transform), left),
                (left, true) => {
                    let mut points = transform.values();
                    points.truncate(self.count);
                    let root = fft::omega(points.len());
                    (Stage::Forward(Transform::new(points, root)), left)
                }
            },
            Stage::Forward(mut transform) => match transform.advance(budget) {
                (left, false) => (Stage::Forward(transform), left),
                (left, true) => (Stage::Done(transform.values()), left),
            },
            Stage::Done(points) => (Stage::Done(points), budget),
        };
        self.stage = stage;
        left
    }

    /// The proofs, once they are made.
    pub fn proofs(&self) -> Option<Vec<G1Affine>> {
        match &self.stage {
            Stage::Done(points) => Some(G1Projective::normalize_batch(points)),
            _ => None,
        }
    }
}
