//! `lmpt.json`: both formats, and every attack that their page names.
//!
//! Facts come from plain maps of the writes; expected codes are assigned by hand, per attack. Hand-made tries commit to what no
//! honest chain does.

mod adjacent;
mod conflux;
mod encoding;
mod layers;
mod notes;
mod padded;
mod scene;
mod tries;
mod valid;

use serde_json::Value;

use super::case::{Group, file_json};
use crate::error::StoreError;
use crate::system::lmpt::Format;
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

/// `lmpt.json` as a JSON value.
///
/// # Errors
/// As [`groups`].
pub fn json() -> Result<Value, StoreError> {
    let checks = "expectations by hand; roots of lmpt/1 checked against alloy-trie, the verifier of lmpt/conflux against Conflux's proofs";
    Ok(file_json("lmpt", checks, NOTES, &groups()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::case::assert_complete;

    /// Every code that a proof of lmpt, its configuration or query can be rejected with, besides those of headers.
    const CODES: [&str; 19] = [
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
        "verify.path",
        "verify.root",
        "verify.surplus",
        "verify.value",
    ];

    #[test]
    fn every_flag_is_explained_and_every_code_has_a_negative_case() {
        assert_complete(&groups().unwrap(), NOTES, &CODES);
    }
}
