//! `cole.json`: both formats, COLE and COLE\*, and every attack on the checks of
//! `spec/systems/cole.md`.
//!
//! Facts come from a plain map of the writes; expected codes are assigned by hand, per attack.

mod blooms;
mod bounds;
mod encoding;
mod notes;
mod paper;
mod questions;
mod scene;
mod sources;
mod trees;
mod valid;

use super::case::{Group, VectorFile};
use crate::scene::{Result, Scene as _};
use scene::Scene;

pub use notes::NOTES;

/// Every case of cole. The same every time.
///
/// # Errors
/// What the engine says if its scratch files cannot be written.
pub fn groups() -> Result<Vec<Group>> {
    let one = Scene::one()?;
    let one_star = Scene::one_star()?;
    let paper = Scene::fast24()?;
    let paper_star = Scene::fast24_star()?;
    let mut first = valid::cases(&one)?;
    first.extend(questions::after(&one)?);
    first.extend(bounds::cases(&one)?);
    first.extend(sources::cases(&one)?);
    first.extend(trees::cases(&one)?);
    first.extend(encoding::cases(&one)?);
    first.extend(questions::cases(&one)?);
    let mut second = valid::cases(&one_star)?;
    second.extend(questions::after(&one_star)?);
    second.extend(sources::star(&one_star)?);
    let mut third = valid::cases(&paper)?;
    third.extend(questions::after(&paper)?);
    third.extend(paper::cases(&paper)?);
    third.extend(blooms::cases(&paper)?);
    let mut fourth = valid::cases(&paper_star)?;
    fourth.extend(questions::after(&paper_star)?);
    fourth.extend(paper::star(&paper_star)?);
    let mut groups = vec![
        Group { setting: one.setting(), cases: first },
        Group { setting: one_star.setting(), cases: second },
        Group { setting: paper.setting(), cases: third },
        Group { setting: paper_star.setting(), cases: fourth },
    ];
    groups.extend(questions::settings(&one, &paper)?);
    Ok(groups)
}

/// `cole.json`.
pub const FILE: VectorFile = VectorFile {
    file: "cole",
    system: "cole",
    checks: "expectations by hand; cole/fast24 states checked against the authors' headers",
    notes: NOTES,
    codes: &[
        "decode.limit",
        "decode.rlp",
        "decode.shape",
        "decode.variant",
        "input.config",
        "input.params",
        "input.query",
        "input.request",
        "verify.boundary",
        "verify.claim",
        "verify.commitment",
        "verify.filter",
        "verify.incomplete",
        "verify.merkle",
        "verify.order",
        "verify.path",
        "verify.query",
        "verify.root",
        "verify.source",
        "verify.surplus",
    ],
    groups,
};
