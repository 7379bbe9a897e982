use alloc::string::String;
use alloc::vec::Vec;

use lightproof_core::system::mpt::Mpt;
use lightproof_wasm::{export_self_test, known, known::of_system};
use wasm_bindgen::prelude::wasm_bindgen;

lightproof_wasm::export_system!(
    /// Ethereum accounts and storage slots.
    MptVerifier,
    Mpt
);

export_self_test!(selfTestMpt, of_system::<Mpt>(known!("mpt")));

/// Links headers back from a trusted hash; JSON of the headers, or of the rejection.
#[wasm_bindgen]
pub fn headers(chain: &[u8], hash: &[u8], rlps: &[u8]) -> String {
    lightproof_core::verifier::headers(chain, hash, rlps)
}

/// keccak-256, for checksums of addresses and slots of mappings.
#[wasm_bindgen]
pub fn keccak256(data: &[u8]) -> Vec<u8> {
    lightproof_core::hash::keccak256(data).0.to_vec()
}
