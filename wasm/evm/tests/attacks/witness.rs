//! Witnesses that lack something, or hold something false.

use std::collections::BTreeSet;

use lightproof_testkit::{hex, keccak};
use serde_json::{Value, json};

use super::world::{
    ABSENT, CALLED, CALLER, COINBASE, HISTORY_CODE, NUMBER, READER, Request, SIZED, World,
    block_hash, call, forks, history, run, word,
};

/// Returns, in seven words: its slot 0, the coinbase's balance, a code's hash, a code's size, the hash
/// of the third block before, the balance of an account that is not there, and what a contract
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

/// The seven words, from the world itself.
fn expected() -> Vec<u8> {
    [
        word(0x2a),
        word(1),
        keccak(&hex::decode(CALLED_CODE)),
        word(5),
        block_hash(NUMBER - 3),
        word(0),
        word(0),
    ]
    .concat()
}

#[test]
fn a_whole_witness_gives_what_the_state_holds() {
    assert_eq!(world().request(call()).output(), expected());
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

#[test]
fn every_kind_of_item_is_named() {
    let world = world();
    for address in [READER, COINBASE, CALLED, SIZED] {
        assert_eq!(without(&world, address).missing(), missing("account", address));
    }
    let mut request = world.request(call());
    request.codes.retain(|code| *code != hex::decode("6001600255"));
    let mut code = missing("code", SIZED);
    code["hash"] = json!(hex::encode(&keccak(&hex::decode("6001600255"))));
    assert_eq!(request.missing(), code);

    let mut request = world.request(call());
    let root = world.proof(READER, &[word(0).to_vec()]).into_iter().find(|node| {
        // The root of the storage trie is the node that the account names.
        let leaf = world.proof(READER, &[]).pop().unwrap();
        leaf.windows(32).any(|window| window == keccak(node))
    });
    request.nodes.retain(|node| Some(node) != root.as_ref());
    let mut slot = missing("slot", READER);
    slot["key"] = json!(hex::encode(&word(0)));
    assert_eq!(request.missing(), slot);

    let expected = json!({ "kind": "blockHash", "number": format!("{:#x}", NUMBER - 3) });
    assert_eq!(without(&world, history()).missing(), expected);
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

#[test]
fn code_that_hashes_otherwise_is_not_run() {
    let mut request = world().request(call());
    let at = request.codes.iter().position(|code| *code == hex::decode(CALLED_CODE)).unwrap();
    request.codes[at] = hex::decode("602a60005260206000f3");
    assert_eq!(request.missing()["kind"], "code");
}

#[test]
fn an_account_with_a_false_code_hash_is_unknown() {
    let world = world();
    let mut request = world.request(call());
    let leaf = world.proof(CALLED, &[]).pop().unwrap();
    let at = request.nodes.iter().position(|node| *node == leaf).unwrap();
    let last = request.nodes[at].len() - 1;
    request.nodes[at][last] ^= 1;
    assert_eq!(request.missing(), missing("account", CALLED));
}

#[test]
fn state_of_another_block_proves_nothing() {
    let mut later = world();
    later.contract(READER, &reader(), &[(0, vec![0x2b])]);
    let mut request = world().request(call());
    request.nodes = later.request(call()).nodes;
    assert_eq!(request.missing(), missing("account", READER));
}

/// A node under the trusted root that is no node cannot be; a bag may hold anything else.
#[test]
fn nodes_that_nothing_refers_to_change_nothing() {
    let mut request = world().request(call());
    request.nodes.extend([vec![0xc0], vec![0x80], vec![], vec![0xff; 600]]);
    request.codes.push(vec![0xef; 3]);
    assert_eq!(request.output(), expected());
    request.nodes.push(vec![0; 601]);
    assert_eq!(request.first()["code"], "decode.limit");
}

#[test]
fn a_caller_is_needed_where_it_is_read_and_nowhere_else() {
    let own = World::of("4260005260206000f3");
    assert!(own.request(call()).output() == word(0x6553_f100));
    // Its balance, by ORIGIN and by CALLER; with a proof that it is not there, zero.
    for code in ["323160005260206000f3", "333160005260206000f3"] {
        let mut world = World::of(code);
        world.contract(CALLER, "", &[]);
        let mut from = call();
        from.from = CALLER;
        let mut request = world.request(from);
        assert_eq!(request.output(), word(1));
        let leaf = world.proof(CALLER, &[]).pop().unwrap();
        request.nodes.retain(|node| *node != leaf);
        assert_eq!(request.missing(), missing("account", CALLER));
    }
}

#[test]
fn value_has_to_be_there() {
    let mut world = World::of("3460005260206000f3");
    world.contract(CALLER, "", &[]);
    let mut from = call();
    (from.from, from.value) = (CALLER, 1);
    assert_eq!(world.request(from.clone()).output(), word(1));
    assert_eq!(without(&world, CALLER).first()["status"], "success");
    let mut request = world.request(from.clone());
    let leaf = world.proof(CALLER, &[]).pop().unwrap();
    request.nodes.retain(|node| *node != leaf);
    assert_eq!(request.missing(), missing("account", CALLER));
    from.value = 2;
    assert_eq!(world.request(from).first()["code"], "call.refused");
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
