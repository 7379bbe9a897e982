//! The curve that messages are mapped to first, eleven-isogenous to G1's (RFC 9380, §8.8.1).

use ark_bls12_381::g1 as ark;
use ark_ec::CurveConfig;
use ark_ec::hashing::curve_maps::swu::SWUConfig;
use ark_ec::hashing::curve_maps::wb::{IsogenyMap, WBConfig};
use ark_ec::short_weierstrass::{Affine, SWCurveConfig};

use crate::field::{Fq, fq, reals};
use crate::scalar::{Fr, fr};

type Ark = <ark::Config as WBConfig>::IsogenousCurve;

/// The curve.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Isogenous;

impl CurveConfig for Isogenous {
    type BaseField = Fq;
    type ScalarField = Fr;

    const COFACTOR: &'static [u64] = <Ark as CurveConfig>::COFACTOR;
    const COFACTOR_INV: Fr = fr(<Ark as CurveConfig>::COFACTOR_INV);
}

impl SWCurveConfig for Isogenous {
    const COEFF_A: Fq = fq(<Ark as SWCurveConfig>::COEFF_A);
    const COEFF_B: Fq = fq(<Ark as SWCurveConfig>::COEFF_B);
    const GENERATOR: Affine<Self> = {
        let Affine { x, y, .. } = <Ark as SWCurveConfig>::GENERATOR;
        Affine::new_unchecked(fq(x), fq(y))
    };

    // (0, 0) is not on the curve, so it can stand for infinity.
    type ZeroFlag = ();
}

impl SWUConfig for Isogenous {
    const ZETA: Fq = fq(<Ark as SWUConfig>::ZETA);
}

/// arkworks' map.
const ARK: IsogenyMap<'static, Ark, ark::Config> = <ark::Config as WBConfig>::ISOGENY_MAP;

/// The isogeny.
pub(super) const MAP: IsogenyMap<'static, Isogenous, super::Config> = IsogenyMap {
    x_map_numerator: &reals::<12>(ARK.x_map_numerator),
    x_map_denominator: &reals::<11>(ARK.x_map_denominator),
    y_map_numerator: &reals::<16>(ARK.y_map_numerator),
    y_map_denominator: &reals::<16>(ARK.y_map_denominator),
};
