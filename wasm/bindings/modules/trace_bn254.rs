//! lvmt, telling its steps.

#![no_std]

extern crate alloc;

#[path = "parts/lvmt.rs"]
mod lvmt;
#[path = "parts/version.rs"]
mod version;

use lvmt::LvmtVerifier;

lightproof_wasm::import_clock!();
lightproof_wasm::export_trace!(LvmtVerifier);
