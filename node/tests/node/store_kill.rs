//! Writers of one store that are killed, or paused and taken over, at random moments: what any of
//! them announced is on the one chain that the store holds.

use std::collections::BTreeMap;
use std::time::Duration;

use lightproof_prover::rng::Rng;
use serde_json::{Value, json};

use crate::kills::kills;
use crate::program::Node;
use crate::s3::{self, BUCKET, S3};

const CHAIN: [&str; 6] = ["--systems", "cole,mpt", "--cole-memory", "40", "--committee-size", "0"];
/// Only a fault takes this long.
const PATIENCE: Duration = Duration::from_mins(2);

/// Where the store is.
struct Place<'a> {
    url: String,
    environment: Vec<(&'static str, &'a str)>,
}

impl Place<'_> {
    fn launch(&self, command: &str, more: &[&str]) -> Node {
        let arguments = [&[command, "--store", &self.url], &CHAIN[..], more].concat();
        Node::launch_in(&self.environment, &arguments)
    }

    fn writer(&self) -> Node {
        self.launch("run", &["--block-time-ms", "5", "--genesis-time", "1700000000"])
    }
}

/// Number and hash of the block that a line announces.
fn block(line: &str) -> (u64, String) {
    let event: Value = serde_json::from_str(line).unwrap();
    let block = if event["event"] == "ready" { &event["head"] } else { &event };
    (block["number"].as_u64().unwrap(), block["hash"].as_str().unwrap().to_owned())
}

/// Blocks that writers announced: each number has one hash, whoever announced it.
#[derive(Default)]
struct Announced(BTreeMap<u64, String>);

impl Announced {
    fn add(&mut self, line: &str) {
        let (number, hash) = block(line);
        let known = self.0.entry(number).or_insert_with(|| hash.clone());
        assert_eq!(*known, hash, "two blocks {number} were announced");
    }

    /// Waits for so many lines.
    fn wait(&mut self, writer: &Node, lines: u64) {
        for _ in 0..lines {
            self.add(&writer.events.recv_timeout(PATIENCE).expect("a writer announces blocks"));
        }
    }
}

fn writers_come_and_go(place: &Place<'_>, name: &str, rounds: usize) {
    let mut rng = Rng::new(7, name, 0);
    let mut announced = Announced::default();
    let (mut killed, mut fenced) = (0, 0);
    while killed + fenced < rounds {
        let mut writer = place.writer();
        // Half of them are killed early, while the store is opened or taken over.
        let is_early = rng.one_in(2);
        if !is_early {
            announced.wait(&writer, 2 + rng.below(6));
        }
        std::thread::sleep(Duration::from_millis(rng.below(300)));
        // One that had not opened the store would take it over when it wakes up.
        if !is_early && rng.one_in(2) {
            // It sleeps while another one takes its place, and wakes up.
            writer.signal("-STOP");
            let successor = place.writer();
            announced.wait(&successor, 3);
            writer.signal("-CONT");
            let (status, said, lines) = writer.end();
            for line in &lines {
                announced.add(line);
            }
            // Also where it missed a file that its successor had removed.
            assert!(!status.success() && said.contains("taken this store over"), "{said}");
            writer = successor;
            fenced += 1;
        }
        writer.child.kill().unwrap();
        let (_, _, lines) = writer.end();
        for line in &lines {
            announced.add(line);
        }
        killed += 1;
    }
    let mut reader = place.launch("serve", &["--poll-ms", "20"]);
    let line = reader.events.recv_timeout(PATIENCE).expect("the reader is ready");
    reader.ready = serde_json::from_str(&line).unwrap();
    for (number, hash) in &announced.0 {
        let found = reader.call("lp_getHeader", &json!([hash]));
        assert!(found["result"].is_string(), "block {number} is lost: {found}");
    }
    println!(
        "writers {name}: {killed} kills, {fenced} taken over while they slept, {} blocks \
         announced, none lost",
        announced.0.len()
    );
}

#[test]
fn killed_writers_of_a_directory_lose_no_block_that_they_announced() {
    let directory = tempfile::tempdir().unwrap();
    let url = format!("file://{}", directory.path().display());
    let place = Place { url, environment: Vec::new() };
    writers_come_and_go(&place, "of a directory", kills(8));
}

#[test]
fn killed_writers_on_s3_lose_no_block_that_they_announced() {
    let Some(program) = s3::program() else { return };
    let server = S3::start(&program);
    let url = format!("s3://{BUCKET}/killed");
    let place = Place { url, environment: server.environment().into() };
    writers_come_and_go(&place, "on S3", kills(8));
}
