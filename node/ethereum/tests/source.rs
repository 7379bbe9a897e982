//! The full node on a followed chain: all six systems commit what the blocks changed.

mod support;

use std::path::Path;
use std::time::Duration;

use alloy_primitives::{Address, B256};
use lightproof_ethereum::block::Block;
use lightproof_ethereum::follow::Options;
use lightproof_ethereum::genesis::Genesis;
use lightproof_node::ethereum::Ethereum;
use lightproof_node::node::Node as Full;
use lightproof_node::system;
use lightproof_prover::chain::header::Header;
use serde_json::Value;
use support::code::{EMPTY_AT, MARK_AT, SELF_DESTRUCT, TOKEN, TOKEN_AT, deploy};
use support::node::{Broken, Node, Served};
use support::transactions::{call, create, delegate, token_input};
use support::{Grown, Key, seal};

fn file() -> Value {
    let mut file = support::code::genesis();
    file["alloc"].as_object_mut().unwrap().remove(&EMPTY_AT.to_string());
    file
}

fn genesis(file: &Value) -> Genesis {
    Genesis::parse(file.to_string().as_bytes()).unwrap()
}

/// Block 0 and four with a deployed token, moved tokens, a deleted account and a delegation.
fn blocks() -> Vec<Block> {
    let genesis = genesis(&file());
    let mut chain = Grown::new(&genesis);
    let [a, b] = [Key::new(1), Key::new(2)];
    let withdrawals = Some(Vec::new().into());
    let body = alloy_consensus::BlockBody { withdrawals, ..Default::default() };
    let mut all = vec![seal(genesis.header, body)];
    let steps = [
        vec![create(&a, 0, 0, &deploy(TOKEN)), call(&a, 1, a.address.create(2), 9, &[])],
        vec![call(&b, 0, TOKEN_AT, 0, &token_input(a.address, 5)), create(&a, 2, 1, SELF_DESTRUCT)],
        vec![delegate(&a, 3, &b, 1, MARK_AT)],
        vec![call(&a, 4, Address::repeat_byte(7), 1, &[]), call(&a, 5, b.address, 0, &[])],
    ];
    for transactions in steps {
        let block = chain.build(transactions, Vec::new());
        chain.extend(&block);
        all.push(block);
    }
    all
}

fn serve(blocks: &[Block]) -> Node {
    let blocks = blocks.to_vec();
    Node::start(Served { finalized: blocks.len() - 1, blocks, raw: true, broken: None })
}

fn source(url: &str, file: &Value) -> Ethereum {
    let options = Options { timeout: Duration::from_mins(1), ..Options::default() };
    Ethereum::new(genesis(file), &[url.to_owned()], options).unwrap()
}

fn open(directory: &Path, source: &Ethereum) -> Full {
    Full::open_with(directory, system::config(7, 64), source).unwrap()
}

fn head(node: &Full) -> Header {
    let snapshot = node.snapshot().unwrap();
    snapshot.header(snapshot.head()).unwrap().unwrap()
}

fn assert_follows(header: &Header, block: &Block) {
    assert_eq!(header.number, block.header.number);
    assert_eq!((header.origin, header.timestamp), (block.hash.0, block.header.timestamp));
    let names: Vec<_> = header.commitments.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["balanceproofs", "cole", "lmpt", "lvmt", "mpt", "verkle"]);
    assert_eq!(header.commitments[4].1, block.header.state_root.to_vec());
}

#[test]
fn six_systems_commit_every_block_of_a_followed_chain_across_a_restart() {
    let all = blocks();
    let upstream = serve(&all);
    let directory = tempfile::tempdir().unwrap();
    let mut follow = source(&upstream.url, &file());
    let node = open(directory.path(), &follow);
    assert_follows(&head(&node), &all[0]);
    assert_eq!(node.chain_id(), support::CHAIN_ID);
    for header in node.advance(&mut follow, 2).unwrap() {
        assert_follows(&header, &all[usize::try_from(header.number).unwrap()]);
    }
    drop(node);
    // The parent's header is not stored: its hash is, and a node tells the rest.
    let mut follow = source(&upstream.url, &file());
    let node = open(directory.path(), &follow);
    assert_eq!(node.advance(&mut follow, 9).unwrap().len(), 2);
    assert_follows(&head(&node), &all[4]);
    assert!(node.advance(&mut follow, 9).unwrap().is_empty());
    upstream.change(|served| served.broken = Some(Broken::Body(Vec::new())));
    assert!(node.advance(&mut follow, 9).unwrap().is_empty());
}

#[test]
fn a_block_that_lies_about_its_state_stops_the_node_and_leaves_nothing() {
    let all = blocks();
    for field in ["stateRoot", "gasUsed"] {
        let mut forged = all.clone();
        let mut header = forged[2].header.clone();
        match field {
            "stateRoot" => header.state_root = B256::repeat_byte(1),
            _ => header.gas_used += 1,
        }
        forged[2] = seal(header, forged[2].body.clone());
        forged.truncate(3);
        let upstream = serve(&forged);
        let directory = tempfile::tempdir().unwrap();
        let mut follow = source(&upstream.url, &file());
        let node = open(directory.path(), &follow);
        node.advance(&mut follow, 1).unwrap();
        let found = node.advance(&mut follow, 1).unwrap_err().to_string();
        assert!(
            found.contains("block 2") && found.contains(&format!("{field}: expected")),
            "{found}"
        );
        assert_follows(&head(&node), &all[1]);
    }
}

#[test]
fn a_reorganization_stops_the_node() {
    let all = blocks();
    let upstream = serve(&all);
    let directory = tempfile::tempdir().unwrap();
    let mut follow = source(&upstream.url, &file());
    let node = open(directory.path(), &follow);
    node.advance(&mut follow, 9).unwrap();
    let mut chain = Grown::new(&genesis(&file()));
    let other: Vec<_> = (0..5)
        .map(|_| {
            let block = chain.build(Vec::new(), Vec::new());
            chain.extend(&block);
            block
        })
        .collect();
    upstream.change(|served| {
        served.blocks.truncate(1);
        served.blocks.extend(other.clone());
        served.finalized = 5;
    });
    let found = node.advance(&mut follow, 9).unwrap_err().to_string();
    for part in ["reorganized", "block 4", &all[4].hash.to_string(), &other[3].hash.to_string()] {
        assert!(found.contains(part), "{found}");
    }
    assert_follows(&head(&node), &all[4]);
}

#[test]
fn a_directory_is_of_one_chain_and_one_configuration() {
    let upstream = serve(&blocks());
    let directory = tempfile::tempdir().unwrap();
    drop(open(directory.path(), &source(&upstream.url, &file())));
    let mut rules = file();
    rules["config"]["osakaTime"] = Value::Null;
    let mut state = file();
    state["timestamp"] = "0x65".into();
    for (other, why) in [(rules, "configuration"), (state, "origin")] {
        let follow = source(&upstream.url, &other);
        let found = Full::open_with(directory.path(), system::config(7, 64), &follow).unwrap_err();
        assert!(found.to_string().contains(why), "{found}");
    }
    let workload = Full::open(directory.path(), system::config(7, 64));
    assert!(workload.is_err());
}

#[test]
fn an_account_of_nothing_in_the_genesis_file_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let follow = source("http://127.0.0.1:1", &support::code::genesis());
    let found = Full::open_with(directory.path(), system::config(7, 64), &follow).unwrap_err();
    assert!(found.to_string().contains(&EMPTY_AT.to_string()), "{found}");
}
