//! Calls on the state of the chain that a node follows, and what it hands over of them.

use super::support::Key;
use super::support::code::{MARK_AT, TOKEN, TOKEN_AT};
use super::support::followed::{blocks, file, serve, source};
use super::support::transactions::token_input;
use alloy_primitives::{Address, U256, keccak256};
use lightproof_core::Chain;
use lightproof_core::hash::Hash;
use lightproof_ethereum::block::Block;
use lightproof_evm::{Answer, Call, Forks, Limits, Machine, Native, State, Status};
use lightproof_node::rpc;
use lightproof_node::system;
use lightproof_prover::chain::database::Chain as Full;
use lightproof_prover::hex;
use lightproof_prover::rlp::Item;
use serde_json::{Value, json};

struct Scene {
    all: Vec<Block>,
    node: Full,
    _directory: tempfile::TempDir,
}

fn scene() -> Scene {
    let all = blocks();
    let upstream = serve(&all);
    let directory = tempfile::tempdir().unwrap();
    let mut follow = source(&upstream.url, &file());
    let node = Full::open_with(directory.path(), system::config(7, 64), &follow).unwrap();
    assert_eq!(node.advance(&mut follow, 9).unwrap().len(), 4);
    Scene { all, node, _directory: directory }
}

fn ask(node: &Full, method: &str, params: &Value) -> Result<Value, (i64, Value)> {
    let answer = rpc::ask(node, method, params);
    answer.map_err(|error| (error.code, error.data.unwrap_or_default()))
}

/// Returns NUMBER, the hash of the block two before, and the hash of the token's code.
fn reader() -> String {
    format!("0x435f52600243034060205273{TOKEN_AT:x}3f60405260605ff3")
}

fn word(number: u64) -> [u8; 32] {
    U256::from(number).to_be_bytes()
}

#[test]
fn a_call_reads_the_state_and_the_block_that_is_named() {
    let Scene { all, node, .. } = scene();
    let call = json!({ "data": reader() });
    for (block, number) in [
        (json!("latest"), 4),
        (json!("0x3"), 3),
        (json!(all[2].hash), 2),
        (json!({ "blockHash": all[2].hash }), 2),
    ] {
        let output = ask(&node, "eth_call", &json!([call, block])).unwrap();
        let before = all[number - 2].hash.0;
        let expected = [word(number as u64), before, keccak256(TOKEN).0].concat();
        assert_eq!(output, json!(hex::encode(&expected)), "{block}");
    }
    assert_eq!(ask(&node, "eth_call", &json!([{ "to": MARK_AT }])).unwrap(), json!("0x"));
}

#[test]
fn a_revert_is_geths_error_and_other_ends_are_too() {
    let Scene { node, .. } = scene();
    let reverts = json!([{ "data": "0x602a5f5260205ffd" }]);
    for method in ["eth_call", "eth_estimateGas"] {
        let data = json!(hex::encode(&word(42)));
        assert_eq!(ask(&node, method, &reverts), Err((3, data)));
        let invalid = json!([{ "data": "0xfe" }]);
        assert_eq!(ask(&node, method, &invalid), Err((-32_000, Value::Null)));
        // More than anybody has.
        let poor = json!([{ "to": MARK_AT, "from": Address::repeat_byte(9), "value": "0x1" }]);
        assert_eq!(ask(&node, method, &poor).unwrap_err().0, -32_000);
    }
}

#[test]
fn an_estimate_is_the_least_that_is_enough() {
    let Scene { node, .. } = scene();
    let from = Key::new(1).address;
    let input = hex::encode(&token_input(Address::repeat_byte(0x77), 5));
    let mut call = json!({ "from": from, "to": TOKEN_AT, "input": input });
    let estimate = ask(&node, "eth_estimateGas", &json!([call])).unwrap();
    let least = hex::decode_quantity(estimate.as_str().unwrap()).unwrap();
    // A transaction, two slots of which one is new, and a log.
    assert!((45_000..60_000).contains(&least), "{least}");
    call["gas"] = estimate;
    assert!(ask(&node, "eth_call", &json!([call])).is_ok());
    call["gas"] = json!(hex::quantity(least - 1));
    assert_eq!(ask(&node, "eth_call", &json!([call])).unwrap_err().0, -32_000);
}

#[test]
fn an_access_list_names_what_is_read() {
    let Scene { node, .. } = scene();
    let (from, to) = (Key::new(1).address, Address::repeat_byte(0x77));
    let input = hex::encode(&token_input(to, 5));
    let call = json!({ "from": from, "to": TOKEN_AT, "input": input });
    let answer = ask(&node, "eth_createAccessList", &json!([call])).unwrap();
    let mut keys = [from.into_word(), to.into_word()];
    keys.sort_unstable();
    let address = hex::encode(TOKEN_AT.as_slice());
    assert_eq!(answer["accessList"], json!([{ "address": address, "storageKeys": keys }]));
    let other = json!({ "data": reader() });
    let answer = ask(&node, "eth_createAccessList", &json!([other])).unwrap();
    assert_eq!(answer["accessList"][0]["address"], json!(address));
}

/// A client that has the header and the node's witness alone.
fn replay(node: &Full, block: &Block, nodes: &[Vec<u8>], codes: &[Vec<u8>], call: &Call) -> Answer {
    let genesis = node.snapshot().unwrap().header(0).unwrap().unwrap().origin;
    let fields = vec![Item::bytes("ethereum"), Item::uint(node.chain_id()), Item::bytes(genesis)];
    let chain = Chain::from_rlp(&Item::List(fields).encode()).unwrap();
    let forks = Forks::from_rlp(&node.snapshot().unwrap().forks().unwrap()).unwrap();
    let header = alloy_rlp::encode(&block.header);
    let block = lightproof_evm::Block::new(&chain, &forks, Hash(block.hash.0), &header).unwrap();
    let mut state = State::default();
    for node in nodes {
        state.add_node(node).unwrap();
    }
    for code in codes {
        state.add_code(code).unwrap();
    }
    Machine::new(state, block, &Native).call(call, &Limits::default())
}

#[test]
fn the_proof_of_a_call_is_all_that_it_reads_and_no_more() {
    let Scene { all, node, .. } = scene();
    let [from, to] = [Key::new(1).address, Address::repeat_byte(0x77)];
    let input = token_input(to, 5);
    for (call, json) in [
        (
            Call {
                from,
                to: Some(TOKEN_AT),
                data: input.clone().into(),
                gas: 50_000_000,
                ..Call::default()
            },
            json!({ "from": from, "to": TOKEN_AT, "input": hex::encode(&input) }),
        ),
        (
            Call {
                data: hex::decode(&reader()).unwrap().into(),
                gas: 50_000_000,
                ..Call::default()
            },
            json!({ "data": reader() }),
        ),
    ] {
        let block = all.last().unwrap();
        let params = json!([json, { "blockHash": block.hash }]);
        let answer = ask(&node, "lp_callProof", &params).unwrap();
        let list = |key: &str| -> Vec<Vec<u8>> {
            let list = answer[key].as_array().unwrap().iter();
            list.map(|bytes| hex::decode(bytes.as_str().unwrap()).unwrap()).collect()
        };
        let (nodes, codes) = (list("state"), list("codes"));
        let Answer::Done(done) = replay(&node, block, &nodes, &codes, &call) else {
            panic!("the witness lacks something");
        };
        assert_eq!(done.status, Status::Success);
        for at in 0..nodes.len() {
            let mut less = nodes.clone();
            less.remove(at);
            let answer = replay(&node, block, &less, &codes, &call);
            assert!(matches!(answer, Answer::Missing(_)), "node {at} is not needed");
        }
        for at in 0..codes.len() {
            let mut less = codes.clone();
            less.remove(at);
            let answer = replay(&node, block, &nodes, &less, &call);
            assert!(matches!(answer, Answer::Missing(_)), "code {at} is not needed");
        }
    }
}

#[test]
fn what_is_not_taken_is_refused_by_name() {
    let Scene { node, .. } = scene();
    for (params, field) in [
        (json!([]), "call"),
        (json!([{ "to": "0x12" }]), "to"),
        (json!([{ "gas": "12" }]), "gas"),
        (json!([{ "data": "0x12", "input": "0x34" }]), "data"),
        (json!([{ "authorizationList": [] }]), "authorizationList"),
        (json!([{ "accessList": [{}] }]), "accessList"),
        (json!([{}, "latest", {}]), "params"),
        (json!([{}, 7]), "block"),
    ] {
        for method in ["eth_call", "eth_estimateGas", "eth_createAccessList", "lp_callProof"] {
            let refused = ask(&node, method, &params).unwrap_err();
            assert_eq!(refused, (-32_602, json!({ "field": field })), "{method} {params}");
        }
    }
    assert_eq!(ask(&node, "eth_call", &json!([{}, "0x5"])).unwrap_err().0, -32_011);
}

/// A node of the workload has no block of Ethereum's to run a call in.
#[test]
fn a_node_that_follows_nothing_runs_no_calls() {
    let directory = tempfile::tempdir().unwrap();
    let node = Full::of_workload(directory.path(), system::config(7, 64)).unwrap();
    for method in ["eth_call", "lp_callProof"] {
        assert_eq!(ask(&node, method, &json!([{}])).unwrap_err().0, -32_601);
    }
}
