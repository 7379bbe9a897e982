//! mpt, body, lmpt and cole, telling their steps.

#![no_std]

extern crate alloc;

#[path = "parts/body.rs"]
mod body;
#[path = "parts/cole.rs"]
mod cole;
#[path = "parts/lmpt.rs"]
mod lmpt;
#[path = "parts/mpt.rs"]
mod mpt;
#[path = "parts/version.rs"]
mod version;

use body::BodyVerifier;
use cole::ColeVerifier;
use lmpt::LmptVerifier;
use mpt::MptVerifier;

lightproof_wasm::import_clock!();
lightproof_wasm::export_trace!(BodyVerifier);
lightproof_wasm::export_trace!(ColeVerifier);
lightproof_wasm::export_trace!(LmptVerifier);
lightproof_wasm::export_trace!(MptVerifier);
