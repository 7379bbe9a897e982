//! mpt, body, lmpt and cole, telling their steps.

#![no_std]

extern crate alloc;

mod body;
mod cole;
mod lmpt;
mod mpt;
mod version;

use lightproof_core::system::cole::Cole;
use lightproof_core::system::lmpt::Lmpt;
use lightproof_core::system::mpt::Mpt;
use lightproof_wasm::export_trace as trace;
use lightproof_wasm::{export_self_test, known, known::of_system};

lightproof_wasm::import_clock!();

export_self_test!(
    of_system::<Mpt>(known!("mpt")),
    of_system::<Lmpt>(known!("lmpt")),
    of_system::<Cole>(known!("cole"))
);
