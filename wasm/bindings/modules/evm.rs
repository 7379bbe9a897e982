use alloc::string::String;
use alloc::vec::Vec;

use lightproof_core::precompile::Outcome;
use lightproof_evm::Heavy;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// The other modules of the page, as far as they are loaded.
    pub type Curves;

    /// What a module's `precompile` returns; nothing if it is not loaded.
    #[wasm_bindgen(method)]
    fn precompile(this: &Curves, number: u32, input: &[u8]) -> Vec<u8>;
}

impl Heavy for Curves {
    fn run(&self, number: u64, input: &[u8]) -> Outcome {
        let number = u32::try_from(number).unwrap_or_default();
        Outcome::decode(&self.precompile(number, input))
    }
}

/// Runs calls on the state of a proven block; JSON of their answers, or of the rejection of all.
#[wasm_bindgen]
pub fn calls(chain: &[u8], forks: &[u8], request: &[u8], curves: &Curves) -> String {
    lightproof_evm::interface::run(chain, forks, request, curves)
}

/// Who signed: hash, v (27 or 28), r, s in, 32 bytes each; the address in 32 bytes out, or nothing.
#[wasm_bindgen]
pub fn recover(input: &[u8]) -> Vec<u8> {
    lightproof_evm::recover(input)
}

/// Nobody runs precompiled contracts on curves.
struct Nobody;

impl Heavy for Nobody {
    fn run(&self, _: u64, _: &[u8]) -> Outcome {
        Outcome::Unknown
    }
}

/// A known question about calls: a chain, its forks, then requests. Zero if the known answers come
/// out.
pub(crate) fn known(rlp: &[u8]) -> u32 {
    lightproof_wasm::known::difference(rlp, |[chain, forks, truth, lie], answers| {
        for request in [truth, lie] {
            answers.extend(lightproof_evm::interface::run(chain, forks, request, &Nobody).bytes());
        }
    })
}
