//! The generated vectors against the verifier, and against the committed files.

use std::path::Path;

use lightproof_core::Verifier;
use lightproof_core::error::Rejection;
use lightproof_core::header::light::{Form, LightClient, Signed};
use lightproof_core::system::System;
use lightproof_core::system::balanceproofs::BalanceProofs;
use lightproof_core::system::cole::Cole;
use lightproof_core::system::mpt::Mpt;
use lightproof_core::system::verkle::Verkle;
use lightproof_prover::vectors;
use lightproof_prover::vectors::case::{Case, Expected, Group, Setting};
use lightproof_prover::vectors::light;
use lightproof_prover::vectors::light::case::{Block, State, Step};
use serde_json::{Value, json};

/// Valid and invalid cases; raised by hand whenever a case is added.
const MPT: (usize, usize) = (36, 185);
const BALANCEPROOFS: (usize, usize) = (100, 1070);
const COLE: (usize, usize) = (133, 259);
const VERKLE: (usize, usize) = (136, 411);

fn verifier<S: System>(setting: &Setting) -> Result<Verifier<S>, Value> {
    let (chain, config) = (setting.chain_rlp(), setting.config_rlp());
    Verifier::new(&chain, &config, &setting.params)
        .map_err(|error| json!({ "status": "rejected", "code": error.code() }))
}

fn verdict<S: System>(verifier: &Result<Verifier<S>, Value>, case: &Case) -> Value {
    match verifier {
        Err(verdict) => verdict.clone(),
        Ok(verifier) => {
            let text = verifier.verify(&case.claims_rlp(), [7; 32]);
            serde_json::from_str::<Value>(&text).unwrap()[0].clone()
        }
    }
}

fn judge<S: System>(groups: &[Group]) -> (usize, usize) {
    let (mut valid, mut invalid, mut wrong) = (0, 0, Vec::new());
    for group in groups {
        let verifier = verifier::<S>(&group.setting);
        for case in &group.cases {
            let verdict = verdict(&verifier, case);
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
fn the_verifier_gives_every_case_of_balanceproofs_its_fact_or_its_code() {
    assert_eq!(judge::<BalanceProofs>(&vectors::balanceproofs::groups()), BALANCEPROOFS);
}

#[test]
fn the_verifier_gives_every_case_of_cole_its_fact_or_its_code() {
    assert_eq!(judge::<Cole>(&vectors::cole::groups().unwrap()), COLE);
}

#[test]
fn the_verifier_gives_every_case_of_verkle_its_fact_or_its_code() {
    assert_eq!(judge::<Verkle>(&vectors::verkle::groups().unwrap()), VERKLE);
}

/// Steps of `headers.json` that are accepted and refused, and its cases.
const HEADERS: (usize, usize, usize) = (463, 409, 474);

/// What the light client holds, in the form of the vectors.
fn state(client: &LightClient) -> Option<State> {
    let state = client.state()?;
    let block = |header: &Signed| Block {
        number: header.slot,
        hash: header.root.0,
        // On the devnet it is the header itself.
        execution: header.execution.map(|block| block.hash.0).filter(|hash| *hash != header.root.0),
    };
    let (finalized, head) = (block(state.finalized), block(state.head));
    Some(State {
        period: state.period,
        next_known: state.next_known,
        finalized,
        head: (head != finalized).then_some(head),
    })
}

fn step(client: &mut LightClient, case: &light::case::Case, step: &Step) -> Result<(), Rejection> {
    let form = match step.form {
        "bootstrap" => return client.bootstrap(&case.checkpoint, &step.bytes).map(|_| ()),
        "import" => return client.import(&step.bytes, &case.checkpoint).map(|_| ()),
        "update" => Form::Update,
        "finality" => Form::Finality,
        _ => Form::Optimistic,
    };
    client.apply(form, &step.bytes, step.now.unwrap()).map(|_| ())
}

#[test]
fn the_light_client_gives_every_step_its_state_or_its_code() {
    let (mut valid, mut invalid, mut cases, mut wrong) = (0, 0, 0, Vec::new());
    for group in light::groups() {
        for case in &group.cases {
            cases += 1;
            let mut client = LightClient::new(&group.setting.chain_rlp());
            for (number, wanted) in case.steps.iter().enumerate() {
                let (before, got) = match &mut client {
                    Ok(client) => {
                        let before = state(client);
                        let verdict = step(client, case, wanted).map_err(|error| error.code());
                        (before, verdict.map(|()| state(client).unwrap()))
                    }
                    Err(error) => (None, Err(error.code())),
                };
                match &wanted.expected {
                    Ok(_) => valid += 1,
                    Err(_) => invalid += 1,
                }
                let unmoved = got.is_ok() || client.as_ref().map_or(None, state) == before;
                if got != wanted.expected || !unmoved {
                    let light::case::Case { flag, comment, .. } = case;
                    let wanted = &wanted.expected;
                    wrong.push(format!(
                        "{flag}: {comment}, step {number}: want {wanted:?}, got {got:?}"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!((valid, invalid, cases), HEADERS);
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
