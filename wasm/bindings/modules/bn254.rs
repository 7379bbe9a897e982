//! Systems over BN254.

mod lvmt;

use lightproof_core::precompile::bn254;
use lightproof_wasm::{export_self_test, known, known::of_curve};

export_self_test!(selfTest, of_curve(known!("bn254"), |input| bn254::run(8, input)));
