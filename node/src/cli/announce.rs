//! Lines for programs on stdout, and for people on stderr.

use std::io::Write as _;

use lightproof_prover::chain::header::Header;
use lightproof_prover::hex;
use serde_json::{Value, json};

/// Tells of a block that is durable.
pub(super) fn announce_block(header: &Header) -> Result<(), String> {
    let hash = hex::encode(&header.hash());
    eprintln!("block {} {hash}", header.number);
    say(&json!({ "event": "block", "number": header.number, "hash": hash }))
}

/// Writes one line for programs. A closed stdout means that whoever started this node is gone: it
/// stops too.
pub(super) fn say(line: &Value) -> Result<(), String> {
    let mut stdout = std::io::stdout().lock();
    writeln!(stdout, "{line}")
        .and_then(|()| stdout.flush())
        .map_err(|error| format!("cannot write to stdout: {error}"))
}
