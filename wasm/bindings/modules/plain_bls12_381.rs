//! balanceproofs and verkle, and what calls run on BLS12-381.

#![no_std]

extern crate alloc;

mod balanceproofs;
mod precompile_bls12_381;
mod verkle;
mod version;

use lightproof_wasm::no_trace as trace;
