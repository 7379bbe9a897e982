//! y² = x³ + 4(u + 1) over 𝔽\_p².

mod isogeny;
mod multiple;

use ark_bls12_381::{Fq6Config, Fq12Config, g2 as ark};
use ark_ec::hashing::curve_maps::wb::{IsogenyMap, WBConfig};
use ark_ec::short_weierstrass::SWCurveConfig;
use ark_ec::{AffineRepr, CurveConfig, CurveGroup};
use ark_ff::{AdditiveGroup, Field, Fp6Config, Fp12Config};

use self::isogeny::Isogenous;
pub(super) use self::multiple::Multiple;
use self::multiple::times_parameter;
use super::{Config as Curve, G2Affine, G2Projective};
use crate::field::{Fq, Fq2, fq, fq2};
use crate::scalar::{Fr, fr};

/// The curve.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config;

/// 1/(u + 1)^((p − 1)/3) = u · this, the frobenius' factor of x.
const PSI_X: Fq = fq(Fq6Config::FROBENIUS_COEFF_FP6_C2[1].c0);
/// 1/(u + 1)^((p − 1)/2), that of y.
const PSI_Y: Fq2 = fq2(Fq12Config::FROBENIUS_COEFF_FP12_C1[3]);
/// (u + 1)^((1 − p²)/3), that of x when applied twice.
const PSI_TWICE_X: Fq = fq(Fq6Config::FROBENIUS_COEFF_FP6_C2[2].c0);

impl CurveConfig for Config {
    type BaseField = Fq2;
    type ScalarField = Fr;

    const COFACTOR: &'static [u64] = <ark::Config as CurveConfig>::COFACTOR;
    const COFACTOR_INV: Fr = fr(<ark::Config as CurveConfig>::COFACTOR_INV);
}

impl SWCurveConfig for Config {
    const COEFF_A: Fq2 = Fq2::ZERO;
    const COEFF_B: Fq2 = fq2(<ark::Config as SWCurveConfig>::COEFF_B);
    const GENERATOR: G2Affine =
        G2Affine::new_unchecked(fq2(ark::G2_GENERATOR_X), fq2(ark::G2_GENERATOR_Y));

    // (0, 0) is not on the curve, so it can stand for infinity.
    type ZeroFlag = ();

    fn mul_by_a(_: Fq2) -> Fq2 {
        Fq2::ZERO
    }

    fn is_in_correct_subgroup_assuming_on_curve(point: &G2Affine) -> bool {
        has_order_r(point, &times_parameter(point))
    }

    /// x²P − xP − P + xψ(P) − ψ(P) + ψ²(2P) (Budroni, Pintore, "Efficient hash maps to G2", §4.1).
    fn clear_cofactor(point: &G2Affine) -> G2Affine {
        let product = -times_parameter(point);
        let image = psi(point);
        let sum = product + image;
        let second = -times_parameter(&sum.into_affine());
        let twice = psi_twice(&point.into_group().double());
        (twice + second - (sum + point)).into_affine()
    }
}

impl WBConfig for Config {
    type IsogenousCurve = Isogenous;

    const ISOGENY_MAP: IsogenyMap<'static, Isogenous, Self> = isogeny::MAP;
}

/// Whether a point P is in the subgroup, by |x|·P for the curve's parameter x, which is negative:
/// ψ(P) = xP for its points and no others (Scott, "A note on group membership tests for G1, G2 and
/// GT on BLS pairing-friendly curves", ePrint 2021/1130, §4).
pub(super) fn has_order_r(point: &G2Affine, times_parameter: &G2Projective) -> bool {
    -*times_parameter == psi(point).into_group()
}

/// ψ: to the curve over 𝔽\_p¹², frobenius, and back.
fn psi(point: &G2Affine) -> G2Affine {
    let mut image = *point;
    image.x.frobenius_map_in_place(1);
    image.y.frobenius_map_in_place(1);
    (image.x.c0, image.x.c1) = (-PSI_X * image.x.c1, PSI_X * image.x.c0);
    image.y *= PSI_Y;
    image
}

fn psi_twice(point: &G2Projective) -> G2Projective {
    let mut image = *point;
    image.x.mul_assign_by_fp(&PSI_TWICE_X);
    image.y = -image.y;
    image
}
