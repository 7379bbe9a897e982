//! Accounts, blocks, header hashing, keccak-256: all that a wallet needs to show a balance and what
//! happened to it.

#![no_std]

extern crate alloc;

mod ethereum;
mod version;

use lightproof_wasm::no_trace as trace;
