//! `balanceproofs.json`: every scheme and variant, and every attack on the checks of
//! `spec/systems/balanceproofs.md`.
//!
//! Facts come from a plain list of balances; expected codes are assigned by hand, per attack.
//! Setups are INSECURE, from seeds, but for those cases that use Ethereum's ceremony.

mod config;
mod encoding;
mod fitted;
mod notes;
mod points;
mod scene;
mod torsion;
mod transcripts;
mod valid;
mod values;

use super::case::{Group, VectorFile};
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
            cases.extend(fitted::cases(scene));
        }
        cases.extend(encoding::limits(scene));
        groups.push(Group { setting: scene.setting(), cases });
    }
    groups.extend(config::groups(&scenes));
    groups
}

/// `balanceproofs.json`.
pub const FILE: VectorFile = VectorFile {
    file: "balanceproofs",
    system: "balanceproofs",
    checks: "expectations by hand; the verifier checked against proofs of the authors' and of a prototype",
    notes: NOTES,
    codes: &[
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
    ],
    groups: || Ok(groups()),
};
