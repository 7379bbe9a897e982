//! Claimed fields that differ from what the proof holds.

use serde_json::{Value, json};

use lightproof_prover::hex;

pub(super) fn balance(reply: &mut Value) {
    add(field(reply, "balance"), 1_000_000_000_000_000_000_000);
}

pub(super) fn nonce(reply: &mut Value) {
    add(field(reply, "nonce"), 1);
}

pub(super) fn code_hash(reply: &mut Value) {
    reply["codeHash"] = json!(hex::encode(&[0x11; 32]));
}

pub(super) fn storage_hash(reply: &mut Value) {
    reply["storageHash"] = json!(hex::encode(&[0x22; 32]));
}

/// A slot's value as `eth_getStorageAt` gives it, or the first of a proof.
pub(super) fn slot_value(reply: &mut Value) {
    if reply.is_string() {
        *reply = json!(hex::encode(&[0x33; 32]));
    } else if let Some(value) = reply.pointer_mut("/storageProof/0/value") {
        *value = json!(if *value == json!("0x33") { "0x34" } else { "0x33" });
    }
}

pub(super) fn code(reply: &mut Value) {
    if let Some(mut bytes) = reply.as_str().and_then(|text| hex::decode(text).ok()) {
        match bytes.last_mut() {
            Some(last) => *last ^= 1,
            None => bytes.push(0xfe),
        }
        *reply = json!(hex::encode(&bytes));
    }
}

/// The field of a proof, or the whole reply if it is a quantity itself.
fn field<'v>(reply: &'v mut Value, name: &str) -> &'v mut Value {
    if reply.is_string() { reply } else { &mut reply[name] }
}

fn add(value: &mut Value, amount: u128) {
    let number = value
        .as_str()
        .and_then(|text| u128::from_str_radix(text.trim_start_matches("0x"), 16).ok());
    *value = json!(hex::quantity(number.unwrap_or(0).saturating_add(amount)));
}
