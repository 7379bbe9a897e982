//! Sums of scalar multiples, by interleaved signed windows (Straus): one chain of doublings for all
//! terms, as long as the longest scalar. Coefficients of 128 bits cost half of what full ones do.
//!
//! Everything between the doublings is added in affine coordinates, many additions to one inversion:
//! six multiplications each, where the projective formula takes eleven. With that, windows of one's own
//! for every point cost no more than buckets shared by all (Pippenger) up to some thousand terms.
//!
//! Where the curve has an endomorphism, the chain is as long as half a scalar ([`halves`](super::halves)).

use alloc::vec::Vec;

use ark_ec::short_weierstrass::Affine;
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, BigInteger, Field, PrimeField, Zero, batch_inversion};

use super::halves::Halves;

/// Width of the windows: digits are odd, below 2^(WIDTH − 1) in size.
const WIDTH: usize = 5;

/// Multiples of each point that are kept: 1, 3, 5, … times it.
const MULTIPLES: usize = 1 << (WIDTH - 2);

/// Terms taken at once, which bounds what is held: some forty points for each.
const CHUNK: usize = 256;

/// Up to this many terms an inversion costs more than it saves while multiples are made.
const FEW: usize = 8;

/// A scalar as an integer.
type Integer<G> = <<G as AffineRepr>::ScalarField as PrimeField>::BigInt;

/// A point of a curve y² = x³ + ax + b.
pub trait Point: AffineRepr {
    /// a.
    const A: Self::BaseField;

    /// The point with these coordinates, which is on the curve.
    fn at(x: Self::BaseField, y: Self::BaseField) -> Self;

    /// See [`Halves::split`].
    fn split(scalar: Integer<Self>) -> [Integer<Self>; 2];

    /// See [`Halves::image`].
    #[must_use]
    fn image(&self) -> Self;
}

impl<C: Halves> Point for Affine<C> {
    const A: C::BaseField = C::COEFF_A;

    fn at(x: C::BaseField, y: C::BaseField) -> Self {
        Self::new_unchecked(x, y)
    }

    fn split(scalar: Integer<Self>) -> [Integer<Self>; 2] {
        C::split(scalar)
    }

    fn image(&self) -> Self {
        C::image(self)
    }
}

/// Σ scalar · point, for points of the group: of the curve's other points, an endomorphism makes other multiples.
pub fn sum<G: Point>(terms: &[(G, G::ScalarField)]) -> G::Group {
    sums(&[terms]).first().copied().unwrap_or_default()
}

/// The [`sum`] of each list. What is added in affine coordinates takes few inversions for all lists together.
pub(super) fn sums<G: Point, T: AsRef<[(G, G::ScalarField)]>>(lists: &[T]) -> Vec<G::Group> {
    let all = lists.iter().enumerate();
    let all = all.flat_map(|(list, terms)| terms.as_ref().iter().map(move |term| (list, *term)));
    let all: Vec<_> = all.collect();
    // By list and place: digits of that place times their points.
    let mut places: Vec<Vec<Vec<G>>> = lists.iter().map(|_| Vec::new()).collect();
    for terms in all.chunks(CHUNK) {
        let rows = multiples(terms.iter().map(|(_, (point, _))| *point).collect());
        for (term, (list, (_, scalar))) in terms.iter().enumerate() {
            let Some(places) = places.get_mut(*list) else { continue };
            for (half, digits) in digits::<G>(*scalar).into_iter().enumerate() {
                places.resize_with(places.len().max(digits.len()), Vec::new);
                for (place, digit) in places.iter_mut().zip(digits) {
                    let size = usize::try_from(digit.unsigned_abs()).unwrap_or(0);
                    let multiple = rows.get(size >> 1).and_then(|row| row.get(term));
                    let Some(multiple) = multiple.filter(|_| digit != 0) else { continue };
                    let multiple = if half == 0 { *multiple } else { multiple.image() };
                    place.push(if digit > 0 { multiple } else { -multiple });
                }
            }
        }
        collapse(&mut places);
    }
    places.iter().map(|places| doubled(places)).collect()
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

/// 1, 3, 5, … times each point, a row for each multiple.
fn multiples<G: Point>(mut row: Vec<G>) -> Vec<Vec<G>> {
    let mut rows = Vec::with_capacity(MULTIPLES);
    if row.len() <= FEW {
        let twice: Vec<_> = row.iter().map(|point| point.into_group().double()).collect();
        let mut multiples: Vec<_> = row.iter().map(|point| point.into_group()).collect();
        let mut all = Vec::with_capacity(row.len().saturating_mul(MULTIPLES));
        for _ in 0..MULTIPLES {
            all.extend_from_slice(&multiples);
            multiples.iter_mut().zip(&twice).for_each(|(multiple, twice)| *multiple += twice);
        }
        let all = G::Group::normalize_batch(&all);
        rows.extend(all.chunks(row.len().max(1)).map(<[G]>::to_vec));
        return rows;
    }
    let twice = add_each(&row.iter().map(|point| [*point, *point]).collect::<Vec<_>>());
    for _ in 1..MULTIPLES {
        let pairs: Vec<_> = row.iter().zip(&twice).map(|(point, twice)| [*point, *twice]).collect();
        rows.push(core::mem::replace(&mut row, add_each(&pairs)));
    }
    rows.push(row);
    rows
}

/// Adds up the points of each place until every place has one at most.
fn collapse<G: Point>(places: &mut [Vec<Vec<G>>]) {
    while places.iter().flatten().any(|list| list.len() > 1) {
        let pairs = places.iter().flatten().flat_map(|list| list.as_chunks().0).copied();
        let mut sums = add_each(&pairs.collect::<Vec<_>>()).into_iter();
        for list in places.iter_mut().flatten() {
            let (pairs, rest) = list.as_chunks::<2>();
            let rest = rest.first().copied();
            *list = sums.by_ref().take(pairs.len()).chain(rest).collect();
        }
    }
}

/// The sum of each pair, with one inversion for all.
fn add_each<G: Point>(pairs: &[[G; 2]]) -> Vec<G> {
    let mut inverses: Vec<_> = pairs.iter().map(|pair| run(pair)).collect();
    batch_inversion(&mut inverses);
    pairs.iter().zip(inverses).map(|(pair, inverse)| add(pair, inverse)).collect()
}

/// The denominator of the slope of the line through two points, or of the tangent where they are one; zero for
/// infinity, and for points that cancel.
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
        square.double() + square + G::A
    } else {
        other_y - y
    };
    let slope = rise * inverse;
    let sum_x = slope.square() - x - other_x;
    G::at(sum_x, slope * (x - sum_x) - y)
}

/// Digits of the scalar's halves, or the negated ones of its negative's, whichever is shorter.
fn digits<G: Point>(scalar: G::ScalarField) -> [Vec<i64>; 2] {
    let (scalar, negative) = (scalar.into_bigint(), (-scalar).into_bigint());
    let is_shorter = negative.num_bits() < scalar.num_bits();
    G::split(if is_shorter { negative } else { scalar }).map(|half| {
        let digits = half.find_wnaf(WIDTH).unwrap_or_default();
        if is_shorter { digits.into_iter().map(i64::wrapping_neg).collect() } else { digits }
    })
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use ark_ec::PrimeGroup;
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
        // Lists apart, of which one lies in two chunks and one is empty.
        let lists = [&terms[..2], &many, &[], &terms];
        let first = sum(&terms[..2]);
        assert_eq!(sums(&lists), [first, expected * times, G::Group::zero(), expected]);
    }

    #[test]
    fn agrees_with_doubling_and_adding_on_every_group() {
        agrees_with_doubling_and_adding::<ark_bls12_381::G1Affine>();
        agrees_with_doubling_and_adding::<ark_bls12_381::G2Affine>();
        agrees_with_doubling_and_adding::<ark_bn254::G1Affine>();
    }
}
