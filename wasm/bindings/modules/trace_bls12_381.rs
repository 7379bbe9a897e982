//! balanceproofs, verkle and the light client, telling their steps.

#![no_std]

extern crate alloc;

#[path = "parts/balanceproofs.rs"]
mod balanceproofs;
#[path = "parts/light.rs"]
mod light;
#[path = "parts/trace_light.rs"]
mod trace_light;
#[path = "parts/verkle.rs"]
mod verkle;
#[path = "parts/version.rs"]
mod version;

use balanceproofs::BalanceProofsVerifier;
use verkle::VerkleVerifier;

lightproof_wasm::import_clock!();
lightproof_wasm::export_trace!(BalanceProofsVerifier);
lightproof_wasm::export_trace!(VerkleVerifier);
