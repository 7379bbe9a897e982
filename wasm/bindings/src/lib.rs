//! WebAssembly bindings of `lightproof-core`: bytes in, JSON text out, no logic.
//!
//! Built once per feature: `hash` (mpt, lmpt, cole, header hashing), `bn254` (lvmt), `bls12-381` (verkle,
//! balanceproofs), `light` (committee signatures); and the systems' ones again with `trace`, for pages that show how a
//! proof is checked. The byte forms are those of [`lightproof_core::verifier`].

#[cfg(feature = "trace")]
mod sink;

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Exports one system as a handle that keeps its prepared parameters.
#[cfg(any(feature = "hash", feature = "bn254", feature = "bls12-381"))]
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
                Ok(self.0.verify(claims, fresh_bytes(fresh)?))
            }
        }

        #[cfg(feature = "trace")]
        #[wasm_bindgen]
        impl $name {
            /// Checks claims as `verify` does; JSON `{"verdicts":[…],"steps":[…]}`.
            ///
            /// # Errors
            /// As `verify`.
            pub fn trace(&self, claims: &[u8], fresh: &[u8]) -> Result<String, JsValue> {
                let fresh = fresh_bytes(fresh)?;
                let mut sink = sink::Sink::new();
                let verdicts = self.0.verify_traced(claims, fresh, &mut sink);
                Ok(sink.finish(&verdicts))
            }
        }
    };
}

#[cfg(feature = "bls12-381")]
export_system!(
    /// Values at positions of a committed vector.
    BalanceProofsVerifier,
    lightproof_core::system::balanceproofs::BalanceProofs
);

#[cfg(feature = "hash")]
export_system!(
    /// Every version of an address, complete.
    ColeVerifier,
    lightproof_core::system::cole::Cole
);

#[cfg(feature = "hash")]
export_system!(
    /// Keys over three layered tries.
    LmptVerifier,
    lightproof_core::system::lmpt::Lmpt
);

#[cfg(feature = "bn254")]
export_system!(
    /// Latest values, or absence, over vector commitments.
    LvmtVerifier,
    lightproof_core::system::lvmt::Lvmt
);

#[cfg(feature = "hash")]
export_system!(
    /// Ethereum accounts and storage slots.
    MptVerifier,
    lightproof_core::system::mpt::Mpt
);

#[cfg(feature = "bls12-381")]
export_system!(
    /// Keys in a k-ary Verkle tree.
    VerkleVerifier,
    lightproof_core::system::verkle::Verkle
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

/// A light client of one chain, from a checkpoint to signed headers.
///
/// Results are JSON text, as [`lightproof_core::header::light::LightText`] documents them; times are
/// Unix seconds, slots and periods integers.
#[cfg(feature = "light")]
#[wasm_bindgen]
#[derive(Debug)]
pub struct LightClient(lightproof_core::header::light::LightText);

#[cfg(feature = "light")]
#[wasm_bindgen]
impl LightClient {
    /// A client without a checkpoint yet; `chain` is RLP with a consensus part.
    ///
    /// # Errors
    /// Throws a rejection as JSON text.
    #[wasm_bindgen(constructor)]
    pub fn new(chain: &[u8]) -> Result<LightClient, JsValue> {
        lightproof_core::header::light::LightText::new(chain).map(Self).map_err(rejection)
    }

    /// Starts over from a checkpoint, 32 bytes.
    pub fn bootstrap(&mut self, checkpoint: &[u8], bytes: &[u8]) -> String {
        self.0.bootstrap(checkpoint, bytes)
    }

    /// Checks an update of the form `update`, `finality` or `optimistic` and takes what it proves.
    pub fn apply(&mut self, form: &str, bytes: &[u8], now: u64) -> String {
        self.0.apply(form, bytes, now)
    }

    /// After a whole period without finality: takes the best update seen as final.
    pub fn force(&mut self, now: u64) -> String {
        self.0.force(now)
    }

    /// What the client holds, or `null`.
    pub fn state(&self) -> String {
        self.0.state()
    }

    /// The store, at most 56,000 bytes; empty if there is none to keep.
    pub fn export(&self) -> Vec<u8> {
        self.0.export()
    }

    /// Proves a store again under the anchor root that the caller pins, and takes it.
    pub fn import(&mut self, bytes: &[u8], checkpoint: &[u8]) -> String {
        self.0.import(bytes, checkpoint)
    }

    /// Checks one header, signed in `slot`, against a committee that the client holds.
    pub fn attested(&mut self, header: &[u8], aggregate: &[u8], slot: u64) -> String {
        self.0.attested(header, aggregate, slot)
    }

    /// Keys and aggregate of a period's committee; empty if the client does not hold it.
    pub fn committee(&self, period: u64) -> Vec<u8> {
        self.0.committee(period)
    }

    /// Decompressed keys, to be kept apart from the store.
    pub fn points(&self) -> Vec<u8> {
        self.0.points()
    }

    /// Takes decompressed keys back, each checked against its committee.
    #[wasm_bindgen(js_name = loadPoints)]
    pub fn load_points(&mut self, bytes: &[u8]) -> String {
        self.0.load_points(bytes)
    }
}

#[cfg(all(feature = "light", feature = "trace"))]
#[wasm_bindgen]
impl LightClient {
    /// Takes what `bootstrap`, `import` (both under the hash that is pinned) or `apply` takes, by the form's name; JSON
    /// `{"verdicts":verdict,"steps":[…]}`.
    pub fn trace(&mut self, form: &str, bytes: &[u8], pinned: &[u8], now: u64) -> String {
        let mut sink = sink::Sink::new();
        let verdict = self.0.traced(form, bytes, pinned, now, &mut sink);
        sink.finish(&verdict)
    }
}

/// Checks one signed header against a committee that the caller trusts.
#[cfg(feature = "light")]
#[wasm_bindgen(js_name = verifyAttested)]
pub fn verify_attested(
    chain: &[u8],
    committee: &[u8],
    header: &[u8],
    aggregate: &[u8],
    slot: u64,
) -> String {
    lightproof_core::header::light::verify_attested_text(chain, committee, header, aggregate, slot)
}

/// The module's version, equal to the package's.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").into()
}

#[cfg(any(feature = "hash", feature = "bn254", feature = "bls12-381"))]
fn fresh_bytes(fresh: &[u8]) -> Result<[u8; 32], JsValue> {
    let wrong = lightproof_core::InputError::Request("fresh is 32 bytes");
    fresh.try_into().map_err(|_| rejection(wrong))
}

#[cfg(any(feature = "hash", feature = "bn254", feature = "bls12-381", feature = "light"))]
fn rejection(error: lightproof_core::InputError) -> JsValue {
    use lightproof_core::json::ToJson;
    let mut out = String::new();
    lightproof_core::Rejection::from(error).to_json(&mut out);
    JsValue::from_str(&out)
}
