//! A factor of a point of BLS12-381 as two of half its length (Gallant, Lambert, Vanstone): the
//! curve has an endomorphism that multiplies by −x², for its parameter x, and costs one
//! multiplication of the base field.

use ark_bls12_381::{Fr, G1Affine, g1};
use ark_ff::PrimeField;

/// |x|.
const X: u64 = 0xd201_0000_0001_0000;

/// x² times a point.
pub(crate) fn turned(point: &G1Affine) -> G1Affine {
    -g1::endomorphism(point)
}

/// A factor as (low + high·x²), negated if true comes first; both halves are below x². The root of
/// unity of order 4 is x³, so that its halves have 64 bits.
pub(crate) fn halves(factor: Fr) -> (bool, u128, u128) {
    let (plus, minus) = (factor.into_bigint(), (-factor).into_bigint());
    let negative = minus < plus;
    let mut number = if negative { minus.0 } else { plus.0 };
    let first = divide(&mut number);
    let second = divide(&mut number);
    let low = u128::from(second) * u128::from(X) + u128::from(first);
    (negative, low, u128::from(number[1]) << 64 | u128::from(number[0]))
}

/// Divides by |x|; the remainder.
fn divide(number: &mut [u64; 4]) -> u64 {
    let mut rest = 0;
    for limb in number.iter_mut().rev() {
        let dividend = u128::from(rest) << 64 | u128::from(*limb);
        let quotient = dividend / u128::from(X);
        // Both fit, since what was left over before is below |x|.
        *limb = u64::try_from(quotient).unwrap_or(u64::MAX);
        rest = u64::try_from(dividend - quotient * u128::from(X)).unwrap_or(u64::MAX);
    }
    rest
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use ark_ff::{FftField, Field, One};

    use crate::rng::Rng;

    /// Factors at the edges of both halves, their negatives, and random ones.
    pub(crate) fn factors() -> Vec<Fr> {
        let mut rng = Rng::new(3, "glv", 0);
        let small = [0, 1, 2, 15, 16, 17, 31, 33, X - 1, X, X + 1, u64::MAX].map(Fr::from);
        let square = Fr::from(X) * Fr::from(X);
        let edges =
            [square - Fr::one(), square, square + Fr::one(), square * square, square * Fr::from(X)];
        let roots = (1..6).map(|log| Fr::get_root_of_unity(1 << log).unwrap());
        let few: Vec<Fr> = small.into_iter().chain(edges).chain(roots).collect();
        let both = few.iter().flat_map(|factor| [*factor, -*factor]);
        let random = (0..16).map(|_| Fr::from(rng.next_u64()).pow([rng.next_u64()]));
        both.chain(random).collect()
    }

    #[test]
    fn halves_of_a_factor_add_up_to_it() {
        let square = Fr::from(X) * Fr::from(X);
        for factor in factors() {
            let (negative, low, high) = halves(factor);
            let sum = Fr::from(low) + Fr::from(high) * square;
            assert_eq!(if negative { -sum } else { sum }, factor);
        }
        let root = halves(Fr::get_root_of_unity(4).unwrap());
        assert!(root == (root.0, 0, u128::from(X)), "{root:?}");
    }
}
