//! Sums of scalar multiples, by interleaved signed windows (Straus): one chain of doublings for all
//! terms, as long as the longest scalar. Coefficients of 128 bits cost half of what full ones do, and so do full ones where
//! an endomorphism halves them.

use alloc::vec::Vec;

use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, BigInteger, PrimeField, Zero};

use super::Endomorphic;

/// Width of the windows: digits are odd, below 2^(WIDTH − 1) in size.
const WIDTH: usize = 5;

/// Multiples of each point that are kept: 1, 3, 5, … times it.
const MULTIPLES: usize = 1 << (WIDTH - 2);

/// Σ scalar · point, for points of order r. What a point has beside, of another order, is mapped to something of such order: a
/// pairing sees neither.
pub fn sum<G: Endomorphic>(terms: &[(G, G::ScalarField)]) -> G::Group {
    let mut multiples = Vec::with_capacity(terms.len().saturating_mul(MULTIPLES));
    let mut wnafs = Vec::with_capacity(terms.len());
    for (point, scalar) in terms {
        let (point, scalar) = shorter(point.into_group(), *scalar);
        let twice = point.double();
        let mut multiple = point;
        for _ in 0..MULTIPLES {
            multiples.push(multiple);
            multiple += twice;
        }
        wnafs.push(G::split(scalar).map(digits));
    }
    let multiples = G::Group::normalize_batch(&multiples);
    let longest = wnafs.iter().flatten().map(Vec::len).max().unwrap_or(0);
    let mut total = G::Group::zero();
    for place in (0..longest).rev() {
        total.double_in_place();
        for ([low, high], multiples) in wnafs.iter().zip(multiples.chunks(MULTIPLES)) {
            if let Some(multiple) = times(low.get(place), multiples) {
                total += multiple;
            }
            if let Some(multiple) = times(high.get(place), multiples) {
                total += multiple.turned();
            }
        }
    }
    total
}

/// The scalar, or its negative if that is shorter, with the point that it then is of.
fn shorter<G: CurveGroup>(point: G, scalar: G::ScalarField) -> (G, G::ScalarField) {
    if (-scalar).into_bigint().num_bits() < scalar.into_bigint().num_bits() {
        (-point, -scalar)
    } else {
        (point, scalar)
    }
}

fn digits<S: PrimeField>(scalar: S) -> Vec<i64> {
    scalar.into_bigint().find_wnaf(WIDTH).unwrap_or_default()
}

/// A digit times a point whose odd multiples are known; `None` for zero.
fn times<G: AffineRepr>(digit: Option<&i64>, multiples: &[G]) -> Option<G> {
    let digit = digit.filter(|digit| **digit != 0)?;
    let size = usize::try_from(digit.unsigned_abs()).unwrap_or(0);
    let multiple = *multiples.get(size >> 1)?;
    Some(if *digit > 0 { multiple } else { -multiple })
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use ark_ec::PrimeGroup;
    use ark_ff::One;

    use super::*;

    fn agrees_with_doubling_and_adding<G: Endomorphic>() {
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
        let one = G::ScalarField::one();
        for scalar in [zero, one, -one, u128::MAX.into(), -G::ScalarField::from(u128::MAX)] {
            terms.push((G::generator(), scalar));
        }
        for length in 0..=terms.len() {
            let expected = terms[..length].iter().fold(G::Group::zero(), |sum, (point, scalar)| {
                sum + point.mul_bigint(scalar.into_bigint())
            });
            assert_eq!(sum(&terms[..length]), expected);
        }
    }

    #[test]
    fn agrees_with_doubling_and_adding_on_every_group() {
        agrees_with_doubling_and_adding::<ark_bls12_381::G1Affine>();
        agrees_with_doubling_and_adding::<ark_bls12_381::G2Affine>();
        agrees_with_doubling_and_adding::<ark_bn254::G1Affine>();
    }
}
