//! JSON-RPC over HTTP: methods, block tags, batches, limits and errors.

use crate::http::Server;
use lightproof_node::rpc::{MAX_BATCH, MAX_BODY};
use lightproof_node::system::Selection;
use lightproof_prover::chain::header::Header;
use lightproof_prover::chain::workload::population::Population;
use lightproof_prover::hash::keccak256;
use lightproof_prover::hex;
use serde_json::{Value, json};

const BLOCKS: u64 = 12;
const WINDOW: u64 = 8;

fn server() -> Server {
    Server::start(BLOCKS, WINDOW)
}

fn sample(index: usize) -> (String, Vec<String>) {
    let sample = Population::new(7, 0).samples()[index].clone();
    (hex::encode(&sample.address), sample.slots.iter().map(|slot| hex::encode(slot)).collect())
}

fn code_of(reply: &Value) -> i64 {
    reply["error"]["code"].as_i64().unwrap_or_else(|| panic!("no error: {reply}"))
}

#[test]
fn wallets_find_the_methods_that_they_call() {
    let server = server();
    let (contract, slots) = sample(2);
    assert_eq!(server.result("eth_chainId", json!([])), "0x4c50");
    assert_eq!(server.result("net_version", json!([])), "19536");
    assert!(
        server
            .result("web3_clientVersion", json!([]))
            .as_str()
            .unwrap()
            .starts_with("lightproof-node/")
    );
    assert_eq!(server.result("eth_blockNumber", json!([])), "0xc");
    let balance = server.result("eth_getBalance", json!([sample(0).0, "latest"]));
    assert!(balance.as_str().unwrap().len() > 10, "{balance}");
    assert!(server.result("eth_getTransactionCount", json!([sample(0).0, "latest"])).is_string());
    assert!(
        server
            .result("eth_getCode", json!([contract, "latest"]))
            .as_str()
            .unwrap()
            .starts_with("0x6080")
    );
    assert_eq!(server.result("eth_getCode", json!([sample(0).0])), "0x");
    let value = server.result("eth_getStorageAt", json!([contract, slots[0], "latest"]));
    assert_eq!(value.as_str().unwrap().len(), 66);
    // A quantity names the same slot as its 32 bytes.
    let (counter, low) = sample(3);
    let short = server.result("eth_getStorageAt", json!([counter, "0x1", "latest"]));
    assert_eq!(short, server.result("eth_getStorageAt", json!([counter, low[1], "latest"])));
    assert_ne!(short, json!(hex::encode(&[0; 32])));
    assert_eq!(server.result("eth_getBalance", json!([sample(7).0, "latest"])), "0x0");
}

#[test]
fn a_proof_has_the_form_of_eip_1186() {
    let server = server();
    let (contract, slots) = sample(2);
    let block = server.result("eth_getBlockByNumber", json!(["latest", false]));
    let proof =
        server.result("eth_getProof", json!([contract, slots, { "blockHash": block["hash"] }]));
    assert_eq!(proof["address"], json!(contract));
    let root = hex::decode(proof["accountProof"][0].as_str().unwrap()).unwrap();
    assert_eq!(block["stateRoot"], json!(hex::encode(&keccak256(&root))));
    let storage = proof["storageProof"].as_array().unwrap();
    assert_eq!(storage.iter().map(|slot| slot["key"].as_str().unwrap()).collect::<Vec<_>>(), slots);
    assert_eq!(storage[2]["value"], "0x0");
    assert_eq!(storage[0]["value"].as_str().unwrap(), {
        let word = server.result("eth_getStorageAt", json!([contract, slots[0], "latest"]));
        hex::quantity_of_bytes(&hex::decode(word.as_str().unwrap()).unwrap())
    });
    // Keys come back in the form in which they were asked.
    let short = server.result("eth_getProof", json!([contract, ["0x0", "0x01"], "latest"]));
    assert_eq!(short["storageProof"][0]["key"], "0x0");
    assert_eq!(short["storageProof"][1]["key"], "0x1");
    let absent = server.result("eth_getProof", json!([sample(7).0, [slots[0]], "latest"]));
    assert_eq!((&absent["balance"], &absent["nonce"]), (&json!("0x0"), &json!("0x0")));
    assert_eq!(absent["storageProof"][0]["proof"], json!([]));
}

#[test]
fn blocks_are_found_by_tag_number_and_hash() {
    let server = server();
    let latest = server.result("eth_getBlockByNumber", json!(["latest", false]));
    for tag in ["safe", "finalized", "pending", "0xc"] {
        assert_eq!(server.result("eth_getBlockByNumber", json!([tag, false])), latest);
    }
    assert_eq!(server.result("eth_getBlockByHash", json!([latest["hash"], false])), latest);
    let genesis = server.result("eth_getBlockByNumber", json!(["earliest", false]));
    assert_eq!(genesis["number"], "0x0");
    assert_eq!(server.result("eth_getBlockByNumber", json!(["0xd", false])), Value::Null);
    assert_eq!(
        server.result("eth_getBlockByHash", json!([hex::encode(&[1; 32]), false])),
        Value::Null
    );
    // The same state by number, hash and EIP-1898 object.
    let (address, _) = sample(0);
    let by_number = server.result("eth_getProof", json!([address, [], "0xc"]));
    for block in [
        json!("latest"),
        latest["hash"].clone(),
        json!({ "blockHash": latest["hash"] }),
        json!({ "blockNumber": "0xc" }),
        Value::Null,
    ] {
        assert_eq!(server.result("eth_getProof", json!([address, [], block])), by_number);
    }
}

#[test]
fn headers_hash_and_link() {
    let server = server();
    let rlps = server.result("lp_getHeaders", json!(["0x0", 100]));
    let headers: Vec<Header> = rlps
        .as_array()
        .unwrap()
        .iter()
        .map(|rlp| Header::decode(&hex::decode(rlp.as_str().unwrap()).unwrap()).unwrap())
        .collect();
    assert_eq!(headers.len(), 13);
    for pair in headers.windows(2) {
        assert_eq!((pair[1].parent_hash, pair[1].number), (pair[0].hash(), pair[0].number + 1));
    }
    let status = server.result("lp_status", json!([]));
    assert_eq!(status["genesisHash"], json!(hex::encode(&headers[0].hash())));
    assert_eq!(
        status["head"],
        json!({ "number": "0xc", "hash": hex::encode(&headers[12].hash()) })
    );
    assert_eq!(status["systems"]["mpt"]["window"], json!(["0x5", "0xc"]));
    assert_eq!(server.result("lp_getHeader", json!([status["head"]["hash"]])), rlps[12]);
    assert_eq!(server.result("lp_getHeader", json!([hex::encode(&[1; 32])])), Value::Null);
    assert_eq!(server.result("lp_getHeaders", json!([11, "0x1"])), json!([rlps[11]]));
    assert_eq!(server.result("lp_getHeaders", json!(["0xffffffffffffffff", "0x5"])), json!([]));
}

#[test]
fn what_needs_signatures_is_empty() {
    let server = server();
    let genesis = server.result("lp_status", json!([]))["genesisHash"].clone();
    assert_eq!(server.result("lp_getBootstrap", json!([genesis])), Value::Null);
    assert_eq!(server.result("lp_getFinality", json!([])), Value::Null);
    assert_eq!(server.result("lp_getUpdates", json!([0, 128])), json!([]));
    assert_eq!(server.result("lp_status", json!([]))["finalized"], Value::Null);
}

#[test]
fn errors_say_what_to_change() {
    let server = server();
    let all: Vec<_> = Selection::all().names().collect();
    let (address, _) = sample(0);
    let word = hex::encode(&[1; 32]);
    let head = server.result("lp_status", json!([]))["head"]["hash"].clone();
    let cases = [
        ("eth_nonsense", json!([]), -32_601, Value::Null),
        ("eth_getBalance", json!([]), -32_602, json!({ "field": "address" })),
        ("eth_getBalance", json!(["0x1234"]), -32_602, json!({ "field": "address" })),
        ("eth_getBalance", json!([address, "0x01"]), -32_602, json!({ "field": "block" })),
        ("eth_getBalance", json!([address, "newest"]), -32_602, json!({ "field": "block" })),
        ("eth_getBalance", json!([address, "latest", 1]), -32_602, json!({ "field": "params" })),
        ("eth_getBalance", json!({ "address": address }), -32_602, json!({ "field": "params" })),
        ("eth_getBalance", json!([address, "0xd"]), -32_011, json!({})),
        ("eth_getBalance", json!([address, word]), -32_011, json!({})),
        ("eth_getBalance", json!([address, "0x4"]), -32_012, json!({ "from": "0x5", "to": "0xc" })),
        (
            "eth_getProof",
            json!([address, "0x0", "latest"]),
            -32_602,
            json!({ "field": "storageKeys" }),
        ),
        (
            "eth_getProof",
            json!([address, [format!("0x{}", "0".repeat(66))]]),
            -32_602,
            json!({ "field": "storageKeys" }),
        ),
        (
            "eth_getProof",
            json!([address, vec!["0x0"; 1_025]]),
            -32_005,
            json!({ "limit": "keys", "max": 1_024 }),
        ),
        ("lp_getHeaders", json!([0, 1_025]), -32_005, json!({ "limit": "headers", "max": 1_024 })),
        ("lp_getHeaders", json!([0]), -32_602, json!({ "field": "count" })),
        ("lp_getHeader", json!(["0x12"]), -32_602, json!({ "field": "hash" })),
        ("lp_getParams", json!([word]), -32_602, json!({ "field": "digest" })),
        ("lp_getUpdates", json!([0, 129]), -32_005, json!({ "limit": "updates", "max": 128 })),
        ("lp_getBootstrap", json!([word]), -32_011, json!({})),
        ("lp_getProof", json!(["mpt", "0x", {}]), -32_602, json!({ "field": "system" })),
        ("lp_getProof", json!(["nonsense", "0x", {}]), -32_014, json!({ "systems": all })),
        ("lp_getProof", json!(["cole", "0x", {}]), -32_602, json!({ "field": "blockHash" })),
        ("lp_getProof", json!(["cole", "0x", { "blockHash": word }]), -32_011, json!({})),
        (
            "lp_getProof",
            json!(["cole", "0x", { "blockHash": head, "variants": ["hinted"] }]),
            -32_015,
            json!({ "variants": ["plain"] }),
        ),
        (
            "lp_getProof",
            json!(["cole", "0x", { "blockHash": head, "variants": [] }]),
            -32_015,
            json!({ "variants": ["plain"] }),
        ),
        (
            "lp_getProof",
            json!(["cole", "0x", { "blockHash": head, "variants": ["plain", 1] }]),
            -32_602,
            json!({ "field": "variants" }),
        ),
        (
            "lp_getProof",
            json!(["cole", "0xc0", { "blockHash": head }]),
            -32_602,
            json!({ "field": "query" }),
        ),
    ];
    for (method, params, code, data) in cases {
        let reply = server.call(method, params.clone());
        assert_eq!(
            (code_of(&reply), &reply["error"]["data"]),
            (code, &data),
            "{method} {params}: {reply}"
        );
        assert!(!reply["error"]["message"].as_str().unwrap().is_empty());
    }
}

#[test]
fn batches_keep_their_order_and_answer_only_what_has_an_id() {
    let server = server();
    let call = |id: Value, method: &str| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": [] });
    let notification = json!({ "jsonrpc": "2.0", "method": "eth_chainId" });
    let replies = server.post(&json!([call(json!(7), "eth_chainId"), notification, call(json!("x"), "eth_no"), 5, call(json!({}), "a"), { "id": 3 }]));
    let ids: Vec<&Value> = replies.as_array().unwrap().iter().map(|reply| &reply["id"]).collect();
    assert_eq!(ids, [&json!(7), &json!("x"), &Value::Null, &Value::Null, &json!(3)]);
    assert_eq!(replies[0]["result"], "0x4c50");
    assert_eq!(code_of(&replies[1]), -32_601);
    for reply in [&replies[2], &replies[3], &replies[4]] {
        assert_eq!(code_of(reply), -32_600);
    }
    assert_eq!(code_of(&server.post(&json!([]))), -32_600);
    let many = vec![call(json!(1), "eth_chainId"); MAX_BATCH + 1];
    let reply = server.post(&json!(many));
    assert_eq!((code_of(&reply), &reply["error"]["data"]["limit"]), (-32_005, &json!("batch")));
    assert_eq!(server.post(&json!(many[1..])).as_array().unwrap().len(), MAX_BATCH);
    let (head, body) = server.request("POST / HTTP/1.1", notification.to_string().as_bytes());
    assert!(head.starts_with("HTTP/1.1 204") && body.is_empty(), "{head}");
}

#[test]
fn a_response_does_not_grow_without_bound() {
    let server = server();
    let (contract, _) = sample(2);
    let keys: Vec<String> = (0..1_024).map(|key| format!("{key:#x}")).collect();
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "eth_getProof", "params": [contract, keys, "latest"] });
    let one = server.post(&call).to_string().len();
    let count = (lightproof_node::rpc::MAX_RESPONSE / one + 4).min(MAX_BATCH);
    let replies = server.post(&json!(vec![call; count]));
    let refused =
        replies.as_array().unwrap().iter().filter(|reply| reply.get("error").is_some()).count();
    assert!((1..=4).contains(&refused), "{refused} of {count}");
    assert_eq!(replies[count - 1]["error"]["data"]["limit"], "response");
}

#[test]
fn bodies_that_are_no_request_get_an_answer() {
    let server = server();
    for body in ["", "{", "[1,", "\u{feff}{}", &"[".repeat(200_000)] {
        let (_, reply) = server.request("POST / HTTP/1.1", body.as_bytes());
        assert_eq!(code_of(&serde_json::from_str(&reply).unwrap()), -32_700, "{reply}");
    }
    for body in ["5", "\"x\"", "null", "{}", r#"{"jsonrpc":"1.0","id":1,"method":"eth_chainId"}"#] {
        let (_, reply) = server.request("POST / HTTP/1.1", body.as_bytes());
        assert_eq!(code_of(&serde_json::from_str(&reply).unwrap()), -32_600, "{reply}");
    }
    let (head, reply) = server.request("POST / HTTP/1.1", &vec![b' '; MAX_BODY + 1]);
    assert!(head.starts_with("HTTP/1.1 413"), "{head}");
    assert_eq!(code_of(&serde_json::from_str(&reply).unwrap()), -32_005);
}

#[test]
fn pages_of_every_origin_may_ask() {
    let server = server();
    let preflight = "OPTIONS / HTTP/1.1\r\norigin: https://wallet.example\r\naccess-control-request-method: POST\r\naccess-control-request-headers: content-type\r\naccess-control-request-private-network: true";
    let (head, _) = server.request(preflight, b"");
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    for header in [
        "access-control-allow-origin: *",
        "access-control-allow-headers: content-type",
        "access-control-allow-private-network: true",
    ] {
        assert!(head.contains(header), "{head}");
    }
    // Errors can be read as well.
    let (head, _) = server
        .request("POST / HTTP/1.1\r\norigin: https://wallet.example", &vec![b' '; MAX_BODY + 1]);
    assert!(head.contains("access-control-allow-origin: *"), "{head}");
    let (head, body) = server.request("GET / HTTP/1.1", b"");
    assert!(head.starts_with("HTTP/1.1 200") && body.contains("JSON-RPC"), "{head}");
}

#[test]
fn a_snapshot_does_not_move_while_the_chain_grows() {
    let server = server();
    let snapshot = server.service.snapshot().unwrap();
    server.service.node().produce(3).unwrap();
    let number = |snapshot| server.service.call(snapshot, "eth_blockNumber", &Value::Null).unwrap();
    assert_eq!(number(&snapshot), "0xc");
    assert_eq!(number(&server.service.snapshot().unwrap()), "0xf");
}
