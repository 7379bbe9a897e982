//! `inclusion.json`: transactions, receipts, withdrawals and logs of a block, and every attack on
//! the checks of `spec/systems/body.md`.
//!
//! Facts come from plain records of what the block holds; expected codes are assigned by hand, per
//! attack.

mod encoding;
mod headers;
mod lists;
pub mod model;
mod notes;
mod questions;
pub mod scene;
mod valid;

use super::case::{Group, VectorFile};
use scene::setting;

pub use notes::NOTES;

/// Every case of body. The same every time.
pub fn groups() -> Vec<Group> {
    let mut ethereum = valid::cases();
    ethereum.extend(lists::cases());
    ethereum.extend(encoding::cases());
    ethereum.extend(headers::cases());
    ethereum.extend(questions::cases());
    let mut groups = vec![Group { setting: setting(), cases: ethereum }];
    groups.extend(headers::devnet());
    groups.extend(questions::settings());
    groups
}

/// `inclusion.json`.
pub const FILE: VectorFile = VectorFile {
    file: "inclusion",
    system: "body",
    checks: "expectations by hand, roots checked against alloy-trie",
    notes: NOTES,
    codes: &[
        "decode.limit",
        "decode.rlp",
        "decode.shape",
        "decode.variant",
        "input.config",
        "input.params",
        "input.query",
        "verify.claim",
        "verify.commitment",
        "verify.header",
        "verify.root",
        "verify.unsupported",
    ],
    groups: || Ok(groups()),
};
