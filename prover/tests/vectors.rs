//! The generated vectors against the verifier, and against the committed files.

use std::path::Path;

use lightproof_core::Verifier;
use lightproof_core::system::System;
use lightproof_core::system::cole::Cole;
use lightproof_core::system::mpt::Mpt;
use lightproof_prover::vectors;
use lightproof_prover::vectors::case::{Case, Expected, Group, Setting};
use serde_json::{Value, json};

/// Valid and invalid cases; raised by hand whenever a case is added.
const MPT: (usize, usize) = (36, 185);
const COLE: (usize, usize) = (133, 259);

fn verdict<S: System>(setting: &Setting, case: &Case) -> Value {
    let (chain, config) = (setting.chain_rlp(), setting.config_rlp());
    match Verifier::<S>::new(&chain, &config, &setting.params) {
        Err(error) => json!({ "status": "rejected", "code": error.code() }),
        Ok(verifier) => {
            let text = verifier.verify(&case.claims_rlp(), [7; 32]);
            serde_json::from_str::<Value>(&text).unwrap()[0].clone()
        }
    }
}

fn judge<S: System>(groups: &[Group]) -> (usize, usize) {
    let (mut valid, mut invalid, mut wrong) = (0, 0, Vec::new());
    for group in groups {
        for case in &group.cases {
            let verdict = verdict::<S>(&group.setting, case);
            let right = match &case.expected {
                Expected::Valid(fact) => {
                    valid += 1;
                    verdict["status"] == "proven" && verdict["fact"] == *fact
                }
                Expected::Invalid(code) => {
                    invalid += 1;
                    verdict["status"] == "rejected" && verdict["code"] == *code
                }
            };
            if !right {
                wrong.push(format!(
                    "{:?} {}: want {:?}, got {verdict}",
                    case.flags, case.comment, case.expected
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    (valid, invalid)
}

#[test]
fn the_verifier_gives_every_case_of_mpt_its_fact_or_its_code() {
    assert_eq!(judge::<Mpt>(&vectors::mpt_groups()), MPT);
}

#[test]
fn the_verifier_gives_every_case_of_cole_its_fact_or_its_code() {
    assert_eq!(judge::<Cole>(&vectors::cole::groups().unwrap()), COLE);
}

#[test]
fn committed_files_equal_a_fresh_generation() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../test-vectors");
    for (name, contents) in vectors::files().unwrap() {
        let committed = std::fs::read_to_string(directory.join(name)).unwrap();
        assert!(
            committed == contents,
            "test-vectors/{name} is out of date: run `lightproof-node vectors --out test-vectors`"
        );
    }
}
