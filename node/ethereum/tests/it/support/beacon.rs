//! A beacon node of our own: the light client's part of the Beacon API in SSZ, over HTTP.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use alloy_primitives::B256;
use lightproof_ethereum::block::Block;
use lightproof_ethereum::follow::beacon::Consensus;
use lightproof_generator::light::beacon::network::Network;

/// The checkpoint's slot, in period 6; Electra's rules hold from slot 384 to 511.
pub const START: u64 = 404;
/// Slots of a committee's period.
pub const PERIOD: u64 = 64;
/// Seconds of a slot.
const SECONDS: u64 = 6;

/// What a beacon node serves: answers by path, without the part that all have.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    pub bootstrap: Vec<u8>,
    /// Updates by period, from the first on.
    pub updates: Vec<(u64, Vec<u8>)>,
    pub finality: Vec<u8>,
    /// The content type; none for SSZ.
    pub kind: Option<&'static str>,
}

#[derive(Debug)]
pub struct BeaconNode {
    pub url: String,
    pub answers: Arc<Mutex<Answers>>,
}

/// A network whose slot `slot` is now and whose block at `START + 8 * n` holds block n.
pub fn network(seed: u64, slot: u64, blocks: &[Block]) -> Network {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let genesis_time = now - SECONDS * slot;
    let at = |number: usize| if number == 0 { START } else { 400 + 8 * number as u64 };
    let executed = blocks.iter().enumerate();
    let executed =
        executed.map(|(number, block)| (at(number), (block.header.number, block.hash.0)));
    Network::new(seed, genesis_time, executed.collect())
}

pub fn consensus(network: &Network) -> Consensus {
    Consensus::parse(network.consensus().to_string().as_bytes()).unwrap()
}

pub fn checkpoint(network: &Network) -> B256 {
    network.root(START).into()
}

impl Answers {
    /// What an honest node serves once the block of a slot is signed: final is the block of two
    /// epochs before.
    pub fn honest(network: &Network, slot: u64) -> Self {
        let first = START / PERIOD;
        let last_of = |period: u64| (period * PERIOD + PERIOD - 2).min(slot);
        let update = |period| (period, network.update(last_of(period), "update"));
        Self {
            bootstrap: network.bootstrap(START),
            updates: (first..=slot / PERIOD).map(update).collect(),
            finality: network.update(slot, "finality"),
            kind: None,
        }
    }

    fn answer(&self, path: &str) -> Option<Vec<u8>> {
        let (_, path) = path.split_once("/eth/v1/beacon/light_client/")?;
        if path.starts_with("bootstrap/") {
            return Some(self.bootstrap.clone());
        }
        if path == "finality_update" {
            return Some(self.finality.clone());
        }
        let (_, start) = path.split_once("updates?start_period=")?;
        let start: u64 = start.split('&').next()?.parse().ok()?;
        let wanted = self.updates.iter().filter(|(period, _)| *period >= start);
        let list = wanted.flat_map(|(_, update)| {
            let length = update.len() as u64 + 4;
            [&length.to_le_bytes()[..], &[0; 4], update].concat()
        });
        Some(list.collect())
    }
}

impl BeaconNode {
    pub fn start(answers: Answers) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let answers = Arc::new(Mutex::new(answers));
        let shared = Arc::clone(&answers);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                serve(stream, &shared);
            }
        });
        Self { url, answers }
    }

    pub fn change(&self, change: impl FnOnce(&mut Answers)) {
        change(&mut self.answers.lock().unwrap());
    }
}

/// One request a connection.
fn serve(mut stream: TcpStream, answers: &Mutex<Answers>) -> Option<()> {
    let mut bytes = Vec::new();
    while !bytes.windows(4).any(|end| end == b"\r\n\r\n") {
        let mut chunk = [0; 4096];
        let length = stream.read(&mut chunk).ok().filter(|length| *length > 0)?;
        bytes.extend_from_slice(&chunk[..length]);
    }
    let head = String::from_utf8_lossy(&bytes);
    let path = head.split_whitespace().nth(1)?;
    let answers = answers.lock().unwrap().clone();
    let (status, body) = match answers.answer(path) {
        Some(body) => ("200 OK", body),
        None => ("404 Not Found", Vec::new()),
    };
    let kind = answers.kind.unwrap_or("application/octet-stream");
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(&body).ok()
}
