//! The repository's own vectors: core answers each case with exactly the fact or the code it
//! states.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::arithmetic_side_effects)]

mod headers;
mod parts;
mod steps;

use std::collections::HashMap;
use std::path::Path;

use lightproof_core::body::Body;
use lightproof_core::error::CODES;
use lightproof_core::json::ToJson;
use lightproof_core::system::{SYSTEMS, System};
use lightproof_core::{Rejection, Verifier};
use lightproof_testkit::record::{list, text};
use lightproof_testkit::{Claim, ask, hex, keccak, record};
use serde_json::Value;
use steps::Steps;

/// keccak-256 of a line `file cases` for each vector file, by name ascending; of headers.json the
/// steps stand behind the cases. The only place that changes when cases are added: a file that
/// loses cases, or a runner that skips some, fails.
const COUNTS: &str = "0x49d95191d7506a637bc04004cb96ca44a779aa2b9b1d1f7fcdf19f6df7823c4a";

/// Whether the first complaint is enough, as where mutants are tried: each claim alone, its steps
/// untold, and no further case then.
fn hurried() -> bool {
    std::env::var_os("LIGHTPROOF_FIRST_COMPLAINT").is_some()
}

fn read(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-vectors").join(name);
    let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&text).unwrap()
}

/// A field of the case, else of its group.
fn inherited<'a>(case: &'a Value, group: &'a Value, field: &str) -> &'a Value {
    case.get(field).unwrap_or(&group[field])
}

/// A verifier of some configurations' claims, or why there is none.
type Made<S> = HashMap<[String; 2], Result<Verifier<S>, Value>>;

fn verifier<S: System>(chain: &Value, config: &Value) -> Result<Verifier<S>, Value> {
    let chain = record::chain(chain);
    let (config, params) = (record::config(config), record::params(config));
    Verifier::new(&chain, &config, &params).map_err(|error| {
        let mut out = String::new();
        Rejection::from(error).to_json(&mut out);
        serde_json::from_str(&out).unwrap()
    })
}

/// Core's verdict: alone, beside another copy of the same claim, and with its steps told.
fn verdict<S: System>(made: &mut Made<S>, case: &Value, group: &Value) -> Value {
    let settings = ["chain", "config"].map(|field| inherited(case, group, field));
    let verifier = made
        .entry(settings.map(Value::to_string))
        .or_insert_with(|| verifier(settings[0], settings[1]));
    let verifier = match verifier {
        Ok(verifier) => verifier,
        Err(verdict) => return verdict.clone(),
    };
    let claim = record::claim(case);
    let verify = |claims: &[Claim]| -> Value {
        serde_json::from_str(&verifier.verify(&ask::claims(claims), [0; 32], &mut ())).unwrap()
    };
    let alone = verify(std::slice::from_ref(&claim));
    if hurried() {
        return alone[0].clone();
    }
    let twice = verify(&[claim.clone(), claim.clone()]);
    assert!(list(&alone).len() == 1 && list(&twice).iter().all(|verdict| *verdict == alone[0]));
    parts::check(verifier, &claim, &alone);
    let mut steps = Steps::default();
    let length = claim.proof.len();
    let told = verifier.verify(&ask::claims(&[claim]), [0; 32], &mut steps);
    assert_eq!(
        serde_json::from_str::<Value>(&told).unwrap(),
        alone,
        "the steps change the verdict"
    );
    if let Some(complaint) = steps.complaint(&alone[0], length) {
        panic!("{} {}: {complaint}", case["id"], text(&case["comment"]));
    }
    assert!(steps.descends(), "{}: nodes out of order", case["id"]);
    alone[0].clone()
}

/// What is wrong with a verdict.
fn complaint(case: &Value, verdict: &Value) -> Option<String> {
    let expected = &case["expected"];
    let right = match text(&expected["result"]) {
        "valid" => verdict["status"] == "proven" && verdict["fact"] == expected["fact"],
        "invalid" => verdict["status"] == "rejected" && verdict["code"] == expected["code"],
        other => panic!("result {other}"),
    };
    (!right).then(|| {
        format!("{} {}: expected {expected}, got {verdict}", case["id"], text(&case["comment"]))
    })
}

/// Runs all cases of a file: as many as it states.
fn run<S: System>(file: &str) {
    let file = read(&format!("{file}.json"));
    assert_eq!(
        (&file["schema"], text(&file["kind"]), text(&file["system"])),
        (&1.into(), "vectors", S::NAME)
    );
    let mut run = 0;
    let mut complaints = Vec::new();
    let mut made = Made::<S>::new();
    for group in list(&file["groups"]) {
        for case in list(&group["tests"]) {
            run += 1;
            complaints.extend(complaint(case, &verdict(&mut made, case, group)));
            assert!(!hurried() || complaints.is_empty(), "{complaints:?}");
        }
    }
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
    assert_eq!(file["cases"], run);
}

macro_rules! runs {
    ($($module:ident $system:ident,)*) => {
        $(mod $module {
            #[test]
            fn every_vector_is_answered_as_it_states() {
                super::run::<lightproof_core::system::$module::$system>(stringify!($module));
            }
        })*
    };
}

lightproof_core::systems!(runs);

#[test]
fn every_inclusion_vector_is_answered_as_it_states() {
    run::<Body>("inclusion");
}

#[test]
fn every_file_has_the_cases_that_are_pinned() {
    let mut files: Vec<_> = SYSTEMS.iter().chain(&["calls", "headers", "inclusion"]).collect();
    files.sort();
    let counts = files
        .iter()
        .map(|name| {
            let file = read(&format!("{name}.json"));
            let tests = || list(&file["groups"]).iter().flat_map(|group| list(&group["tests"]));
            assert_eq!(file["cases"], tests().count(), "{name}");
            let steps = match file.get("steps") {
                None => String::new(),
                Some(steps) => {
                    let count: usize = tests().map(|case| list(&case["steps"]).len()).sum();
                    assert_eq!(*steps, count, "{name}");
                    format!(" {steps}")
                }
            };
            format!("{name} {}{steps}\n", file["cases"])
        })
        .collect::<Vec<_>>()
        .concat();
    let digest = hex::encode(&keccak(counts.as_bytes()));
    assert_eq!(digest, COUNTS, "the counts of the files are now:\n{counts}");
}

#[test]
fn every_code_of_a_case_is_one_of_core() {
    for file in SYSTEMS.iter().chain(&["inclusion"]).map(|name| read(&format!("{name}.json"))) {
        for case in list(&file["groups"]).iter().flat_map(|group| list(&group["tests"])) {
            if let Some(code) = case["expected"].get("code") {
                assert!(CODES.contains(&text(code)), "{code}");
            }
        }
    }
}

#[test]
fn the_shared_list_of_codes_is_cores() {
    let codes = read("codes.json");
    assert_eq!(list(&codes).iter().map(text).collect::<Vec<_>>(), CODES);
}

#[test]
fn codes_ascend() {
    assert!(CODES.windows(2).all(|pair| pair[0] < pair[1]));
}
