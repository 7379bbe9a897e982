//! `eth-beacon/`: sync-committee updates of mainnet with their signatures, the spec's own tests,
//! and tampered files. A folder's form is read off its content.

mod config;
mod mainnet;
mod negative;
mod ssz;
mod steps;

use std::path::Path;

use lightproof_core::system::mpt::{Fact, Mpt};
use lightproof_core::{Claim, Rejection, Root, verify};
use lightproof_testkit::getproof;
use serde_json::Value;

use super::{Report, entries, say};

/// Runs every set in `folder`.
pub(super) fn run(folder: &Path, report: &mut Report) {
    for path in entries(folder) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            set(&path, &name, report);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            negative::run(&path, report);
        } else if name != "README.md" {
            say(&format!("{}: NOT RUN, of unknown form", path.display()));
        }
    }
}

/// One case of the spec, a folder of such, or a captured set.
fn set(folder: &Path, name: &str, report: &mut Report) {
    let inside = entries(folder);
    if folder.join("steps.yaml").is_file() {
        steps::run(folder, name, report);
    } else if inside.iter().any(|path| path.is_dir()) {
        for path in inside.iter().filter(|path| path.is_dir()) {
            let inner = path.file_name().unwrap().to_string_lossy();
            set(path, &format!("{name}/{inner}"), report);
        }
    } else {
        mainnet::run(folder, report);
    }
}

/// Checks an `eth_getProof` reply under a root.
fn prove(root: &Root<Mpt>, reply: &Value) -> Result<Fact, Rejection> {
    let query = getproof::query_of(reply).encode();
    let proof = getproof::reply(reply).encode();
    let claim = Claim { root, query: &query, variant: "plain", proof: &proof };
    let mut verdicts = verify(&(), &[claim], [0; 32], &mut ());
    verdicts.pop().unwrap().map(|proven| proven.fact().clone())
}

fn describe(rejection: &Rejection) -> String {
    format!("{}: {rejection}", rejection.code())
}
