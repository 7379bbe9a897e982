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

use serde_json::Value;

use super::case::{Group, file_json};
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
    let checks = "expectations by hand; the verifier checked against proofs of the authors' and of a prototype";
    file_json("balanceproofs", checks, NOTES, &groups())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::case::assert_complete;

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

    #[test]
    fn every_flag_is_explained_and_every_code_has_a_negative_case() {
        assert_complete(&groups(), NOTES, &CODES);
    }
}
