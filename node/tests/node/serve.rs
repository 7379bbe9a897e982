//! `lightproof-node serve`: readers as programs, beside writers that are killed.

use std::path::Path;
use std::time::Duration;

use lightproof_prover::chain::workload::population::Population;
use lightproof_prover::hex;
use lightproof_prover::rlp::Item;
use lightproof_prover::rng::Rng;
use lightproof_prover::system::cole::prove::Query;
use lightproof_prover::system::lmpt::prove::{Question, encode};
use serde_json::{Value, json};

use crate::kills::kills;
use crate::program::Node;
use crate::s3::{self, BUCKET, S3};

/// The default of `--seed`.
const SEED: u64 = 7;
const CHAIN: [&str; 6] =
    ["--systems", "cole,lmpt,mpt,verkle", "--cole-memory", "40", "--lmpt-interval", "3"];

fn start(command: &str, store: &Path, more: &[&str]) -> Node {
    Node::start(&arguments(command, &url(store), more))
}

/// As `start`, of a store whose credentials are in the environment.
fn start_in(environment: &[(&str, &str)], arguments: &[&str]) -> Node {
    let mut node = Node::launch_in(environment, arguments);
    node.ready = serde_json::from_str(&node.events.recv().expect("the node ended")).unwrap();
    node
}

fn url(store: &Path) -> String {
    format!("file://{}", store.display())
}

fn arguments<'a>(command: &'a str, url: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&[command, "--store", url], &CHAIN[..], more].concat()
}

/// The next block that a node announces: number and hash.
fn next(node: &Node) -> (u64, String) {
    let event: Value = serde_json::from_str(&node.events.recv().expect("the node ended")).unwrap();
    (event["number"].as_u64().unwrap(), event["hash"].as_str().unwrap().to_owned())
}

fn until(node: &Node, number: u64) -> String {
    loop {
        let (shown, hash) = next(node);
        if shown >= number {
            return hash;
        }
    }
}

/// Replies about the state after a block.
fn replies(node: &Node, hash: &str) -> Vec<Value> {
    let sample = &Population::new(SEED, 0).samples()[3];
    let key: [u8; 52] = [sample.address.as_slice(), &sample.slots[0]].concat().try_into().unwrap();
    let block = json!({ "blockHash": hash });
    let history = Query { as_of: true, address: key, from: u32::MAX, to: u32::MAX };
    let layered = encode(&[Question { key: key.to_vec(), storage_roots: false }]);
    let list = Item::List(vec![Item::bytes(key)]).encode();
    [
        ("eth_getProof", json!([hex::encode(&key[..20]), [hex::encode(&key[20..])], block])),
        ("lp_getProof", json!(["cole", hex::encode(&history.encode()), block])),
        ("lp_getProof", json!(["lmpt", hex::encode(&layered), block])),
        ("lp_getProof", json!(["verkle", hex::encode(&list), block])),
        ("lp_getHeader", json!([hash])),
        ("lp_getBootstrap", json!([hash])),
    ]
    .map(|(method, params)| {
        let reply = node.call(method, &params);
        assert!(reply.get("error").is_none(), "{method}: {reply}");
        reply
    })
    .into()
}

#[test]
fn readers_outlive_the_writer_and_follow_the_next_one() {
    let store = tempfile::tempdir().unwrap();
    let times = ["--block-time-ms", "60", "--genesis-time", "1700000000"];
    let mut writer = start("run", store.path(), &times);
    let readers = [(); 2].map(|()| start("serve", store.path(), &["--poll-ms", "20"]));
    let told = ["genesisHash", "chainId", "systems", "consensus"];
    for reader in &readers {
        assert_eq!(told.map(|key| &reader.ready[key]), told.map(|key| &writer.ready[key]));
        until(reader, 5);
    }
    writer.child.kill().unwrap();
    writer.child.wait().unwrap();
    let announced = writer.events.iter().last().unwrap();
    let announced: Value = serde_json::from_str(&announced).unwrap();
    let (number, hash) = (announced["number"].as_u64().unwrap(), &announced["hash"]);
    // What the writer announced is in the store, and each reader comes to it.
    let ready = |reader: &Node| reader.call("lp_getHeader", &json!([hash]))["result"].is_string();
    while !readers.iter().all(ready) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let hash = hash.as_str().unwrap();
    let [first, second] = [0, 1].map(|at: usize| replies(&readers[at], hash));
    assert_eq!(first, second);

    let writer = start("run", store.path(), &times);
    assert!(writer.ready["head"]["number"].as_u64().unwrap() >= number);
    assert_eq!(writer.ready["genesisHash"], readers[0].ready["genesisHash"]);
    // The same answers about an old block and about new ones.
    assert_eq!(replies(&writer, hash), first);
    for reader in &readers {
        let hash = until(reader, number + 4);
        assert_eq!(replies(reader, &hash), replies(&writer, &hash));
    }
}

#[test]
fn a_reader_that_is_killed_changes_nothing() {
    let store = tempfile::tempdir().unwrap();
    readers_are_killed("of a directory", &[], &url(store.path()));
}

#[test]
fn a_reader_that_is_killed_on_s3_changes_nothing() {
    let Some(program) = s3::program() else { return };
    let server = S3::start(&program);
    readers_are_killed("on S3", &server.environment(), &format!("s3://{BUCKET}/readers"));
}

fn readers_are_killed(place: &str, environment: &[(&str, &str)], url: &str) {
    let times = ["--block-time-ms", "60", "--genesis-time", "1700000000"];
    let writer = start_in(environment, &arguments("run", url, &times));
    let reading = arguments("serve", url, &["--poll-ms", "20"]);
    let mut rng = Rng::new(5, "reader-kills", 0);
    for round in 0..kills(20) {
        let mut reader = Node::launch_in(environment, &reading);
        if round % 2 == 0 {
            // Killed while it follows; else while it opens the store.
            reader.events.recv().expect("the reader ended");
        }
        std::thread::sleep(Duration::from_millis(rng.below(80)));
        reader.child.kill().unwrap();
    }
    let head = writer.events.try_iter().count() as u64;
    let reader = start_in(environment, &reading);
    let hash = until(&reader, head + 3);
    assert_eq!(replies(&reader, &hash), replies(&writer, &hash));
    println!("readers {place}: {} kills, {head} blocks meanwhile", kills(20));
}
