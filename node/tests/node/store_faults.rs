//! A store that fails: blocks are pushed meanwhile, and a reader is asked for proofs. No block that
//! was acknowledged is lost, no number has two blocks, every answer is proven or a typed error, and
//! whoever waits gets an error in bounded time.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use lightproof_generator::case::{Setting, Source};
use lightproof_prover::hex;
use serde_json::{Value, json};

use crate::faulty::{FAULTS, Fault, Faulty, Mode};
use crate::kills::kills;
use crate::program::Node;
use crate::push::{PATIENCE, SECRET, block, try_push};
use crate::s3::{self, BUCKET, S3};
use crate::verify::{query, reply, verify};

/// `--store-timeout` of nodes whose store is going to be silent, in seconds.
const SHORT: &str = "2";
const ACCOUNT: [u8; 20] = [0xaa; 20];
const INTERNAL: i64 = -32_603;

/// A store on S3 behind a proxy, and the nodes on it.
struct Place {
    faulty: Faulty,
    endpoint: String,
    server: S3,
    secret: tempfile::NamedTempFile,
    timeout: &'static str,
}

impl Place {
    fn start(program: &Path, seed: u64, timeout: &'static str) -> Self {
        let server = S3::start(program);
        let faulty = Faulty::before(server.address(), seed);
        let endpoint = format!("http://{}", faulty.address);
        let secret = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(secret.path(), hex::encode(&SECRET)).unwrap();
        Self { faulty, endpoint, server, secret, timeout }
    }

    fn launch(&self, command: &str, more: &[&str]) -> Node {
        let mut environment = self.server.environment();
        environment[3].1 = &self.endpoint;
        let url = format!("s3://{BUCKET}/faulty");
        let common = ["--store", &url, "--store-timeout", self.timeout, "--systems", "cole,mpt"];
        let chain = ["--cole-memory", "8", "--committee-size", "0"];
        let arguments = [&[command], &common[..], &chain[..], more].concat();
        Node::launch_in(&environment, &arguments)
    }

    /// A writer that is ready, or what it said when it ended.
    fn writer(&self) -> Result<Node, String> {
        let secret = self.secret.path().to_str().unwrap();
        let more = ["--push", "127.0.0.1:0", "--jwt", secret, "--genesis-time", "1"];
        ready(self.launch("run", &more))
    }

    fn reader(&self) -> Node {
        ready(self.launch("serve", &["--poll-ms", "20"])).unwrap()
    }
}

fn ready(mut node: Node) -> Result<Node, String> {
    match node.events.recv_timeout(PATIENCE) {
        Ok(line) => {
            node.ready = serde_json::from_str(&line).unwrap();
            Ok(node)
        }
        Err(_) => Err(ended(node)),
    }
}

/// What a node said that ended by itself: a sentence about its store.
fn ended(node: Node) -> String {
    loop {
        match node.events.recv_timeout(PATIENCE) {
            Ok(_) => {}
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => panic!("the node did not end"),
        }
    }
    let (status, said, _) = node.end();
    assert_eq!(status.code(), Some(1), "{said}");
    let named = ["store", "database: ", "cole: "];
    let last = said.lines().rfind(|line| line.starts_with("error: ")).unwrap_or_default();
    assert!(named.iter().any(|name| last.contains(name)), "{said}");
    // Nobody else writes.
    assert!(!said.contains("another writer"), "{said}");
    said
}

fn address(node: &Node) -> SocketAddr {
    node.address("push")
}

/// Asks for what a pushed block wrote, at that block: whether it was proven. Else it was refused,
/// with a code.
fn is_proven(node: &Node, number: u64, hash: &str) -> bool {
    let result = |method, params: Value| {
        let reply = node.call(method, &params);
        let code = reply["error"]["code"].as_i64();
        assert!(code.is_none_or(|code| [INTERNAL, -32_011].contains(&code)), "{method}: {reply}");
        // A block that the reader does not show yet has no header.
        reply.get("result").filter(|result| !result.is_null()).cloned()
    };
    let slot: [u8; 32] = hex::decode(&format!("0x{number:064x}")).unwrap().try_into().unwrap();
    let wanted = json!([hex::encode(&ACCOUNT), [hex::encode(&slot)], { "blockHash": hash }]);
    let Some(header) = result("lp_getHeader", json!([hash])) else { return false };
    let Some(proof) = result("eth_getProof", wanted) else { return false };
    let word = |value: &Value| hex::decode(value.as_str().unwrap()).unwrap().try_into().unwrap();
    let setting = Setting {
        kind: "devnet",
        chain_id: node.ready["chainId"].as_u64().unwrap(),
        genesis_hash: word(&node.ready["genesisHash"]),
        format: "mpt/1",
        params_digest: None,
        params: Vec::new(),
    };
    let rlps = vec![hex::decode(header.as_str().unwrap()).unwrap()];
    let source = Source::Header { hash: word(&json!(hash)), rlps };
    let reply = reply(&proof, None).unwrap_or_else(|| panic!("{proof}"));
    let verdict = verify(&setting, source, &query(ACCOUNT, &[slot], false), &reply);
    assert_eq!(verdict["status"], "proven", "block {number}: {verdict}");
    assert_eq!(reply.slots[0].value, [u8::try_from(number + 1).unwrap()], "block {number}");
    true
}

/// The hash of the block that a push was answered with.
fn acknowledged(reply: Option<&Value>) -> Option<String> {
    reply?["result"]["hash"].as_str().map(str::to_owned)
}

#[test]
fn a_store_that_fails_now_and_then_loses_no_acknowledged_block() {
    let Some(program) = s3::program() else { return };
    let place = Place::start(&program, 1, "30");
    let mut writer = place.writer().unwrap();
    let reader = place.reader();
    place.faulty.set(Mode::Seldom(4));
    let mut blocks = BTreeMap::new();
    let (mut ends, mut proven, mut refused) = (0, 0, 0);
    let count = u64::try_from(kills(24)).unwrap().min(250);
    for number in 1..=count {
        // A client pushes until it is answered: the same block has one hash.
        let hash = loop {
            let reply = try_push(address(&writer), &block(number, number), PATIENCE);
            if let Some(hash) = acknowledged(reply.as_ref()) {
                break hash;
            }
            ends += 1;
            println!("a writer ended: {}", ended(writer));
            writer = loop {
                match place.writer() {
                    Ok(writer) => break writer,
                    Err(said) => println!("a writer did not start: {said}"),
                }
            };
        };
        blocks.insert(number, hash);
        // An old one, so that the reader shows it.
        let (&number, hash) = blocks.range(number.saturating_sub(3)..).next().unwrap();
        if is_proven(&reader, number, hash) {
            proven += 1;
        } else {
            refused += 1;
        }
    }
    let met = place.faulty.met();
    place.faulty.set(Mode::Sound);
    assert!(met.iter().all(|times| *times > 0), "{met:?} of {FAULTS:?}");
    assert!(proven > 0, "{refused} refused");
    // A reader that comes later shows them all, and so does the one that was there.
    for reader in [&place.reader(), &reader] {
        for (number, hash) in &blocks {
            while !is_proven(reader, *number, hash) {
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }
    println!(
        "a store that fails: {} faults {met:?}, {count} blocks, {ends} writers ended, answers \
         meanwhile: {proven} proven, {refused} refused",
        met.iter().sum::<u64>()
    );
}

/// What a writer and a reader do whose store goes away, by `mode`, and comes back.
fn goes_away(program: &Path, mode: Mode, why: &str) {
    let place = Place::start(program, 2, SHORT);
    let writer = place.writer().unwrap();
    let reader = place.reader();
    let mut hashes = Vec::new();
    let mut push = |writer: &Node, number| {
        let reply = try_push(address(writer), &block(number, number), PATIENCE);
        hashes.push(acknowledged(reply.as_ref()).unwrap());
        hashes.clone()
    };
    (1..=3).for_each(|number| drop(push(&writer, number)));
    let known = push(&writer, 4);
    while !is_proven(&reader, 4, &known[3]) {
        std::thread::sleep(Duration::from_millis(20));
    }
    place.faulty.set(mode);
    // Two that wait: each is answered, and not that it is done.
    let address = address(&writer);
    let waiting = [5, 6].map(|number| {
        std::thread::spawn(move || try_push(address, &block(number, number), PATIENCE))
    });
    for reply in waiting.map(|waiting| waiting.join().unwrap()) {
        assert_eq!(acknowledged(reply.as_ref()), None, "{reply:?}");
    }
    let said = ended(writer);
    assert!(said.contains("error: a commit may be in the store or not"), "{said}");
    assert!(said.contains(why), "{said}");
    // The reader lives. It answers from memory, or says that it cannot; also where it would look at
    // the store first.
    let none = reader.call("lp_getHeader", &json!([format!("0x{:064x}", 1)]));
    assert!(none["result"].is_null(), "{none}");
    let old = is_proven(&reader, 4, &known[3]);
    assert!(place.writer().is_err());
    place.faulty.set(Mode::Sound);
    let writer = place.writer().unwrap();
    // Block 5 may be in the store: then it is the one that was pushed, and gets the same answer.
    for number in 5..=8 {
        push(&writer, number);
    }
    for (number, hash) in (1..).zip(&hashes) {
        while !is_proven(&reader, number, hash) {
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    println!("a store that goes away ({mode:?}): block 4 was answered meanwhile: {old}");
}

#[test]
fn a_store_that_falls_silent_ends_its_writer_and_not_its_readers() {
    let Some(program) = s3::program() else { return };
    goes_away(&program, Mode::Silent, "the store did not answer within 2 s");
}

#[test]
fn a_store_that_refuses_everything_ends_its_writer_and_not_its_readers() {
    let Some(program) = s3::program() else { return };
    let refused = Mode::Always(Fault::Refused(503, Some(1)));
    goes_away(&program, refused, "the store did not answer within 2 s");
}
