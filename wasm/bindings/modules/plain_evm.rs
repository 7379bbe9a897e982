//! Calls on proven state: a page loads this at its first call.

#![no_std]

extern crate alloc;

mod evm;
mod version;

use lightproof_wasm::{export_self_test, known};

export_self_test!(selfTest, evm::known(known!("calls")));
