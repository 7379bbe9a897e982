//! lvmt, and what calls run on BN254 and secp256r1.

#![no_std]

extern crate alloc;

mod lvmt;
mod precompile_bn254;
mod version;

use lightproof_wasm::no_trace as trace;
