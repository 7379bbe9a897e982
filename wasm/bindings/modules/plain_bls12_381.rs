//! Systems over BLS12-381, and what calls run on that curve.

#![no_std]

extern crate alloc;

mod bls12_381;
mod known_bls12_381;
mod precompile_bls12_381;
mod version;

use lightproof_wasm::no_trace as trace;
