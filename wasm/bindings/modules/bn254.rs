//! Systems over BN254.

mod lvmt;

use lightproof_core::precompile::{Outcome, bn254};
use lightproof_wasm::{export_self_test, known, known::of_curve};

const ADD: fn(&[u8]) -> Outcome = |input| bn254::run(6, input);
const PAIR: fn(&[u8]) -> Outcome = |input| bn254::run(8, input);
export_self_test!(selfTest, of_curve(known!("bn254"), [ADD, ADD, PAIR, PAIR]));

lightproof_wasm::export_join!(lightproof_core::algebra::Bn254);
