use wasm_bindgen::prelude::wasm_bindgen;

/// Runs calls on the state of a proven block; JSON of their answers, or of the rejection of all.
#[wasm_bindgen]
pub fn calls(chain: &[u8], forks: &[u8], request: &[u8]) -> String {
    lightproof_evm::interface::run(chain, forks, request)
}

/// Who signed: hash, v (27 or 28), r, s in, 32 bytes each; the address in 32 bytes out, or nothing.
#[wasm_bindgen]
pub fn recover(input: &[u8]) -> Vec<u8> {
    lightproof_evm::recover(input)
}
