//! lvmt, telling its steps.

#![no_std]

extern crate alloc;

mod lvmt;
mod version;

use lightproof_core::precompile::bn254;
use lightproof_wasm::export_trace as trace;
use lightproof_wasm::{export_self_test, known, known::of_curve};

lightproof_wasm::import_clock!();

export_self_test!(selfTest, of_curve(known!("bn254"), |input| bn254::run(8, input)));
