//! The curves over this field, with arkworks' constants.

pub mod g1;
pub mod g2;
mod miller;

extern crate alloc;

use alloc::vec::Vec;

use ark_ec::bn::{self, Bn, BnConfig, G1Prepared, G2Prepared, TwistType};
use ark_ec::pairing::{MillerLoopOutput, PairingOutput};

use crate::field::{Fq, Fq2, Fq2Config, Fq6Config, Fq12Config, fq2};

type Ark = ark_bn254::Config;

/// The pairing.
pub type Bn254 = Bn<Config>;

/// What makes it BN254.
#[derive(Clone, Copy, Debug)]
pub struct Config;

impl BnConfig for Config {
    const X: &'static [u64] = <Ark as BnConfig>::X;
    const X_IS_NEGATIVE: bool = <Ark as BnConfig>::X_IS_NEGATIVE;
    const ATE_LOOP_COUNT: &'static [i8] = <Ark as BnConfig>::ATE_LOOP_COUNT;
    const TWIST_TYPE: TwistType = TwistType::D;
    const TWIST_MUL_BY_Q_X: Fq2 = fq2(<Ark as BnConfig>::TWIST_MUL_BY_Q_X);
    const TWIST_MUL_BY_Q_Y: Fq2 = fq2(<Ark as BnConfig>::TWIST_MUL_BY_Q_Y);
    type Fp = Fq;
    type Fp2Config = Fq2Config;
    type Fp6Config = Fq6Config;
    type Fp12Config = Fq12Config;
    type G1Config = g1::Config;
    type G2Config = g2::Config;

    fn multi_miller_loop(
        a: impl IntoIterator<Item = impl Into<G1Prepared<Self>>>,
        b: impl IntoIterator<Item = impl Into<G2Prepared<Self>>>,
    ) -> MillerLoopOutput<Bn254> {
        let left: Vec<_> = a.into_iter().map(Into::into).collect();
        MillerLoopOutput(miller::product(&left, b.into_iter().map(Into::into).collect()))
    }

    fn final_exponentiation(f: MillerLoopOutput<Bn254>) -> Option<PairingOutput<Bn254>> {
        miller::power(&f.0).map(PairingOutput)
    }
}

/// A point of G1.
pub type G1Affine = bn::G1Affine<Config>;
/// The same, projective.
pub type G1Projective = bn::G1Projective<Config>;
/// A point of G2.
pub type G2Affine = bn::G2Affine<Config>;
/// The same, projective.
pub type G2Projective = bn::G2Projective<Config>;
