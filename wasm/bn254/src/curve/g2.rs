//! y² = x³ + 3/(u + 9) over 𝔽\_p².

use ark_bn254::{Fr, g2 as ark};
use ark_ec::CurveConfig;
use ark_ec::short_weierstrass::SWCurveConfig;
use ark_ff::AdditiveGroup;

use super::G2Affine;
use crate::field::{Fq2, fq2};

/// The curve. Its subgroup is checked as for any curve, by the order: points of parameters are
/// bound by their digest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config;

impl CurveConfig for Config {
    type BaseField = Fq2;
    type ScalarField = Fr;

    const COFACTOR: &'static [u64] = <ark::Config as CurveConfig>::COFACTOR;
    const COFACTOR_INV: Fr = <ark::Config as CurveConfig>::COFACTOR_INV;
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
}
