//! The vectors: each file of a system is what the prover generates, and keeps its promises. Core's own test judges every
//! case of the committed files.

use std::collections::BTreeSet;
use std::path::Path;

use lightproof_core::error::Rejection;
use lightproof_core::header::light::{Form, LightClient, Signed};
use lightproof_prover::vectors::case::{Expected, Group, VectorFile};
use lightproof_prover::vectors::light;
use lightproof_prover::vectors::light::case::{Block, State, Step};
use lightproof_prover::vectors::{SYSTEMS, others, pretty};

/// The file is up to date, every flag is explained and every explanation used, and each code that a proof, its configuration or
/// query can be rejected with has a negative case.
fn check(system: &str) {
    let file = SYSTEMS.iter().find(|file| file.system == system).unwrap();
    let groups = (file.groups)().unwrap();
    complete(file, &groups);
    committed(&file.name(), &pretty(&file.json(&groups)));
}

fn complete(file: &VectorFile, groups: &[Group]) {
    let cases = || groups.iter().flat_map(|group| &group.cases);
    let used: BTreeSet<&str> = cases().flat_map(|case| case.flags.iter().copied()).collect();
    assert_eq!(used, file.notes.iter().map(|(flag, _)| *flag).collect());
    let codes: BTreeSet<&str> = cases()
        .filter_map(|case| match case.expected {
            Expected::Invalid(code) => Some(code),
            Expected::Valid(_) => None,
        })
        .collect();
    assert_eq!(codes, file.codes.iter().copied().collect());
}

fn committed(name: &str, generated: &str) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../test-vectors");
    let committed = std::fs::read_to_string(directory.join(name)).unwrap();
    assert!(
        committed == generated,
        "test-vectors/{name} is out of date: run `lightproof-node vectors --out test-vectors`"
    );
}

#[test]
fn mpt() {
    check("mpt");
}

#[test]
fn lmpt() {
    check("lmpt");
}

#[test]
fn lvmt() {
    check("lvmt");
}

#[test]
fn verkle() {
    check("verkle");
}

#[test]
fn balanceproofs() {
    check("balanceproofs");
}

#[test]
fn cole() {
    check("cole");
}

#[test]
fn headers_and_codes() {
    for (name, generated) in others() {
        committed(&name, &generated);
    }
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
