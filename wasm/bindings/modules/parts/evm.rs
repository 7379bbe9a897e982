use wasm_bindgen::prelude::wasm_bindgen;

/// Runs calls on the state of a proven block; JSON of their answers, or of the rejection of all.
#[wasm_bindgen]
pub fn calls(chain: &[u8], forks: &[u8], request: &[u8]) -> String {
    lightproof_evm::interface::run(chain, forks, request)
}
