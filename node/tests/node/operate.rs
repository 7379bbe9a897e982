//! The node as its operator sees it: log lines, and how it stops.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::http::request;
use crate::program::Node;
use crate::push::{PATIENCE, SECRET, block, try_push};

/// A node in a directory of its own, which listens for its operator too.
fn start(arguments: &[&str]) -> (Node, TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().display().to_string();
    let run = ["run", "--systems", "lmpt,mpt", "--metrics", "127.0.0.1:0", "--data", &data];
    (Node::start(&[&run, arguments].concat()), directory)
}

/// What `/ready` says.
fn ready(node: &Node, of: &str) -> String {
    request(node.address(of), "GET /ready HTTP/1.1", &[]).1
}

const ADDRESS: &str = "0x7a0b1c2d3e4f5061728394a5b6c7d8e9f0a1b2c3";
const SLOT: &str = "0x5151515151515151515151515151515151515151515151515151515151515151";

/// Calls about an account, right and wrong ones, by POST and by GET.
fn ask_about(node: &Node) {
    let call = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": ADDRESS, "method": method, "params": params });
    let hash = &node.ready["head"]["hash"];
    let query = format!("0xf7f5b4{}{}", &ADDRESS[2..], &SLOT[2..]);
    node.post(&json!([
        call("eth_getBalance", json!([ADDRESS, "latest"])),
        call("eth_getProof", json!([ADDRESS, [SLOT], "latest"])),
        call("eth_getStorageAt", json!([ADDRESS, SLOT, { "blockHash": ADDRESS }])),
        call("lp_getProof", json!(["lmpt", query, { "blockHash": hash }])),
        call("lp_getProof", json!([ADDRESS, query, { "blockHash": hash }])),
        call(ADDRESS, json!([ADDRESS])),
        ADDRESS,
    ]));
    let address = node.address("url");
    let path = format!("/eth_getCode?params=%5b%22{ADDRESS}%22%5d");
    request(address, &format!("GET {path} HTTP/1.1"), &[]);
    request(address, &format!("GET /{ADDRESS} HTTP/1.1"), &[]);
    request(address, "POST / HTTP/1.1", ADDRESS.as_bytes());
}

#[test]
fn logs_are_plain_or_json_and_have_no_parameters() {
    for format in ["text", "json"] {
        let arguments = ["--log", "trace", "--log-format", format, "--slow-ms", "0"];
        let (node, _directory) = start(&[&arguments[..], &["--block-time-ms", "50"]].concat());
        ask_about(&node);
        node.signal("-TERM");
        let (status, said, events) = node.end();
        assert!(status.success(), "{status}: {said}");
        let secret = [&ADDRESS[2..], &SLOT[2..]];
        assert!(secret.iter().all(|word| !said.contains(word)), "{said}");
        let lines: Vec<Value> = match format {
            "json" => said.lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
            _ => said.lines().map(|line| json!({ "message": line })).collect(),
        };
        let find = |words: &str| {
            let found = lines.iter().find(|line| line["message"].as_str().unwrap().contains(words));
            found.unwrap_or_else(|| panic!("{words}: {said}"))
        };
        for words in
            ["lightproof-node 0.", "serving block 0 on http://", "shutting down", "stopped"]
        {
            find(words);
        }
        let slow = find("slow: eth_getProof took ");
        find("slow: other took ");
        if format == "json" {
            assert_eq!((&slow["level"], &slow["method"]), (&json!("WARN"), &json!("eth_getProof")));
            assert!(slow["milliseconds"].is_u64() && slow["timestamp"].is_string(), "{slow}");
            assert_eq!(find("serving block 0")["url"], node_url(&lines));
        }
        // Programs read the same lines as ever.
        for event in &events {
            let event: Value = serde_json::from_str(event).unwrap();
            let keys: Vec<_> = event.as_object().unwrap().keys().collect();
            assert_eq!(keys, ["event", "number", "hash"]);
            find(&format!("block {} {}", event["number"], event["hash"].as_str().unwrap()));
        }
    }
}

fn node_url(lines: &[Value]) -> Value {
    let told = lines.iter().find(|line| line["number"] == 0 && line["url"].is_string());
    told.unwrap()["url"].clone()
}

#[test]
fn a_level_says_what_is_logged() {
    let (node, _directory) = start(&["--log", "error", "--slow-ms", "0"]);
    ask_about(&node);
    node.signal("-INT");
    let (status, said, _) = node.end();
    assert!(status.success(), "{status}");
    assert_eq!(said, "");
    let wrong = Command::new(env!("CARGO_BIN_EXE_lightproof-node"))
        .args(["run", "--data", "unused", "--log", "a=b=c"])
        .output()
        .unwrap();
    let message = String::from_utf8(wrong.stderr).unwrap();
    assert!(message.contains("expected a level or TARGET=LEVEL"), "{message}");
}

#[test]
fn a_signal_is_heard_as_soon_as_the_node_says_that_it_serves() {
    for _ in 0..10 {
        let (node, _directory) = start(&["--blocks", "0"]);
        node.signal("-TERM");
        let (status, said, _) = node.end();
        assert!(status.success(), "{status}: {said}");
        assert!(said.ends_with("stopped\n"), "{said}");
    }
}

#[test]
fn an_open_request_is_answered_before_the_end() {
    let (node, _directory) = start(&["--blocks", "0"]);
    let address = node.address("url");
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "lp_status", "params": [] });
    let call = call.to_string();
    let mut slow = TcpStream::connect(address).unwrap();
    let length = call.len();
    write!(
        slow,
        "POST / HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\n\
         content-length: {length}\r\n\r\n"
    )
    .unwrap();
    let mut answer = BufReader::new(slow.try_clone().unwrap());
    let mut line = String::new();
    answer.read_line(&mut line).unwrap();
    assert!(line.starts_with("HTTP/1.1 100"), "{line}");
    slow.write_all(&call.as_bytes()[..10]).unwrap();

    node.signal("-TERM");
    while TcpStream::connect(address).is_ok() {
        std::thread::yield_now();
    }
    assert_eq!(ready(&node, "metrics"), "shutting down\n");
    slow.write_all(&call.as_bytes()[10..]).unwrap();
    let mut text = String::new();
    answer.read_to_string(&mut text).unwrap();
    assert!(text.contains("HTTP/1.1 200") && text.contains("genesisHash"), "{text}");
    let (status, said, _) = node.end();
    assert!(status.success(), "{status}: {said}");
    assert!(said.ends_with("stopped\n"), "{said}");
}

#[test]
fn while_it_drains_a_node_serves_and_is_not_ready() {
    let (node, _directory) = start(&["--blocks", "0", "--drain", "3600"]);
    assert_eq!([ready(&node, "url"), ready(&node, "metrics")], ["ready\n", "ready\n"]);
    node.signal("-TERM");
    while ready(&node, "url") != "shutting down\n" {
        std::thread::yield_now();
    }
    assert_eq!(ready(&node, "metrics"), "shutting down\n");
    let status = json!({ "jsonrpc": "2.0", "id": 1, "method": "eth_blockNumber", "params": [] });
    assert_eq!(node.post(&status)["result"], "0x0");
    // A second signal ends it.
    node.signal("-TERM");
    let (status, said, _) = node.end();
    assert!(status.success(), "{status}: {said}");
    assert!(said.contains("shutting down in 3600 s\n"), "{said}");
}

#[test]
fn pushed_blocks_are_counted_by_outcome() {
    let secret = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(secret.path(), lightproof_prover::hex::encode(&SECRET)).unwrap();
    let jwt = secret.path().to_str().unwrap();
    let push = ["--push", "127.0.0.1:0", "--jwt", jwt, "--genesis-time", "1"];
    let (node, _directory) = start(&push);
    // One that is new, one that is there, one of other content, and one with a gap before it.
    for (number, seed) in [(1, 1), (1, 1), (1, 2), (9, 1)] {
        assert!(try_push(node.address("push"), &block(number, seed), PATIENCE).is_some());
    }
    let (_, figures) = request(node.address("metrics"), "GET /metrics HTTP/1.1", &[]);
    for (outcome, count) in [("ok", 2), ("taken", 1), ("gap", 1)] {
        let labels = format!("{{method=\"lp_pushBlock\",outcome=\"{outcome}\"}}");
        let line = format!("lightproof_requests_total{labels} {count}\n");
        assert!(figures.contains(&line), "{outcome}: {figures}");
    }
    assert!(figures.contains("lightproof_blocks_total 1\n"), "{figures}");
}
