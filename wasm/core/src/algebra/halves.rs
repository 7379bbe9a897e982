//! Scalars in two halves, where a curve has an endomorphism φ that multiplies its group by a
//! number: s·P = low·P + high·φ(P).
//!
//! φ is defined on all of the curve, but multiplies by that number in the group of order r only. A
//! component of another order, coprime to r, stays one: both the sum that is meant and the one that
//! is made pair as their components of order r do.
//!
//! A half is four quarters more for a point whose multiples by y, x and yx are known: x is the
//! curve's parameter, by which the test of the group multiplies twice, and y its upper half, which
//! is on the way.

use ark_ec::CurveConfig;
use ark_ec::short_weierstrass::{Affine, SWCurveConfig};
use ark_ff::PrimeField;

/// A curve's scalars as integers.
type Integer<C> = <<C as CurveConfig>::ScalarField as PrimeField>::BigInt;

/// A curve whose scalars may be halved.
pub trait Halves: SWCurveConfig {
    /// The low and the high half: scalar = low + high·b, b what [`image`](Self::image) multiplies
    /// by. By default all of it, and nothing.
    fn split(scalar: Integer<Self>) -> [Integer<Self>; 2] {
        [scalar, Integer::<Self>::default()]
    }

    /// A half as four numbers q: half = q₀ + q₁·y + q₂·x + q₃·yx. By default it stays whole.
    fn quarters(half: Integer<Self>) -> [Integer<Self>; 4] {
        [half, Integer::<Self>::default(), Integer::<Self>::default(), Integer::<Self>::default()]
    }

    /// b times a point of the group.
    fn image(point: &Affine<Self>) -> Affine<Self> {
        *point
    }
}

#[cfg(any(test, feature = "bn254"))]
impl Halves for ark_bn254::g1::Config {}

#[cfg(any(test, feature = "bls12-381"))]
pub(super) mod bls12_381 {
    use ark_bls12_381::{g1, g2};
    use ark_ec::scalar_mul::glv::GLVConfig;
    use ark_ff::BigInt;

    use super::{Affine, Halves};

    /// |x|, the parameter of the curve's family; its highest bit is set.
    pub(crate) const X: u64 = 0xd201_0000_0001_0000;

    /// y: its upper half, an intermediate result of a multiplication by it.
    const Y: u64 = X >> LOWER;

    /// Bits of x below y.
    pub(crate) const LOWER: u32 = 32;

    /// x² for the curve's parameter x: r = x⁴ − x² + 1, and (x, y) ↦ (βx, −y) multiplies by x². It
    /// has 128 bits.
    const BASE: u128 = (X as u128) * (X as u128);

    impl Halves for g2::Config {}

    impl Halves for g1::Config {
        fn split(BigInt([w0, w1, w2, w3]): BigInt<4>) -> [BigInt<4>; 2] {
            divided(join(w2, w3), join(w0, w1), BASE).map(integer)
        }

        #[allow(clippy::cast_possible_truncation)] // As the comment says.
        fn quarters(BigInt([w0, w1, ..]): BigInt<4>) -> [BigInt<4>; 4] {
            // A half is below x², so that its quotient by x is below x.
            let [low, high] = divided(0, join(w0, w1), X.into()).map(|part| part as u64);
            [low % Y, low / Y, high % Y, high / Y].map(BigInt::from)
        }

        fn image(point: &Affine<Self>) -> Affine<Self> {
            let mut image = Self::endomorphism_affine(point);
            image.y = -image.y;
            image
        }
    }

    fn join(low: u64, high: u64) -> u128 {
        u128::from(high) << 64 | u128::from(low)
    }

    #[allow(clippy::cast_possible_truncation)] // To its words.
    fn integer(value: u128) -> BigInt<4> {
        BigInt([value as u64, (value >> 64) as u64, 0, 0])
    }

    /// Rest and quotient of high·2¹²⁸ + low by a base, for a high below it.
    fn divided(high: u128, low: u128, base: u128) -> [u128; 2] {
        let (mut rest, mut quotient) = (high, 0);
        for bit in (0..u128::BITS).rev() {
            // Below twice the base, which may be a bit more than fits.
            let exceeds = rest >> 127 == 1;
            rest = rest << 1 | low >> bit & 1;
            quotient <<= 1;
            if exceeds || rest >= base {
                rest = rest.wrapping_sub(base);
                quotient |= 1;
            }
        }
        [rest, quotient]
    }

    #[cfg(test)]
    mod tests {
        use ark_bls12_381::{Bls12_381, Fr, G1Affine, G1Projective, G2Affine};
        use ark_ec::pairing::Pairing;
        use ark_ec::{AffineRepr, CurveGroup};
        use ark_ff::{AdditiveGroup, BigInteger, BitIteratorBE, Field, PrimeField, Zero};

        use super::*;
        use crate::algebra::straus::{Term, sums};
        use crate::algebra::{Base, sum};
        use alloc::boxed::Box;
        use alloc::vec::Vec;

        fn base() -> Fr {
            Fr::from(BASE)
        }

        /// Where a half is zero, one or as large as it gets, and some between.
        fn scalars() -> impl Iterator<Item = Fr> {
            let walked =
                core::iter::successors(Some(Fr::from(3_u64)), |last| Some(last.square() + Fr::ONE));
            let edges =
                [Fr::ZERO, Fr::ONE, base() - Fr::ONE, base(), base() + Fr::ONE, base().double()];
            let edges = edges.into_iter().chain([u128::MAX.into(), base() * base()]);
            edges.flat_map(|scalar| [scalar, -scalar]).chain(walked.take(20))
        }

        /// By doubling and adding: arkworks' own multiplication takes the scalar modulo r, and in
        /// halves.
        fn multiple(point: impl Into<G1Projective>, scalar: impl Into<BigInt<4>>) -> G1Projective {
            let point = point.into();
            BitIteratorBE::new(scalar.into()).fold(G1Projective::ZERO, |sum, bit| {
                let twice = sum.double();
                if bit { twice + point } else { twice }
            })
        }

        /// A point whose order divides the cofactor.
        fn torsion() -> G1Affine {
            let points =
                (0_u64..).filter_map(|x| G1Affine::get_point_from_x_unchecked(x.into(), true));
            let mut points = points.map(|point| multiple(point, Fr::MODULUS).into_affine());
            points.find(|point| !point.is_zero()).unwrap()
        }

        #[test]
        fn halves_are_short_and_make_the_scalar() {
            let point = multiple(G1Affine::generator(), 7_u64).into_affine();
            assert_eq!(g1::Config::image(&point), multiple(point, base()));
            assert_eq!(g1::Config::image(&G1Affine::identity()), G1Affine::identity());
            for scalar in scalars() {
                let [low, high] = g1::Config::split(scalar.into_bigint());
                assert!(low.num_bits() <= 128 && high.num_bits() <= 128);
                assert_eq!(Fr::from(low) + Fr::from(high) * base(), scalar);
                for half in [low, high] {
                    let quarters = g1::Config::quarters(half);
                    assert!(quarters.iter().all(|quarter| quarter.num_bits() <= 33));
                    let [q0, q1, q2, q3] = quarters.map(Fr::from);
                    let [x, y] = [X, Y].map(Fr::from);
                    assert_eq!(q0 + q1 * y + (q2 + q3 * y) * x, Fr::from(half));
                }
            }
        }

        /// A multiple and the image of another may be one point, or cancel.
        #[test]
        fn sums_meet_their_images() {
            let point = multiple(G1Affine::generator(), 5_u64).into_affine();
            let image = g1::Config::image(&point);
            let mut terms = Vec::new();
            let mut expected = G1Projective::ZERO;
            for scalar in scalars() {
                assert!(sum(&[(point, scalar * base()), (-image, scalar)]).is_zero());
                assert_eq!(
                    sum(&[(point, scalar * base()), (image, scalar)]),
                    multiple(image, scalar.double())
                );
                terms.extend([(point, scalar), (image, scalar), (image, -scalar * base())]);
                expected += multiple(point, scalar) + multiple(image, scalar - scalar * base());
                assert_eq!(sum(&terms), expected);
            }
        }

        /// Bases with multiples and without, one point among both, and multiples that are points of
        /// other bases.
        #[test]
        fn known_multiples_make_the_same_sums() {
            let times =
                |factor| multiple(multiple(G1Affine::generator(), 3_u64), factor).into_affine();
            let known = |factor: Fr| Base {
                point: times(factor),
                multiples: Some(Box::new(
                    [Y.into(), X.into(), Fr::from(X) * Fr::from(Y)]
                        .map(|by: Fr| times(factor * by)),
                )),
            };
            let one = Fr::ONE;
            let factors = [one, -one, X.into(), Y.into(), base(), one.double()];
            let mut bases: Vec<_> = factors.map(known).into();
            bases.extend(factors.map(|factor| Base::from(times(factor))));
            bases.push(Base {
                point: G1Affine::identity(),
                multiples: Some(Box::new([G1Affine::identity(); 3])),
            });
            let (mut terms, mut expected) = (Vec::new(), Fr::ZERO);
            for (index, scalar) in scalars().enumerate() {
                let base = index % bases.len();
                expected += factors
                    .get(base % 6)
                    .filter(|_| base < 12)
                    .map_or(Fr::ZERO, |factor| *factor * scalar);
                terms.push(Term { sum: 0, base, scalar });
                terms.push(Term { sum: 1, base: 0, scalar });
                // Cancels, by another base.
                terms.push(Term { sum: 1, base: 7, scalar });
                assert_eq!(sums(&bases, &terms, 2), [times(expected).into(), G1Projective::ZERO]);
            }
        }

        /// Of a point outside the group another multiple is made, and all pairings see the same.
        #[test]
        fn another_order_is_worth_nothing_before_and_after() {
            let (torsion, right) = (torsion(), G2Affine::generator());
            let point = multiple(G1Affine::generator(), 5_u64).into_affine();
            let outside = (point + torsion).into_affine();
            let mut differs = false;
            for scalar in scalars().take(20) {
                let (made, meant) = (sum(&[(outside, scalar)]), multiple(outside, scalar));
                differs |= made != meant;
                let cofactor = <g1::Config as ark_ec::CurveConfig>::COFACTOR;
                let cofactor = BigInt([cofactor[0], cofactor[1], 0, 0]);
                assert!(multiple(made - meant, cofactor).is_zero());
                assert_eq!(
                    Bls12_381::pairing(made, right),
                    Bls12_381::pairing(multiple(point, scalar), right)
                );
            }
            assert!(differs);
        }
    }
}
