//! The vectors: each file of a system keeps its promises. Core's own test judges every case; that
//! the files are what the generator writes is a gate of `npm run check`, which has the optimised
//! program do it.

use std::collections::BTreeSet;
use std::path::Path;

use lightproof_core::error::Rejection;
use lightproof_core::header::light::{Form, LightClient, Signed};
use lightproof_generator::SYSTEMS;
use lightproof_generator::case::VectorFile;
use lightproof_generator::light;
use lightproof_generator::light::case::{Block, State, Step};
use serde_json::Value;

/// Every flag of the committed file is explained and every explanation used, and each code that a
/// proof, its configuration or query can be rejected with has a negative case.
fn check(file: &VectorFile) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file.name());
    let committed: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let cases = || array(&committed["groups"]).iter().flat_map(|group| array(&group["tests"]));

    let used: BTreeSet<&str> = cases().flat_map(|case| array(&case["flags"])).map(text).collect();
    let notes = committed["notes"].as_object().unwrap();
    let name = file.name();
    assert_eq!(used, notes.keys().map(String::as_str).collect(), "{name}");
    let codes: BTreeSet<&str> = cases()
        .map(|case| &case["expected"])
        .filter(|expected| expected["result"] == "invalid")
        .map(|expected| text(&expected["code"]))
        .collect();
    assert_eq!(codes, file.codes.iter().copied().collect(), "{name}");
}

fn array(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

#[test]
fn every_file_keeps_its_promises() {
    SYSTEMS.iter().for_each(check);
}

/// What the light client holds, in the form of the vectors.
fn state(client: &LightClient) -> Option<State> {
    let state = client.state()?;
    let block = |header: &Signed| Block {
        number: header.slot,
        hash: header.root.0,
        // On the devnet it is the header itself.
        execution: header.execution.map(|block| block.hash.0).filter(|hash| *hash != header.root.0),
    };
    let (finalized, head, safe) = (block(state.finalized), block(state.head), block(state.safe));
    Some(State {
        period: state.period,
        next_known: state.next_known,
        finalized,
        head: (head != finalized).then_some(head),
        safe: (safe != head).then_some(safe),
        forced: state.forced,
    })
}

fn step(client: &mut LightClient, case: &light::case::Case, step: &Step) -> Result<(), Rejection> {
    let form = match step.form {
        "bootstrap" => return client.bootstrap(&case.checkpoint, &step.bytes, &mut ()),
        "import" => return client.import(&step.bytes, &case.checkpoint, &mut ()),
        "force" => return client.force(step.now.unwrap()).map(|_| ()),
        "update" => Form::Update,
        "finality" => Form::Finality,
        _ => Form::Optimistic,
    };
    client.apply(form, &step.bytes, step.now.unwrap(), &mut ()).map(|_| ())
}

#[test]
fn the_light_client_gives_every_step_its_state_or_its_code() {
    let mut wrong = Vec::new();
    for group in light::groups() {
        for case in &group.cases {
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
}
