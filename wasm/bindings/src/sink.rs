//! Writes the steps of a check as JSON, with the times at which they came.

use lightproof_core::json;
use lightproof_core::trace::{Kind, Step, Trace};
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// Milliseconds, as exact as the page may know them.
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
}

/// Takes the steps of one call.
pub(crate) struct Sink {
    began: f64,
    claim: Option<usize>,
    /// Members of every step of the part that was entered last.
    section: String,
    steps: String,
}

impl Sink {
    /// Starts the clock.
    pub(crate) fn new() -> Self {
        Self { began: now(), claim: None, section: String::new(), steps: String::new() }
    }

    /// The answer of a traced call.
    pub(crate) fn finish(self, verdicts: &str) -> String {
        let Self { steps, .. } = self;
        format!("{{\"verdicts\":{verdicts},\"steps\":[{steps}]}}")
    }
}

impl Trace for Sink {
    fn claim(&mut self, number: Option<usize>) {
        self.claim = number;
        self.section.clear();
    }

    fn step(&mut self, step: Step<'_>) {
        let microseconds = ((now() - self.began) * 1000.0).round();
        let out = &mut self.steps;
        out.push_str(if out.is_empty() { "{\"claim\":" } else { ",{\"claim\":" });
        match self.claim {
            Some(number) => json::number(out, number),
            None => out.push_str("null"),
        }
        out.push(',');
        step.head_to_json(out);
        if step.kind == Kind::Entered {
            self.section.clear();
            self.section.push_str(",\"section\":");
            json::string(&mut self.section, step.what);
            step.fields_to_json(&mut self.section);
            out.push_str(&self.section);
        } else {
            out.push_str(&self.section);
            step.fields_to_json(out);
        }
        out.push_str(",\"at\":");
        out.push_str(&microseconds.to_string());
        out.push('}');
    }
}
