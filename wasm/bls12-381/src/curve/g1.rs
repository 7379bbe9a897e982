//! y² = x³ + 4 over the base field.

mod isogeny;

use ark_bls12_381::g1 as ark;
use ark_ec::CurveConfig;
use ark_ec::hashing::curve_maps::wb::{IsogenyMap, WBConfig};
use ark_ec::scalar_mul::glv::GLVConfig;
use ark_ec::short_weierstrass::SWCurveConfig;
use ark_ff::{AdditiveGroup, BigInt};

use self::isogeny::Isogenous;
use super::{G1Affine, G1Projective};
use crate::field::{Fq, fq};
use crate::scalar::{Fr, fr};

/// The curve.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config;

impl CurveConfig for Config {
    type BaseField = Fq;
    type ScalarField = Fr;

    const COFACTOR: &'static [u64] = <ark::Config as CurveConfig>::COFACTOR;
    const COFACTOR_INV: Fr = fr(<ark::Config as CurveConfig>::COFACTOR_INV);
}

impl SWCurveConfig for Config {
    const COEFF_A: Fq = Fq::ZERO;
    const COEFF_B: Fq = fq(<ark::Config as SWCurveConfig>::COEFF_B);
    const GENERATOR: G1Affine =
        G1Affine::new_unchecked(fq(ark::G1_GENERATOR_X), fq(ark::G1_GENERATOR_Y));

    // (0, 0) is not on the curve, so it can stand for infinity.
    type ZeroFlag = ();

    fn mul_by_a(_: Fq) -> Fq {
        Fq::ZERO
    }
}

impl GLVConfig for Config {
    const ENDO_COEFFS: &'static [Fq] = &[fq(ark::BETA)];
    const LAMBDA: Fr = fr(<ark::Config as GLVConfig>::LAMBDA);
    const SCALAR_DECOMP_COEFFS: [(bool, BigInt<4>); 4] =
        <ark::Config as GLVConfig>::SCALAR_DECOMP_COEFFS;

    fn endomorphism(point: &G1Projective) -> G1Projective {
        let mut image = *point;
        image.x *= fq(ark::BETA);
        image
    }

    fn endomorphism_affine(point: &G1Affine) -> G1Affine {
        let mut image = *point;
        image.x *= fq(ark::BETA);
        image
    }
}

impl WBConfig for Config {
    type IsogenousCurve = Isogenous;

    const ISOGENY_MAP: IsogenyMap<'static, Isogenous, Self> = isogeny::MAP;
}
