//! The discrete Fourier transform over roots of unity, of field elements and of points alike.

use std::ops::Range;
use std::sync::OnceLock;

use ark_bls12_381::{Fr, G1Affine};
use ark_ff::{Field, One};
use ark_poly::{EvaluationDomain, Radix2EvaluationDomain};
use lightproof_core::system::balanceproofs::Domain;

use super::lanes;

/// A multiplication of a point, as work is counted: two halves.
pub const WHOLE: usize = 2;

/// What can be transformed.
pub trait Module: Sized {
    /// Values at ω⁰, ω¹, … of the polynomial with these coefficients, in place. Their number is a
    /// power of two.
    fn forward(values: &mut [Self]);

    /// The coefficients of the polynomial with these values, in place.
    fn inverse(values: &mut [Self]);
}

impl Module for Fr {
    fn forward(values: &mut [Self]) {
        in_place(values, EvaluationDomain::fft_in_place);
    }

    fn inverse(values: &mut [Self]) {
        in_place(values, EvaluationDomain::ifft_in_place);
    }
}

/// A transform of `ark-poly`'s, whose root of unity is [`omega`].
fn in_place(values: &mut [Fr], transform: impl Fn(&Radix2EvaluationDomain<Fr>, &mut Vec<Fr>)) {
    let mut transformed = values.to_vec();
    transform(domain(values.len()), &mut transformed);
    values.copy_from_slice(&transformed);
}

/// `ark-poly`'s domain of a power of two, made once: that takes inversions.
fn domain(size: usize) -> &'static Radix2EvaluationDomain<Fr> {
    static MADE: [OnceLock<Radix2EvaluationDomain<Fr>>; 33] = [const { OnceLock::new() }; 33];
    let place = usize::try_from(size.trailing_zeros()).unwrap_or(usize::MAX);
    let Some(made) = MADE.get(place).filter(|_| size.is_power_of_two()) else { no_root(size) };
    made.get_or_init(|| Radix2EvaluationDomain::new(size).unwrap_or_else(|| no_root(size)))
}

impl Module for G1Affine {
    fn forward(values: &mut [Self]) {
        transform(values, omega(values.len()));
    }

    fn inverse(values: &mut [Self]) {
        let size = Fr::from(values.len() as u64).inverse().unwrap_or_default();
        transform(values, omega(values.len()).inverse().unwrap_or_default());
        values.copy_from_slice(&lanes::multiply(values, &vec![size; values.len()]));
    }
}

/// The n-th root of unity that position 1 stands for.
///
/// # Panics
/// If `size` is no power of two up to 2³².
pub fn omega(size: usize) -> Fr {
    let domain = u64::try_from(size).ok().and_then(Domain::new);
    let domain = domain.unwrap_or_else(|| no_root(size));
    if size == 1 { Fr::one() } else { domain.root(1) }
}

fn no_root(size: usize) -> ! {
    panic!("no roots of unity of order {size}")
}

/// Values at ω⁰, ω¹, … of the polynomial with these coefficients, in place. Their number is a power
/// of two.
pub fn forward<T: Module>(values: &mut [T]) {
    T::forward(values);
}

/// The coefficients of the polynomial with these values, in place.
pub fn inverse<T: Module>(values: &mut [T]) {
    T::inverse(values);
}

fn transform(values: &mut [G1Affine], root: Fr) {
    let mut transform = Transform::new(values.to_vec(), root);
    transform.advance(usize::MAX);
    values.copy_from_slice(&transform.values());
}

/// A transform of points that can be taken in parts, many points at once.
///
/// Its layers come in pairs. The first of a pair multiplies three of four points by roots of any
/// size; the second multiplies one of four by the root of order 4, which takes half as many
/// doublings on this curve. That is an eighth less work than a multiplication of every other point
/// in each layer.
#[derive(Clone, Debug)]
pub struct Transform {
    values: Vec<G1Affine>,
    roots: Vec<Fr>,
    /// Butterflies that are done.
    done: usize,
}

impl Transform {
    /// Starts on the values, whose number is the order of `root`.
    pub fn new(mut values: Vec<G1Affine>, root: Fr) -> Self {
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
        Self { roots: roots.take(count).collect(), values, done: 0 }
    }

    /// Does about `budget` [halves of a multiplication](WHOLE). Returns what is left of the budget,
    /// and whether the transform is done.
    pub fn advance(&mut self, mut budget: usize) -> (usize, bool) {
        let half = self.values.len() / 2;
        let all = half * usize::try_from(self.values.len().max(1).ilog2()).unwrap_or(0);
        while self.done < all && budget > 0 {
            // Butterflies of a layer do not meet.
            let (layer, from) = (self.done / half, self.done % half);
            let each = if self.is_first(1 << layer) { WHOLE * 3 / 2 } else { WHOLE / 2 };
            let count = (half - from).min((budget / each).max(1));
            self.layer(1 << layer, from..from + count);
            self.done += count;
            budget = budget.saturating_sub(count * each);
        }
        (budget, self.done == all)
    }

    /// Butterflies of the layer that crosses values so far apart.
    fn layer(&mut self, width: usize, places: Range<usize>) {
        let lefts: Vec<usize> = places.map(|place| self.left(width, place)).collect();
        // One is the most frequent root, and a multiplication of a point the dearest step.
        let turned: Vec<(usize, Fr)> = lefts
            .iter()
            .flat_map(|left| [*left, left + width])
            .map(|at| (at, self.power(width, at)))
            .filter(|(_, power)| *power != 0)
            .map(|(at, power)| (at, self.roots[power]))
            .collect();
        let points: Vec<G1Affine> = turned.iter().map(|(at, _)| self.values[*at]).collect();
        let roots: Vec<Fr> = turned.iter().map(|(_, root)| *root).collect();
        for ((at, _), point) in turned.into_iter().zip(lanes::multiply(&points, &roots)) {
            self.values[at] = point;
        }
        let rights: Vec<G1Affine> = lefts.iter().map(|left| self.values[left + width]).collect();
        let negative: Vec<G1Affine> = rights.iter().map(|right| -*right).collect();
        let mut sums: Vec<G1Affine> = lefts.iter().map(|left| self.values[*left]).collect();
        let mut differences = sums.clone();
        lanes::add(&mut sums, &rights);
        lanes::add(&mut differences, &negative);
        for (left, (sum, difference)) in lefts.into_iter().zip(sums.into_iter().zip(differences)) {
            self.values[left] = sum;
            self.values[left + width] = difference;
        }
    }

    /// The left value of a butterfly.
    fn left(&self, width: usize, place: usize) -> usize {
        if self.is_first(width) {
            // Alternates between butterflies that multiply one point and those that multiply both, so
            // that equal parts of a layer are equal work.
            let (place, pair) = (place / 2, place % 2);
            (place / width * 2 + pair) * width * 2 + place % width
        } else {
            place / width * width * 2 + place % width
        }
    }

    /// Is the layer the first of its pair? Of an odd number of layers the one of width 1 has no pair;
    /// it multiplies nothing.
    fn is_first(&self, width: usize) -> bool {
        (self.values.len() / width).ilog2().is_multiple_of(2)
    }

    /// The exponent of the root by which the layer multiplies the value at a place.
    fn power(&self, width: usize, at: usize) -> usize {
        let count = self.values.len();
        if self.is_first(width) {
            // Blocks lie in the order of their reversed bits.
            let block = [0, 2, 1, 3][at / width % 4];
            block * (at % width) * (count / (width * 4))
        } else if width > 1 && at / (width / 2) % 4 == 3 {
            count / 4
        } else {
            0
        }
    }

    /// The values as they are.
    pub fn values(self) -> Vec<G1Affine> {
        self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ark_ec::{AffineRepr as _, CurveGroup as _};
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

    #[test]
    fn points_are_transformed_as_their_factors_are() {
        let points = |factors: &[Fr]| -> Vec<G1Affine> {
            factors.iter().map(|factor| (G1Affine::generator() * factor).into_affine()).collect()
        };
        for size in [1, 2, 4, 8, 32, 64] {
            let original: Vec<Fr> = (0..size).map(|n: u64| Fr::from(n * n + 3)).collect();
            let (mut factors, mut values) = (original.clone(), points(&original));
            forward(&mut factors);
            forward(&mut values);
            assert_eq!(values, points(&factors));
            inverse(&mut values);
            assert_eq!(values, points(&original));
        }
    }
}
