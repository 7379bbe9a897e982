//! Replies that are no proofs: too large, too deep, of the wrong type.

use serde_json::{Value, json};

use super::{ACCOUNT, list};
use lightproof_prover::hex;
use lightproof_prover::rlp::Item;

pub(super) fn oversize_proof(reply: &mut Value) {
    if let Some(nodes) = list(reply, ACCOUNT) {
        let root = nodes.first().cloned().unwrap_or(json!("0x80"));
        nodes.resize(2_000, root);
    }
}

pub(super) fn oversize_node(reply: &mut Value) {
    last_node(reply, |_| Item::bytes(vec![0xff; 64 * 1024]).encode());
}

pub(super) fn deep_nesting(reply: &mut Value) {
    let nested =
        |_| (0..3_000).fold(Item::List(vec![]), |inner, _| Item::List(vec![inner])).encode();
    last_node(reply, nested);
}

pub(super) fn non_canonical(reply: &mut Value) {
    last_node(reply, |mut node| {
        node.push(0);
        node
    });
}

pub(super) fn types(reply: &mut Value) {
    reply["nonce"] = json!(1);
    reply["accountProof"] = json!({ "0": "0x80" });
    reply["storageProof"] = json!("0x");
}

pub(super) fn bad_hex(reply: &mut Value) {
    if let Some(node) = list(reply, ACCOUNT).and_then(|nodes| nodes.last_mut()) {
        *node = json!("0xnothex");
    }
}

pub(super) fn quantity(reply: &mut Value) {
    reply["balance"] = json!(format!("0x1{}", "0".repeat(64)));
}

pub(super) fn missing_field(reply: &mut Value) {
    if let Some(object) = reply.as_object_mut() {
        object.remove("storageProof");
    }
}

pub(super) fn null(reply: &mut Value) {
    *reply = Value::Null;
}

fn last_node(reply: &mut Value, change: impl FnOnce(Vec<u8>) -> Vec<u8>) {
    if let Some(node) = list(reply, ACCOUNT).and_then(|nodes| nodes.last_mut()) {
        let bytes = node.as_str().and_then(|text| hex::decode(text).ok()).unwrap_or_default();
        *node = json!(hex::encode(&change(bytes)));
    }
}
