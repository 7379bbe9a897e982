//! What a node answers of the chain that it follows.

use super::support::Key;
use super::support::code::TOKEN_AT;
use super::support::followed::{blocks, file, serve, source};
use super::support::node::Node;
use alloy_consensus::proofs::calculate_receipt_root;
use alloy_consensus::{Receipt, ReceiptEnvelope, TxEnvelope};
use alloy_primitives::{B256, keccak256};
use lightproof_ethereum::block::Block;
use lightproof_node::ethereum::Ethereum;
use lightproof_node::rpc;
use lightproof_node::system;
use lightproof_prover::chain::database::Chain as Full;
use serde_json::{Value, json};

/// A node that follows all blocks, and what it follows.
struct Scene {
    all: Vec<Block>,
    node: Full,
    directory: tempfile::TempDir,
    upstream: Node,
}

fn scene(window: u64) -> Scene {
    let all = blocks();
    let upstream = serve(&all);
    let directory = tempfile::tempdir().unwrap();
    let mut follow: Ethereum = source(&upstream.url, &file());
    let node = Full::open_with(directory.path(), system::config(7, window), &follow).unwrap();
    assert_eq!(node.advance(&mut follow, 9).unwrap().len(), 4);
    Scene { all, node, directory, upstream }
}

fn try_ask(node: &Full, method: &str, params: &Value) -> Result<Value, i64> {
    rpc::ask(node, method, params).map_err(|error| error.code)
}

#[expect(clippy::needless_pass_by_value, reason = "made where it is passed")]
fn ask(node: &Full, method: &str, params: Value) -> Value {
    try_ask(node, method, &params).unwrap()
}

fn quantity(number: usize) -> String {
    format!("0x{number:x}")
}

/// The block that an answer says: its header hashes to the hash, its lists to the header's roots.
fn rebuilt(node: &Full, answer: &Value) -> Block {
    let block = Block::from_json(answer).unwrap();
    assert_eq!(answer["hash"], json!(block.hash));
    let transactions =
        alloy_consensus::proofs::calculate_transaction_root(&block.body.transactions);
    assert_eq!(transactions, block.header.transactions_root);
    let receipts = ask(node, "eth_getBlockReceipts", json!([block.hash]));
    let receipts: Vec<_> = receipts.as_array().unwrap().iter().map(receipt).collect();
    assert_eq!(calculate_receipt_root(&receipts), block.header.receipts_root);
    block
}

fn receipt(answer: &Value) -> ReceiptEnvelope {
    let number = |key: &str| u64::from_str_radix(&answer[key].as_str().unwrap()[2..], 16).unwrap();
    let logs = answer["logs"].as_array().unwrap().iter().map(|log| {
        let topics = serde_json::from_value(log["topics"].clone()).unwrap();
        let data = serde_json::from_value(log["data"].clone()).unwrap();
        let address = serde_json::from_value(log["address"].clone()).unwrap();
        alloy_primitives::Log::new(address, topics, data).unwrap()
    });
    let receipt = Receipt {
        status: (number("status") == 1).into(),
        cumulative_gas_used: number("cumulativeGasUsed"),
        logs: logs.collect(),
    };
    let kind = u8::try_from(number("type")).unwrap().try_into().unwrap();
    ReceiptEnvelope::from_typed(kind, receipt)
}

#[test]
fn blocks_are_those_of_the_chain_under_its_own_hashes() {
    let Scene { all, node, .. } = scene(64);
    for (number, block) in all.iter().enumerate() {
        let by_number = ask(&node, "eth_getBlockByNumber", json!([quantity(number), true]));
        assert_eq!(ask(&node, "eth_getBlockByHash", json!([block.hash, true])), by_number);
        assert_eq!(&rebuilt(&node, &by_number), block);
        let bare = ask(&node, "eth_getBlockByHash", json!([block.hash, false]));
        let hashes: Vec<_> = block.body.transactions.iter().map(TxEnvelope::tx_hash).collect();
        assert_eq!(bare["transactions"], json!(hashes));
        assert_eq!(bare["withdrawals"], json!([]));
        for (at, hash) in hashes.into_iter().enumerate() {
            let transaction = ask(&node, "eth_getTransactionByHash", json!([hash]));
            assert_eq!(transaction, by_number["transactions"][at]);
            let receipts = ask(&node, "eth_getBlockReceipts", json!([quantity(number)]));
            let receipt = ask(&node, "eth_getTransactionReceipt", json!([hash]));
            assert_eq!(receipt, receipts[at]);
        }
    }
    for (tag, number) in [("latest", 4), ("finalized", 4), ("earliest", 0)] {
        let block = ask(&node, "eth_getBlockByNumber", json!([tag, false]));
        assert_eq!(block["hash"], json!(all[number].hash), "{tag}");
    }
}

#[test]
fn a_block_has_a_header_of_its_own_chain_and_one_of_ours() {
    let Scene { all, node, .. } = scene(64);
    let address = Key::new(1).address;
    let snapshot = node.snapshot().unwrap();
    for (number, block) in all.iter().enumerate() {
        let ours = snapshot.header(number as u64).unwrap().unwrap();
        assert_eq!(ours.origin, block.hash.0);
        let hash = B256::from(ours.hash());
        assert_eq!(hash, keccak256(ours.encode()));
        // A proof by either hash, and a header by its own hash alone.
        let proof = |hash| ask(&node, "eth_getProof", json!([address, [], { "blockHash": hash }]));
        assert_eq!(proof(hash), proof(block.hash));
        assert!(ask(&node, "eth_getBlockByHash", json!([hash, false])).is_null());
        assert!(ask(&node, "eth_getBlockReceipts", json!([hash])).is_null());
        assert!(ask(&node, "lp_getHeader", json!([block.hash])).is_null());
        assert!(ask(&node, "lp_getHeader", json!([hash])).is_string());
    }
}

#[test]
fn what_the_chain_does_not_have_is_null() {
    let Scene { all, node, .. } = scene(64);
    let transaction = *all[1].body.transactions[0].tx_hash();
    for (method, params) in [
        ("eth_getBlockByNumber", json!(["0x5", true])),
        ("eth_getBlockByNumber", json!(["0xffffffffffffffff", true])),
        ("eth_getBlockByHash", json!([transaction, true])),
        ("eth_getBlockReceipts", json!(["0x5"])),
        ("eth_getBlockReceipts", json!([transaction])),
        ("eth_getTransactionByHash", json!([all[1].hash])),
        ("eth_getTransactionReceipt", json!([all[1].hash])),
    ] {
        assert!(ask(&node, method, params).is_null(), "{method}");
    }
}

#[test]
fn parameters_that_mean_nothing_are_refused() {
    let Scene { all, node, .. } = scene(64);
    let hash = all[1].hash;
    for (method, params) in [
        ("eth_getBlockByNumber", json!([hash, true])),
        ("eth_getBlockByNumber", json!(["0x1", "yes"])),
        ("eth_getBlockByNumber", json!(["0x1", true, 1])),
        ("eth_getBlockByHash", json!(["0x1", true])),
        ("eth_getBlockReceipts", json!([7])),
        ("eth_getTransactionByHash", json!([])),
        ("eth_getTransactionReceipt", json!([hash, 1])),
        ("eth_getLogs", json!([])),
        ("eth_getLogs", json!([{ "address": "0x12" }])),
        ("eth_getLogs", json!([{ "topics": hash }])),
        ("eth_getLogs", json!([{ "topics": [1] }])),
        ("eth_getLogs", json!([{ "topics": [null, null, null, null, null] }])),
        ("eth_getLogs", json!([{ "topics": [vec![hash; 1_001]] }])),
        ("eth_getLogs", json!([{ "fromBlock": "0x2", "toBlock": "0x1" }])),
        ("eth_getLogs", json!([{ "fromBlock": "0x2", "toBlock": "0x5" }])),
        ("eth_getLogs", json!([{ "fromBlock": "0x2", "blockHash": hash }])),
        ("eth_getLogs", json!([{ "blockHash": "0x2" }])),
    ] {
        assert_eq!(try_ask(&node, method, &params), Err(-32_602), "{method} {params}");
    }
    let unknown = json!([{ "blockHash": B256::ZERO }]);
    assert_eq!(try_ask(&node, "eth_getLogs", &unknown), Err(-32_011));
}

#[test]
fn logs_are_those_of_the_receipts_that_the_filter_wants() {
    let Scene { all, node, .. } = scene(64);
    let mut every = Vec::new();
    for number in 0..all.len() {
        let receipts = ask(&node, "eth_getBlockReceipts", json!([quantity(number)]));
        for receipt in receipts.as_array().unwrap() {
            every.extend(receipt["logs"].as_array().unwrap().clone());
        }
    }
    assert_eq!(every.len(), 1);
    let found = |filter: Value| {
        let mut filter = filter;
        if filter["blockHash"].is_null() {
            filter["fromBlock"] = json!("earliest");
        }
        ask(&node, "eth_getLogs", json!([filter]))
    };
    let (log, none) = (json!(every), json!([]));
    let [topic, other] = [every[0]["topics"][0].clone(), json!(B256::ZERO)];
    let elsewhere = Key::new(1).address;
    for (filter, expected) in [
        (json!({}), &log),
        (json!({ "address": TOKEN_AT }), &log),
        (json!({ "address": [elsewhere, TOKEN_AT], "topics": [] }), &log),
        (json!({ "address": elsewhere }), &none),
        (json!({ "address": [] }), &log),
        (json!({ "topics": [topic] }), &log),
        (json!({ "topics": [[other, topic]] }), &log),
        (json!({ "topics": [null] }), &log),
        (json!({ "topics": [[]] }), &log),
        (json!({ "topics": [other] }), &none),
        (json!({ "topics": [topic, null] }), &none),
        (json!({ "blockHash": every[0]["blockHash"] }), &log),
        (json!({ "blockHash": all[1].hash }), &none),
        (json!({ "toBlock": "0x1" }), &none),
    ] {
        assert_eq!(&found(filter.clone()), expected, "{filter}");
    }
    // Without a range: the head alone.
    assert_eq!(ask(&node, "eth_getLogs", json!([{}])), none);
}

#[test]
fn contents_are_kept_across_a_restart_and_leave_with_the_window() {
    let Scene { all, node, directory, upstream } = scene(3);
    drop(node);
    let follow = source(&upstream.url, &file());
    assert!(
        Full::open_with(directory.path(), system::config(7, 64), &follow).is_err(),
        "another window"
    );
    let node = Full::open_with(directory.path(), system::config(7, 3), &follow).unwrap();
    for (number, block) in all.iter().enumerate() {
        let by_number = json!([quantity(number), true]);
        let by_hash = ask(&node, "eth_getBlockByHash", json!([block.hash, true]));
        let transaction = block.body.transactions.first().map(|one| *one.tx_hash());
        let transaction =
            ask(&node, "eth_getTransactionByHash", json!([transaction.unwrap_or_default()]));
        let range = json!([{ "fromBlock": quantity(number), "toBlock": quantity(number) }]);
        if number < 2 {
            for (method, params) in [
                ("eth_getBlockByNumber", &by_number),
                ("eth_getBlockReceipts", &json!([quantity(number)])),
                ("eth_getLogs", &range),
            ] {
                assert_eq!(try_ask(&node, method, params), Err(-32_012), "{method} {number}");
            }
            assert!(by_hash.is_null() && transaction.is_null());
        } else {
            assert_eq!(&rebuilt(&node, &by_hash), block);
            assert_eq!(ask(&node, "eth_getBlockByNumber", by_number), by_hash);
            assert_eq!(transaction["blockHash"], json!(block.hash));
            assert!(ask(&node, "eth_getLogs", range).is_array());
        }
    }
}

#[test]
fn a_chain_that_follows_no_other_has_no_such_blocks() {
    let directory = tempfile::tempdir().unwrap();
    let node = Full::of_workload(directory.path(), system::config(7, 64)).unwrap();
    node.produce(1).unwrap();
    let head = node.snapshot().unwrap().header(1).unwrap().unwrap();
    let block = ask(&node, "eth_getBlockByNumber", json!(["latest", true]));
    assert_eq!(block["hash"], json!(B256::from(head.hash())));
    for method in ["eth_getBlockReceipts", "eth_getLogs", "eth_getTransactionReceipt"] {
        assert_eq!(try_ask(&node, method, &json!([])), Err(-32_601), "{method}");
    }
}
