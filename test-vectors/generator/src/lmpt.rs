//! `lmpt.json`: both formats, and every attack on the checks of `spec/systems/lmpt.md`.
//!
//! Facts come from plain maps of the writes; expected codes are assigned by hand, per attack.
//! Hand-made tries commit to what no honest chain does.

mod adjacent;
mod conflux;
mod encoding;
mod layers;
mod notes;
mod padded;
mod scene;
mod tries;
mod valid;

use super::case::{Group, VectorFile};
use crate::scene::Scene as _;
use lightproof_prover::error::StoreError;
use lightproof_prover::system::lmpt::Format;
use scene::Scene;

pub use notes::NOTES;

/// Every case of lmpt. The same every time.
///
/// # Errors
/// What the database in memory says if it fails.
pub fn groups() -> Result<Vec<Group>, StoreError> {
    let layered = Scene::new(Format::Layered)?;
    let conflux = Scene::new(Format::Conflux)?;
    let mut first = valid::cases(&layered)?;
    first.extend(layers::cases(&layered)?);
    first.extend(tries::cases(&layered)?);
    first.extend(adjacent::cases(&layered)?);
    first.extend(encoding::layered(&layered)?);
    let mut second = valid::cases(&conflux)?;
    second.extend(conflux::cases(&conflux)?);
    second.extend(padded::cases(&conflux)?);
    second.extend(encoding::conflux(&conflux)?);
    let mut groups = vec![
        Group { setting: layered.setting(), cases: first },
        Group { setting: conflux.setting(), cases: second },
    ];
    groups.extend(encoding::settings(&layered, &conflux)?);
    Ok(groups)
}

/// `lmpt.json`.
pub const FILE: VectorFile = VectorFile {
    file: "lmpt",
    system: "lmpt",
    checks: "expectations by hand; roots of lmpt/1 checked against alloy-trie, the verifier of lmpt/conflux against Conflux's proofs",
    notes: NOTES,
    codes: &[
        "decode.limit",
        "decode.node",
        "decode.rlp",
        "decode.shape",
        "decode.variant",
        "input.config",
        "input.params",
        "input.query",
        "input.request",
        "verify.absence",
        "verify.claim",
        "verify.commitment",
        "verify.header",
        "verify.incomplete",
        "verify.merkle",
        "verify.order",
        "verify.path",
        "verify.root",
        "verify.surplus",
        "verify.value",
    ],
    groups,
};
