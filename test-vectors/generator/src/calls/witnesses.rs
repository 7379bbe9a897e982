//! Witnesses that are whole, that lack something, or that hold something false.

use lightproof_prover::hex;
use lightproof_testkit::calls::{
    ABSENT, CALLED, CALLER, COINBASE, HISTORY_CODE, NUMBER, READER, Request, SIZED, World,
    block_hash, call, history, word,
};
use lightproof_testkit::{hex as digits, keccak};
use serde_json::{Value, json};

use super::{Answer, Case, case, item, refused};

const CALLED_CODE: &str = "60075460005260206000f3";
const SIZED_CODE: &str = "6001600255";

/// Returns, in seven words: its slot 0, the coinbase's balance, a code's hash, a code's size, the
/// hash of the third block before, the balance of an account that is not there, and what a contract
/// returns, which is its slot 7.
fn reader() -> String {
    let [called, sized, absent] =
        [CALLED, SIZED, ABSENT].map(|address| hex::encode(&address)[2..].to_owned());
    [
        "600054600052",
        "4131602052",
        &format!("73{called}3f604052"),
        &format!("73{sized}3b606052"),
        "600343034060805273",
        &absent,
        "3160a052",
        &format!("602060c06000600073{called}5afa50"),
        "60e06000f3",
    ]
    .concat()
}

fn world() -> World {
    let mut world = World::of("");
    world.contract(READER, &reader(), &[(0, vec![0x2a]), (1, vec![1])]);
    world.contract(CALLED, CALLED_CODE, &[(5, vec![5]), (6, vec![6])]);
    world.contract(SIZED, SIZED_CODE, &[]);
    world.contract(COINBASE, "", &[]);
    let third = NUMBER - 3;
    world.contract(history(), HISTORY_CODE, &[(third % 8191, block_hash(third).to_vec())]);
    for other in 1..12_u8 {
        world.contract([other; 20], "", &[]);
    }
    world
}

/// What the reader returns, from the world itself.
fn expected() -> Answer {
    let words = [
        word(0x2a),
        word(1),
        keccak(&digits::decode(CALLED_CODE)),
        word(5),
        block_hash(NUMBER - 3),
        word(0),
        word(0),
    ];
    Answer::Success(words.concat())
}

/// What the reader reads, in order, with what proves each.
fn reads(world: &World) -> Vec<(Value, Vec<Vec<u8>>)> {
    let account = |address| (item("account", address), world.proof(address, &[]));
    let slot = |address, key| {
        let mut slot = item("slot", address);
        slot["key"] = json!(hex::encode(&word(key)));
        (slot, world.proof(address, &[word(key).to_vec()]))
    };
    let code = |address, code: &str| {
        let code = digits::decode(code);
        let mut item = item("code", address);
        item["hash"] = json!(hex::encode(&keccak(&code)));
        (item, vec![code])
    };
    let third = NUMBER - 3;
    let hash = json!({ "kind": "blockHash", "number": format!("{third:#x}") });
    vec![
        account(READER),
        code(READER, &reader()),
        slot(READER, 0),
        account(COINBASE),
        account(CALLED),
        account(SIZED),
        code(SIZED, SIZED_CODE),
        (hash, world.proof(history(), &[word(third % 8191).to_vec()])),
        account(ABSENT),
        code(CALLED, CALLED_CODE),
        slot(CALLED, 7),
    ]
}

/// Of every node and every code, a request without it.
fn omitted() -> Vec<Case> {
    let world = world();
    let (whole, reads) = (world.request(call()), reads(&world));
    let answer = |gone: &Vec<u8>| {
        let first = reads.iter().find(|(_, proof)| proof.contains(gone));
        first.map_or_else(expected, |(item, _)| Answer::Missing(item.clone()))
    };
    let mut cases = Vec::new();
    for at in 0..whole.nodes.len() {
        let mut request = whole.clone();
        let gone = request.nodes.remove(at);
        cases.push(case("Omitted", &format!("without node {at}"), request, answer(&gone)));
    }
    for at in 0..whole.codes.len() {
        let mut request = whole.clone();
        let gone = request.codes.remove(at);
        // The history contract's code is not read: its hash is known.
        cases.push(case("Omitted", &format!("without code {at}"), request, answer(&gone)));
    }
    let mut nothing = whole;
    (nothing.nodes, nothing.codes) = (Vec::new(), Vec::new());
    let first = Answer::Missing(item("account", READER));
    cases.push(case("Omitted", "without anything", nothing, first));
    cases
}

fn swapped() -> Vec<Case> {
    let world = world();
    let whole = world.request(call());
    let place = |of: &[Vec<u8>], what: &[u8]| of.iter().position(|one| one == what).unwrap_or(0);
    let mut code = whole.clone();
    let at = place(&code.codes, &digits::decode(CALLED_CODE));
    code.codes[at] = digits::decode("602a60005260206000f3");
    let mut called = item("code", CALLED);
    called["hash"] = json!(hex::encode(&keccak(&digits::decode(CALLED_CODE))));
    let mut hash = whole.clone();
    let leaf = world.proof(CALLED, &[]).pop().unwrap_or_default();
    let at = place(&hash.nodes, &leaf);
    // The last byte of the account is the last one of its code's hash.
    if let Some(last) = hash.nodes[at].last_mut() {
        *last ^= 1;
    }
    let mut later = world.clone();
    later.contract(READER, &reader(), &[(0, vec![0x2b]), (1, vec![1])]);
    let mut state = whole.clone();
    state.nodes = later.request(call()).nodes;
    let mut junk = whole.clone();
    junk.nodes.extend([vec![0xc0], vec![0x80], vec![], vec![0xff; 600]]);
    junk.codes.push(vec![0xef; 3]);
    let mut long = whole.clone();
    long.nodes.push(vec![0; 601]);
    vec![
        case("Honest", "every kind of item", whole, expected()),
        case("Code", "a code that hashes otherwise", code, Answer::Missing(called)),
        case(
            "Swapped",
            "an account with another code hash",
            hash,
            Answer::Missing(item("account", CALLED)),
        ),
        case(
            "Swapped",
            "the state of another block",
            state,
            Answer::Missing(item("account", READER)),
        ),
        case("Honest", "nodes and codes that nothing refers to", junk, expected()),
        refused("Request", "a node of 601 bytes", long, "decode.limit"),
    ]
}

/// A request without an account's leaf.
fn without(world: &World, hidden: [u8; 20], from: [u8; 20], value: u64) -> Request {
    let mut request = request_from(world, from, value);
    let leaf = world.proof(hidden, &[]).pop();
    request.nodes.retain(|node| Some(node) != leaf.as_ref());
    request
}

fn request_from(world: &World, from: [u8; 20], value: u64) -> Request {
    let mut request = world.request(call());
    (request.calls[0].from, request.calls[0].value) = (from, value);
    request
}

/// The caller's account is needed where it is read, and nowhere else.
fn callers() -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, code) in [("ORIGIN", "323160005260206000f3"), ("CALLER", "333160005260206000f3")] {
        let mut world = World::of(code);
        world.contract(CALLER, "", &[]);
        let own = Answer::Missing(item("account", CALLER));
        let comment = format!("the balance of {name}");
        cases.push(case(
            "Honest",
            &comment,
            request_from(&world, CALLER, 0),
            Answer::Success(word(1).to_vec()),
        ));
        let comment = format!("{comment} without a proof of it");
        cases.push(case("Omitted", &comment, without(&world, CALLER, CALLER, 0), own));
    }
    cases.extend(warm_caller());
    let mut world = World::of("3460005260206000f3");
    world.contract(CALLER, "", &[]);
    let one = Answer::Success(word(1).to_vec());
    let zero = Answer::Success(word(0).to_vec());
    let own = Answer::Missing(item("account", CALLER));
    cases.extend([
        case("Honest", "a wei that the caller has", request_from(&world, CALLER, 1), one),
        case(
            "Honest",
            "no wei of a caller without proof",
            without(&world, CALLER, CALLER, 0),
            zero,
        ),
        case("Omitted", "a wei of a caller without proof", without(&world, CALLER, CALLER, 1), own),
        case(
            "Request",
            "two wei of a caller that has one",
            request_from(&world, CALLER, 2),
            Answer::Refused("call.refused"),
        ),
    ]);
    cases
}

/// The caller is warm (EIP-2929), also where it was not read before and less gas is left than a cold
/// read costs.
fn warm_caller() -> [Case; 2] {
    let called = hex::encode(&CALLED);
    // Calls CALLED with 1,000 gas; returns whether that went well.
    let mut world =
        World::of(&format!("{}73{}6103e8f160005260206000f3", "6000".repeat(5), &called[2..]));
    world.contract(CALLER, "", &[]);
    // The balance of ORIGIN.
    world.contract(CALLED, "323150", &[]);
    let comment = "the balance of ORIGIN with 1,000 gas";
    let hidden = without(&world, CALLER, CALLER, 0);
    let missing = Answer::Missing(item("account", CALLER));
    [
        case("Honest", comment, request_from(&world, CALLER, 0), Answer::Success(word(1).to_vec())),
        case("Omitted", &format!("{comment} without a proof of it"), hidden, missing),
    ]
}

/// CREATE2 of nothing by READER, and EIP-7702: what is there already, and whose code runs.
fn accounts() -> Vec<Case> {
    let parts: [&[u8]; 4] = [&[0xff], &READER, &[0; 32], &keccak(&[])];
    let mut created = [0; 20];
    created.copy_from_slice(&keccak(&parts.concat())[12..]);
    let mut padded = vec![0; 12];
    padded.extend(created);
    let code = "6000600060006000f560005260206000f3";
    let empty = World::of(code);
    let mut stored = World::of(code);
    stored.contract(created, "", &[(0, vec![1])]);
    if let Some(account) = stored.accounts.get_mut(&created) {
        account.nonce = 0;
    }
    let hidden = without(&stored, created, [0; 20], 0);
    let to = |address: [u8; 20]| format!("ef0100{}", &hex::encode(&address)[2..]);
    let mut delegated = World::of(&to(CALLED));
    delegated.contract(CALLED, "602a5f5260205ff3", &[]);
    let mut unknown = delegated.request(call());
    unknown.codes.retain(|code| *code != digits::decode("602a5f5260205ff3"));
    let mut run = item("code", CALLED);
    run["hash"] = json!(hex::encode(&keccak(&digits::decode("602a5f5260205ff3"))));
    let mut identity = [0; 20];
    identity[19] = 4;
    let mut nothing = World::of(&to(identity)).request(call());
    nothing.calls[0].data = vec![7];
    vec![
        case("Honest", "a contract is created", empty.request(call()), Answer::Success(padded)),
        case(
            "Honest",
            "storage alone is in the way of a creation (EIP-7610)",
            stored.request(call()),
            Answer::Success(word(0).to_vec()),
        ),
        case(
            "Omitted",
            "whether anything is in the way of a creation",
            hidden,
            Answer::Missing(item("account", created)),
        ),
        case(
            "Honest",
            "an account that delegates (EIP-7702)",
            delegated.request(call()),
            Answer::Success(word(42).to_vec()),
        ),
        case(
            "Omitted",
            "the delegate's account",
            without(&delegated, CALLED, [0; 20], 0),
            Answer::Missing(item("account", CALLED)),
        ),
        case("Omitted", "the delegate's code", unknown, Answer::Missing(run)),
        case(
            "Honest",
            "a precompiled contract is no delegate",
            nothing,
            Answer::Success(Vec::new()),
        ),
    ]
}

pub(super) fn cases() -> Vec<Case> {
    let mut cases = swapped();
    cases.extend(omitted());
    cases.extend(callers());
    cases.extend(accounts());
    cases
}
