//! Calls on proven state: a page loads this at its first call.

#![no_std]

extern crate alloc;

#[path = "parts/evm.rs"]
mod evm;
#[path = "parts/version.rs"]
mod version;
