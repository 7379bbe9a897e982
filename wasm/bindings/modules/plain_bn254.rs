//! lvmt, and what calls run on BN254 and secp256r1.

#![no_std]

extern crate alloc;

mod lvmt;
mod precompile_bn254;
mod version;

use lightproof_core::precompile::bn254;
use lightproof_wasm::no_trace as trace;
use lightproof_wasm::{export_self_test, known, known::of_curve};

export_self_test!(selfTest, of_curve(known!("bn254"), |input| bn254::run(8, input)));
