//! lmpt and cole, which only hash.

#![no_std]

extern crate alloc;

mod cole;
mod lmpt;
mod version;

use lightproof_wasm::no_trace as trace;
