//! Two `lightproof-node run` on one store: the second takes it over, the first ends, and no block
//! of it was announced that is not on the chain.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use lightproof_prover::chain::Clock;
use serde_json::Value;

use crate::program::Node;
use crate::s3::{self, S3};

const NODE: &str = env!("CARGO_BIN_EXE_lightproof-node");
const TAKEN: &str = "error: another writer has taken this store over";

/// A node process; killed when the test ends, however it ends.
struct Process {
    child: Child,
    stdout: BufReader<ChildStdout>,
    /// The number of the block that it began with, and every block that it announced.
    announced: BTreeMap<u64, String>,
}

impl Process {
    fn start(store: &Path) -> Self {
        let mut child = Command::new(NODE)
            .args(["run", "--systems", "cole,mpt", "--cole-memory", "40", "--block-time-ms", "20"])
            .args(["--genesis-time", &Clock::DEFAULT.genesis.to_string()])
            .args(["--store", &format!("file://{}", store.display())])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        Self { child, stdout, announced: BTreeMap::new() }
    }

    /// The number of the next block that is announced; `None` if the process ended.
    fn next(&mut self) -> Option<u64> {
        let mut line = String::new();
        if self.stdout.read_line(&mut line).unwrap() == 0 {
            return None;
        }
        let event: Value = serde_json::from_str(&line).unwrap();
        let block = if event["event"] == "ready" { &event["head"] } else { &event };
        let number = block["number"].as_u64().unwrap();
        self.announced.insert(number, block["hash"].as_str().unwrap().to_owned());
        Some(number)
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([name, &self.child.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }

    /// Waits for an end that is not asked for: what was announced until then.
    fn ends_fenced(mut self) -> BTreeMap<u64, String> {
        while self.next().is_some() {}
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert!(!self.child.wait().unwrap().success());
        assert!(said.lines().any(|line| line.starts_with(TAKEN)), "{said}");
        std::mem::take(&mut self.announced)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The second one makes blocks on top of what the first one had announced, and of nothing else.
fn takes_over(store: &Path, mut first: Process, resume: impl FnOnce(&Process)) -> Process {
    let mut second = Process::start(store);
    let head = second.next().unwrap();
    for number in head + 1..=head + 5 {
        assert_eq!(second.next(), Some(number));
    }
    resume(&first);
    first.child.try_wait().unwrap();
    let announced = first.ends_fenced();
    assert!(announced.len() > 5);
    for (number, hash) in &announced {
        // A block that was refused is not announced.
        assert!(*number <= head, "block {number} was announced, but the store had {head}");
        if *number == head {
            assert_eq!(second.announced.get(number), Some(hash));
        }
    }
    second
}

#[test]
fn a_second_node_takes_the_store_over_and_the_first_one_ends() {
    let store = tempfile::tempdir().unwrap();
    let mut first = Process::start(store.path());
    (0..8).for_each(|_| assert!(first.next().is_some()));
    let mut second = takes_over(store.path(), first, |_| ());
    // And back again.
    (0..8).for_each(|_| assert!(second.next().is_some()));
    takes_over(store.path(), second, |_| ());
}

#[test]
fn a_node_that_was_paused_makes_no_block_after_its_successor() {
    let store = tempfile::tempdir().unwrap();
    let mut first = Process::start(store.path());
    (0..8).for_each(|_| assert!(first.next().is_some()));
    first.signal("-STOP");
    takes_over(store.path(), first, |first| first.signal("-CONT"));
}

#[test]
fn a_chain_has_one_place() {
    let refused = |arguments: &[&str]| {
        let output = Command::new(NODE).arg("run").args(arguments).output().unwrap();
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let both = refused(&["--data", "unused", "--store", "file:///unused"]);
    assert!(both.contains("cannot be used with"), "{both}");
    let none = refused(&[]);
    assert!(none.contains("--data <DIR>"), "{none}");
    let unknown = refused(&["--store", "ftp://unused"]);
    assert!(unknown.contains("expected file:///PATH or s3://BUCKET/PREFIX"), "{unknown}");
}

#[test]
fn a_store_that_does_not_answer_or_refuses_is_named() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", silent.local_addr().unwrap());
    let silent_store = [
        ("AWS_ACCESS_KEY_ID", "lightproof"),
        ("AWS_SECRET_ACCESS_KEY", "none"),
        ("AWS_ENDPOINT", &endpoint),
        ("AWS_ALLOW_HTTP", "true"),
    ];
    let refused = |environment: &[(&str, &str)], command: &str| {
        let arguments = [command, "--store", "s3://chains/own"];
        let (status, said, _) = Node::launch_in(environment, &arguments).end();
        assert_eq!(status.code(), Some(1), "{said}");
        said
    };
    for command in ["run", "serve"] {
        let said = refused(&silent_store, command);
        assert!(said.contains("store s3://chains/own: it does not answer within 10 s"), "{said}");
    }
    let Some(program) = s3::program() else { return };
    let server = S3::start(&program);
    let mut environment = server.environment();
    environment[1].1 = "another secret";
    let said = refused(&environment, "run");
    assert!(
        said.contains("store s3://chains/own: ") && said.contains("SignatureDoesNotMatch"),
        "{said}"
    );
}
