use alloc::vec::Vec;

use lightproof_core::precompile::bls12_381;
use wasm_bindgen::prelude::wasm_bindgen;

/// Runs one of Ethereum's precompiled contracts 0x0a to 0x11: one and its output; zero if it fails;
/// nothing if it is not here.
#[wasm_bindgen]
pub fn precompile(number: u32, input: &[u8]) -> Vec<u8> {
    bls12_381::run(number.into(), input).encode()
}
