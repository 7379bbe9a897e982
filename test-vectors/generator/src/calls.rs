//! `calls.json`: calls over proven state, and every attack on the checks of `spec/calls.md`.
//!
//! States, proofs and headers come from the plain model of core's tests. What a call returns, what
//! it lacks and why it is refused is assigned by hand: no engine was asked.

mod blocks;
mod bounds;
mod curves;
mod forks;
mod witnesses;

use lightproof_prover::hex;
use lightproof_testkit::calls::{CHAIN_ID, GENESIS, Request};
use serde_json::{Map, Value, json};

/// What each flag means.
const NOTES: &[(&str, &str)] = &[
    ("Ancestor", "hashes of blocks before the one that the call runs in"),
    ("Block", "what a call sees of its block, and which header is believed"),
    ("Bomb", "a contract that is made to use up time, memory or items"),
    ("Code", "codes, which are believed by their hashes alone"),
    ("Curve", "precompiled contracts on curves, run by the caller's own modules"),
    ("Fork", "rules by the chain's table"),
    ("Honest", "a call that runs to its end on a whole witness"),
    ("Omitted", "a witness that lacks something: the run stops, and names it"),
    ("Override", "state and block as the caller alters them"),
    ("Request", "what the caller cannot ask"),
    ("Rules", "what a fork's rules change, in the block before it and in its own"),
    ("Swapped", "a witness that holds something false"),
];

/// What a verifier must answer.
enum Expected {
    /// To each call.
    Answers(Vec<Answer>),
    /// The request is refused with this code.
    Refused(&'static str),
}

/// What must come of one call.
#[derive(Clone)]
enum Answer {
    /// It returns this.
    Success(Vec<u8>),
    /// It ends, and the gas that it used is this.
    Used(u64),
    /// It reverts with this.
    Revert(Vec<u8>),
    /// It halts.
    Halt,
    /// This is the first that is missing.
    Missing(Value),
    /// It is refused with this code.
    Refused(&'static str),
}

/// One case.
struct Case {
    flag: &'static str,
    comment: String,
    request: Request,
    expected: Expected,
}

fn case(flag: &'static str, comment: &str, request: Request, answer: Answer) -> Case {
    let expected = Expected::Answers(vec![answer]);
    Case { flag, comment: comment.to_owned(), request, expected }
}

fn refused(flag: &'static str, comment: &str, request: Request, code: &'static str) -> Case {
    Case { flag, comment: comment.to_owned(), request, expected: Expected::Refused(code) }
}

/// An item of an account.
fn item(kind: &str, address: [u8; 20]) -> Value {
    json!({ "kind": kind, "address": hex::encode(&address) })
}

impl Answer {
    fn json(&self) -> Value {
        match self {
            Self::Success(output) => json!({ "status": "success", "output": hex::encode(output) }),
            Self::Used(gas) => {
                json!({ "status": "success", "output": "0x", "gasUsed": format!("{gas:#x}") })
            }
            Self::Revert(output) => json!({ "status": "revert", "output": hex::encode(output) }),
            Self::Halt => json!({ "status": "halt" }),
            Self::Missing(item) => json!({ "status": "missing", "item": item }),
            Self::Refused(code) => json!({ "status": "rejected", "code": code }),
        }
    }
}

/// The file.
pub fn json() -> Value {
    let mut cases = witnesses::cases();
    cases.extend(blocks::cases());
    cases.extend(bounds::cases());
    cases.extend(curves::cases());
    cases.extend(forks::cases());
    let tests: Vec<Value> = cases
        .iter()
        .zip(1..)
        .map(|(Case { flag, comment, request, expected }, id)| {
            let expected = match expected {
                Expected::Answers(answers) => {
                    let answers: Vec<_> = answers.iter().map(Answer::json).collect();
                    json!({ "result": "answers", "answers": answers })
                }
                Expected::Refused(code) => json!({ "result": "invalid", "code": code }),
            };
            json!({
                "id": id,
                "comment": comment,
                "flags": [flag],
                "forks": hex::encode(&request.forks),
                "request": hex::encode(&request.encode()),
                "expected": expected,
            })
        })
        .collect();
    let notes: Map<String, Value> =
        NOTES.iter().map(|(flag, meaning)| ((*flag).to_owned(), json!(meaning))).collect();
    let chain = json!({
        "kind": "ethereum",
        "chainId": CHAIN_ID,
        "genesisHash": hex::encode(&GENESIS),
    });
    json!({
        "schema": 1,
        "kind": "calls",
        "source": format!("lightproof-generator {}; expectations by hand", env!("CARGO_PKG_VERSION")),
        "notes": notes,
        "cases": tests.len(),
        "groups": [{ "chain": chain, "tests": tests }],
    })
}
