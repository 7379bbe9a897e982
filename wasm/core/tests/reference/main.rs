//! Vectors from outside this repository: made by the systems' authors, by other implementations and
//! on real networks. They judge core by an oracle that shares no code with it.
//!
//! They are read from the folder named by `LIGHTPROOF_REFERENCE_VECTORS`, else from
//! `../shared/vectors` beside the repository. A set with other content in the same form runs too.
//! What a geth of our own answered is in `test-vectors/geth/`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::arithmetic_side_effects)]

mod balanceproofs;
mod balanceproofs_made;
mod cole;
mod eth_beacon;
mod eth_blocks;
mod eth_getproof;
mod lmpt_conflux;
mod lvmt;
mod lvmt_made;
mod verkle_cf;
mod verkle_made;
#[path = "../it/verkle/model.rs"]
#[allow(dead_code, clippy::cast_possible_truncation)]
mod verkle_model;

use std::io::Write;
use std::path::{Path, PathBuf};

const VARIABLE: &str = "LIGHTPROOF_REFERENCE_VECTORS";

/// Runs all files of one folder.
type Runner = fn(&Path, &mut Report);

/// The folders that are run.
const RUN: &[(&str, Runner)] = &[
    ("balanceproofs", balanceproofs::run),
    ("cole", cole::run),
    ("eth-beacon", eth_beacon::run),
    ("eth-blocks", eth_blocks::run),
    ("eth-getproof", eth_getproof::run),
    ("lmpt-conflux", lmpt_conflux::run),
    ("lvmt", lvmt::run),
    ("verkle-cf", verkle_cf::run),
];

/// Folders of systems that core does not hold yet.
const NOT_BUILT: &[&str] = &["hyperproofs", "verkle-eip6800"];

/// What was run, and what went wrong.
#[derive(Debug, Default)]
struct Report {
    files: usize,
    cases: usize,
    failures: Vec<String>,
}

impl Report {
    /// Counts one case and keeps its complaint.
    fn case(&mut self, name: &str, verdict: Result<(), String>) {
        self.cases += 1;
        if let Err(complaint) = verdict {
            self.failures.push(format!("{name}: {complaint}"));
        }
    }
}

#[test]
fn reference_vectors_are_judged_as_their_oracle_says() {
    let set = std::env::var_os(VARIABLE);
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors");
    let folder = set.as_ref().map_or(default, PathBuf::from);
    if !folder.is_dir() {
        assert!(set.is_none(), "{VARIABLE} names no folder: {}", folder.display());
        say(&format!("SKIPPED: no folder ../shared/vectors beside the repository; set {VARIABLE}"));
        return;
    }
    let mut all = Report::default();
    for entry in entries(&folder) {
        let name = entry.file_name().unwrap().to_string_lossy().into_owned();
        if let Some((_, runner)) = RUN.iter().find(|(folder, _)| *folder == name) {
            let mut report = Report::default();
            runner(&entry, &mut report);
            say(&format!("{name}: {} files, {} cases run", report.files, report.cases));
            if report.cases == 0 {
                report.failures.push(format!("{name}: no case was found"));
            }
            all.files += report.files;
            all.cases += report.cases;
            all.failures.append(&mut report.failures);
        } else if NOT_BUILT.contains(&name.as_str()) {
            say(&format!("{name}: not run, core does not hold this system yet"));
        } else {
            say(&format!("{name}: NOT RUN, unknown to this test"));
        }
    }
    say(&format!("{} cases in {} files, {} failed", all.cases, all.files, all.failures.len()));
    assert!(all.cases > 0, "no case was run in {}", folder.display());
    assert!(all.failures.is_empty(), "\n{}", all.failures.join("\n"));
}

#[test]
fn what_our_geth_answered_is_proven_and_nothing_else() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-vectors/geth");
    let mut report = Report::default();
    eth_getproof::run(&folder, &mut report);
    // Of each fork: balance, account absent, slots present and absent, code and none.
    assert_eq!((report.files, report.cases), (2, 18));
    assert!(report.failures.is_empty(), "\n{}", report.failures.join("\n"));
    for path in entries(&folder) {
        let file: serde_json::Value =
            serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        for case in file["cases"].as_array().unwrap() {
            let refused = eth_getproof::changes_are_refused(&file, case);
            let refused = refused.unwrap_or_else(|why| panic!("{}: {why}", case["id"]));
            assert!(refused > 6, "{}: only {refused} changes", case["id"]);
        }
    }
}

/// Entries of a folder, in ascending order of name.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all
}

/// Written past the test harness's capture: counts and skips must be seen.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "reference: {line}");
}
