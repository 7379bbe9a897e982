//! Systems over BN254, and what calls run on that curve and on secp256r1.

#![no_std]

extern crate alloc;

mod bn254;
mod precompile_bn254;
mod version;

use lightproof_wasm::no_trace as trace;
