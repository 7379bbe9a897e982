//! mpt, body, header hashing, keccak-256: all that a wallet needs to show a balance and what
//! happened to it.

#![no_std]

extern crate alloc;

mod body;
mod mpt;
mod version;

use lightproof_core::system::mpt::Mpt;
use lightproof_wasm::no_trace as trace;
use lightproof_wasm::{export_self_test, known, known::of_system};

export_self_test!(of_system::<Mpt>(known!("mpt")));
