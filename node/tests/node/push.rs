//! Pushed blocks: who may push, what is answered, and that nothing acknowledged is lost.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac as _};
use lightproof_node::push::{MAX_BODY, Push, PushSource, Secret};
use lightproof_node::system;
use lightproof_prover::chain::config::Config;
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::header::Header;
use lightproof_prover::hex;
use serde_json::{Value, json};
use sha2::Sha256;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

#[path = "../../examples/push.rs"]
#[allow(dead_code)]
mod example;

pub(crate) const SECRET: [u8; 32] = [7; 32];
const SOURCE: PushSource = PushSource { chain_id: 4_242, genesis_time: 1 };
/// How long a reply may take.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);
const A: &str = "0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

/// A token of the given age, in seconds.
fn token(algorithm: &str, secret: [u8; 32], age: u64) -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    let parts = [json!({ "alg": algorithm }), json!({ "iat": now - age })];
    let signed = parts.map(|part| URL_SAFE_NO_PAD.encode(part.to_string())).join(".");
    let mut mac = Hmac::<Sha256>::new_from_slice(&secret).unwrap();
    mac.update(signed.as_bytes());
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes()))
}

fn bearer() -> String {
    format!("authorization: Bearer {}", token("HS256", SECRET, 0))
}

/// Sends a head and whatever comes after it; the whole response, empty if the server closed without
/// one, `None` if there is no server.
fn try_send(
    address: SocketAddr,
    headers: &[&str],
    body: &[u8],
    patience: Duration,
) -> Option<String> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(patience)).ok()?;
    let mut head = "POST / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n".to_owned();
    for header in headers {
        head.push_str(header);
        head.push_str("\r\n");
    }
    let _ = stream.write_all(&[head.as_bytes(), b"\r\n", body].concat());
    let mut response = Vec::new();
    let _ = stream.read_to_end(&mut response);
    String::from_utf8(response).ok()
}

fn send(address: SocketAddr, headers: &[&str], body: &[u8]) -> String {
    try_send(address, headers, body, PATIENCE).unwrap()
}

fn call(method: &str, params: Value) -> Vec<u8> {
    let mut call = json!({ "jsonrpc": "2.0", "id": 1, "method": method });
    call["params"] = params;
    call.to_string().into_bytes()
}

/// Pushes; the reply object, `None` if the server is gone.
pub(crate) fn try_push(address: SocketAddr, block: &Value, patience: Duration) -> Option<Value> {
    let body = call("lp_pushBlock", json!([block]));
    let length = format!("content-length: {}", body.len());
    let response = try_send(address, &[&bearer(), &length], &body, patience)?;
    serde_json::from_str(response.split_once("\r\n\r\n")?.1).ok()
}

fn push(address: SocketAddr, block: &Value) -> Value {
    push_within(address, block, PATIENCE)
}

pub(crate) fn push_within(address: SocketAddr, block: &Value, patience: Duration) -> Value {
    try_push(address, block, patience).unwrap()
}

/// A block that differs from others by its number and a seed.
pub(crate) fn block(number: u64, seed: u64) -> Value {
    let word = |number: u64| format!("0x{number:064x}");
    json!({
        "number": hex::quantity(number),
        "timestamp": hex::quantity(number.saturating_mul(10)),
        "accounts": [
            { "address": A, "nonce": hex::quantity(number), "balance": hex::quantity(seed) },
            { "address": format!("0x{number:040x}"), "nonce": "0x0", "balance": "0x1" },
        ],
        "slots": [{ "address": A, "slot": word(number), "value": word(seed + 1) }],
    })
}

fn code(reply: &Value) -> i64 {
    reply["error"]["code"].as_i64().unwrap_or_else(|| panic!("{reply}"))
}

/// A node in this process that takes blocks.
struct Pushed {
    address: SocketAddr,
    node: Arc<Chain>,
    told: UnboundedReceiver<Result<Header, String>>,
    _runtime: tokio::runtime::Runtime,
}

fn config() -> Config {
    system::config(7, 16)
}

impl Pushed {
    fn start(directory: &Path) -> Self {
        let node = Arc::new(Chain::open_with(directory, config(), &SOURCE).unwrap());
        let (sender, told) = unbounded_channel();
        let push = Push::new(Arc::clone(&node), Secret::new(SECRET), sender, None);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        runtime.spawn(push.serve(listener, std::future::pending()));
        Self { address, node, told, _runtime: runtime }
    }

    fn head(&self) -> u64 {
        self.node.snapshot().unwrap().head()
    }
}

#[test]
fn without_a_good_token_nothing_is_read() {
    let directory = tempfile::tempdir().unwrap();
    let pushed = Pushed::start(directory.path());
    for header in [
        "x-none: 1".to_owned(),
        "authorization: Basic Og==".to_owned(),
        format!("authorization: Bearer {}", token("HS256", [8; 32], 0)),
        format!("authorization: Bearer {}", token("HS256", SECRET, 61)),
        format!("authorization: Bearer {}", token("none", SECRET, 0)),
        format!("authorization: Bearer {}.", token("none", SECRET, 0).rsplit_once('.').unwrap().0),
    ] {
        // The body never comes: whoever waits for it gives no answer.
        let response = send(pushed.address, &[&header, "content-length: 1000000"], b"");
        assert!(response.starts_with("HTTP/1.1 401"), "{header}: {response}");
    }
    assert_eq!(pushed.head(), 0);
    assert_eq!(push(pushed.address, &block(1, 1))["result"]["number"], "0x1");
}

#[test]
fn answers_the_same_for_the_same_and_refuses_what_does_not_follow() {
    let directory = tempfile::tempdir().unwrap();
    let mut pushed = Pushed::start(directory.path());
    let first = push(pushed.address, &block(1, 1));
    let header = pushed.told.blocking_recv().unwrap().unwrap();
    assert_eq!(first["result"]["hash"], hex::encode(&header.hash()));
    assert_eq!((header.version, header.chain_id, header.timestamp), (2, 4_242, 10));
    for (system, commitment) in &header.commitments {
        assert_eq!(first["result"]["commitments"][system], hex::encode(commitment));
    }
    let second = push(pushed.address, &block(2, 1));
    // The same content in another order.
    let mut turned = block(1, 1);
    turned["accounts"].as_array_mut().unwrap().reverse();
    let back = |mut block: Value| {
        block["timestamp"] = json!("0x13");
        block
    };
    let at = |timestamp: u64| {
        let mut block = block(3, 1);
        block["timestamp"] = json!(hex::quantity(timestamp));
        block
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let replay = |address| {
        assert_eq!(push(address, &block(1, 1)), first);
        assert_eq!(push(address, &turned), first);
        assert_eq!(push(address, &block(2, 1)), second);
        for (block, expected) in [
            (block(1, 2), -32_020),
            (block(0, 1), -32_020),
            (block(4, 1), -32_021),
            (block(u64::MAX, 1), -32_021),
            (back(block(3, 1)), -32_022),
            // In milliseconds; an hour ahead; as far as it goes.
            (at(now * 1_000), -32_022),
            (at(now + 3_600), -32_022),
            (at(u64::MAX), -32_022),
        ] {
            let reply = push(address, &block);
            assert_eq!(code(&reply), expected, "{reply}");
        }
        let gap = push(address, &block(4, 1));
        assert_eq!(gap["error"]["data"]["expected"], "0x3");
        assert_eq!(
            gap["error"]["message"],
            "blocks are missing before this one; push block 3 next"
        );
    };
    replay(pushed.address);
    assert_eq!(pushed.head(), 2);
    drop(pushed);
    // The workload would go on with made-up blocks.
    let error = Chain::of_workload(directory.path(), config()).unwrap_err().to_string();
    assert!(error.contains("choose another --data"), "{error}");
    let pushed = Pushed::start(directory.path());
    replay(pushed.address);
    assert_eq!(push(pushed.address, &block(3, 1))["result"]["number"], "0x3");
}

#[test]
fn the_example_pushes() {
    let directory = tempfile::tempdir().unwrap();
    let pushed = Pushed::start(directory.path());
    let answer = example::push(&pushed.address.to_string(), &SECRET, &block(1, 1)).unwrap();
    assert_eq!(answer, push(pushed.address, &block(1, 1)));
    assert_eq!(answer["result"]["number"], "0x1");
}

#[test]
fn of_two_writers_one_wins_and_both_learn_which() {
    let directory = tempfile::tempdir().unwrap();
    let pushed = Pushed::start(directory.path());
    let address = pushed.address;
    for number in 1..=12 {
        // In every third round both have the same content.
        let seeds = if number % 3 == 0 { [1, 1] } else { [1, 2] };
        let writers =
            seeds.map(|seed| std::thread::spawn(move || push(address, &block(number, seed))));
        let replies = writers.map(|writer| writer.join().unwrap());
        if seeds[0] == seeds[1] {
            assert_eq!(replies[0], replies[1]);
            continue;
        }
        let hash = pushed.node.snapshot().unwrap().header(number).unwrap().unwrap().hash();
        let hash = json!(hex::encode(&hash));
        let won = replies.iter().filter(|reply| reply["result"]["hash"] == hash).count();
        let lost = replies.iter().filter(|reply| reply["error"]["data"]["hash"] == hash).count();
        assert_eq!((won, lost), (1, 1), "{replies:?}");
    }
}

#[test]
fn bodies_that_are_cut_off_too_long_or_malformed_change_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let pushed = Pushed::start(directory.path());
    let body = call("lp_pushBlock", json!([block(1, 1)]));
    // A body that ends before its length.
    let mut stream = TcpStream::connect(pushed.address).unwrap();
    let head = format!(
        "POST / HTTP/1.1\r\nhost: x\r\n{}\r\ncontent-length: {}\r\n\r\n",
        bearer(),
        body.len()
    );
    stream.write_all(&[head.as_bytes(), &body[..body.len() - 1]].concat()).unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    let mut rest = String::new();
    let _ = stream.read_to_string(&mut rest);
    assert!(!rest.contains("result"), "{rest}");
    let longest = format!("content-length: {}", MAX_BODY + 1);
    let response = send(pushed.address, &[&bearer(), &longest], b"");
    assert!(response.starts_with("HTTP/1.1 413"), "{response}");
    // One that never says how long it is.
    let chunk = [format!("{:x}\r\n", 1 << 20).as_bytes(), &vec![b' '; 1 << 20], b"\r\n"].concat();
    let chunks = chunk.repeat((MAX_BODY >> 20) + 2);
    let response = send(pushed.address, &[&bearer(), "transfer-encoding: chunked"], &chunks);
    assert!(!response.contains("result"), "{response}");
    for (body, expected) in [
        (b"{".to_vec(), -32_700),
        (b"[]".to_vec(), -32_700),
        (call("eth_blockNumber", json!([])), -32_601),
        (call("lp_pushBlock", json!([])), -32_602),
        (call("lp_pushBlock", json!({})), -32_602),
        (call("lp_pushBlock", json!([block(1, 1), block(2, 1)])), -32_602),
        (call("lp_pushBlock", json!([{ "number": "0x1" }])), -32_602),
    ] {
        let length = format!("content-length: {}", body.len());
        let response = send(pushed.address, &[&bearer(), &length], &body);
        let reply = serde_json::from_str(response.split_once("\r\n\r\n").unwrap().1).unwrap();
        assert_eq!(code(&reply), expected, "{reply}");
    }
    assert_eq!(pushed.head(), 0);
    assert_eq!(push(pushed.address, &block(1, 1))["result"]["number"], "0x1");
}

#[cfg(unix)]
pub(crate) mod kill {
    use std::collections::BTreeMap;
    use std::io::{BufRead as _, BufReader};
    use std::process::{Child, Command, Stdio};

    use lightproof_prover::rng::Rng;

    use super::*;
    use crate::kills::kills;

    pub(crate) struct Process(Child);

    impl Process {
        pub(crate) fn id(&self) -> u32 {
            self.0.id()
        }
    }

    impl Drop for Process {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    /// Small memories and intervals, so that kills meet merges.
    pub(crate) const SMALL: [&str; 6] =
        ["--cole", "1-star", "--cole-memory", "40", "--lmpt-interval", "3"];

    pub(crate) fn start(directory: &Path, jwt: &Path, arguments: &[&str]) -> (Process, SocketAddr) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_lightproof-node"))
            .args(["run", "--push", "127.0.0.1:0", "--genesis-time", "1"])
            .args(arguments)
            .arg("--jwt")
            .arg(jwt)
            .arg("--data")
            .arg(directory)
            // By default, freed memory that stays with the process varies from run to run by as much
            // as a system may grow: with glibc's allocator, and with that of object storage.
            .env("MALLOC_ARENA_MAX", "1")
            .env("MALLOC_MMAP_THRESHOLD_", "131072")
            .env("_RJEM_MALLOC_CONF", "narenas:1,dirty_decay_ms:0,muzzy_decay_ms:0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let process = Process(child);
        let ready: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        let address = ready["push"].as_str().unwrap().strip_prefix("http://").unwrap();
        let address = address.parse().unwrap();
        // The pipe must stay open: a node whose output is closed stops.
        std::thread::spawn(move || lines.for_each(drop));
        (process, address)
    }

    #[test]
    fn a_killed_node_has_every_block_that_it_acknowledged() {
        let directory = tempfile::tempdir().unwrap();
        let jwt = directory.path().join("jwt.hex");
        std::fs::write(&jwt, "07".repeat(32)).unwrap();
        let data = directory.path().join("data");
        let mut rng = Rng::new(3, "kill-push", 0);
        let mut acknowledged: BTreeMap<u64, Value> = BTreeMap::new();
        for round in 0..kills(24) {
            let (process, address) = start(&data, &jwt, &SMALL);
            // All that was acknowledged is there, under the same hash: pushing it again says so.
            for (number, hash) in acknowledged.iter().rev().take(4) {
                assert_eq!(push(address, &block(*number, 1))["result"]["hash"], *hash, "{number}");
            }
            // In some rounds the first block is under way, in others a later one.
            let (time, whole) = (Duration::from_millis(rng.below(150)), rng.below(3));
            let mut process = Some(process);
            let mut killer = None;
            let next = acknowledged.len() as u64 + 1;
            for number in next.. {
                if number == next + whole {
                    let process = process.take();
                    killer = Some(std::thread::spawn(move || {
                        std::thread::sleep(time);
                        drop(process);
                    }));
                }
                let Some(reply) = try_push(address, &block(number, 1), PATIENCE) else { break };
                assert!(reply["result"]["hash"].is_string(), "round {round}: {reply}");
                acknowledged.insert(number, reply["result"]["hash"].clone());
            }
            killer.unwrap().join().unwrap();
        }
        assert!(acknowledged.len() > 10, "{} blocks", acknowledged.len());
        let (_process, address) = start(&data, &jwt, &SMALL);
        for (number, hash) in &acknowledged {
            assert_eq!(push(address, &block(*number, 1))["result"]["hash"], *hash, "{number}");
        }
        println!(
            "push: {} kills, {} blocks acknowledged, none lost",
            kills(24),
            acknowledged.len()
        );
    }

    #[test]
    fn the_command_line_says_what_is_missing() {
        let run = |arguments: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_lightproof-node"));
            let output =
                command.args(["run", "--data", "unused"]).args(arguments).output().unwrap();
            assert!(!output.status.success());
            String::from_utf8(output.stderr).unwrap()
        };
        let push = ["--push", "127.0.0.1:0"];
        for (arguments, reason) in [
            (vec![], "--jwt <FILE>"),
            (
                vec!["--jwt", "missing.hex"],
                "make a secret with: openssl rand -hex 32 > missing.hex",
            ),
            (vec!["--jwt", "missing.hex", "--prefill", "5"], "cannot be used with"),
        ] {
            let message = run(&[push.as_slice(), &arguments].concat());
            assert!(message.contains(reason), "{message}");
        }
        assert!(run(&["--jwt", "missing.hex"]).contains("--push <HOST:PORT>"));
    }
}
