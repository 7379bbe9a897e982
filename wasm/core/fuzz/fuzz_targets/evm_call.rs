//! Input: a request of calls as it stands (first byte from 0xc0 on); or rules, which nodes and codes
//! to leave out, and the code of a contract that is called with the rest of the input.
//!
//! Nothing panics, every answer is one of the documented form, and a witness that lacks something
//! gives the same answer as the whole one or names what lacks.
#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use lightproof_core::error::CODES;
use lightproof_fuzz::ETHEREUM;
use lightproof_testkit::{Account, Query, Rlp, State, header, hex, keccak};
use serde_json::{Value, json};

const RULES: [(&str, usize); 5] =
    [("berlin", 15), ("london", 16), ("shanghai", 17), ("cancun", 20), ("osaka", 21)];
const CALLED: [u8; 20] = [0xaa; 20];

fn forks(rules: &str) -> Vec<u8> {
    let fraction = if ["cancun", "osaka"].contains(&rules) { 5_007_716 } else { 0 };
    let entry = [Rlp::str(rules), Rlp::str("block"), Rlp::uint(0), Rlp::uint(fraction)];
    Rlp::list([Rlp::list(entry)]).encode()
}

/// The header of a block with so many fields.
fn block(fields: usize, root: [u8; 32]) -> Vec<u8> {
    let zero = hex::encode(&[0; 32]);
    let mut json = json!({
        "parentHash": hex::encode(&[0x11; 32]),
        "sha3Uncles": zero,
        "miner": hex::encode(&[0xc0; 20]),
        "stateRoot": hex::encode(&root),
        "transactionsRoot": zero,
        "receiptsRoot": zero,
        "logsBloom": hex::encode(&[0; 256]),
        "difficulty": "0x0",
        "number": "0x4e20",
        "gasLimit": "0x2255100",
        "gasUsed": "0x0",
        "timestamp": "0x6553f100",
        "extraData": "0x",
        "mixHash": hex::encode(&[0x3a; 32]),
        "nonce": "0x0000000000000000",
    });
    let later = [
        ("baseFeePerGas", json!("0x7")),
        ("withdrawalsRoot", json!(zero)),
        ("blobGasUsed", json!("0x0")),
        ("excessBlobGas", json!("0x0")),
        ("parentBeaconBlockRoot", json!(zero)),
        ("requestsHash", json!(zero)),
    ];
    for (name, value) in later.into_iter().take(fields - 15) {
        json[name] = value;
    }
    header::execution(&json)
}

/// Runs a request and checks the form of what comes.
fn run(forks: &[u8], request: &[u8]) -> Value {
    let text = lightproof_evm::interface::run(&ETHEREUM.encode(), forks, request, &());
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

fuzz_target!(|data: &[u8]| {
    let [rules, mask, length, rest @ ..] = data else { return };
    if *rules >= 0xc0 {
        run(&forks("osaka"), data);
        return;
    }
    let (rules, fields) = RULES[usize::from(*rules) % RULES.len()];
    let (code, input) = rest.split_at(usize::from(*length).min(rest.len()));
    let account = |nonce, code: &[u8]| Account {
        nonce,
        balance: 9,
        storage: (0..4_u8)
            .map(|key| ([[0; 31].as_slice(), &[key]].concat().try_into().unwrap(), vec![key + 1]))
            .collect(),
        code: code.to_vec(),
    };
    let other = [0xf3_u8].iter().chain(code).copied().collect::<Vec<_>>();
    let mut accounts = BTreeMap::from([(CALLED, account(1, code)), ([0xc0; 20], account(0, &[]))]);
    for number in 1..9_u8 {
        accounts.insert([number; 20], account(1, &other));
    }
    let state = State::new(accounts.clone());
    let mut nodes = Vec::new();
    for (address, account) in &accounts {
        let slots = account.storage.keys().map(|key| key.to_vec()).collect();
        let proof = state.prove(&Query { address: address.to_vec(), slots, want_code: false });
        nodes.extend(proof.nodes);
        nodes.extend(proof.slots.into_iter().flat_map(|slot| slot.nodes));
    }
    nodes.sort_unstable();
    nodes.dedup();
    let header = block(fields, state.root());
    let request = |nodes: &[Vec<u8>], codes: &[&[u8]]| {
        let call = [
            Rlp::str([0; 20]),
            Rlp::str(CALLED),
            Rlp::uint(1 << 18),
            Rlp::uint(0),
            Rlp::uint(0),
            Rlp::str(input),
            Rlp::list([]),
        ];
        Rlp::list([
            Rlp::list([Rlp::str(keccak(&header)), Rlp::strings([&header])]),
            Rlp::list([Rlp::strings(nodes), Rlp::strings(codes), Rlp::list([])]),
            Rlp::list([]),
            Rlp::list([Rlp::list(call)]),
            Rlp::list([Rlp::uint(1 << 18), Rlp::uint(1 << 20), Rlp::uint(64)]),
            Rlp::list([Rlp::list([]), Rlp::list((0..7).map(|_| Rlp::list([])))]),
            Rlp::uint(0),
        ])
        .encode()
    };
    let forks = forks(rules);
    let whole = run(&forks, &request(&nodes, &[code, &other]));
    let kept: Vec<_> =
        nodes.into_iter().filter(|node| keccak(node)[0] & mask != *mask || *mask == 0).collect();
    let codes: &[&[u8]] = if mask & 1 == 0 { &[code, &other] } else { &[code] };
    let part = run(&forks, &request(&kept, codes));
    assert!(part == whole || part["status"] == "missing", "{part} {whole}");
});
