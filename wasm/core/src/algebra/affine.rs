//! Many additions of points at once, in affine coordinates: six multiplications each, where the
//! projective formula takes eleven, and one inversion for all.
//!
//! Points may be one, cancel, or be infinity; sums are exact for all points of the curve.

use alloc::vec::Vec;
use core::mem::replace;

use ark_ec::short_weierstrass::Affine;
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, Field, PrimeField, Zero, batch_inversion};

use super::halves::Halves;

/// A scalar as an integer.
type Integer<G> = <<G as AffineRepr>::ScalarField as PrimeField>::BigInt;

/// A point of a curve y² = x³ + b.
pub trait Point: AffineRepr {
    /// The point with these coordinates, which is on the curve.
    fn at(x: Self::BaseField, y: Self::BaseField) -> Self;

    /// See [`Halves::split`].
    fn split(scalar: Integer<Self>) -> [Integer<Self>; 2];

    /// See [`Halves::image`].
    #[must_use]
    fn image(&self) -> Self;

    /// See [`Halves::quarters`].
    fn quarters(half: Integer<Self>) -> [Integer<Self>; 4];
}

impl<C: Halves> Point for Affine<C> {
    fn at(x: C::BaseField, y: C::BaseField) -> Self {
        Self::new_unchecked(x, y)
    }

    fn split(scalar: Integer<Self>) -> [Integer<Self>; 2] {
        C::split(scalar)
    }

    fn image(&self) -> Self {
        C::image(self)
    }

    fn quarters(half: Integer<Self>) -> [Integer<Self>; 4] {
        C::quarters(half)
    }
}

/// Up to this many points an inversion costs more than it saves while multiples are made.
const FEW: usize = 8;

/// 1, 3, 5, … times each point, a row for each multiple.
pub(super) fn odd_multiples<G: Point>(mut row: Vec<G>, count: usize) -> Vec<Vec<G>> {
    let mut rows = Vec::with_capacity(count);
    if row.len() <= FEW {
        let twice: Vec<_> = row.iter().map(|point| point.into_group().double()).collect();
        let mut multiples: Vec<_> = row.iter().map(|point| point.into_group()).collect();
        let mut all = Vec::with_capacity(row.len().saturating_mul(count));
        for _ in 0..count {
            all.extend_from_slice(&multiples);
            multiples.iter_mut().zip(&twice).for_each(|(multiple, twice)| *multiple += twice);
        }
        let all = G::Group::normalize_batch(&all);
        rows.extend(all.chunks(row.len().max(1)).map(<[G]>::to_vec));
        return rows;
    }
    let twice = add_each(&row.iter().map(|point| [*point, *point]).collect::<Vec<_>>());
    for _ in 1..count {
        let pairs: Vec<_> = row.iter().zip(&twice).map(|(point, twice)| [*point, *twice]).collect();
        rows.push(replace(&mut row, add_each(&pairs)));
    }
    rows.push(row);
    rows
}

/// Adds up the points of each list until every list has one at most.
pub(super) fn collapse<G: Point>(lists: &mut [Vec<Vec<G>>]) {
    while lists.iter().flatten().any(|list| list.len() > 1) {
        let pairs = lists.iter().flatten().flat_map(|list| list.as_chunks().0).copied();
        let mut sums = add_each(&pairs.collect::<Vec<_>>()).into_iter();
        for list in lists.iter_mut().flatten() {
            let (pairs, rest) = list.as_chunks::<2>();
            let rest = rest.first().copied();
            *list = sums.by_ref().take(pairs.len()).chain(rest).collect();
        }
    }
}

/// The sum of each pair.
pub(super) fn add_each<G: Point>(pairs: &[[G; 2]]) -> Vec<G> {
    let mut inverses: Vec<_> = pairs.iter().map(run).collect();
    batch_inversion(&mut inverses);
    pairs.iter().zip(inverses).map(|(pair, inverse)| add(pair, inverse)).collect()
}

/// The denominator of the slope of the line through two points, or of the tangent where they are
/// one; zero for infinity, and for points that cancel.
fn run<G: Point>([left, right]: &[G; 2]) -> G::BaseField {
    match (left.xy(), right.xy()) {
        (Some((x, y)), Some((other_x, other_y))) if x == other_x => {
            if y == other_y {
                y.double()
            } else {
                G::BaseField::zero()
            }
        }
        (Some((x, _)), Some((other_x, _))) => other_x - x,
        _ => G::BaseField::zero(),
    }
}

/// The sum of two points by the inverse of their [`run`].
fn add<G: Point>([left, right]: &[G; 2], inverse: G::BaseField) -> G {
    let (Some((x, y)), Some((other_x, other_y))) = (left.xy(), right.xy()) else {
        return if left.is_zero() { *right } else { *left };
    };
    if inverse.is_zero() {
        return G::zero();
    }
    let rise = if x == other_x {
        let square = x.square();
        square.double() + square
    } else {
        other_y - y
    };
    let slope = rise * inverse;
    let sum_x = slope.square() - x - other_x;
    G::at(sum_x, slope * (x - sum_x) - y)
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    /// Small multiples of the generator, zero and negative ones among them, and what each should
    /// be.
    fn multiple<G: Point>(times: i64) -> G {
        let point = G::generator().mul_bigint([times.unsigned_abs()]).into_affine();
        if times < 0 { -point } else { point }
    }

    fn multiples<G: Point>(times: impl IntoIterator<Item = i64>) -> Vec<G> {
        times.into_iter().map(multiple).collect()
    }

    fn adds_as_arkworks_does<G: Point>() {
        // Every pair of these: different, the same, opposite, infinity on either side and on both.
        let all = -3..=3_i64;
        let pairs: Vec<_> = all.clone().flat_map(|a| all.clone().map(move |b| [a, b])).collect();
        let sums = add_each(&pairs.iter().map(|pair| pair.map(multiple::<G>)).collect::<Vec<_>>());
        let expected: Vec<G> = pairs.iter().map(|[a, b]| multiple(a + b)).collect();
        assert_eq!(sums, expected);
        assert_eq!(add_each::<G>(&[]), []);
    }

    fn collapses_to_sums<G: Point>() {
        let lists =
            [vec![], vec![0], vec![2, -2], vec![1, 1, 1, 1], vec![5], vec![1, 2, -3, 4, 0, 4, -8]];
        let points = lists.iter().map(|list| multiples(list.iter().copied()));
        let mut points: Vec<Vec<G>> = points.collect();
        collapse(core::slice::from_mut(&mut points));
        for (list, points) in lists.iter().zip(&points) {
            assert_eq!(points.len(), list.len().min(1));
            let sum = points.first().copied().unwrap_or_else(G::zero);
            assert_eq!(sum, multiple(list.iter().sum()));
        }
    }

    fn makes_odd_multiples<G: Point>() {
        // Few and many, infinity among them.
        let few = i64::try_from(FEW).unwrap();
        for length in [0, 3, few, few + 1] {
            for count in [1, 2, 8] {
                let rows = odd_multiples(multiples::<G>(0..length), count);
                assert_eq!(rows.len(), if length == 0 { 0 } else { count });
                for (odd, row) in (1..).step_by(2).zip(rows) {
                    assert_eq!(row, multiples((0..length).map(|times| times * odd)));
                }
            }
        }
    }

    #[test]
    fn agrees_with_arkworks_on_every_group() {
        fn check<G: Point>() {
            adds_as_arkworks_does::<G>();
            collapses_to_sums::<G>();
            makes_odd_multiples::<G>();
        }
        check::<ark_bls12_381::G1Affine>();
        check::<ark_bls12_381::G2Affine>();
        check::<ark_bn254::G1Affine>();
    }
}
