//! Every vector again, with its steps told: the verdict is the same, and the steps are about the
//! proof.

use lightproof_core::error::Span;
use lightproof_core::observer::{Cost, Field, Kind, Observer, Step};
use serde_json::Value;

/// A step that was told.
pub(crate) struct Told {
    claim: Option<usize>,
    kind: Kind,
    what: &'static str,
    span: Option<Span>,
    depth: Option<u64>,
}

/// Keeps the steps.
#[derive(Default)]
pub(crate) struct Steps {
    claim: Option<usize>,
    /// Where the part begins whose steps are told.
    start: usize,
    pub(crate) all: Vec<Told>,
}

impl Observer for Steps {
    fn claim(&mut self, number: Option<usize>) {
        self.claim = number;
    }

    fn part(&mut self, start: usize) {
        self.start = start;
    }

    fn cost(&mut self, _cost: Cost) {}

    fn step(&mut self, step: Step<'_>) {
        let mut text = String::from("{");
        step.head_to_json(&mut text);
        step.fields_to_json(&mut text);
        text.push('}');
        let json: Value =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(json["kind"], step.kind.name());
        assert_eq!(json.as_object().unwrap().len(), 3 + step.fields.len(), "a field twice: {text}");
        let depth = step.fields.iter().find_map(|(name, field)| match field {
            Field::Number(depth) if *name == "depth" => Some(*depth),
            _ => None,
        });
        let Step { kind, what, span, .. } = step.shifted(self.start);
        self.all.push(Told { claim: self.claim, kind, what, span, depth });
    }
}

impl Steps {
    /// What is wrong with the steps of one claim's check.
    pub(crate) fn complaint(&self, verdict: &Value, proof: usize) -> Option<&'static str> {
        let inside =
            |step: &Told| step.span.is_none_or(|span| span.start <= span.end && span.end <= proof);
        if !self.all.iter().all(inside) {
            return Some("a span outside the proof");
        }
        let own = || self.all.iter().filter(|step| step.claim == Some(0));
        let broken: Vec<_> = self.all.iter().filter(|step| step.kind == Kind::Rejected).collect();
        if verdict["status"] == "proven" {
            // The source of the root is told for every system alike.
            let told = |step: &Told| {
                !matches!(step.what, "header" | "commitment" | "pinned root" | "proof")
            };
            return match (broken.is_empty(), own().any(told)) {
                (true, true) => None,
                (false, _) => Some("a proven claim's step is said to break"),
                (_, false) => Some("a proven claim without a step"),
            };
        }
        // Claims that are none at all have no check.
        if self.all.is_empty() && verdict["kind"] == "input" {
            return None;
        }
        match (broken.as_slice(), own().next_back()) {
            ([one], Some(last)) if verdict["code"] == one.what && last.kind == Kind::Rejected => {
                let span = one.span.map(|span| vec![span.start, span.end]);
                // Where the root itself is refused, the verdict's span is in the header.
                let header = self
                    .all
                    .iter()
                    .all(|step| matches!(step.what, "header") || step.kind == Kind::Rejected);
                let same = serde_json::json!(span) == verdict["span"];
                (!same && !header).then_some("another span than the verdict's")
            }
            _ => Some("the last step is not the one that breaks"),
        }
    }

    /// What is wrong with the steps of one of a light client's inputs.
    ///
    /// * `fewest`: steps of one that is taken.
    pub(crate) fn complaint_of_header(
        &self,
        verdict: &Value,
        bytes: usize,
        fewest: usize,
    ) -> Option<&'static str> {
        let inside =
            |step: &Told| step.span.is_none_or(|span| span.start <= span.end && span.end <= bytes);
        let rejected: Vec<_> = self
            .all
            .iter()
            .filter(|step| step.kind == Kind::Rejected)
            .map(|step| step.what)
            .collect();
        let last = self.all.last().map(|step| step.kind);
        match verdict["status"] == "trusted" {
            _ if !self.all.iter().all(inside) => Some("a span outside the bytes"),
            true if !rejected.is_empty() => Some("what is taken is said to break"),
            true if self.all.len() < fewest => Some("what is taken without its steps"),
            false if rejected != [verdict["code"].as_str().unwrap_or_default()] => {
                Some("another code than the verdict's")
            }
            false if last != Some(Kind::Rejected) => {
                Some("the last step is not the one that breaks")
            }
            _ => None,
        }
    }

    /// What the steps are about.
    pub(crate) fn words(&self) -> Vec<&'static str> {
        self.all.iter().map(|step| step.what).collect()
    }

    /// Whether nodes of one trie are told from the root down.
    pub(crate) fn descends(&self) -> bool {
        let depths: Vec<_> = self
            .all
            .iter()
            .map(|step| if step.what == "trie node" { step.depth } else { None })
            .collect();
        depths.split(Option::is_none).all(<[_]>::is_sorted)
    }
}
