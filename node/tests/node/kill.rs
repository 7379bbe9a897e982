//! SIGKILL at random moments, `LIGHTPROOF_KILLS` times a test: the node comes back at a block that
//! it had announced, with the same chain.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use lightproof_node::system::{self, Selection};
use lightproof_prover::chain::Clock;
use lightproof_prover::chain::committee::Terms;
use lightproof_prover::chain::committee::forms::Update;
use lightproof_prover::chain::config::{Config, WINDOW};
use lightproof_prover::chain::database::Chain;
use lightproof_prover::hex;
use lightproof_prover::rng::Rng;
use lightproof_prover::system::{cole, lmpt};
use serde_json::{Value, json};

use crate::kills::kills;

/// Small, so that kills meet flushes, merges and their threads.
const COLE: cole::Config =
    cole::Config { kind: cole::Kind::ColeStar, capacity: 40, ..cole::Config::DEFAULT };

/// Short periods, so that kills meet handovers.
const TERMS: Terms = Terms { size: 8, period: 4 };

/// Short, so that kills meet merges.
const LMPT: lmpt::Config = lmpt::Config { interval: 3, ..lmpt::Config::DEFAULT };

/// Said to the process, so that an uninterrupted node makes the same chain.
const CLOCK: Clock = Clock { genesis: Clock::DEFAULT.genesis, interval_ms: 1 };

fn config() -> Config {
    Config { terms: Some(TERMS), clock: CLOCK, ..system::config(11, WINDOW).with(COLE).with(LMPT) }
}

/// A node process; killed when the test ends, however it ends.
struct Process(Child, Receiver<Value>);

impl Process {
    fn start(directory: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_lightproof-node"))
            .args(["run", "--seed", "11", "--block-time-ms", "1"])
            .args(["--genesis-time", &CLOCK.genesis.to_string()])
            .args(["--cole", "1-star", "--cole-memory", "40", "--lmpt-interval", "3"])
            .args(["--committee-size", "8", "--period", "4", "--data"])
            .arg(directory)
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        // Ends with the pipe, when the process dies.
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                let Ok(event) = serde_json::from_str(&line) else { break };
                if sender.send(event).is_err() {
                    break;
                }
            }
        });
        Self(child, lines)
    }

    /// Kills with SIGKILL and returns every block that was announced: number and hash.
    fn kill(mut self) -> BTreeMap<u64, String> {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
        self.1.iter().map(|event| block(&event)).collect()
    }
}

/// Number and hash of the block that an event announces.
fn block(event: &Value) -> (u64, String) {
    let block = if event["event"] == "ready" { &event["head"] } else { event };
    (block["number"].as_u64().unwrap(), block["hash"].as_str().unwrap().to_owned())
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn hashes(directory: &Path) -> Vec<String> {
    let node = Chain::of_workload(directory, config()).unwrap();
    let snapshot = node.snapshot().unwrap();
    let hash = |number| hex::encode(&snapshot.header(number).unwrap().unwrap().hash());
    (0..=snapshot.head()).map(hash).collect()
}

#[test]
fn a_killed_node_restarts_at_a_block_that_it_had_announced() {
    let directory = tempfile::tempdir().unwrap();
    let mut rng = Rng::new(3, "kill-test", 0);
    let mut announced = BTreeMap::new();
    for round in 0..kills(8) {
        // Half of the rounds are killed early, while the chain is opened or prefilled.
        let arguments: &[&str] = if round % 2 == 0 { &["--prefill", "40"] } else { &[] };
        let process = Process::start(directory.path(), arguments);
        if round % 2 == 1 {
            // At least one block is announced: the rest is about what was announced.
            for _ in 0..2 + rng.below(8) {
                let event = process.1.recv_timeout(Duration::from_mins(1)).unwrap();
                announced.extend([block(&event)]);
            }
        }
        std::thread::sleep(Duration::from_millis(rng.below(100)));
        announced.extend(process.kill());
        let chain = hashes(directory.path());
        for (number, hash) in &announced {
            let number = usize::try_from(*number).unwrap();
            assert_eq!(chain.get(number), Some(hash), "round {round}, block {number}");
        }
    }
    let chain = hashes(directory.path());
    assert!(announced.len() >= 8, "{announced:?}");
    // An uninterrupted node makes the same chain, so roots and headers are the same too.
    let other = tempfile::tempdir().unwrap();
    let node = Chain::of_workload(other.path(), config()).unwrap();
    node.produce(u64::try_from(chain.len()).unwrap() - 1).unwrap();
    drop(node);
    assert_eq!(chain, hashes(other.path()));
    println!(
        "making: {} kills, {} of {} blocks announced, none lost",
        kills(8),
        announced.len(),
        chain.len()
    );
}

#[test]
fn a_killed_node_signs_the_same_after_it() {
    let directory = tempfile::tempdir().unwrap();
    let signatures = || {
        let node = Chain::of_workload(directory.path(), config()).unwrap();
        let (snapshot, committees) = (node.snapshot().unwrap(), node.committees().unwrap());
        let signed = |number| {
            let header = snapshot.header(number).unwrap().unwrap();
            Update::new(committees, &node.genesis_hash(), &header).encode()
        };
        [0, 3, 4, 10].map(signed)
    };
    let start = || {
        let process = Process::start(directory.path(), &["--prefill", "10", "--blocks", "0"]);
        let ready = process.1.recv_timeout(Duration::from_mins(1)).unwrap();
        process.kill();
        ready
    };
    let ready = start();
    // All that a client needs to start, from the operator's console.
    assert_eq!(ready["consensus"], json!({ "committeeSize": 8, "periodLength": 4 }));
    assert_eq!(ready["checkpoint"], json!({ "number": 4, "hash": hashes(directory.path())[4] }));
    let systems: Vec<_> = ready["systems"].as_object().unwrap().keys().collect();
    assert_eq!(systems, Selection::all().names().collect::<Vec<_>>());
    let before = signatures();
    start();
    assert_eq!(signatures(), before);
}

#[test]
fn a_node_killed_while_it_makes_its_chain_starts_again() {
    let mut rng = Rng::new(3, "kill-test", 1);
    for _ in 0..kills(20) {
        let directory = tempfile::tempdir().unwrap();
        let process = Process::start(directory.path(), &["--blocks", "0"]);
        std::thread::sleep(Duration::from_millis(rng.below(60)));
        process.kill();
        assert_eq!(hashes(directory.path()).len(), 1);
    }
    println!("starting: {} kills, block 0 after each", kills(20));
}

#[test]
fn a_terminated_node_stops_by_itself_and_reports_a_second_one_on_its_directory() {
    let directory = tempfile::tempdir().unwrap();
    let mut process = Process::start(directory.path(), &["--blocks", "0"]);
    let ready = process.1.recv_timeout(Duration::from_mins(1)).unwrap();
    assert_eq!(ready["samples"].as_array().unwrap().len(), 8);

    let second = Command::new(env!("CARGO_BIN_EXE_lightproof-node"))
        .args(["run", "--seed", "11", "--data"])
        .arg(directory.path())
        .output()
        .unwrap();
    assert!(!second.status.success());
    let message = String::from_utf8(second.stderr).unwrap();
    assert!(message.contains("is in use by another node"), "{message}");

    let address = ready["url"].as_str().unwrap().strip_prefix("http://").unwrap().to_owned();
    let busy = Command::new(env!("CARGO_BIN_EXE_lightproof-node"))
        .args(["run", "--listen", &address, "--data"])
        .arg(directory.path().join("other"))
        .output()
        .unwrap();
    let message = String::from_utf8(busy.stderr).unwrap();
    assert!(message.contains("cannot listen on"), "{message}");

    let status =
        Command::new("kill").args(["-TERM", &process.0.id().to_string()]).status().unwrap();
    assert!(status.success());
    let start = Instant::now();
    let ended = loop {
        if let Some(status) = process.0.try_wait().unwrap() {
            break status;
        }
        assert!(start.elapsed() < Duration::from_mins(1), "the node did not stop");
        std::thread::sleep(Duration::from_millis(10));
    };
    assert!(ended.success(), "{ended}");
}

#[test]
fn an_unknown_lie_lists_the_known_ones() {
    let output = Command::new(env!("CARGO_BIN_EXE_lightproof-node"))
        .args(["run", "--data", "unused", "--lie", "nonsense"])
        .output()
        .unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success());
    for (_, lie) in system::lies() {
        assert!(message.contains(lie.name), "{message}");
    }
}

#[test]
fn a_lie_about_signatures_needs_them() {
    let output = Command::new(env!("CARGO_BIN_EXE_lightproof-node"))
        .args(["run", "--data", "unused", "--committee-size", "0", "--lie", "signers-few"])
        .output()
        .unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && message.contains("--committee-size"), "{message}");
}
