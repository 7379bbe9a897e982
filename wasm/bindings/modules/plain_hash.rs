//! lmpt and cole, which only hash.

#![no_std]

extern crate alloc;

mod cole;
mod lmpt;
mod version;

use lightproof_core::system::cole::Cole;
use lightproof_core::system::lmpt::Lmpt;
use lightproof_wasm::no_trace as trace;
use lightproof_wasm::{export_self_test, known, known::of_system};

export_self_test!(of_system::<Lmpt>(known!("lmpt")), of_system::<Cole>(known!("cole")));
