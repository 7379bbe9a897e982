//! The discrete Fourier transform over roots of unity, of field elements and of points alike.

use std::ops::Range;

use ark_bls12_381::{Fr, G1Affine};
use ark_ff::{Field, One};
use lightproof_core::system::balanceproofs::Domain;

use super::lanes;

/// What can be transformed, many at a time.
pub trait Module: Copy {
    /// Each value times its factor.
    fn multiply(values: &[Self], factors: &[Fr]) -> Vec<Self>;

    /// Sums and differences.
    fn cross(left: &mut [Self], right: &mut [Self]);
}

impl Module for Fr {
    fn multiply(values: &[Self], factors: &[Fr]) -> Vec<Self> {
        values.iter().zip(factors).map(|(value, factor)| *value * factor).collect()
    }

    fn cross(left: &mut [Self], right: &mut [Self]) {
        for (left, right) in left.iter_mut().zip(right) {
            (*left, *right) = (*left + *right, *left - *right);
        }
    }
}

impl Module for G1Affine {
    fn multiply(values: &[Self], factors: &[Fr]) -> Vec<Self> {
        lanes::multiply(values, factors)
    }

    fn cross(left: &mut [Self], right: &mut [Self]) {
        let negative: Vec<Self> = right.iter().map(|right| -*right).collect();
        let addends = right.to_vec();
        right.copy_from_slice(left);
        lanes::add(left, &addends);
        lanes::add(right, &negative);
    }
}

/// The n-th root of unity that position 1 stands for.
///
/// # Panics
/// If `size` is no power of two up to 2³².
pub fn omega(size: usize) -> Fr {
    let domain = u64::try_from(size).ok().and_then(Domain::new);
    let domain = domain.unwrap_or_else(|| panic!("no roots of unity of order {size}"));
    if size == 1 { Fr::one() } else { domain.root(1) }
}

/// Values at ω⁰, ω¹, … of the polynomial with these coefficients, in place. Their number is a power
/// of two.
pub fn forward<T: Module>(values: &mut [T]) {
    transform(values, omega(values.len()));
}

/// The coefficients of the polynomial with these values, in place.
pub fn inverse<T: Module>(values: &mut [T]) {
    let size = Fr::from(values.len() as u64);
    let root = omega(values.len());
    transform(values, root.inverse().unwrap_or_default());
    let sizes = vec![size.inverse().unwrap_or_default(); values.len()];
    values.copy_from_slice(&T::multiply(values, &sizes));
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
        while self.done < end {
            // Butterflies of a layer do not meet.
            let layer = self.done / half;
            let stop = end.min((layer + 1) * half);
            self.layer(1 << layer, self.done % half..self.done % half + stop - self.done);
            self.done = stop;
        }
        (left, end == all)
    }

    /// Butterflies of the layer that crosses values so far apart.
    fn layer(&mut self, width: usize, places: Range<usize>) {
        let half = self.values.len() / 2;
        let left = |place: usize| place / width * width * 2 + place % width;
        // One is the most frequent root, and a multiplication of a point the dearest step.
        let turning = places.clone().filter(|place| place % width != 0);
        let rights: Vec<usize> = turning.clone().map(|place| left(place) + width).collect();
        let roots: Vec<Fr> =
            turning.map(|place| self.roots[place % width * (half / width)]).collect();
        let turned: Vec<T> = rights.iter().map(|right| self.values[*right]).collect();
        for (right, turned) in rights.into_iter().zip(T::multiply(&turned, &roots)) {
            self.values[right] = turned;
        }
        let mut lefts: Vec<T> = places.clone().map(|place| self.values[left(place)]).collect();
        let mut rights: Vec<T> =
            places.clone().map(|place| self.values[left(place) + width]).collect();
        T::cross(&mut lefts, &mut rights);
        for (place, (sum, difference)) in places.zip(lefts.into_iter().zip(rights)) {
            self.values[left(place)] = sum;
            self.values[left(place) + width] = difference;
        }
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
