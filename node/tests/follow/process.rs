//! The node as a program.

use std::io::{BufRead as _, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Only a fault takes this long.
const PATIENCE: Duration = Duration::from_mins(2);

/// A node process; killed when the test ends, however it ends.
pub(crate) struct Process {
    child: Child,
    events: Receiver<String>,
    /// What it says to people.
    said: Receiver<String>,
}

/// Lines of a pipe, until the process closes it.
fn lines(pipe: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

/// `lightproof-node run` on a directory.
pub(crate) fn command(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lightproof-node"));
    command.args(["run", "--data"]).arg(directory).args(arguments);
    command
}

/// Runs it where it is expected to fail at once, and returns what it says.
pub(crate) fn refused(directory: &Path, arguments: &[&str]) -> String {
    let mut process = Process::start(directory, arguments);
    let status = process.wait();
    let said: Vec<_> = process.said.iter().collect();
    let said = said.join("\n");
    assert!(!status.success(), "{said}");
    said
}

impl Process {
    pub(crate) fn start(directory: &Path, arguments: &[&str]) -> Self {
        let mut child = command(directory, arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let events = lines(child.stdout.take().unwrap());
        let said = lines(child.stderr.take().unwrap());
        Self { child, events, said }
    }

    /// The next line for programs.
    pub(crate) fn event(&self) -> Value {
        let line = self.events.recv_timeout(PATIENCE).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// Waits until it has said this to people.
    pub(crate) fn says(&self, part: &str) {
        while !self.said.recv_timeout(PATIENCE).unwrap().contains(part) {}
    }

    /// Waits until it has announced a block.
    pub(crate) fn announces(&self, number: u64) {
        while block(&self.event()).0 < number {}
    }

    /// Waits for its end.
    pub(crate) fn wait(&mut self) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(begun.elapsed() < PATIENCE, "the node did not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// What it says until it ends by itself.
    pub(crate) fn last_words(mut self) -> (ExitStatus, String) {
        let status = self.wait();
        (status, self.said.iter().collect::<Vec<_>>().join("\n"))
    }

    /// Kills with SIGKILL and returns every block that it announced since: number and hash.
    pub(crate) fn kill(mut self) -> Vec<(u64, String)> {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        // The last line may be cut off: nobody has read that block.
        let events = self.events.iter().filter_map(|line| serde_json::from_str(&line).ok());
        events.map(|event| block(&event)).collect()
    }
}

/// Number and hash of the block that an event announces.
pub(crate) fn block(event: &Value) -> (u64, String) {
    let block = if event["event"] == "ready" { &event["head"] } else { event };
    (block["number"].as_u64().unwrap(), block["hash"].as_str().unwrap().to_owned())
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
