//! The discrete Fourier transform over roots of unity, of field elements and of points alike.

use std::ops::{Add, Mul, Sub};

use ark_bls12_381::Fr;
use ark_ff::{Field, One};
use lightproof_core::system::balanceproofs::Domain;

/// What can be transformed.
pub trait Module: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Fr, Output = Self> {}
impl<T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Fr, Output = T>> Module for T {}

/// The n-th root of unity that position 1 stands for.
///
/// # Panics
/// If `size` is no power of two up to 2³².
pub fn omega(size: usize) -> Fr {
    let domain = u64::try_from(size).ok().and_then(Domain::new);
    let domain = domain.unwrap_or_else(|| panic!("no roots of unity of order {size}"));
    if size == 1 { Fr::one() } else { domain.root(1) }
}

/// Values at ω⁰, ω¹, … of the polynomial with these coefficients, in place. Their number is a power of two.
pub fn forward<T: Module>(values: &mut [T]) {
    transform(values, omega(values.len()));
}

/// The coefficients of the polynomial with these values, in place.
pub fn inverse<T: Module>(values: &mut [T]) {
    let size = Fr::from(values.len() as u64);
    let root = omega(values.len());
    transform(values, root.inverse().unwrap_or_default());
    let size = size.inverse().unwrap_or_default();
    for value in values {
        *value = *value * size;
    }
}

fn transform<T: Module>(values: &mut [T], root: Fr) {
    let mut transform = Transform::new(values.to_vec(), root);
    transform.advance(usize::MAX);
    values.copy_from_slice(&transform.values());
}

/// A transform that can be taken a few butterflies at a time.
#[derive(Clone, Debug)]
pub struct Transform<T> {
    values: Vec<T>,
    roots: Vec<Fr>,
    /// Butterflies that are done.
    done: usize,
}

impl<T: Module> Transform<T> {
    /// Starts on the values, whose number is the order of `root`.
    pub fn new(mut values: Vec<T>, root: Fr) -> Self {
        let count = values.len();
        if count > 1 {
            let bits = usize::BITS - count.trailing_zeros();
            for place in 0..count {
                let other = place.reverse_bits() >> bits;
                if place < other {
                    values.swap(place, other);
                }
            }
        }
        let roots = std::iter::successors(Some(Fr::one()), |power| Some(*power * root));
        Self { roots: roots.take(count / 2).collect(), values, done: 0 }
    }

    /// Takes at most so many butterflies further; what is left of them, and whether it is over.
    pub fn advance(&mut self, budget: usize) -> (usize, bool) {
        let half = self.values.len() / 2;
        let all = half * usize::try_from(self.values.len().max(1).ilog2()).unwrap_or(0);
        let end = all.min(self.done.saturating_add(budget));
        let left = budget - (end - self.done);
        for number in self.done..end {
            let (layer, place) = (number / half, number % half);
            let width = 1 << layer;
            let (block, within) = (place / width, place % width);
            let (a, b) = (block * width * 2 + within, block * width * 2 + within + width);
            // One is the most frequent root, and a multiplication of a point the dearest step.
            let turned = match within {
                0 => self.values[b],
                _ => self.values[b] * self.roots[within * (half / width)],
            };
            (self.values[a], self.values[b]) = (self.values[a] + turned, self.values[a] - turned);
        }
        self.done = end;
        (left, end == all)
    }

    /// The values as they are.
    pub fn values(self) -> Vec<T> {
        self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ark_ff::Zero;

    #[test]
    fn a_polynomial_comes_back_from_its_values() {
        for size in [1, 2, 8, 64] {
            let original: Vec<Fr> = (0..size).map(|n: u64| Fr::from(n * n + 3)).collect();
            let mut values = original.clone();
            forward(&mut values);
            let root = omega(values.len());
            let mut x = Fr::one();
            for value in &values {
                let expected = original.iter().rev().fold(Fr::zero(), |sum, c| sum * x + c);
                assert_eq!(*value, expected);
                x *= root;
            }
            inverse(&mut values);
            assert_eq!(values, original);
        }
    }
}
