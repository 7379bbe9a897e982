//! Absence where something is present, and presence where nothing is.

use serde_json::{Value, json};

use super::{ACCOUNT, SLOT, list};
use lightproof_prover::hash::{EMPTY_CODE_HASH, EMPTY_ROOT};
use lightproof_prover::hex;

pub(super) fn claim_absent(reply: &mut Value) {
    absent_fields(reply);
}

pub(super) fn claim_present(reply: &mut Value) {
    if reply["balance"] == "0x0" && reply["nonce"] == "0x0" {
        reply["balance"] = json!("0xde0b6b3a7640000");
    }
}

pub(super) fn truncated(reply: &mut Value) {
    absent(reply, |nodes| drop(nodes.pop()));
}

pub(super) fn root_only(reply: &mut Value) {
    absent(reply, |nodes| nodes.truncate(1));
}

pub(super) fn no_nodes(reply: &mut Value) {
    absent(reply, Vec::clear);
}

pub(super) fn empty_node(reply: &mut Value) {
    absent(reply, |nodes| *nodes = vec![json!("0x80")]);
}

pub(super) fn slot_truncated(reply: &mut Value) {
    slot_absent(reply, |nodes| drop(nodes.pop()));
}

pub(super) fn slot_root_only(reply: &mut Value) {
    slot_absent(reply, |nodes| nodes.truncate(1));
}

pub(super) fn slot_no_nodes(reply: &mut Value) {
    slot_absent(reply, Vec::clear);
}

fn absent(reply: &mut Value, change: impl FnOnce(&mut Vec<Value>)) {
    if let Some(nodes) = list(reply, ACCOUNT) {
        change(nodes);
    }
    absent_fields(reply);
}

/// An absent account as honest nodes show it; its storage is empty, so the slots are zero too.
fn absent_fields(reply: &mut Value) {
    reply["balance"] = json!("0x0");
    reply["nonce"] = json!("0x0");
    reply["codeHash"] = json!(hex::encode(&EMPTY_CODE_HASH));
    reply["storageHash"] = json!(hex::encode(&EMPTY_ROOT));
    for slot in reply["storageProof"].as_array_mut().into_iter().flatten() {
        slot["value"] = json!("0x0");
        slot["proof"] = json!([]);
    }
}

fn slot_absent(reply: &mut Value, change: impl FnOnce(&mut Vec<Value>)) {
    if let Some(nodes) = list(reply, SLOT) {
        change(nodes);
        reply["storageProof"][0]["value"] = json!("0x0");
    }
}
