//! Input: a request of calls as it stands (first byte from 0xc0 on); or rules, which nodes and codes
//! to leave out, and the code of a contract that is called with the rest of the input.
//!
//! Nothing panics, every answer is one of the documented form, and a witness that lacks something
//! gives the same answer as the one with all accounts, or names what lacks. The latter is run.

use lightproof_core::error::CODES;
use lightproof_evm::Native;
use lightproof_testkit::calls::{Call, READER, RULES, World, call, chain, forks};
use lightproof_testkit::{hex, keccak};
use serde_json::Value;

/// Runs a request and checks the form of what comes.
fn run(forks: &[u8], request: &[u8]) -> Value {
    let text = lightproof_evm::interface::run(&chain(), forks, request, &Native);
    let all: Value = serde_json::from_str(&text).expect("an answer is JSON");
    let answers = all["answers"].as_array().cloned().unwrap_or_else(|| vec![all.clone()]);
    for answer in &answers {
        match answer["status"].as_str() {
            Some("success" | "revert" | "halt") => assert!(answer["read"].is_array()),
            Some("missing") => assert!(!answer["items"].as_array().expect("items").is_empty()),
            Some("rejected") => {
                let code = answer["code"].as_str().expect("a rejection has a code");
                let known = ["call.refused", "call.limit"].contains(&code);
                assert!(known || CODES.contains(&code), "{code}");
            }
            status => panic!("status {status:?}"),
        }
    }
    answers.first().cloned().unwrap_or(all)
}

/// Small slots: the number of each, less one, is its key.
fn slots() -> Vec<(u64, Vec<u8>)> {
    (0..4_u8).map(|key| (u64::from(key), vec![key + 1])).collect()
}

/// One input.
pub fn fuzz(data: &[u8]) {
    let [rules, mask, length, rest @ ..] = data else { return };
    if *rules >= 0xc0 {
        run(&forks(&[("osaka", "block", 0, 5_007_716)]), data);
        return;
    }
    let rules = RULES[usize::from(*rules) % RULES.len()];
    let (code, input) = rest.split_at(usize::from(*length).min(rest.len()));
    let code = hex::encode(code).split_off(2);
    let mut world = World::of(&code).under(rules);
    world.contract(READER, &code, &slots());
    for number in 1..9_u8 {
        world.contract([number; 20], &format!("f3{code}"), &slots());
    }
    let mut request = world.request(Call { gas: 1 << 18, data: input.to_vec(), ..call() });
    request.limits = [1 << 18, 1 << 20, 64];
    let whole = run(&request.forks, &request.encode());
    // The one limit that a small contract reaches is that of memory or of items.
    let is_run = whole["status"] != "rejected" || whole["code"] == "call.limit";
    assert!(is_run, "{whole}");
    request.nodes.retain(|node| keccak(node)[0] & mask != *mask || *mask == 0);
    if mask & 1 != 0 {
        request.codes.truncate(1);
    }
    let part = run(&request.forks, &request.encode());
    assert!(part == whole || part["status"] == "missing", "{part} {whole}");
}
