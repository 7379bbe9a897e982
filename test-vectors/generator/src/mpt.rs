//! `mpt.json`: accounts, slots and code of both kinds of chain, and every attack on the checks of
//! `spec/systems/mpt.md`.
//!
//! Facts come from a plain map of the state, proofs from the tries; expected codes are assigned by
//! hand, per attack.

mod absence;
mod answers;
mod encoding;
mod forged;
mod headers;
pub mod malformed;
pub mod nodes;
mod notes;
mod questions;
pub mod reply;
pub mod scene;
mod valid;
pub mod world;

use super::case::{Group, Setting, VectorFile};
use lightproof_prover::hash::Word;
use scene::Scene;

pub use notes::NOTES;

/// Hash of block 0 of Ethereum's main network.
const MAINNET_GENESIS: Word = [
    0xd4, 0xe5, 0x67, 0x40, 0xf8, 0x76, 0xae, 0xf8, 0xc0, 0x10, 0xb8, 0x6a, 0x40, 0xd5, 0xf5, 0x67,
    0x45, 0xa1, 0x18, 0xd0, 0x90, 0x6a, 0x34, 0xe6, 0x9a, 0xec, 0x8c, 0x0d, 0xb1, 0xcb, 0x8f, 0xa3,
];

/// Every case of mpt. The same every time.
pub fn groups() -> Vec<Group> {
    let scene = Scene::new();
    let mut devnet = valid::devnet(&scene);
    devnet.extend(forged::cases(&scene));
    devnet.extend(absence::cases(&scene));
    devnet.extend(answers::cases(&scene));
    devnet.extend(malformed::cases());
    devnet.extend(encoding::cases(&scene));
    devnet.extend(headers::devnet(&scene));
    devnet.extend(questions::cases(&scene));
    let mut ethereum = valid::ethereum(&scene);
    ethereum.extend(headers::ethereum(&scene));
    let setting = scene.devnet();
    let mainnet =
        Setting { kind: "ethereum", chain_id: 1, genesis_hash: MAINNET_GENESIS, ..setting.clone() };
    let mut groups =
        vec![Group { setting, cases: devnet }, Group { setting: mainnet, cases: ethereum }];
    groups.extend(questions::settings(&scene));
    groups
}

/// `mpt.json`.
pub const FILE: VectorFile = VectorFile {
    file: "mpt",
    system: "mpt",
    checks: "expectations by hand, roots checked against alloy-trie",
    notes: NOTES,
    codes: &[
        "decode.header",
        "decode.limit",
        "decode.node",
        "decode.rlp",
        "decode.shape",
        "decode.variant",
        "input.chain",
        "input.config",
        "input.params",
        "input.query",
        "input.request",
        "verify.chain",
        "verify.claim",
        "verify.code",
        "verify.commitment",
        "verify.header",
        "verify.incomplete",
        "verify.merkle",
        "verify.path",
        "verify.query",
        "verify.root",
        "verify.surplus",
        "verify.value",
    ],
    groups: || Ok(groups()),
};
