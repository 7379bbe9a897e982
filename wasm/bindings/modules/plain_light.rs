//! Committee signatures: a page whose systems only hash needs no more of BLS12-381 than this.

#![no_std]

extern crate alloc;

mod light;
mod version;

use lightproof_core::precompile::bls12_381;
use lightproof_wasm::{export_self_test, known, known::of_curve};

export_self_test!(selfTest, of_curve(known!("bls12_381"), |input| bls12_381::run(0x11, input)));
