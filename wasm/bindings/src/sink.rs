//! Writes the steps of a check as JSON, with the times at which they came and what was done for
//! them.

use alloc::format;
use alloc::string::{String, ToString as _};

use lightproof_core::json;
use lightproof_core::observer::{Cost, Counts, Kind, Observer, Step};

/// Bytes of text that steps may take: some thousands of steps, more than anybody reads. A proof can
/// be made of a million.
const LIMIT: usize = 1 << 19;

/// What the last steps, which say how it ended, may take beside them.
const ENDING: usize = 1 << 14;

/// Takes the steps of one call, up to a limit; those behind it are counted.
pub struct Sink {
    /// Milliseconds, as exact as the page may know them.
    now: fn() -> f64,
    began: f64,
    claim: Option<usize>,
    /// Where the part begins that spans are in.
    start: usize,
    /// What was done since the last step.
    costs: Counts,
    /// Members of every step of the part that was entered last.
    section: String,
    steps: String,
    /// Steps that were left out.
    omitted: usize,
}

impl Sink {
    /// Starts the clock.
    pub fn new(now: fn() -> f64) -> Self {
        let (section, steps) = (String::new(), String::new());
        let costs = Counts::default();
        Self { now, began: now(), claim: None, start: 0, costs, section, steps, omitted: 0 }
    }

    /// The answer of a traced call.
    pub fn finish(self, verdicts: &str) -> String {
        let Self { steps, omitted, .. } = self;
        format!("{{\"verdicts\":{verdicts},\"omitted\":{omitted},\"steps\":[{steps}]}}")
    }
}

impl Observer for Sink {
    fn claim(&mut self, number: Option<usize>) {
        self.claim = number;
        self.section.clear();
    }

    fn part(&mut self, start: usize) {
        self.start = start;
    }

    fn cost(&mut self, cost: Cost) {
        self.costs.cost(cost);
    }

    fn step(&mut self, step: Step<'_>) {
        let ends = matches!(step.kind, Kind::Settled | Kind::Rejected);
        if self.steps.len() > if ends { LIMIT + ENDING } else { LIMIT } {
            self.omitted += 1;
            return;
        }
        let step = step.shifted(self.start);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        let microseconds = (((self.now)() - self.began) * 1000.0 + 0.5) as u64;
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
        for (name, count) in core::mem::take(&mut self.costs).named() {
            out.push(',');
            json::string(out, name);
            out.push(':');
            json::number(out, count);
        }
        out.push_str(",\"at\":");
        out.push_str(&microseconds.to_string());
        out.push('}');
    }
}
