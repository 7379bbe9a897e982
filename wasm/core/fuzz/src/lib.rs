//! What is fuzzed, and what the targets share.

#![allow(clippy::missing_panics_doc)]

pub mod light;
pub mod seeds;
pub mod targets;
pub mod verify;

use lightproof_core::error::CODES;
use lightproof_core::wire::{Item, Reader};
use lightproof_testkit::{Chain, Rlp};
use serde_json::Value;

/// The devnet.
pub const DEVNET: Chain = Chain { kind: "devnet", chain_id: 0x4c50, genesis_hash: [0; 32] };

/// Ethereum, with a block 0 that no input hashes to.
pub const ETHEREUM: Chain = Chain { kind: "ethereum", chain_id: 1, genesis_hash: [0; 32] };

/// All items in `bytes`, nested ones too, if they are canonical RLP.
///
/// Nesting is bounded: core's own decoders never go deeper than their types, this walk would.
pub fn items(reader: Reader<'_>) -> Option<Vec<Rlp>> {
    fn read(mut reader: Reader<'_>, depth: usize) -> Option<Vec<Rlp>> {
        let mut all = Vec::new();
        while !reader.is_empty() {
            all.push(match reader.item("item").ok()? {
                Item::String(string) => Rlp::str(string.bytes),
                Item::List { .. } if depth == 0 => return None,
                Item::List { items, .. } => Rlp::List(read(items, depth - 1)?),
            });
        }
        Some(all)
    }
    read(reader, 64)
}

/// What was decoded must be the one encoding of it.
pub fn assert_canonical(bytes: &[u8]) {
    let items = items(Reader::new(bytes)).expect("decoded, so canonical and shallow");
    let again: Vec<u8> = items.iter().flat_map(Rlp::encode).collect();
    assert_eq!(again, bytes);
}

/// Reads a verdict or a list of verdicts and checks their form.
pub fn verdicts(text: &str) -> Vec<Value> {
    let answer: Value = serde_json::from_str(text).expect("verdicts are JSON");
    let verdicts = answer.as_array().cloned().unwrap_or_else(|| vec![answer]);
    for verdict in &verdicts {
        match verdict["status"].as_str() {
            Some("proven" | "trusted") => {}
            Some("rejected") => {
                let code = verdict["code"].as_str().expect("a rejection has a code");
                assert!(CODES.contains(&code), "{code}");
                let kind = verdict["kind"].as_str().expect("a rejection has a kind");
                assert!(code.starts_with(kind), "{kind} {code}");
            }
            status => panic!("status {status:?}"),
        }
    }
    verdicts
}
