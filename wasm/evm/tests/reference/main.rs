//! Vectors from outside this repository, made by other implementations and on real networks.
//!
//! They are read from the folder named by `LIGHTPROOF_REFERENCE_VECTORS`, else from
//! `../shared/vectors` beside the repository. A set with other content in the same form runs too.
//! A field that lacks is a failure under its file's name. With `--release` every file is run,
//! otherwise one of a few.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::arithmetic_side_effects)]

mod common;
mod eth_call;
mod state_tests;

use std::io::Write;
use std::path::{Path, PathBuf};

const VARIABLE: &str = "LIGHTPROOF_REFERENCE_VECTORS";

/// Runs one file.
type Runner = fn(&str, &serde_json::Value, &mut Report);

/// The folders that are run, and of how many files a build without optimisation runs one; folders
/// of other crates are not named.
const RUN: &[(&str, usize, Runner)] = &[
    ("eth-call", 1, eth_call::run),
    ("ethereum-state-tests", 25, state_tests::run),
    ("evm-made", 4, state_tests::run),
];

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
fn reference_vectors_run_as_their_oracle_says() {
    let set = std::env::var_os(VARIABLE);
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors");
    let folder = set.as_ref().map_or(default, PathBuf::from);
    if !folder.is_dir() {
        assert!(set.is_none(), "{VARIABLE} names no folder: {}", folder.display());
        say(&format!("SKIPPED: no folder ../shared/vectors beside the repository; set {VARIABLE}"));
        return;
    }
    let mut all = Report::default();
    for (name, sample, runner) in RUN {
        let folder = folder.join(name);
        if !folder.is_dir() {
            say(&format!("{name}: SKIPPED, no such folder"));
            continue;
        }
        let mut report = Report::default();
        let every = if cfg!(debug_assertions) { *sample } else { 1 };
        let mut files = Vec::new();
        walk(&folder, &mut files);
        for path in files.iter().step_by(every) {
            report.files += 1;
            file(*runner, path, &mut report);
        }
        let of = files.len();
        say(&format!("{name}: {} of {of} files, {} cases run", report.files, report.cases));
        if report.cases == 0 {
            report.failures.push(format!("{name}: no case was found"));
        }
        all.files += report.files;
        all.cases += report.cases;
        all.failures.append(&mut report.failures);
    }
    say(&format!("{} cases in {} files, {} failed", all.cases, all.files, all.failures.len()));
    assert!(all.failures.is_empty(), "\n{}", all.failures.join("\n"));
}

/// Runs a file; what its reading panics over, a number of another size say, is its failure.
fn file(runner: Runner, path: &Path, report: &mut Report) {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let json = std::fs::read(path).map_err(|error| error.to_string());
    let json =
        json.and_then(|json| serde_json::from_slice(&json).map_err(|error| error.to_string()));
    match json {
        Ok(json) => {
            let run = std::panic::AssertUnwindSafe(|| runner(&name, &json, &mut *report));
            if std::panic::catch_unwind(run).is_err() {
                report.case(&name, Err("reading it panicked; see above".into()));
            }
        }
        Err(complaint) => report.case(&name, Err(complaint)),
    }
}

/// Every JSON file of a folder and the folders in it, in ascending order of name.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            walk(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        } else if path.file_name().is_some_and(|name| name != "README.md") {
            say(&format!("{}: NOT RUN, no JSON file", path.display()));
        }
    }
}

/// Written past the test harness's capture: counts and skips must be seen.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "reference: {line}");
}
