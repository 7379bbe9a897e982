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

use super::case::{Case, Group, VectorFile};
use crate::scene::Scene as _;
use lightproof_prover::system::balanceproofs::Variant;
use scene::{Result, Scene};

pub use notes::NOTES;

/// Every case of balanceproofs. The same every time.
fn groups() -> Result<Vec<Group>> {
    let scenes = [Scene::basic(), Scene::bucketed(), Scene::two_layer(), Scene::ethereum()];
    let mut groups = Vec::new();
    for scene in &scenes {
        let mut cases = valid::cases(scene)?;
        if !scene.is_ethereum() {
            cases.extend(attacks(scene)?);
        }
        cases.extend(encoding::limits(scene)?);
        groups.push(Group { setting: scene.setting(), cases });
    }
    groups.extend(config::groups(&scenes)?);
    for case in groups.iter_mut().flat_map(|group| &mut group.cases) {
        case.comment = format!("{}: {}", case.variant, case.comment);
    }
    Ok(groups)
}

fn attacks(scene: &Scene) -> Result<Vec<Case>> {
    let each = |cases: fn(&Scene, Variant) -> Result<Vec<Case>>| -> Result<Vec<Case>> {
        let of = scene.variants().iter().map(|variant| cases(scene, *variant));
        Ok(of.collect::<Result<Vec<_>>>()?.concat())
    };
    Ok([
        each(values::cases)?,
        each(points::cases)?,
        points::basic(scene)?,
        each(encoding::cases)?,
        encoding::of_scene(scene)?,
        torsion::cases(scene)?,
        transcripts::cases(scene)?,
        fitted::cases(scene)?,
    ]
    .concat())
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
    groups,
};
