//! The self-test of every module with this curve's arithmetic.

use lightproof_core::precompile::{Outcome, bls12_381};
use lightproof_wasm::{export_self_test, known, known::of_curve};

const MAP: fn(&[u8]) -> Outcome = |input| bls12_381::run(0x11, input);
export_self_test!(selfTest, of_curve(known!("bls12_381"), [MAP, MAP]));
