//! geth on the loopback interface, offline, in a directory of its own that vanishes with it.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use lightproof_ethereum::rpc::{Rpc, RpcError};
use serde_json::{Value, json};

/// The program that `scripts/test.mjs` builds, if it is there. A run in CI has it.
pub fn program() -> Option<PathBuf> {
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tools/geth");
    let program = std::env::var_os("LIGHTPROOF_GETH").map_or(built, PathBuf::from);
    if program.is_file() {
        return Some(program);
    }
    assert!(std::env::var("CI").as_deref() != Ok("true"), "{} is missing", program.display());
    println!("SKIPPED: geth is not built (npm test -- --suite geth)");
    None
}

/// Only a fault takes this long.
const PATIENCE: Duration = Duration::from_mins(2);

#[derive(Debug)]
pub struct Geth {
    child: Child,
    pub url: String,
    pub rpc: Rpc,
    directory: tempfile::TempDir,
}

impl Geth {
    /// A development chain that makes a block whenever a transaction waits.
    pub fn start(program: &Path, genesis: &Value) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("genesis.json");
        std::fs::write(&file, genesis.to_string()).unwrap();
        let data = directory.path().join("data");
        let data = data.to_str().unwrap();
        let made = Command::new(program)
            .args(["init", "--datadir", data, "--cache.preimages", file.to_str().unwrap()])
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        Self::run(program, directory)
    }

    /// Ends the node, dumps the state after a block, and starts it again on the same directory.
    pub fn dumped(mut self, program: &Path, number: u64) -> (Vec<u8>, Self) {
        // So that it writes what it holds in memory.
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        self.child.wait().unwrap();
        let directory = std::mem::replace(&mut self.directory, tempfile::tempdir().unwrap());
        let data = directory.path().join("data");
        let dump = Command::new(program)
            .args(["dump", "--datadir", data.to_str().unwrap(), "--iterative", &number.to_string()])
            .output()
            .unwrap();
        assert!(dump.status.success(), "{}", String::from_utf8_lossy(&dump.stderr));
        (dump.stdout, Self::run(program, directory))
    }

    fn run(program: &Path, directory: tempfile::TempDir) -> Self {
        let data = directory.path().join("data");
        let data = data.to_str().unwrap();
        let mut child = Command::new(program)
            .args(["--dev", "--datadir", data, "--http", "--http.addr", "127.0.0.1"])
            .args(["--http.port", "0", "--authrpc.port", "0", "--port", "0", "--ipcdisable"])
            .args(["--maxpeers", "0", "--nodiscover", "--nat", "none", "--cache.preimages"])
            .args(["--http.api", "eth,debug,dev", "--rpc.allow-unprotected-txs"])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let url = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| {
                let (_, endpoint) =
                    line.split_once("HTTP server started")?.1.split_once("endpoint=")?;
                Some(format!("http://{}", endpoint.split_whitespace().next()?))
            })
            .expect("geth serves");
        std::thread::spawn(move || lines.for_each(drop));
        let rpc = Rpc::new(&url, Duration::from_mins(1)).unwrap();
        Self { child, url, rpc, directory }
    }

    pub fn number(&self) -> u64 {
        let number = self.rpc.call("eth_blockNumber", &json!([])).unwrap();
        u64::from_str_radix(&number.as_str().unwrap()[2..], 16).unwrap()
    }

    /// Sends a transaction; again while the pool has not seen the newest block.
    fn send_one(&self, raw: &str, begun: Instant) -> Value {
        loop {
            match self.rpc.call("eth_sendRawTransaction", &json!([raw])) {
                Ok(hash) => return hash,
                Err(RpcError::Refused { message, .. })
                    if message.contains("not yet in") && begun.elapsed() < PATIENCE =>
                {
                    std::thread::sleep(Duration::from_millis(50));
                }
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// Whether a block holds a transaction; geth refuses to say so while it indexes its first
    /// blocks.
    fn has_receipt(&self, hash: &Value) -> bool {
        match self.rpc.call("eth_getTransactionReceipt", &json!([hash])) {
            Ok(receipt) => !receipt.is_null(),
            Err(RpcError::Refused { message, .. }) if message.contains("indexing") => false,
            Err(error) => panic!("{error}"),
        }
    }

    /// Sends transactions and waits until a block holds each.
    pub fn send(&self, raw: &[String]) {
        let begun = Instant::now();
        let hashes: Vec<_> = raw.iter().map(|raw| self.send_one(raw, begun)).collect();
        for hash in hashes {
            while !self.has_receipt(&hash) {
                assert!(begun.elapsed() < PATIENCE, "{hash} is in no block");
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }
}

impl Drop for Geth {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
