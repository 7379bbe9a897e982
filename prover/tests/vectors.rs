//! The generated vectors against the verifier, and against the committed files.

use std::path::Path;

use lightproof_core::Verifier;
use lightproof_core::system::mpt::Mpt;
use lightproof_prover::vectors;
use lightproof_prover::vectors::case::{Case, Expected, Setting};
use serde_json::{Value, json};

/// Raised by hand whenever a case is added.
const VALID: usize = 36;
const INVALID: usize = 185;

fn verdict(setting: &Setting, case: &Case) -> Value {
    let verifier = Verifier::<Mpt>::new(&setting.chain_rlp(), &setting.config_rlp(), &[]);
    match verifier {
        Err(error) => json!({ "status": "rejected", "code": error.code() }),
        Ok(verifier) => {
            let text = verifier.verify(&case.claims_rlp(), [7; 32]);
            serde_json::from_str::<Value>(&text).unwrap()[0].clone()
        }
    }
}

#[test]
fn the_verifier_gives_every_case_its_fact_or_its_code() {
    let (mut valid, mut invalid, mut wrong) = (0, 0, Vec::new());
    for group in vectors::mpt_groups() {
        for case in &group.cases {
            let verdict = verdict(&group.setting, case);
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
    assert_eq!((valid, invalid), (VALID, INVALID));
}

#[test]
fn committed_files_equal_a_fresh_generation() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../test-vectors");
    for (name, contents) in vectors::files() {
        let committed = std::fs::read_to_string(directory.join(name)).unwrap();
        assert!(
            committed == contents,
            "test-vectors/{name} is out of date: run `lightproof-node vectors --out test-vectors`"
        );
    }
}
