//! balanceproofs, verkle and the light client, telling their steps.

#![no_std]

extern crate alloc;

mod balanceproofs;
mod light;
mod trace_light;
mod verkle;
mod version;

use lightproof_wasm::export_trace as trace;

lightproof_wasm::import_clock!();
