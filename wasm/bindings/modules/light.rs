//! The light client: from a checkpoint to signed headers.

use alloc::string::String;
use alloc::vec::Vec;

use lightproof_core::header::light::{LightText, verify_attested_text};
use lightproof_wasm::rejection;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// A light client of one chain, from a checkpoint to signed headers.
///
/// Results are JSON text, as [`lightproof_core::header::light::LightText`] documents them; times
/// are Unix seconds, slots and periods integers.
#[wasm_bindgen]
#[derive(Debug)]
pub struct LightClient(pub(crate) LightText);

#[wasm_bindgen]
impl LightClient {
    /// A client without a checkpoint yet; `chain` is RLP with a consensus part.
    ///
    /// # Errors
    /// Throws a rejection as JSON text.
    #[wasm_bindgen(constructor)]
    pub fn new(chain: &[u8]) -> Result<LightClient, JsValue> {
        LightText::new(chain).map(Self).map_err(rejection)
    }

    /// Starts over from a checkpoint, 32 bytes.
    pub fn bootstrap(&mut self, checkpoint: &[u8], bytes: &[u8]) -> String {
        self.0.bootstrap(checkpoint, bytes, &mut ())
    }

    /// Checks an update of the form `update`, `finality` or `optimistic` and takes what it proves.
    pub fn apply(&mut self, form: &str, bytes: &[u8], now: u64) -> String {
        self.0.apply(form, bytes, now, &mut ())
    }

    /// After a whole period without finality: takes the best update seen as final.
    pub fn force(&mut self, now: u64) -> String {
        self.0.force(now, &mut ())
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
        self.0.import(bytes, checkpoint, &mut ())
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

/// Checks one signed header against a committee that the caller trusts.
#[wasm_bindgen(js_name = verifyAttested)]
pub fn verify_attested(
    chain: &[u8],
    committee: &[u8],
    header: &[u8],
    aggregate: &[u8],
    slot: u64,
) -> String {
    verify_attested_text(chain, committee, header, aggregate, slot)
}
