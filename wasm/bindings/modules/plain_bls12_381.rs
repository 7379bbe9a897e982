//! balanceproofs and verkle, and what calls run on BLS12-381.

#![no_std]

extern crate alloc;

mod balanceproofs;
mod precompile_bls12_381;
mod verkle;
mod version;

use lightproof_core::precompile::bls12_381;
use lightproof_wasm::no_trace as trace;
use lightproof_wasm::{export_self_test, known, known::of_curve};

export_self_test!(selfTest, of_curve(known!("bls12_381"), |input| bls12_381::run(0x11, input)));
