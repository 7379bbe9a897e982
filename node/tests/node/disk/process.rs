//! A node with one system, as a process, on disks of all kinds.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use lightproof_node::system::Selection;
use lightproof_prover::chain::Clock;
use lightproof_prover::chain::config::{Config, WINDOW};
use lightproof_prover::chain::database::Chain;
use lightproof_prover::hex;
use serde_json::Value;

const SEED: u64 = 11;
const CLOCK: Clock = Clock { genesis: Clock::DEFAULT.genesis, interval_ms: 1 };
/// Only a hanging node takes longer.
pub(super) const HANGS: Duration = Duration::from_mins(2);

fn config(system: &str) -> Config {
    Config { clock: CLOCK, ..Selection::parse(system).unwrap().usual(SEED, WINDOW) }
}

/// `program` with the arguments of a node that makes blocks of one system as quickly as it can.
pub(super) fn command(program: &str, before: &[&str], directory: &Path, system: &str) -> Command {
    let mut command = Command::new(program);
    command.args(before);
    command.args(["run", "--seed", &SEED.to_string(), "--block-time-ms", "1"]);
    command.args(["--genesis-time", &CLOCK.genesis.to_string(), "--committee-size", "0"]);
    command.args(["--systems", system, "--data"]).arg(directory);
    command
}

pub(super) const NODE: &str = env!("CARGO_BIN_EXE_lightproof-node");

/// Blocks by number, with their hashes.
pub(super) type Blocks = BTreeMap<u64, String>;

/// A node process; killed when the test ends, however it ends.
pub(super) struct Process {
    pub(super) child: Child,
    pub(super) events: Receiver<Value>,
}

/// What became of a node.
#[derive(Debug)]
pub(super) struct Ended {
    /// None: it had to be killed.
    pub(super) code: Option<i32>,
    pub(super) said: String,
    pub(super) announced: Blocks,
}

impl Process {
    pub(super) fn start(mut command: Command) -> Self {
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the node starts");
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, events) = channel();
        // Ends with the pipe, when the process dies.
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                let event = serde_json::from_str(&line);
                if event.is_err() || sender.send(event.unwrap()).is_err() {
                    break;
                }
            }
        });
        Self { child, events }
    }

    /// Waits until the node has stopped, or kills it after some time.
    pub(super) fn end(mut self, patience: Duration) -> Ended {
        let start = Instant::now();
        let code = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status.code();
            }
            if start.elapsed() > patience {
                self.child.kill().unwrap();
                self.child.wait().unwrap();
                break None;
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        let announced = self.events.iter().map(|event| block(&event)).collect();
        Ended { code, said, announced }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a node until it has stopped, or for some time.
///
/// * `command`: made anew where another test's child, which this process had forked and which had
///   not begun its program yet, held the lock of the directory.
pub(super) fn run(patience: Duration, command: impl Fn() -> Command) -> Ended {
    let ended = || Process::start(command()).end(patience);
    let is_free = |ended: &Ended| !ended.said.contains("is in use by another node");
    (0..20).map(|_| ended()).find(is_free).expect("the directory is free")
}

/// Number and hash of the block that an event announces.
pub(super) fn block(event: &Value) -> (u64, String) {
    let block = if event["event"] == "ready" { &event["head"] } else { event };
    (block["number"].as_u64().unwrap(), block["hash"].as_str().unwrap().to_owned())
}

impl Ended {
    /// The node stopped with a sentence that has these words.
    pub(super) fn assert_stopped(&self, words: &str) {
        let Self { code, said, .. } = self;
        assert_eq!(*code, Some(1), "{said}");
        assert!(said.contains("error: ") && said.contains(words), "{said}");
        self.assert_no_panic();
    }

    pub(super) fn assert_no_panic(&self) {
        assert!(!self.said.contains("panicked"), "{}", self.said);
    }
}

/// The chain in a directory, on a disk that is sound again.
pub(super) fn chain(directory: &Path, system: &str) -> Vec<String> {
    let node = Chain::of_workload(directory, config(system)).unwrap();
    let snapshot = node.snapshot().unwrap();
    let hash = |number| hex::encode(&snapshot.header(number).unwrap().unwrap().hash());
    (0..=snapshot.head()).map(hash).collect()
}

pub(super) fn assert_kept(announced: &Blocks, chain: &[String], system: &str) {
    for (number, hash) in announced {
        let found = chain.get(usize::try_from(*number).unwrap());
        assert_eq!(found, Some(hash), "{system}, block {number}");
    }
}

/// A chain of some blocks, and what was announced of it.
pub(super) fn some_blocks(directory: &Path, system: &str) -> Blocks {
    let mut command = command(NODE, &[], directory, system);
    command.args(["--prefill", "10", "--blocks", "5"]);
    let process = Process::start(command);
    let mut announced = Blocks::new();
    while announced.len() < 6 {
        announced.extend([block(&process.events.recv_timeout(HANGS).unwrap())]);
    }
    announced
}

/// Files in a directory, however deep.
pub(super) fn files(directory: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(files(&path));
        } else {
            all.push(path);
        }
    }
    all.sort();
    all
}

/// Bytes of the largest file, which is the first one that cannot grow.
pub(super) fn largest(directory: &Path) -> u64 {
    let sizes = files(directory).into_iter().map(|file| file.metadata().unwrap().len());
    sizes.max().unwrap_or(0)
}

/// A shared library whose changes of files fail; `None` where no C compiler is installed.
#[cfg(target_os = "linux")]
pub(super) fn faults(directory: &Path) -> Option<PathBuf> {
    let library = directory.join("faulty.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/faulty.c");
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"]).arg(&library).arg(source);
    match cc.arg("-ldl").status() {
        Ok(status) => assert!(status.success(), "cc: {status}"),
        Err(_) => return None,
    }
    Some(library)
}

/// A node on a disk where `times` changes fail after the first ones.
#[cfg(target_os = "linux")]
pub(super) fn on_faulty(
    library: &Path,
    (error, after, times): (i32, u64, u64),
    directory: &Path,
    system: &str,
) -> Command {
    let mut command = command(NODE, &[], directory, system);
    command.env("LD_PRELOAD", library);
    for (name, value) in [("AFTER", after), ("TIMES", times)] {
        command.env(format!("LIGHTPROOF_DISK_{name}"), value.to_string());
    }
    command.env("LIGHTPROOF_DISK_ERRNO", error.to_string());
    command
}
