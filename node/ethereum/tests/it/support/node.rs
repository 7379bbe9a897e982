//! A node of our own: JSON-RPC over HTTP, which answers as it is told to.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use alloy_primitives::hex;
use alloy_rlp::Encodable as _;
use lightproof_ethereum::block::Block;
use serde_json::{Value, json};

/// What a node serves. It can be changed while the node runs.
#[derive(Clone, Debug, Default)]
pub struct Served {
    /// By number.
    pub blocks: Vec<Block>,
    pub finalized: usize,
    /// Without it: JSON blocks alone.
    pub raw: bool,
    /// The answer to every request in place of the right one.
    pub broken: Option<Broken>,
}

#[derive(Clone, Debug)]
pub enum Broken {
    /// These bytes as the body.
    Body(Vec<u8>),
    /// Zeros without end.
    Endless,
    /// Nothing, and the connection stays open.
    Silent,
    /// A redirection.
    Elsewhere,
    /// The connection is closed without a word, as if nobody listened.
    Down,
}

#[derive(Debug)]
pub struct Node {
    pub url: String,
    pub served: Arc<Mutex<Served>>,
    pub requests: Arc<AtomicUsize>,
}

impl Node {
    pub fn start(served: Served) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let served = Arc::new(Mutex::new(served));
        let requests = Arc::new(AtomicUsize::new(0));
        let (shared, count) = (Arc::clone(&served), Arc::clone(&requests));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (shared, count) = (Arc::clone(&shared), Arc::clone(&count));
                std::thread::spawn(move || serve(stream, &shared, &count));
            }
        });
        Self { url, served, requests }
    }

    pub fn change(&self, change: impl FnOnce(&mut Served)) {
        change(&mut self.served.lock().unwrap());
    }
}

/// One request a connection.
fn serve(mut stream: TcpStream, served: &Mutex<Served>, count: &AtomicUsize) -> Option<()> {
    let mut bytes = Vec::new();
    let body = loop {
        let mut chunk = [0; 4096];
        let length = stream.read(&mut chunk).ok().filter(|length| *length > 0)?;
        bytes.extend_from_slice(&chunk[..length]);
        let text = String::from_utf8_lossy(&bytes).to_ascii_lowercase();
        let Some((head, _)) = text.split_once("\r\n\r\n") else { continue };
        let (_, length) = head.split_once("content-length: ")?;
        let length: usize = length.lines().next()?.trim().parse().ok()?;
        if bytes.len() >= head.len() + 4 + length {
            break bytes[head.len() + 4..].to_vec();
        }
    };
    count.fetch_add(1, Ordering::Relaxed);
    let request: Value = serde_json::from_slice(&body).ok()?;
    let broken = served.lock().unwrap().broken.clone();
    let body = match broken {
        Some(Broken::Body(body)) => body,
        Some(Broken::Silent) => {
            // Until the caller hangs up.
            let _ = stream.read(&mut [0]);
            return None;
        }
        Some(Broken::Down) => return None,
        Some(Broken::Endless) => {
            stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n[").ok()?;
            loop {
                stream.write_all(&[b' '; 1 << 14]).ok()?;
            }
        }
        Some(Broken::Elsewhere) => {
            let head =
                "HTTP/1.1 307 Go\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n";
            return stream.write_all(head.as_bytes()).ok();
        }
        None => {
            let served = served.lock().unwrap();
            let answer = match request {
                Value::Array(all) => all.iter().map(|one| served.answer(one)).collect(),
                one => served.answer(&one),
            };
            answer.to_string().into_bytes()
        }
    };
    let head =
        format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(&body).ok()
}

impl Served {
    fn answer(&self, request: &Value) -> Value {
        let id = &request["id"];
        let params = &request["params"];
        let which = params[0].as_str().unwrap_or_default();
        let found = match which {
            "latest" => self.blocks.last(),
            "finalized" => self.blocks.get(self.finalized),
            hash if hash.len() == 66 => {
                let hash: alloy_primitives::B256 = hash.parse().unwrap();
                self.blocks.iter().find(|block| block.hash == hash)
            }
            number => self.blocks.get(usize::from_str_radix(&number[2..], 16).unwrap()),
        };
        let result = match request["method"].as_str().unwrap() {
            "debug_getRawBlock" if self.raw => json!(found.map_or("0x".to_owned(), raw)),
            "eth_getBlockByNumber" | "eth_getBlockByHash" => found.map_or(Value::Null, as_json),
            _ => {
                let error = json!({ "code": -32_601, "message": "no such method\u{7}" });
                return json!({ "jsonrpc": "2.0", "id": id, "error": error });
            }
        };
        json!({ "jsonrpc": "2.0", "id": id, "result": result })
    }
}

pub fn rlp(block: &Block) -> Vec<u8> {
    let mut out = Vec::new();
    let block = alloy_consensus::Block { header: block.header.clone(), body: block.body.clone() };
    block.encode(&mut out);
    out
}

fn raw(block: &Block) -> String {
    hex::encode_prefixed(rlp(block))
}

/// As geth answers: with keys that the header does not have.
pub fn as_json(block: &Block) -> Value {
    let mut answer = serde_json::to_value(&block.header).unwrap();
    answer["hash"] = json!(block.hash);
    answer["size"] = json!("0x1");
    answer["totalDifficulty"] = json!("0x0");
    answer["uncles"] = json!([]);
    answer["transactions"] = serde_json::to_value(&block.body.transactions).unwrap();
    answer["withdrawals"] = serde_json::to_value(&block.body.withdrawals).unwrap();
    for transaction in answer["transactions"].as_array_mut().unwrap() {
        transaction["blockNumber"] = json!("0x1");
    }
    answer
}
