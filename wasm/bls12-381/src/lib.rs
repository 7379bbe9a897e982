//! BLS12-381 for arkworks' generic pairing. In WebAssembly the base field multiplies in limbs of 28
//! bits, in half the time of arkworks' limbs of 64, the scalar field in limbs of 29, and the
//! pairing has a tower of its own; everywhere else this *is* arkworks' curve.
//!
//! All constants are arkworks' own, taken over limb by limb: both forms of a field store the same
//! Montgomery residue.

#![no_std]
// Natively the curve is seen by the tests alone.
#![cfg_attr(test, allow(unreachable_pub))]

#[cfg(not(target_family = "wasm"))]
pub use ark_bls12_381::*;
#[cfg(not(target_family = "wasm"))]
pub use native::miller_loop;

#[cfg(not(target_family = "wasm"))]
mod native;
// Natively for the tests, which compare the two.
#[cfg(any(test, target_family = "wasm"))]
mod curve;
#[cfg(any(test, target_family = "wasm"))]
mod field;
#[cfg(any(test, target_family = "wasm"))]
mod lazy;
#[cfg(any(test, target_family = "wasm"))]
mod scalar;

#[cfg(target_family = "wasm")]
pub use curve::{
    Bls12_381, Config, G1Affine, G1Projective, G2Affine, G2Projective, g1, g2, miller_loop,
};
#[cfg(target_family = "wasm")]
pub use field::{Fq, Fq2, Fq2Config, Fq6, Fq6Config, Fq12, Fq12Config, FqConfig};
#[cfg(target_family = "wasm")]
pub use scalar::{Fr, FrConfig};

#[cfg(test)]
mod tests;
