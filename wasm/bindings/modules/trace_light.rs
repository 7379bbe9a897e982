//! The light client tells its steps.

use alloc::string::String;

use super::light::LightClient;
use lightproof_wasm::Sink;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl LightClient {
    /// Takes what `bootstrap`, `import` (both under the hash that is pinned) or `apply` takes, by
    /// the form's name; JSON `{"verdicts":verdict,"omitted":n,"steps":[…]}`.
    pub fn trace(&mut self, form: &str, bytes: &[u8], pinned: &[u8], now: u64) -> String {
        let mut sink = Sink::new(super::now);
        let verdict = match form {
            "bootstrap" => self.0.bootstrap(pinned, bytes, &mut sink),
            "import" => self.0.import(bytes, pinned, &mut sink),
            "force" => self.0.force(now, &mut sink),
            _ => self.0.apply(form, bytes, now, &mut sink),
        };
        sink.finish(&verdict)
    }
}
