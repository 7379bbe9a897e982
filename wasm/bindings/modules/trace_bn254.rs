//! Systems over BN254, telling their steps.

#![no_std]

extern crate alloc;

mod bn254;
mod version;

use lightproof_wasm::export_trace as trace;

lightproof_wasm::import_clock!();
