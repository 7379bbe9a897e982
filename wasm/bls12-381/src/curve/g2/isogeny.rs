//! The curve that messages are mapped to first, three-isogenous to G2's (RFC 9380, §8.8.2).

use ark_bls12_381::g2 as ark;
use ark_ec::CurveConfig;
use ark_ec::hashing::curve_maps::swu::SWUConfig;
use ark_ec::hashing::curve_maps::wb::{IsogenyMap, WBConfig};
use ark_ec::short_weierstrass::{Affine, SWCurveConfig};

use crate::field::{Fq2, all, fq2};
use crate::scalar::{Fr, fr};

type Ark = <ark::Config as WBConfig>::IsogenousCurve;

/// The curve.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Isogenous;

impl CurveConfig for Isogenous {
    type BaseField = Fq2;
    type ScalarField = Fr;

    const COFACTOR: &'static [u64] = <Ark as CurveConfig>::COFACTOR;
    const COFACTOR_INV: Fr = fr(<Ark as CurveConfig>::COFACTOR_INV);
}

impl SWCurveConfig for Isogenous {
    const COEFF_A: Fq2 = fq2(<Ark as SWCurveConfig>::COEFF_A);
    const COEFF_B: Fq2 = fq2(<Ark as SWCurveConfig>::COEFF_B);
    const GENERATOR: Affine<Self> = {
        let Affine { x, y, .. } = <Ark as SWCurveConfig>::GENERATOR;
        Affine::new_unchecked(fq2(x), fq2(y))
    };

    // (0, 0) is not on the curve, so it can stand for infinity.
    type ZeroFlag = ();
}

impl SWUConfig for Isogenous {
    const ZETA: Fq2 = fq2(<Ark as SWUConfig>::ZETA);
}

/// arkworks' map.
const ARK: IsogenyMap<'static, Ark, ark::Config> = <ark::Config as WBConfig>::ISOGENY_MAP;

/// The isogeny.
pub(super) const MAP: IsogenyMap<'static, Isogenous, super::Config> = IsogenyMap {
    x_map_numerator: &all::<4>(ARK.x_map_numerator),
    x_map_denominator: &all::<3>(ARK.x_map_denominator),
    y_map_numerator: &all::<4>(ARK.y_map_numerator),
    y_map_denominator: &all::<4>(ARK.y_map_denominator),
};
