//! Ethereum and the systems that only hash, telling their steps.

#![no_std]

extern crate alloc;

mod ethereum;
mod hash;
mod version;

use lightproof_wasm::export_trace as trace;

lightproof_wasm::import_clock!();
