//! lvmt, and what calls run on BN254 and secp256r1.

#![no_std]

extern crate alloc;

#[path = "parts/lvmt.rs"]
mod lvmt;
#[path = "parts/precompile_bn254.rs"]
mod precompile;
#[path = "parts/version.rs"]
mod version;
