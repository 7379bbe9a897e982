//! The time of block 0 as `lightproof-node run` chooses it.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use lightproof_prover::chain::Clock;
use lightproof_prover::chain::database::Chain;
use serde_json::Value;

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

fn command(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lightproof-node"));
    command.args(["run", "--systems", "mpt", "--blocks", "0", "--data"]).arg(directory);
    command.args(arguments);
    command
}

/// The first line of a node, which is killed then.
fn first_line(directory: &Path, arguments: &[&str]) -> Value {
    let mut command = command(directory, arguments);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    serde_json::from_str(&line).unwrap()
}

fn refusal(directory: &Path, arguments: &[&str]) -> String {
    let output = command(directory, arguments).output().unwrap();
    assert!(!output.status.success());
    String::from_utf8(output.stderr).unwrap()
}

fn kept(directory: &Path) -> Clock {
    Chain::clock(directory).unwrap().unwrap()
}

#[test]
fn a_new_chain_begins_now_and_its_prefilled_blocks_before_that() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    assert_eq!(Chain::clock(directory).unwrap(), None);
    let arguments = ["--prefill", "10", "--block-time-ms", "1500"];
    let before = now();
    let first = first_line(directory, &arguments);
    let clock = kept(directory);
    assert_eq!((first["head"]["number"].as_u64(), clock.interval_ms), (Some(10), 1_500));
    assert!((before..=now()).contains(&clock.at(10)), "{clock:?}");

    // The directory keeps its genesis, and no restart makes blocks of the future.
    let again = first_line(directory, &arguments);
    assert_eq!(again["genesisHash"], first["genesisHash"]);
    assert_eq!(kept(directory), clock);
    let head = again["head"]["number"].as_u64().unwrap();
    assert!(head >= 10 && clock.at(head) <= now(), "{head}");

    let other = refusal(directory, &["--block-time-ms", "1500", "--genesis-time", "1"]);
    assert!(other.contains("not genesis time 1;"), "{other}");
    let faster = refusal(directory, &["--block-time-ms", "500"]);
    assert!(faster.contains("not milliseconds between blocks 500;"), "{faster}");
}

#[test]
fn nodes_with_one_genesis_time_have_one_chain() {
    let hash = |time| {
        let directory = tempfile::tempdir().unwrap();
        first_line(directory.path(), &["--genesis-time", time])["genesisHash"].clone()
    };
    assert_eq!(hash("1800000000"), hash("1800000000"));
    assert_ne!(hash("1800000000"), hash("1800000001"));
}

#[test]
fn operators_of_a_new_chain_must_agree_on_its_time() {
    let directory = tempfile::tempdir().unwrap();
    let peers = ["--committee", "unread.json", "--attesters", "http://127.0.0.1:1"];
    let message = refusal(directory.path(), &peers);
    assert!(message.contains("give the same --genesis-time SECONDS to each"), "{message}");
}

#[test]
fn the_newest_block_of_a_time_is_the_last_that_is_not_later() {
    for interval_ms in [1, 400, 1_000, 1_500, 2_000, 7_300] {
        let clock = Clock { genesis: 100, interval_ms };
        for time in 100..140 {
            let newest = clock.newest(time);
            assert!(
                clock.at(newest) <= time && clock.at(newest + 1) > time,
                "{interval_ms}, {time}"
            );
        }
    }
    assert_eq!(Clock { genesis: 100, interval_ms: 1 }.newest(99), 0);
}
