//! SIGKILL of attesting processes: whatever they answered is in their journals, and no key signed
//! two headers of one height.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use lightproof_node::attest::journal::Journal;
use lightproof_node::attest::keys;
use lightproof_prover::hex;
use lightproof_prover::rng::Rng;
use serde_json::{Value, json};

use crate::kills::kills;

/// Long, for a machine that does much else.
const PATIENCE: Duration = Duration::from_mins(2);

struct Operator {
    directory: PathBuf,
    address: String,
    others: String,
    process: Option<Child>,
}

impl Operator {
    fn start(&mut self, root: &Path) {
        let stdout = File::options().create(true).append(true).open(self.directory.join("out"));
        let mut process = Command::new(env!("CARGO_BIN_EXE_lightproof-node"))
            .args(["run", "--systems", "mpt", "--block-time-ms", "20", "--genesis-time", "1"])
            .args(["--listen", &self.address, "--attesters", &self.others])
            .arg("--data")
            .arg(self.directory.join("data"))
            .arg("--keys")
            .arg(self.directory.join("key"))
            .arg("--committee")
            .arg(root.join("committee.json"))
            .stdin(Stdio::null())
            .stdout(stdout.unwrap())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Drained, so that it never blocks; shown if the test fails.
        let stderr = BufReader::new(process.stderr.take().unwrap());
        std::thread::spawn(move || stderr.lines().map_while(Result::ok).for_each(drop));
        self.process = Some(process);
    }

    fn kill(&mut self) {
        let Some(mut process) = self.process.take() else { return };
        process.kill().unwrap();
        process.wait().unwrap();
    }

    /// One call; `None` while the node is not there.
    fn call(&self, method: &str, params: &Value) -> Option<Value> {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let body = body.to_string();
        let mut stream = TcpStream::connect(&self.address).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (address, length) = (&self.address, body.len());
        let head = format!(
            "POST / HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n"
        );
        stream.write_all([head.as_bytes(), body.as_bytes()].concat().as_slice()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let (_, body) = answer.split_once("\r\n\r\n")?;
        let answer: Value = serde_json::from_str(body).ok()?;
        answer.get("result").cloned()
    }

    fn announced(&self) -> u64 {
        let number = self.call("eth_blockNumber", &json!([]));
        number.and_then(|n| hex::decode_quantity(n.as_str()?).ok()).unwrap_or(0)
    }
}

impl Drop for Operator {
    fn drop(&mut self) {
        self.kill();
    }
}

fn wait_for(what: &str, mut reached: impl FnMut() -> bool) {
    let start = Instant::now();
    while !reached() {
        assert!(start.elapsed() < PATIENCE, "waited for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn operators(root: &Path) -> Vec<Operator> {
    let addresses: Vec<String> = (0..3)
        .map(|_| TcpListener::bind("127.0.0.1:0").unwrap())
        .collect::<Vec<_>>()
        .iter()
        .map(|listener| listener.local_addr().unwrap().to_string())
        .collect();
    let mut members = Vec::new();
    let operators = (0..3).map(|index| {
        let directory = root.join(index.to_string());
        std::fs::create_dir_all(&directory).unwrap();
        members.push(keys::public(&keys::generate(&directory.join("key")).unwrap()));
        let others = addresses.iter().filter(|address| **address != addresses[index]);
        let others: Vec<_> = others.map(|address| format!("http://{address}")).collect();
        let (address, others) = (addresses[index].clone(), others.join(","));
        Operator { directory, address, others, process: None }
    });
    let operators = operators.collect();
    let file = json!({ "periodLength": 8, "committees": [{ "from": 0, "members": members }] });
    std::fs::write(root.join("committee.json"), file.to_string()).unwrap();
    operators
}

#[test]
fn killed_attesters_sign_one_header_of_a_height_and_what_was_announced_stays() {
    let root = tempfile::tempdir().unwrap();
    let mut operators = operators(root.path());
    for operator in &mut operators {
        operator.start(root.path());
    }
    let mut rng = Rng::new(5, "attest-kill", 0);
    // By operator and height: the header that it said it signed.
    let mut signed: BTreeMap<(usize, u64), String> = BTreeMap::new();
    let mut newest = 0;
    for round in 0..kills(6) {
        wait_for("a newer block", || {
            operators.iter().any(|operator| operator.announced() > newest)
        });
        newest = operators.iter().map(Operator::announced).max().unwrap();
        for (index, operator) in operators.iter().enumerate() {
            let numbers: Vec<u64> = (newest.saturating_sub(6)..newest + 6).collect();
            let Some(answer) = operator.call("lp_getAttestations", &json!([numbers])) else {
                continue;
            };
            for (number, entry) in numbers.iter().zip(answer.as_array().unwrap()) {
                let is_own = entry["signatures"].as_object().is_some_and(|own| !own.is_empty());
                if let Some(hash) = entry["hash"].as_str().filter(|_| is_own) {
                    let before = signed.insert((index, *number), hash.to_owned());
                    assert!(before.is_none_or(|before| before == hash), "two headers of {number}");
                }
            }
        }
        let victim = usize::try_from(rng.below(3)).unwrap();
        operators[victim].kill();
        // Whatever it had said that it signed is in its journal.
        let path = operators[victim].directory.join("key.journal");
        if round % 2 == 0 {
            let (genesis, chain_id) = genesis(&operators, victim);
            let journal = Journal::open(&path, &genesis, chain_id).unwrap();
            for ((_, number), hash) in signed.iter().filter(|((index, _), _)| *index == victim) {
                let noted = journal.signed(*number).map(|hash| hex::encode(hash));
                assert_eq!(noted.as_ref(), Some(hash), "block {number}");
            }
        }
        operators[victim].start(root.path());
    }
    assert!(signed.len() > 20, "{}", signed.len());
    // What the three announced is one chain.
    for operator in &mut operators {
        operator.kill();
    }
    let mut chain: BTreeMap<u64, String> = BTreeMap::new();
    for operator in &operators {
        let text = std::fs::read_to_string(operator.directory.join("out")).unwrap();
        for line in text.lines() {
            let Ok(event) = serde_json::from_str::<Value>(line) else { continue };
            let block = if event["event"] == "ready" { &event["head"] } else { &event };
            let (number, hash) = (block["number"].as_u64().unwrap(), block["hash"].to_string());
            let before = chain.insert(number, hash.clone());
            assert!(before.is_none_or(|before| before == hash), "block {number}");
        }
    }
    assert!(chain.len() as u64 > newest);
    println!("signing: {} kills, {} signatures noted, none twice", kills(6), signed.len());
}

/// Genesis hash and chain id, as one who is still there says.
fn genesis(operators: &[Operator], but: usize) -> ([u8; 32], u64) {
    let others = operators.iter().enumerate().filter(|(index, _)| *index != but);
    let said = others
        .map(|(_, operator)| operator)
        .find_map(|operator| operator.call("lp_status", &json!([])));
    let said = said.unwrap();
    let hash = hex::decode_fixed(said["genesisHash"].as_str().unwrap()).unwrap();
    (hash, hex::decode_quantity(said["chainId"].as_str().unwrap()).unwrap())
}
