//! Pushes one block to `lightproof-node run --push 127.0.0.1:PORT --jwt FILE`:
//! `cargo run --example push -- 127.0.0.1:PORT FILE NUMBER`

use std::error::Error;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac as _};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, file, number] = arguments.as_slice() else {
        return Err("expected HOST:PORT FILE NUMBER".into());
    };
    let digits = std::fs::read_to_string(file)?;
    let secret = lightproof_prover::hex::decode(&format!("0x{}", digits.trim()))?;
    let block = json!({
        "number": format!("{:#x}", number.parse::<u64>()?),
        "timestamp": format!("{:#x}", now()?),
        "accounts": [{ "address": format!("0x{:040x}", 1), "nonce": "0x1", "balance": "0x2a" }],
        "slots": [{
            "address": format!("0x{:040x}", 1),
            "slot": format!("0x{:064x}", 7),
            "value": format!("0x{:064x}", 9),
        }],
    });
    println!("{:#}", push(address, &secret, &block)?);
    Ok(())
}

fn now() -> Result<u64, Box<dyn Error>> {
    Ok(SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs())
}

/// Sends the block and returns the node's answer: `result` once it is durable, or `error`.
pub(crate) fn push(address: &str, secret: &[u8], block: &Value) -> Result<Value, Box<dyn Error>> {
    let parts = [json!({ "alg": "HS256" }), json!({ "iat": now()? })];
    let signed = parts.map(|part| URL_SAFE_NO_PAD.encode(part.to_string())).join(".");
    let mut mac = Hmac::<sha2::Sha256>::new_from_slice(secret).map_err(|_| "no secret")?;
    mac.update(signed.as_bytes());
    let signature = URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes());
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "lp_pushBlock", "params": [block] });
    let body = call.to_string();
    let mut stream = TcpStream::connect(address)?;
    write!(stream, "POST / HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n")?;
    write!(stream, "authorization: Bearer {signed}.{signature}\r\n")?;
    write!(stream, "content-length: {}\r\n\r\n{body}", body.len())?;
    let mut response = String::new();
    stream.read_to_string(&mut response)?;
    let (_, answer) = response.split_once("\r\n\r\n").ok_or("the node closed the connection")?;
    Ok(serde_json::from_str(answer)?)
}
