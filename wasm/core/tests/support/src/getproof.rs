//! `eth_getProof` JSON in core's RLP form, as the SDK makes it.

use serde_json::Value;

use crate::hex;
use crate::state::{MptProof, Query, SlotProof};

/// The reply of a node. Claimed fields are taken as the node wrote them.
pub fn reply(json: &Value) -> MptProof {
    MptProof {
        address: bytes(&json["address"]),
        nonce: hex::minimal(&bytes(&json["nonce"])),
        balance: hex::minimal(&bytes(&json["balance"])),
        storage_hash: bytes(&json["storageHash"]),
        code_hash: bytes(&json["codeHash"]),
        nodes: nodes(&json["accountProof"]),
        slots: items(&json["storageProof"])
            .iter()
            .map(|slot| SlotProof {
                key: slot_key(&slot["key"]),
                value: hex::minimal(&bytes(&slot["value"])),
                nodes: nodes(&slot["proof"]),
            })
            .collect(),
        code: None,
    }
}

/// The query for an address and slots as JSON-RPC writes them.
pub fn query(address: &Value, slots: &[Value]) -> Query {
    Query { address: bytes(address), slots: slots.iter().map(slot_key).collect(), want_code: false }
}

/// The query that a reply answers, read off the reply.
pub fn query_of(reply: &Value) -> Query {
    let slots: Vec<Value> =
        items(&reply["storageProof"]).iter().map(|slot| slot["key"].clone()).collect();
    query(&reply["address"], &slots)
}

/// The nodes of a proof. Some nodes write the proof of an empty trie as `["0x80"]`, others as `[]`.
pub fn nodes(json: &Value) -> Vec<Vec<u8>> {
    let all: Vec<Vec<u8>> = items(json).iter().map(bytes).collect();
    if all == [[0x80]] { Vec::new() } else { all }
}

/// A slot's key: left-padded to 32 bytes; a longer one stays as it is, for core to refuse.
pub fn slot_key(json: &Value) -> Vec<u8> {
    let key = bytes(json);
    let mut padded = vec![0; 32_usize.saturating_sub(key.len())];
    padded.extend(key);
    padded
}

/// Bytes of a JSON string of hex digits.
pub fn bytes(json: &Value) -> Vec<u8> {
    hex::decode(json.as_str().unwrap_or_else(|| panic!("not a string: {json}")))
}

fn items(json: &Value) -> &[Value] {
    json.as_array().unwrap_or_else(|| panic!("not a list: {json}"))
}
