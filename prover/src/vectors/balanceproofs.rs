//! `balanceproofs.json`: every scheme and variant, and every attack that their page names.
//!
//! Facts come from a plain list of balances; expected codes are assigned by hand, per attack. Setups are INSECURE, from seeds, but
//! for those cases that use Ethereum's ceremony.

mod config;
mod encoding;
mod notes;
mod points;
mod scene;
mod torsion;
mod transcripts;
mod valid;
mod values;

use serde_json::{Value, json};

use super::case::{Group, groups_json};
use scene::Scene;

pub use notes::NOTES;

/// Every case of balanceproofs. The same every time.
pub fn groups() -> Vec<Group> {
    let scenes = [Scene::basic(), Scene::bucketed(), Scene::two_layer(), Scene::ethereum()];
    let mut groups = Vec::new();
    for scene in &scenes {
        let mut cases = valid::cases(scene);
        if !scene.is_ethereum() {
            cases.extend(values::cases(scene));
            cases.extend(points::cases(scene));
            cases.extend(encoding::cases(scene));
            cases.extend(torsion::cases(scene));
            cases.extend(transcripts::cases(scene));
        }
        cases.extend(encoding::limits(scene));
        groups.push(Group { setting: scene.setting(), cases });
    }
    groups.extend(config::groups(&scenes));
    groups
}

/// `balanceproofs.json` as a JSON value.
pub fn json() -> Value {
    let notes: serde_json::Map<String, Value> =
        NOTES.iter().map(|(flag, meaning)| ((*flag).to_owned(), json!(meaning))).collect();
    json!({
        "schema": 1,
        "kind": "vectors",
        "system": "balanceproofs",
        "source": concat!(
            "lightproof-prover ", env!("CARGO_PKG_VERSION"),
            "; expectations by hand; the verifier checked against proofs of the authors' and of a prototype"
        ),
        "notes": notes,
        "groups": groups_json(&groups()),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::vectors::case::Expected;

    #[test]
    fn flags_are_explained_and_codes_have_their_cases() {
        let groups = groups();
        let cases = || groups.iter().flat_map(|group| &group.cases);
        let used: BTreeSet<_> = cases().flat_map(|case| case.flags.clone()).collect();
        let explained: BTreeSet<_> = NOTES.iter().map(|(flag, _)| *flag).collect();
        assert_eq!(used, explained);
        let codes: BTreeSet<_> = cases()
            .filter_map(|case| match case.expected {
                Expected::Invalid(code) => Some(code),
                Expected::Valid(_) => None,
            })
            .collect();
        assert_eq!(codes, CODES.into_iter().collect());
    }

    /// Every code that a proof of balanceproofs, its configuration or query can be rejected with, besides those of headers.
    const CODES: [&str; 11] = [
        "decode.limit",
        "decode.point",
        "decode.rlp",
        "decode.scalar",
        "decode.shape",
        "decode.variant",
        "input.config",
        "input.params",
        "input.query",
        "input.request",
        "verify.opening",
    ];
}
