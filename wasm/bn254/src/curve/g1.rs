//! y² = x³ + 3 over the base field, all of whose points are in the group.

use ark_bn254::{Fr, g1 as ark};
use ark_ec::CurveConfig;
use ark_ec::short_weierstrass::SWCurveConfig;
use ark_ff::AdditiveGroup;

use super::G1Affine;
use crate::field::{Fq, fq};

/// The curve.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config;

impl CurveConfig for Config {
    type BaseField = Fq;
    type ScalarField = Fr;

    const COFACTOR: &'static [u64] = <ark::Config as CurveConfig>::COFACTOR;
    const COFACTOR_INV: Fr = <ark::Config as CurveConfig>::COFACTOR_INV;
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

    fn is_in_correct_subgroup_assuming_on_curve(_: &G1Affine) -> bool {
        true
    }
}
