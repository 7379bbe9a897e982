//! The files in `test-vectors/`: every rule of a page in `spec/systems` as a case that
//! each verifier must judge alike.
//!
//! Expected codes are assigned here, by hand, per attack; no verifier was asked. Facts come from
//! plain models of the state.

pub mod balanceproofs;
pub mod calls;
pub mod case;
pub mod cole;
mod edit;
pub mod inclusion;
pub mod light;
pub mod lmpt;
pub mod lvmt;
pub mod mpt;
mod scene;
pub mod verkle;

use std::path::Path;

use serde_json::{Value, json};

use case::VectorFile;
use lightproof_prover::error::StoreError;

macro_rules! files {
    ($($module:ident $system:ident,)*) => { &[$($module::FILE,)* inclusion::FILE] };
}

/// The systems' files, and that of a block's lists.
pub const SYSTEMS: &[VectorFile] = lightproof_core::systems!(files);

/// The generated files: name and contents.
///
/// # Errors
/// What a system's store says if it cannot be written.
pub fn files() -> Result<Vec<(String, String)>, StoreError> {
    let mut files = Vec::new();
    for file in SYSTEMS {
        files.push((file.name(), pretty(&file.json(&(file.groups)()?))));
    }
    files.extend(others());
    Ok(files)
}

/// The generated files that are no system's.
pub fn others() -> [(String, String); 4] {
    let codes = json!(lightproof_core::error::CODES.as_slice());
    [
        ("calls.json", calls::json()),
        ("headers.json", light::json()),
        ("beacon.json", light::beacon::recording::json()),
        ("codes.json", codes),
    ]
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
