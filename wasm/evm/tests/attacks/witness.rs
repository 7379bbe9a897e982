//! Witnesses that lack something, or hold something false.

use std::collections::BTreeSet;

use lightproof_testkit::{hex, keccak};
use serde_json::{Value, json};

use super::world::{
    ABSENT, CALLED, COINBASE, HISTORY_CODE, NUMBER, READER, Request, Run as _, SIZED, World,
    block_hash, call, forks, history, run, word,
};

/// Returns, in seven words: its slot 0, the coinbase's balance, a code's hash, a code's size, the
/// hash of the third block before, the balance of an account that is not there, and what a contract
/// returns, which is its slot 7.
fn reader() -> String {
    let [called, sized, absent] = [CALLED, SIZED, ABSENT].map(|address| hex::encode(&address));
    let [called, sized, absent] = [&called[2..], &sized[2..], &absent[2..]];
    [
        "600054600052",
        "4131602052",
        &format!("73{called}3f604052"),
        &format!("73{sized}3b606052"),
        "600343034060805273",
        absent,
        "3160a052",
        &format!("602060c06000600073{called}5afa50"),
        "60e06000f3",
    ]
    .concat()
}

const CALLED_CODE: &str = "60075460005260206000f3";

pub(super) fn world() -> World {
    let mut world = World::of("");
    world.contract(READER, &reader(), &[(0, vec![0x2a]), (1, vec![1]), (2, vec![2])]);
    world.contract(CALLED, CALLED_CODE, &[(5, vec![5]), (6, vec![6])]);
    world.contract(SIZED, "6001600255", &[]);
    world.contract(COINBASE, "", &[]);
    let third = NUMBER - 3;
    world.contract(history(), HISTORY_CODE, &[(third % 8191, block_hash(third).to_vec())]);
    for other in 1..40_u8 {
        world.contract([other; 20], "", &[]);
    }
    world
}

#[test]
fn an_item_that_lacks_stops_the_run_and_never_changes_it() {
    let whole = world().request(call());
    let honest = whole.first();
    let mut needed = 0;
    let mut less = |smaller: &Request| {
        let answer = smaller.first();
        if answer["status"] == "missing" {
            needed += 1;
        } else {
            assert_eq!(answer, honest);
        }
    };
    for index in 0..whole.nodes.len() {
        let mut smaller = whole.clone();
        smaller.nodes.remove(index);
        less(&smaller);
    }
    for index in 0..whole.codes.len() {
        let mut smaller = whole.clone();
        smaller.codes.remove(index);
        less(&smaller);
    }
    // Two storage roots of several slots, the history contract's one, six accounts, two codes that
    // are run and one that is measured.
    assert!(needed >= 12, "{needed}");
}

/// A world of few accounts, so that it is known which nodes prove what.
pub(super) fn without(world: &World, hidden: [u8; 20]) -> Request {
    let mut request = world.request(call());
    let leaf = world.proof(hidden, &[]).pop().unwrap();
    request.nodes.retain(|node| *node != leaf);
    request
}

pub(super) fn missing(kind: &str, address: [u8; 20]) -> Value {
    json!({ "kind": kind, "address": hex::encode(&address) })
}

/// An account that is not there has to be proven so: the nodes on its path end before it.
#[test]
fn absence_needs_a_proof() {
    for read in ["31", "3b", "3f"] {
        let absent = hex::encode(&ABSENT);
        let mut world = world();
        let code = format!("73{}{read}60005260206000f3", &absent[2..]);
        world.contract(READER, &code, &[]);
        let whole = world.request(call());
        assert_eq!(whole.output(), word(0));
        let path = world.proof(ABSENT, &[]);
        let reader: BTreeSet<_> = world.proof(READER, &[]).into_iter().collect();
        let own: Vec<_> = path.into_iter().filter(|node| !reader.contains(node)).collect();
        assert!(!own.is_empty(), "the paths part below the root");
        let mut request = whole;
        request.nodes.retain(|node| !own.contains(node));
        assert_eq!(request.missing(), missing("account", ABSENT));
    }
}

/// A client that starts from nothing and fetches what the answers name.
#[test]
fn rounds_lead_to_the_same_answer() {
    let world = world();
    let whole = world.request(call());
    let mut request = whole.clone();
    (request.nodes, request.codes) = (Vec::new(), Vec::new());
    for round in 0.. {
        assert!(round < 8, "too many rounds");
        let answer = request.first();
        if answer["status"] != "missing" {
            assert_eq!(answer, whole.first());
            break;
        }
        for item in answer["items"].as_array().unwrap() {
            let address = |item: &Value| hex::array::<20>(item["address"].as_str().unwrap());
            match item["kind"].as_str().unwrap() {
                "account" => request.nodes.extend(world.proof(address(item), &[])),
                "slot" => {
                    let key = hex::decode(item["key"].as_str().unwrap());
                    request.nodes.extend(world.proof(address(item), &[key]));
                }
                "code" => request.codes.push(world.accounts[&address(item)].code.clone()),
                "blockHash" => {
                    let number = hex::decode(item["number"].as_str().unwrap());
                    let number = number.iter().fold(0, |all, byte| all << 8 | u64::from(*byte));
                    request.nodes.extend(world.proof(history(), &[word(number % 8191).to_vec()]));
                }
                other => panic!("{other}"),
            }
        }
    }
}

/// No change of a byte gives another result; most give none.
#[test]
fn changed_bytes_never_give_another_result() {
    let table = forks(&[("prague", "block", 0, 5_007_716)]);
    let whole = world().request(call());
    let (bytes, honest) = (whole.encode(), whole.first());
    let mut seed = keccak(b"mutations");
    let mut others = 0;
    for round in 0..600_u32 {
        seed = keccak(&[&seed[..], &round.to_be_bytes()].concat());
        let number =
            |range: &[u8]| range.iter().fold(0, |all: usize, byte| all << 8 | usize::from(*byte));
        let mut changed = bytes.clone();
        // The call itself stands at the end: it is the caller's, and no lie.
        let at = number(&seed[..4]) % (bytes.len() - 120);
        match seed[8] % 4 {
            0 => changed[at] ^= 1 << (seed[9] % 8),
            1 => changed[at] = seed[10],
            2 => drop(changed.remove(at)),
            _ => changed.truncate(at),
        }
        let answer = run(&table, &changed, &());
        let first = if answer["answers"].is_array() { &answer["answers"][0] } else { &answer };
        let status = first["status"].as_str().unwrap();
        let same = *first == honest;
        assert!(same || ["missing", "rejected"].contains(&status), "{at}: {answer}");
        others += u32::from(!same);
    }
    assert!(others > 300, "{others}");
}
