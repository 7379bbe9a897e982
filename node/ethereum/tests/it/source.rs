//! The full node on a followed chain: all six systems commit what the blocks changed.

use super::support::code::EMPTY_AT;
use super::support::followed::{blocks, file, genesis, open, serve, source};
use super::support::node::Broken;
use super::support::{Grown, seal};
use alloy_primitives::B256;
use lightproof_ethereum::block::Block;
use lightproof_node::system;
use lightproof_prover::chain::database::Chain as Full;
use lightproof_prover::chain::header::Header;
use serde_json::Value;

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
    assert_eq!(node.chain_id(), super::support::CHAIN_ID);
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
    let workload = Full::of_workload(directory.path(), system::config(7, 64));
    assert!(workload.is_err());
}

#[test]
fn an_account_of_nothing_in_the_genesis_file_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let follow = source("http://127.0.0.1:1", &super::support::code::genesis());
    let found = Full::open_with(directory.path(), system::config(7, 64), &follow).unwrap_err();
    assert!(found.to_string().contains(&EMPTY_AT.to_string()), "{found}");
}
