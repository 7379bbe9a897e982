//! WebAssembly bindings of `lightproof-core`: bytes in, JSON text out, no logic.
//!
//! Built once per feature: `hash` (mpt and header hashing), `bn254`, `bls12-381`. The byte forms
//! are those of [`lightproof_core::verifier`].

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Exports one system as a handle that keeps its prepared parameters.
#[cfg(feature = "hash")]
macro_rules! export_system {
    ($(#[$doc:meta])* $name:ident, $system:ty) => {
        $(#[$doc])*
        #[wasm_bindgen]
        #[derive(Debug)]
        pub struct $name(lightproof_core::Verifier<$system>);

        #[wasm_bindgen]
        impl $name {
            /// Reads the chain, the system's configuration (both RLP) and its public parameters.
            ///
            /// # Errors
            /// Throws a rejection as JSON text.
            #[wasm_bindgen(constructor)]
            pub fn new(chain: &[u8], config: &[u8], params: &[u8]) -> Result<$name, JsValue> {
                lightproof_core::Verifier::new(chain, config, params).map(Self).map_err(rejection)
            }

            /// Checks claims together; a JSON array with one verdict each, in order.
            ///
            /// `fresh`: 32 bytes from the platform's random generator.
            ///
            /// # Errors
            /// Throws a rejection as JSON text if `fresh` is not 32 bytes.
            pub fn verify(&self, claims: &[u8], fresh: &[u8]) -> Result<String, JsValue> {
                let fresh = fresh.try_into().map_err(|_| {
                    rejection(lightproof_core::InputError::Request("fresh is 32 bytes"))
                })?;
                Ok(self.0.verify(claims, fresh))
            }
        }
    };
}

#[cfg(feature = "hash")]
export_system!(
    /// Ethereum accounts and storage slots.
    MptVerifier,
    lightproof_core::system::mpt::Mpt
);

/// Links headers back from a trusted hash; JSON of the headers, or of the rejection.
#[cfg(feature = "hash")]
#[wasm_bindgen]
pub fn headers(chain: &[u8], hash: &[u8], rlps: &[u8]) -> String {
    lightproof_core::verifier::headers(chain, hash, rlps)
}

/// keccak-256, for checksums of addresses and slots of mappings.
#[cfg(feature = "hash")]
#[wasm_bindgen]
pub fn keccak256(data: &[u8]) -> Vec<u8> {
    lightproof_core::hash::keccak256(data).0.to_vec()
}

/// The module's version, equal to the package's.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").into()
}

#[cfg(feature = "hash")]
fn rejection(error: lightproof_core::InputError) -> JsValue {
    use lightproof_core::json::ToJson;
    let mut out = String::new();
    lightproof_core::Rejection::from(error).to_json(&mut out);
    JsValue::from_str(&out)
}
