//! The curves over this field, with arkworks' constants.

pub mod g1;
pub mod g2;
mod miller;
mod pairs;

extern crate alloc;

use alloc::vec::Vec;

use ark_ec::bls12::{self, Bls12, Bls12Config, G1Prepared, G2Prepared, TwistType};
use ark_ec::pairing::{MillerLoopOutput, PairingOutput};

pub use self::pairs::miller_loop;

use crate::field::{Fq, Fq2Config, Fq6Config, Fq12Config};

/// The pairing.
pub type Bls12_381 = Bls12<Config>;

/// What makes it BLS12-381.
#[derive(Clone, Copy, Debug)]
pub struct Config;

impl Bls12Config for Config {
    const X: &'static [u64] = <ark_bls12_381::Config as Bls12Config>::X;
    const X_IS_NEGATIVE: bool = <ark_bls12_381::Config as Bls12Config>::X_IS_NEGATIVE;
    const TWIST_TYPE: TwistType = TwistType::M;
    type Fp = Fq;
    type Fp2Config = Fq2Config;
    type Fp6Config = Fq6Config;
    type Fp12Config = Fq12Config;
    type G1Config = g1::Config;
    type G2Config = g2::Config;

    fn multi_miller_loop(
        a: impl IntoIterator<Item = impl Into<G1Prepared<Self>>>,
        b: impl IntoIterator<Item = impl Into<G2Prepared<Self>>>,
    ) -> MillerLoopOutput<Bls12_381> {
        let left: Vec<_> = a.into_iter().map(Into::into).collect();
        MillerLoopOutput(miller::product(&left, b.into_iter().map(Into::into).collect()))
    }

    fn final_exponentiation(f: MillerLoopOutput<Bls12_381>) -> Option<PairingOutput<Bls12_381>> {
        miller::power(&f.0).map(PairingOutput)
    }
}

/// A point of G1.
pub type G1Affine = bls12::G1Affine<Config>;
/// The same, projective.
pub type G1Projective = bls12::G1Projective<Config>;
/// A point of G2.
pub type G2Affine = bls12::G2Affine<Config>;
/// The same, projective.
pub type G2Projective = bls12::G2Projective<Config>;
