//! The full node beside a live geth: both give the same proofs, blocks, receipts and logs.

use super::support::Key;
use super::support::code::{DEPOSIT_AT, EMPTY_AT, SELF_DESTRUCT, TOKEN, TOKEN_AT, deploy};
use super::support::followed::file;
use super::support::geth::{Geth, program};
use super::support::transactions::{
    call, create, delegate, legacy, listed, raw, sent_blob, token_input,
};
use alloy_primitives::{Address, B256};
use lightproof_ethereum::follow::Options;
use lightproof_ethereum::genesis::Genesis;
use lightproof_node::ethereum::Ethereum;
use lightproof_node::rpc;
use lightproof_node::system;
use lightproof_prover::chain::database::Chain;
use serde_json::{Value, json};

/// Follows geth to its head.
fn beside(geth: &Geth) -> (Chain, tempfile::TempDir) {
    let genesis = Genesis::parse(file().to_string().as_bytes()).unwrap();
    let options = Options { depth: Some(0), ..Options::default() };
    let mut source = Ethereum::new(genesis, std::slice::from_ref(&geth.url), options).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let node = Chain::open_with(directory.path(), system::config(7, 64), &source).unwrap();
    let head = geth.number();
    assert_eq!(node.advance(&mut source, head).unwrap().len() as u64, head);
    (node, directory)
}

/// The answer of our node.
fn ask(node: &Chain, method: &str, params: &Value) -> Value {
    rpc::ask(node, method, params).unwrap()
}

#[test]
fn the_proofs_of_a_followed_chain_are_those_of_geth() {
    let Some(program) = program() else { return };
    let geth = Geth::start(&program, &file());
    let [a, b] = [Key::new(1), Key::new(2)];
    for step in 0..4 {
        let token = a.address.create(2 * step);
        let transactions = [
            create(&a, 2 * step, 0, &deploy(TOKEN)),
            call(&a, 2 * step + 1, TOKEN_AT, 0, &token_input(b.address, 1 + step)),
            call(&b, step, token, 3, &token_input(a.address, 0)),
        ];
        geth.send(&transactions.map(|one| raw(&one)));
    }
    let (node, _directory) = beside(&geth);
    let block = format!("0x{:x}", geth.number());
    let slots: Vec<_> = [a.address.into_word(), b.address.into_word(), B256::ZERO].into();
    for address in [a.address, b.address, TOKEN_AT, a.address.create(2), EMPTY_AT] {
        let params = json!([address, slots, block]);
        let ours = ask(&node, "eth_getProof", &params);
        let theirs = geth.rpc.call("eth_getProof", &params).unwrap();
        // geth writes other hashes for an account that is absent, which is what its proof shows.
        let present = if address == EMPTY_AT { &[][..] } else { &["codeHash", "storageHash"] };
        for key in ["accountProof", "balance", "nonce"].iter().chain(present) {
            assert_eq!(ours[key], theirs[key], "{address} {key}");
        }
        for (ours, theirs) in
            [0, 1, 2].map(|at| (&ours["storageProof"][at], &theirs["storageProof"][at]))
        {
            assert_eq!((&ours["value"], &ours["proof"]), (&theirs["value"], &theirs["proof"]));
        }
    }
}

/// A chain with transactions of every type, failures, contracts, logs and withdrawals.
fn busy(program: &std::path::Path) -> Geth {
    let geth = Geth::start(program, &file());
    let [a, b, c] = [Key::new(1), Key::new(2), Key::new(3)];
    geth.send(&[
        raw(&legacy(&a, 0, b.address, 1, true)),
        raw(&legacy(&a, 1, b.address, 1, false)),
        raw(&listed(&a, 2, TOKEN_AT, &token_input(b.address, 7))),
    ]);
    let withdrawal = json!({
        "index": "0x1", "validatorIndex": "0x2", "address": Address::repeat_byte(0x55),
        "amount": "0x3b9aca00",
    });
    geth.rpc.call("dev_addWithdrawal", &json!([withdrawal])).unwrap();
    geth.send(&[
        raw(&call(&b, 0, TOKEN_AT, 0, &token_input(a.address, 5))),
        raw(&call(&a, 3, TOKEN_AT, 0, &token_input(b.address, 1))),
        raw(&create(&b, 1, 0, &deploy(TOKEN))),
        // It fails: an operation that is none.
        raw(&create(&b, 2, 0, &[0xfe])),
        raw(&create(&b, 3, 5, SELF_DESTRUCT)),
        raw(&call(&b, 4, b.address.create(1), 0, &token_input(c.address, 0))),
    ]);
    geth.send(&[sent_blob(&c, 0, a.address), sent_blob(&c, 1, a.address)]);
    geth.send(&[raw(&delegate(&a, 4, &Key::new(8), 0, TOKEN_AT))]);
    geth.send(&[raw(&call(&a, 5, DEPOSIT_AT, 0, &super::support::code::deposit()))]);
    geth
}

#[test]
fn blocks_receipts_and_logs_of_a_followed_chain_are_those_of_geth() {
    let Some(program) = program() else { return };
    let geth = busy(&program);
    let (node, _directory) = beside(&geth);
    let same = |method: &str, params: Value| {
        let (ours, theirs) = (ask(&node, method, &params), geth.rpc.call(method, &params).unwrap());
        assert_eq!(sorted(&ours), sorted(&theirs), "{method} {params}");
        ours
    };
    let (mut types, mut logs, mut withdrawals) = (Vec::new(), 0, 0);
    for number in 0..=geth.number() + 1 {
        let number = format!("0x{number:x}");
        same("eth_getBlockByNumber", json!([number, false]));
        let block = same("eth_getBlockByNumber", json!([number, true]));
        let receipts = same("eth_getBlockReceipts", json!([number]));
        if block.is_null() {
            continue;
        }
        let hash = &block["hash"];
        same("eth_getBlockByHash", json!([hash, false]));
        same("eth_getBlockByHash", json!([hash, true]));
        same("eth_getBlockReceipts", json!([hash]));
        same("eth_getBlockReceipts", json!([{ "blockHash": hash }]));
        for transaction in block["transactions"].as_array().unwrap() {
            types.push(transaction["type"].clone());
            same("eth_getTransactionByHash", json!([transaction["hash"]]));
            same("eth_getTransactionReceipt", json!([transaction["hash"]]));
        }
        withdrawals += block["withdrawals"].as_array().unwrap().len();
        logs += same("eth_getLogs", json!([{ "blockHash": hash }])).as_array().unwrap().len();
        assert_eq!(
            receipts.as_array().unwrap().len(),
            block["transactions"].as_array().unwrap().len()
        );
    }
    for kind in ["0x0", "0x1", "0x2", "0x3", "0x4"] {
        assert!(types.contains(&json!(kind)), "{kind} is in no block");
    }
    assert!(logs >= 5 && withdrawals == 1, "{logs} logs, {withdrawals} withdrawals");
    let [a, b] = [1, 2].map(|seed| Key::new(seed).address.into_word());
    let head = format!("0x{:x}", geth.number());
    for filter in [
        json!({}),
        json!({ "address": TOKEN_AT }),
        json!({ "address": [TOKEN_AT, Key::new(2).address.create(1)] }),
        json!({ "address": Key::new(2).address }),
        json!({ "topics": [a] }),
        json!({ "topics": [[a, b]] }),
        json!({ "topics": [null] }),
        json!({ "topics": [[]] }),
        json!({ "topics": [a, null] }),
        json!({ "address": TOKEN_AT, "topics": [b] }),
        json!({ "toBlock": "0x1" }),
        json!({ "fromBlock": head, "toBlock": "latest" }),
    ] {
        let mut filter = filter;
        if filter["fromBlock"].is_null() {
            filter["fromBlock"] = json!("earliest");
        }
        same("eth_getLogs", json!([filter]));
    }
    same("eth_getLogs", json!([{}]));
    same("eth_getTransactionByHash", json!([B256::ZERO]));
    same("eth_getTransactionReceipt", json!([B256::ZERO]));
    same("eth_getBlockByHash", json!([B256::ZERO, true]));
    same("eth_getBlockReceipts", json!([B256::ZERO]));
    // Both refuse a range that goes on past the head.
    let beyond = json!([{ "fromBlock": head, "toBlock": "0xffff" }]);
    assert!(geth.rpc.call("eth_getLogs", &beyond).is_err());
    assert!(rpc::ask(&node, "eth_getLogs", &beyond).is_err());
}

/// JSON with the keys of objects in one order.
fn sorted(json: &Value) -> String {
    match json {
        Value::Array(all) => format!("[{}]", all.iter().map(sorted).collect::<Vec<_>>().join(", ")),
        Value::Object(object) => {
            let mut keys: Vec<_> =
                object.iter().map(|(key, value)| format!("{key}: {}", sorted(value))).collect();
            keys.sort_unstable();
            format!("{{{}}}", keys.join(", "))
        }
        other => other.to_string(),
    }
}
