//! balanceproofs, verkle and the light client, telling their steps.

#![no_std]

extern crate alloc;

mod balanceproofs;
mod light;
mod trace_light;
mod verkle;
mod version;

use lightproof_core::precompile::bls12_381;
use lightproof_wasm::export_trace as trace;
use lightproof_wasm::{export_self_test, known, known::of_curve};

lightproof_wasm::import_clock!();

export_self_test!(selfTest, of_curve(known!("bls12_381"), |input| bls12_381::run(0x11, input)));
