//! balanceproofs and verkle, and what calls run on BLS12-381.

#![no_std]

extern crate alloc;

#[path = "parts/balanceproofs.rs"]
mod balanceproofs;
#[path = "parts/precompile_bls12_381.rs"]
mod precompile;
#[path = "parts/verkle.rs"]
mod verkle;
#[path = "parts/version.rs"]
mod version;
