//! Scalars in two halves, where a curve has an endomorphism that multiplies by one of the halves' base.

use ark_ec::AffineRepr;
use ark_ec::pairing::Pairing;
use ark_ec::short_weierstrass::Affine;
use ark_ff::Zero;

/// A group whose scalars may be split: scalar = low + high·b for a number b that multiplies by [`turned`](Self::turned).
pub trait Endomorphic: AffineRepr {
    /// Low and high; by default all of it, and nothing.
    fn split(scalar: Self::ScalarField) -> [Self::ScalarField; 2] {
        [scalar, Self::ScalarField::zero()]
    }

    /// b times the point.
    #[must_use]
    fn turned(self) -> Self {
        self
    }
}

/// A pairing over such groups.
pub trait Curve: Pairing<G1Affine: Endomorphic> {}

impl<P: Pairing<G1Affine: Endomorphic>> Curve for P {}

#[cfg(feature = "bn254")]
impl Endomorphic for Affine<ark_bn254::g1::Config> {}

#[cfg(feature = "bls12-381")]
mod bls12_381 {
    use ark_bls12_381::{Fr, g1, g2};
    use ark_ec::scalar_mul::glv::GLVConfig;
    use ark_ff::{BigInt, PrimeField};

    use super::{Affine, Endomorphic};
    use crate::wire::point::X;

    impl Endomorphic for Affine<g2::Config> {}

    /// b = x², of 128 bits, for the curve's parameter x: r = x⁴ − x² + 1, and (x, y) ↦ (βx, −y) multiplies by x².
    impl Endomorphic for Affine<g1::Config> {
        fn split(scalar: Fr) -> [Fr; 2] {
            let (quotient, first) = divided(scalar.into_bigint().0);
            let (high, second) = divided(quotient);
            let low = u128::from(second) * u128::from(X) + u128::from(first);
            // Below r, like the scalar.
            [Fr::from(low), Fr::from_bigint(BigInt(high)).unwrap_or_default()]
        }

        fn turned(self) -> Self {
            let mut image = g1::Config::endomorphism_affine(&self);
            image.y = -image.y;
            image
        }
    }

    /// Quotient and rest by |x|.
    fn divided(mut words: [u64; 4]) -> ([u64; 4], u64) {
        let mut rest = 0;
        for word in words.iter_mut().rev() {
            let above = u128::from(rest) << 64 | u128::from(*word);
            // Below 2⁶⁴ both, since the rest before was below |x|.
            *word = u64::try_from(above / u128::from(X)).unwrap_or_default();
            rest = u64::try_from(above % u128::from(X)).unwrap_or_default();
        }
        (words, rest)
    }

    #[cfg(test)]
    mod tests {
        use ark_bls12_381::G1Affine;
        use ark_ec::{AffineRepr, CurveGroup};
        use ark_ff::{BigInteger, One};

        use super::*;

        #[test]
        fn halves_are_short_and_make_the_scalar() {
            let base = Fr::from(u128::from(X) * u128::from(X));
            let generator = G1Affine::generator();
            assert_eq!(generator.turned(), (generator * base).into_affine());
            assert_eq!(G1Affine::identity().turned(), G1Affine::identity());
            let mut scalar = Fr::from(3_u64);
            let edges = [Fr::from(0_u64), Fr::one(), -Fr::one(), base, -base, base - Fr::one()];
            let walked = core::iter::from_fn(|| {
                scalar = scalar * scalar + Fr::one();
                Some(scalar)
            });
            for scalar in edges.into_iter().chain(walked.take(50)) {
                let [low, high] = G1Affine::split(scalar);
                assert_eq!(low + high * base, scalar);
                for half in [low, high] {
                    assert!(half.into_bigint().num_bits() <= 128);
                }
            }
        }
    }
}
