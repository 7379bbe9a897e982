//! The node as a program.

use std::io::{BufRead as _, BufReader, Read};
use std::net::SocketAddr;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};

use serde_json::Value;

use crate::http::request;

/// A node process; killed when the test ends, however it ends.
pub(crate) struct Node {
    pub(crate) child: Child,
    /// Its first line.
    pub(crate) ready: Value,
    /// What it says to programs after that.
    pub(crate) events: Receiver<String>,
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

impl Node {
    /// Starts it and waits for its first line.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut node = Self::launch(arguments);
        let Ok(line) = node.events.recv() else {
            panic!("{}", node.said.iter().collect::<Vec<_>>().join("\n"))
        };
        node.ready = serde_json::from_str(&line).unwrap();
        node
    }

    /// Starts it.
    pub(crate) fn launch(arguments: &[&str]) -> Self {
        Self::launch_in(&[], arguments)
    }

    /// Starts it with more in its environment.
    pub(crate) fn launch_in(environment: &[(&str, &str)], arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_lightproof-node"))
            .args(arguments)
            .envs(environment.iter().copied())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let said = lines(child.stderr.take().unwrap());
        let events = lines(child.stdout.take().unwrap());
        Self { child, ready: Value::Null, events, said }
    }

    /// Where it listens: `url`, `metrics`.
    pub(crate) fn address(&self, of: &str) -> SocketAddr {
        self.ready[of].as_str().unwrap().strip_prefix("http://").unwrap().parse().unwrap()
    }

    pub(crate) fn post(&self, body: &Value) -> Value {
        let body = body.to_string();
        let (_, body) = request(self.address("url"), "POST / HTTP/1.1", body.as_bytes());
        serde_json::from_str(&body).unwrap()
    }

    /// The reply to one call.
    #[cfg(feature = "object-store")]
    pub(crate) fn call(&self, method: &str, params: &Value) -> Value {
        self.post(
            &serde_json::json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }),
        )
    }

    #[cfg(unix)]
    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    /// Waits for its end: what it said to people, and to programs.
    pub(crate) fn end(mut self) -> (ExitStatus, String, Vec<String>) {
        let said: String = self.said.iter().map(|line| line + "\n").collect();
        let events = self.events.iter().collect();
        (self.child.wait().unwrap(), said, events)
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
