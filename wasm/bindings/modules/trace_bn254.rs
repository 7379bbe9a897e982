//! lvmt, telling its steps.

#![no_std]

extern crate alloc;

mod lvmt;
mod version;

use lightproof_wasm::export_trace as trace;

lightproof_wasm::import_clock!();
