//! Slots that are not the ones asked for.

use serde_json::{Value, json};

use super::{SLOTS, list};
use crate::lies::{Ask, Told};
use lightproof_prover::chain::workload::population::{Population, low_slot};
use lightproof_prover::hex;

pub(super) fn swapped(reply: &mut Value) {
    if let Some([first, second, ..]) = list(reply, SLOTS).map(Vec::as_mut_slice) {
        std::mem::swap(&mut first["value"], &mut second["value"]);
        std::mem::swap(&mut first["proof"], &mut second["proof"]);
    }
}

pub(super) fn reordered(reply: &mut Value) {
    if let Some(slots) = list(reply, SLOTS) {
        slots.reverse();
    }
}

pub(super) fn missing(reply: &mut Value) {
    if let Some(slots) = list(reply, SLOTS) {
        slots.pop();
    }
}

pub(super) fn extra(ask: &Ask<'_>, mut reply: Value) -> Told {
    let unasked = json!([hex::encode(&low_slot(0xdead_beef))]);
    let mut other = ask.proof(&ask.params[0], &unasked, &ask.params[2])?;
    let slot = list(&mut other, SLOTS).and_then(Vec::pop);
    if let Some(slots) = list(&mut reply, SLOTS) {
        slots.extend(slot);
    }
    Ok(reply)
}

pub(super) fn duplicate(reply: &mut Value) {
    if let Some(slots) = list(reply, SLOTS) {
        slots.extend(slots.first().cloned());
    }
}

pub(super) fn other_contract(ask: &Ask<'_>, mut reply: Value) -> Told {
    reply["storageProof"] = foreign_storage(ask, &reply["address"])?;
    Ok(reply)
}

pub(super) fn absent_with_storage(ask: &Ask<'_>, mut reply: Value) -> Told {
    if reply["balance"] == "0x0" && reply["nonce"] == "0x0" {
        reply["storageProof"] = foreign_storage(ask, &reply["address"])?;
    }
    Ok(reply)
}

pub(super) fn long_key(reply: &mut Value) {
    if let Some(key) = reply.pointer_mut("/storageProof/0/key") {
        let digits = key.as_str().unwrap_or_default().trim_start_matches("0x").to_owned();
        *key = json!(format!("0x{digits:0>66}"));
    }
}

/// The asked slots of a contract with storage that is not `address`.
fn foreign_storage(ask: &Ask<'_>, address: &Value) -> Told {
    let population = Population::new(ask.context.node.config().seed, 0);
    let contracts = [0, 1].map(|index| json!(hex::encode(&population.contract(index))));
    let other = contracts.into_iter().find(|other| other != address).unwrap_or(Value::Null);
    let mut reply = ask.proof(&other, &ask.params[1], &ask.params[2])?;
    Ok(reply["storageProof"].take())
}
