//! Systems over BLS12-381 and the light client, telling their steps.

#![no_std]

extern crate alloc;

mod bls12_381;
mod known_bls12_381;
mod light;
mod trace_light;
mod version;

use lightproof_wasm::export_trace as trace;

lightproof_wasm::import_clock!();
