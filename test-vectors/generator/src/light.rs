//! `headers.json`: what a light client of a signed devnet, of an attested chain and of Ethereum
//! must accept and refuse, step by step, from nodes and from its own store.

mod attested;
pub mod beacon;
pub mod case;
mod committees;
mod follow;
mod forms;
mod notes;
mod order;
mod points;
mod possession;
mod scene;
mod signers;
mod stores;
mod valid;

use serde_json::{Map, Value, json};

use case::Group;
use lightproof_prover::chain::committee::Terms;
use scene::Scene;

pub use notes::NOTES;

/// Every case of signed headers. The same every time.
pub fn groups() -> Vec<Group> {
    let scene = Scene::new(Terms { size: 8, period: 4 });
    let mut cases = valid::cases(&scene);
    cases.extend(signers::cases(&scene));
    cases.extend(committees::cases(&scene));
    cases.extend(possession::cases(&scene));
    cases.extend(order::cases(&scene));
    cases.extend(forms::cases(&scene));
    cases.extend(stores::cases(&scene));
    let large = Scene::new(Terms { size: 32, period: 3 });
    let mut groups = vec![
        Group { setting: scene.setting(), cases },
        Group { setting: large.setting(), cases: valid::large(&large) },
    ];
    groups.extend(forms::settings(&scene));
    groups.extend(beacon::groups());
    groups.extend(attested::groups());
    groups
}

/// `headers.json` as a JSON value.
pub fn json() -> Value {
    let groups = groups();
    let cases = || groups.iter().flat_map(|group| &group.cases);
    let notes: Map<String, Value> =
        NOTES.iter().map(|(flag, meaning)| ((*flag).to_owned(), json!(meaning))).collect();
    json!({
        "schema": 1,
        "kind": "headers",
        "source": concat!(
            "lightproof-prover ", env!("CARGO_PKG_VERSION"),
            "; expectations by hand, keys INSECURE: made from a seed"
        ),
        "notes": notes,
        "cases": cases().count(),
        "steps": cases().map(|case| case.steps.len()).sum::<usize>(),
        "groups": case::groups_json(&groups),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_flag_is_explained_and_every_explanation_used() {
        let groups = groups();
        let used: BTreeSet<_> =
            groups.iter().flat_map(|group| group.cases.iter().map(|case| case.flag)).collect();
        let explained: BTreeSet<_> = NOTES.iter().map(|(flag, _)| *flag).collect();
        assert_eq!(used, explained);
    }

    /// Every code that a bootstrap, an update or a kept store can be rejected with.
    const CODES: [&str; 20] = [
        "chain.fork",
        "decode.header",
        "decode.limit",
        "decode.point",
        "decode.rlp",
        "decode.shape",
        "decode.ssz",
        "input.chain",
        "input.checkpoint",
        "input.request",
        "verify.chain",
        "verify.checkpoint",
        "verify.committee",
        "verify.execution",
        "verify.finality",
        "verify.participation",
        "verify.period",
        "verify.relevance",
        "verify.signature",
        "verify.time",
    ];

    #[test]
    fn every_code_has_a_negative_case() {
        let groups = groups();
        let cases = groups.iter().flat_map(|group| &group.cases);
        let steps = cases.flat_map(|case| &case.steps);
        let codes: BTreeSet<_> = steps.filter_map(|step| step.expected.as_ref().err()).collect();
        assert_eq!(codes, CODES.iter().collect());
    }
}
