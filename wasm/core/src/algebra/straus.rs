//! Sums of scalar multiples, by interleaved signed windows (Straus): one chain of doublings for all
//! terms, as long as the longest scalar. Coefficients of 128 bits cost half of what full ones do.

use alloc::vec::Vec;

use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, BigInteger, PrimeField, Zero};

/// Width of the windows: digits are odd, below 2^(WIDTH − 1) in size.
const WIDTH: usize = 5;

/// Multiples of each point that are kept: 1, 3, 5, … times it.
const MULTIPLES: usize = 1 << (WIDTH - 2);

/// Σ scalar · point.
pub fn sum<G: AffineRepr>(terms: &[(G, G::ScalarField)]) -> G::Group {
    let mut multiples = Vec::with_capacity(terms.len().saturating_mul(MULTIPLES));
    let mut wnafs = Vec::with_capacity(terms.len());
    for (point, scalar) in terms {
        let twice = point.into_group().double();
        let mut multiple = point.into_group();
        for _ in 0..MULTIPLES {
            multiples.push(multiple);
            multiple += twice;
        }
        wnafs.push(digits(*scalar));
    }
    let multiples = G::Group::normalize_batch(&multiples);
    let longest = wnafs.iter().map(Vec::len).max().unwrap_or(0);
    let mut total = G::Group::zero();
    for place in (0..longest).rev() {
        total.double_in_place();
        for (digits, multiples) in wnafs.iter().zip(multiples.chunks(MULTIPLES)) {
            let digit = digits.get(place).copied().unwrap_or(0);
            let size = usize::try_from(digit.unsigned_abs()).unwrap_or(0);
            match multiples.get(size >> 1) {
                Some(multiple) if digit > 0 => total += multiple,
                Some(multiple) if digit < 0 => total -= multiple,
                _ => {}
            }
        }
    }
    total
}

/// Digits of the scalar, or the negated digits of its negative, whichever is shorter.
fn digits<S: PrimeField>(scalar: S) -> Vec<i64> {
    let (scalar, negative) = (scalar.into_bigint(), (-scalar).into_bigint());
    if negative.num_bits() < scalar.num_bits() {
        let digits = negative.find_wnaf(WIDTH).unwrap_or_default();
        digits.into_iter().map(i64::wrapping_neg).collect()
    } else {
        scalar.find_wnaf(WIDTH).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use ark_ec::PrimeGroup;
    use ark_ff::One;

    use super::*;

    fn agrees_with_doubling_and_adding<G: AffineRepr>() {
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
