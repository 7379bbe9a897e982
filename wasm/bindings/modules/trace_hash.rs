//! mpt, body, lmpt and cole, telling their steps.

#![no_std]

extern crate alloc;

mod body;
mod cole;
mod lmpt;
mod mpt;
mod version;

use lightproof_wasm::export_trace as trace;

lightproof_wasm::import_clock!();
