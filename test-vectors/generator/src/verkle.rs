//! `verkle.json`: both node commitments, both encodings, and every attack on the checks of
//! `spec/systems/verkle.md`.
//!
//! Facts come from plain maps of the writes; expected codes are assigned by hand, per attack. The
//! liar knows no secret of the setup, and makes every opening anew that it can.

mod encoding;
mod fitted;
mod lies;
mod notes;
mod scene;
mod settings;
mod valid;

use super::case::{Group, VectorFile};
use crate::scene::Scene as _;
use lightproof_prover::error::StoreError;
use lightproof_prover::system::verkle::{Commitment, Config};
use scene::{Scene, named};

pub use notes::NOTES;

/// Every case of verkle. The same every time.
///
/// # Errors
/// What the database in memory says if it fails.
pub fn groups() -> Result<Vec<Group>, StoreError> {
    let config = |commitment, bits| Config { commitment, bits, window: 8 };
    let kzg = Scene::new(config(Commitment::Kzg, 8))?;
    let cf = Scene::new(config(Commitment::CfInsecure(7), 5))?;
    let mut groups = Vec::new();
    for (scene, other) in [(&kzg, &cf), (&cf, &kzg)] {
        let mut cases = valid::cases(scene)?;
        cases.extend(lies::cases(scene, other)?);
        cases.extend(encoding::cases(scene)?);
        groups.push(Group { setting: scene.setting(), cases: named(cases) });
    }
    for bits in [5, 10] {
        let scene = Scene::new(config(Commitment::Kzg, bits))?;
        groups.push(Group { setting: scene.setting(), cases: named(valid::cases(&scene)?) });
    }
    groups.extend(settings::groups(&kzg, &cf)?);
    Ok(groups)
}

/// `verkle.json`.
pub const FILE: VectorFile = VectorFile {
    file: "verkle",
    system: "verkle",
    checks: "expectations by hand; kzg openings checked against c-kzg, the verifier of cf against an independent model",
    notes: NOTES,
    codes: &[
        "decode.limit",
        "decode.point",
        "decode.rlp",
        "decode.shape",
        "decode.variant",
        "input.config",
        "input.params",
        "input.query",
        "input.request",
        "verify.absence",
        "verify.commitment",
        "verify.header",
        "verify.opening",
        "verify.path",
    ],
    groups,
};
