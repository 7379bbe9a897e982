//! Input: that of [`Vectors::attack`].
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use lightproof_core::system::lvmt::Lvmt;
use lightproof_fuzz::verify::Vectors;

static VECTORS: LazyLock<Vectors<Lvmt>> = LazyLock::new(Vectors::default);

fuzz_target!(|data: &[u8]| VECTORS.attack(data));
