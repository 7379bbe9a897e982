//! The node as its operator sees it: log lines, and how it stops.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, ExitStatus, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::http::request;

/// A node process; killed when the test ends, however it ends.
struct Node {
    child: Child,
    ready: Value,
    said: BufReader<std::process::ChildStderr>,
    events: BufReader<std::process::ChildStdout>,
    _directory: TempDir,
}

impl Node {
    fn start(arguments: &[&str]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_lightproof-node"))
            .args(["run", "--systems", "lmpt,mpt", "--metrics", "127.0.0.1:0", "--data"])
            .arg(directory.path())
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let said = BufReader::new(child.stderr.take().unwrap());
        let mut events = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        events.read_line(&mut line).unwrap();
        let ready = serde_json::from_str(&line).unwrap();
        Self { child, ready, said, events, _directory: directory }
    }

    fn address(&self, of: &str) -> SocketAddr {
        self.ready[of].as_str().unwrap().strip_prefix("http://").unwrap().parse().unwrap()
    }

    fn ready(&self, of: &str) -> String {
        request(self.address(of), "GET /ready HTTP/1.1", &[]).1
    }

    fn post(&self, body: &Value) -> Value {
        let body = body.to_string();
        let (_, body) = request(self.address("url"), "POST / HTTP/1.1", body.as_bytes());
        serde_json::from_str(&body).unwrap()
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    /// Waits for its end; what it said to people, and to programs after the first line.
    fn end(mut self) -> (ExitStatus, String, String) {
        let (mut said, mut events) = (String::new(), String::new());
        self.said.read_to_string(&mut said).unwrap();
        self.events.read_to_string(&mut events).unwrap();
        (self.child.wait().unwrap(), said, events)
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
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
        let node = Node::start(&[&arguments[..], &["--block-time-ms", "50"]].concat());
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
        for event in events.lines() {
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
    let node = Node::start(&["--log", "error", "--slow-ms", "0"]);
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
fn an_open_request_is_answered_before_the_end() {
    let node = Node::start(&["--blocks", "0"]);
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
    assert_eq!(node.ready("metrics"), "shutting down\n");
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
    let node = Node::start(&["--blocks", "0", "--drain", "3600"]);
    assert_eq!([node.ready("url"), node.ready("metrics")], ["ready\n", "ready\n"]);
    node.signal("-TERM");
    while node.ready("url") != "shutting down\n" {
        std::thread::yield_now();
    }
    assert_eq!(node.ready("metrics"), "shutting down\n");
    let status = json!({ "jsonrpc": "2.0", "id": 1, "method": "eth_blockNumber", "params": [] });
    assert_eq!(node.post(&status)["result"], "0x0");
    // A second signal ends it.
    node.signal("-TERM");
    let (status, said, _) = node.end();
    assert!(status.success(), "{status}: {said}");
    assert!(said.contains("shutting down in 3600 s\n"), "{said}");
}
