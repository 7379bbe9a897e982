//! The files in `test-vectors/`: every rule of a system's page as a case that each verifier must
//! judge alike.
//!
//! Expected codes are assigned here, by hand, per attack; no verifier was asked. Facts come from a
//! plain map of the state, proofs from the tries.

mod absence;
mod answers;
pub mod balanceproofs;
pub mod case;
pub mod cole;
mod encoding;
mod forged;
mod headers;
pub mod light;
pub mod lmpt;
pub mod lvmt;
mod malformed;
pub mod nodes;
mod notes;
mod questions;
pub mod reply;
pub mod scene;
mod valid;
pub mod verkle;
pub mod world;

use std::path::Path;

use serde_json::{Value, json};

use crate::error::StoreError;
use crate::hash::Word;
use case::{Group, Setting, VectorFile};
use scene::Scene;

pub use notes::NOTES;

/// Hash of block 0 of Ethereum's main network.
const MAINNET_GENESIS: Word = [
    0xd4, 0xe5, 0x67, 0x40, 0xf8, 0x76, 0xae, 0xf8, 0xc0, 0x10, 0xb8, 0x6a, 0x40, 0xd5, 0xf5, 0x67,
    0x45, 0xa1, 0x18, 0xd0, 0x90, 0x6a, 0x34, 0xe6, 0x9a, 0xec, 0x8c, 0x0d, 0xb1, 0xcb, 0x8f, 0xa3,
];

/// Every case of mpt. The same every time.
pub fn mpt_groups() -> Vec<Group> {
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
const MPT: VectorFile = VectorFile {
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
    groups: || Ok(mpt_groups()),
};

/// The systems' files.
pub const SYSTEMS: [VectorFile; 6] =
    [balanceproofs::FILE, cole::FILE, lmpt::FILE, lvmt::FILE, MPT, verkle::FILE];

/// The generated files: name and contents.
///
/// # Errors
/// What a system's store says if it cannot be written.
pub fn files() -> Result<Vec<(String, String)>, StoreError> {
    let mut files = Vec::new();
    for file in &SYSTEMS {
        files.push((file.name(), pretty(&file.json(&(file.groups)()?))));
    }
    files.extend(others());
    Ok(files)
}

/// The generated files that are no system's.
pub fn others() -> [(String, String); 2] {
    let codes = json!(lightproof_core::error::CODES.as_slice());
    [("headers.json", light::json()), ("codes.json", codes)]
        .map(|(name, value)| (name.to_owned(), pretty(&value)))
}

/// As the files are written.
pub fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

/// Writes the generated files; what is written by hand stays.
///
/// # Errors
/// What the operating system says about the directory or a file.
pub fn write(directory: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(directory)?;
    for (name, contents) in files().map_err(std::io::Error::other)? {
        std::fs::write(directory.join(name), contents)?;
    }
    Ok(())
}
