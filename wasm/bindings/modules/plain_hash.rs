//! Systems that only hash.

#![no_std]

extern crate alloc;

mod hash;
mod version;

use lightproof_wasm::no_trace as trace;
