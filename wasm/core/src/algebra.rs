//! Group arithmetic that checks share: equations of pairings on any curve; sums, pairings and
//! points of messages on BLS12-381.

// Operators on field and group elements reduce modulo a prime; they cannot overflow.
#![allow(clippy::arithmetic_side_effects)]

mod affine;
mod equations;
mod halves;
#[cfg(feature = "bls12-381")]
mod map;
#[cfg(feature = "bls12-381")]
mod prepared;
#[cfg(feature = "bls12-381")]
mod root;
#[cfg(feature = "bls12-381")]
mod signature;
mod straus;

#[cfg(feature = "bls12-381")]
pub use ark_bls12_381::Bls12_381;
#[cfg(feature = "bn254")]
pub use ark_bn254::Bn254;
pub use equations::{Equation, Equations, Fixed, FixedG2, Multiple, Point, Summand};
#[cfg(feature = "bn254")]
pub(crate) use equations::{is_one, miller};
#[cfg(feature = "bls12-381")]
pub(crate) use halves::bls12_381::{LOWER, X};
#[cfg(feature = "bls12-381")]
pub(crate) use map::{hash_to_g2, map_to_g1, map_to_g2};
#[cfg(feature = "bls12-381")]
pub use prepared::Prepared;
#[cfg(feature = "bls12-381")]
pub(crate) use signature::{
    Product, Sum, pairings_cancel, real_square_root, square_root, weighted,
};
pub use straus::{Base, sum};
