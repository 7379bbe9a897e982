//! `lvmt.json`: both formats, and every attack on the checks of `spec/systems/lvmt.md`.
//!
//! Facts come from plain maps of the writes, which know levels and slots by a count of their own;
//! expected codes are assigned by hand, per attack. States made by hand commit to what no honest
//! chain does.

mod absence;
mod binding;
mod crafted;
mod encoding;
mod later;
mod notes;
mod openings;
mod scene;
mod valid;

use super::case::{Group, VectorFile};
use crate::scene::Scene as _;
use lightproof_prover::error::StoreError;
use lightproof_prover::system::lvmt::Format;
use scene::Scene;

pub use notes::NOTES;

/// Every case of lvmt. The same every time.
///
/// # Errors
/// What the database in memory says if it fails.
pub fn groups() -> Result<Vec<Group>, StoreError> {
    let one = Scene::new(Format::One)?;
    let mut first = valid::cases(&one)?;
    first.extend(binding::freshness(&one)?);
    first.extend(binding::tuples(&one)?);
    first.extend(binding::merkle(&one)?);
    first.extend(openings::cases(&one)?);
    first.extend(openings::malformed(&one)?);
    first.extend(absence::cases(&one)?);
    first.extend(crafted::cases(&one)?);
    first.extend(later::cases(&one)?);
    first.extend(encoding::cases(&one)?);
    let osdi23 = Scene::new(Format::Osdi23)?;
    let mut second = valid::cases(&osdi23)?;
    second.extend(binding::tuples(&osdi23)?);
    second.extend(encoding::osdi23(&osdi23)?);
    let mut groups = vec![
        Group { setting: one.setting(), cases: first },
        Group { setting: osdi23.setting(), cases: second },
    ];
    groups.extend(openings::settings(&one)?);
    groups.push(encoding::headers(&one)?);
    Ok(groups)
}

/// `lvmt.json`.
pub const FILE: VectorFile = VectorFile {
    file: "lvmt",
    system: "lvmt",
    checks: "INSECURE parameters; expectations by hand; roots of lvmt/1 checked against a plain model, the verifier of lvmt/osdi23 against the authors' proofs",
    notes: NOTES,
    codes: &[
        "decode.point",
        "decode.rlp",
        "decode.scalar",
        "decode.shape",
        "decode.variant",
        "input.config",
        "input.params",
        "input.query",
        "input.request",
        "verify.absence",
        "verify.commitment",
        "verify.header",
        "verify.merkle",
        "verify.opening",
        "verify.order",
        "verify.path",
    ],
    groups,
};
