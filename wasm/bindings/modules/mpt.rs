use alloc::string::String;
use alloc::vec::Vec;

use wasm_bindgen::prelude::wasm_bindgen;

lightproof_wasm::export_system!(
    /// Ethereum accounts and storage slots.
    MptVerifier,
    lightproof_core::system::mpt::Mpt
);

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
