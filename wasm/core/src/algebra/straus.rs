//! Sums of scalar multiples, by interleaved signed windows (Straus): one chain of doublings for all
//! terms of a sum, as long as the longest scalar. Coefficients of 128 bits cost half of what full
//! ones do.
//!
//! Everything between the doublings is added in affine coordinates, for all sums together
//! ([`affine`](super::affine)). With that, windows of one's own for every point cost no more than
//! buckets shared by all (Pippenger) up to some thousand terms.
//!
//! Where the curve has an endomorphism, the chain is as long as half a scalar, and for a [`Base`]
//! whose multiples are known an eighth ([`halves`](super::halves)).

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::RangeInclusive;

use ark_ff::{AdditiveGroup, BigInteger, PrimeField, Zero};

use super::affine::{Point, collapse, odd_multiples};

/// Widths of windows: digits are odd, below 2^(width − 1) in size, one in width + 1 on average.
const WIDTHS: RangeInclusive<usize> = 2..=8;

/// Bases whose tables are made at once, and parts of scalars that are added at once: they bound
/// what is held.
const BASES: usize = 256;
const CHUNK: usize = 256;

/// A point that is multiplied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base<G> {
    /// The point.
    pub point: G,
    /// Its multiples by y, x and yx, where they are known, x the parameter of the curve and y its
    /// upper half. Most points have none, and proofs have thousands of points.
    pub multiples: Option<Box<[G; 3]>>,
}

impl<G> From<G> for Base<G> {
    fn from(point: G) -> Self {
        Self { point, multiples: None }
    }
}

/// A term of one of many sums.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term<S> {
    /// Of which sum.
    pub(super) sum: usize,
    /// What is multiplied, by its place among all bases.
    pub(super) base: usize,
    pub(super) scalar: S,
}

/// Σ scalar · point, for points of the group: of the curve's other points, an endomorphism makes
/// other multiples.
pub fn sum<G: Point>(terms: &[(G, G::ScalarField)]) -> G::Group {
    let bases: Vec<_> = terms.iter().map(|(point, _)| Base::from(*point)).collect();
    let terms = terms.iter().enumerate();
    let terms: Vec<_> =
        terms.map(|(base, (_, scalar))| Term { sum: 0, base, scalar: *scalar }).collect();
    sums(&bases, &terms, 1).first().copied().unwrap_or_default()
}

/// A number of [`sum`]s. A base has one table of multiples for all of them.
pub(super) fn sums<G: Point>(
    bases: &[Base<G>],
    terms: &[Term<G::ScalarField>],
    count: usize,
) -> Vec<G::Group> {
    // By sum and place: digits of that place times their points.
    let mut places: Vec<Vec<Vec<G>>> = Vec::new();
    places.resize(count, Vec::new());
    for (start, bases) in (0..).step_by(BASES).zip(bases.chunks(BASES)) {
        let (mut points, mut starts) = (Vec::new(), Vec::new());
        for Base { point, multiples } in bases {
            starts.push((points.len(), multiples.is_some()));
            points.push(*point);
            points.extend(multiples.iter().flat_map(|multiples| multiples.iter()));
        }
        let parts = parts(start, &starts, terms, G::split, G::quarters);
        let width = width(&parts, points.len());
        let multiples = odd_multiples(points, 1 << (width - 2));
        for parts in parts.chunks(CHUNK) {
            for part in parts {
                part.place(width, &multiples, &mut places);
            }
            collapse(&mut places);
        }
    }
    places.iter().map(|places| doubled(places)).collect()
}

/// A part of a scalar.
struct Part<I> {
    /// In which sum.
    sum: usize,
    /// Which point it multiplies.
    row: usize,
    integer: I,
    /// Whether the point's image is what it multiplies.
    is_image: bool,
    is_negative: bool,
}

impl<I: BigInteger> Part<I> {
    /// Adds its digits' multiples of its point to their places.
    fn place<G: Point>(&self, width: usize, multiples: &[Vec<G>], places: &mut [Vec<Vec<G>>]) {
        let digits = self.integer.find_wnaf(width).unwrap_or_default();
        let Some(places) = places.get_mut(self.sum) else { return };
        if places.len() < digits.len() {
            places.resize(digits.len(), Vec::new());
        }
        for (place, digit) in places.iter_mut().zip(digits).filter(|(_, digit)| *digit != 0) {
            let size = usize::try_from(digit.unsigned_abs()).unwrap_or(0);
            let multiple = multiples.get(size >> 1).and_then(|row| row.get(self.row));
            let Some(multiple) = multiple else { continue };
            let multiple = if self.is_image { multiple.image() } else { *multiple };
            place.push(if (digit < 0) == self.is_negative { multiple } else { -multiple });
        }
    }
}

/// The parts of the scalars of all terms with certain bases.
///
/// * `first`: the number of the first of these bases.
/// * `starts`: of each base, which is the first of its points, and whether it has more.
fn parts<S: PrimeField>(
    first: usize,
    starts: &[(usize, bool)],
    terms: &[Term<S>],
    split: fn(S::BigInt) -> [S::BigInt; 2],
    quarters: fn(S::BigInt) -> [S::BigInt; 4],
) -> Vec<Part<S::BigInt>> {
    let mut parts = Vec::new();
    for Term { sum, base, scalar } in terms {
        let place = base.checked_sub(first).and_then(|place| starts.get(place));
        let Some((start, has_multiples)) = place else { continue };
        // Or of its negative, whichever is shorter.
        let (scalar, negative) = (scalar.into_bigint(), (-*scalar).into_bigint());
        let is_negative = negative.num_bits() < scalar.num_bits();
        let halves = split(if is_negative { negative } else { scalar });
        for (half, is_image) in halves.into_iter().zip([false, true]) {
            let (quarters, used) =
                if *has_multiples { (quarters(half), 4) } else { ([half; 4], 1) };
            for (row, integer) in (*start..).zip(quarters).take(used) {
                parts.push(Part { sum: *sum, row, integer, is_image, is_negative });
            }
        }
    }
    parts
}

/// The width of windows that takes the fewest additions for so many tables.
fn width<I: BigInteger>(parts: &[Part<I>], tables: usize) -> usize {
    let bits: u32 = parts.iter().map(|part| part.integer.num_bits()).sum();
    let bits = usize::try_from(bits).unwrap_or(usize::MAX);
    let cost = |width: &usize| (bits / (width + 1)).saturating_add(tables << (width - 2));
    WIDTHS.min_by_key(cost).unwrap_or(2)
}

/// Σ 2^place · point.
fn doubled<G: Point>(places: &[Vec<G>]) -> G::Group {
    let mut total = G::Group::zero();
    for place in places.iter().rev() {
        total.double_in_place();
        for point in place {
            total += point;
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use ark_ec::{CurveGroup, PrimeGroup};
    use ark_ff::One;

    use super::*;

    fn agrees_with_doubling_and_adding<G: Point>() {
        let mut state = G::ScalarField::from(3_u64);
        let mut next = || {
            state = state * state + G::ScalarField::one();
            state
        };
        let zero = G::ScalarField::zero();
        let generator = G::Group::generator();
        let mut terms: Vec<(G, G::ScalarField)> = (0..20)
            .map(|_| (generator.mul_bigint(next().into_bigint()).into_affine(), next()))
            .collect();
        terms.push((G::zero(), next()));
        for scalar in [zero, G::ScalarField::one(), -G::ScalarField::one(), u128::MAX.into()] {
            terms.push((G::generator(), scalar));
        }
        // The same point and its negative by the same scalar: sums that double, and that cancel.
        let (point, scalar) = (terms[0].0, next());
        terms.extend([(point, scalar), (point, scalar), (-point, scalar), (-point, scalar)]);
        let mut expected = G::Group::zero();
        for length in 0..=terms.len() {
            assert_eq!(sum(&terms[..length]), expected);
            let Some((point, scalar)) = terms.get(length) else { break };
            expected += point.mul_bigint(scalar.into_bigint());
        }
        // More than are taken at once.
        let count = CHUNK / terms.len() * 2;
        let many = terms.repeat(count);
        let times = G::ScalarField::from(count as u64);
        assert_eq!(sum(&many), expected * times);
        // Sums apart, of which one lies in two chunks, one is empty, and all share bases.
        let sets = [&many[..2], &many, &[], &many[..terms.len()]];
        let bases: Vec<_> = many.iter().map(|(point, _)| Base::from(*point)).collect();
        let apart = sets.iter().enumerate().flat_map(|(sum, set)| {
            let set = set.iter().enumerate();
            set.map(move |(base, (_, scalar))| Term { sum, base, scalar: *scalar })
        });
        let apart: Vec<_> = apart.collect();
        let first = sum(&terms[..2]);
        let expected = [first, expected * times, G::Group::zero(), expected];
        assert_eq!(sums(&bases, &apart, sets.len()), expected);
    }

    #[test]
    fn agrees_with_doubling_and_adding_on_every_group() {
        agrees_with_doubling_and_adding::<ark_bls12_381::G1Affine>();
        agrees_with_doubling_and_adding::<ark_bls12_381::G2Affine>();
        agrees_with_doubling_and_adding::<ark_bn254::G1Affine>();
    }
}
