//! Changed, moved and borrowed nodes.

use serde_json::{Value, json};

use super::{ACCOUNT, SLOT, list};
use crate::lies::{Ask, Told};
use lightproof_prover::chain::workload::population::Population;
use lightproof_prover::hex;
use lightproof_prover::rlp::{self, Item};
use lightproof_prover::system::mpt::account::Account;

pub(super) fn forged_leaf(reply: &mut Value) {
    let forged = list(reply, ACCOUNT).and_then(|nodes| nodes.last_mut()).and_then(|leaf| {
        let (path, value) = leaf_of(leaf)?;
        let mut account = Account::decode(&value)?;
        let richer = u128::try_from(account.balance).ok()? + 1_000_000_000_000_000_000_000;
        account.balance = richer.into();
        *leaf = node_json(&[Item::bytes(path), Item::bytes(account.encode())]);
        Some(account.balance)
    });
    if let Some(balance) = forged {
        reply["balance"] = json!(hex::quantity_of_bytes(&balance.0));
    }
}

pub(super) fn forged_slot_leaf(reply: &mut Value) {
    let value = [0x7f; 32];
    let forged = list(reply, SLOT).and_then(|nodes| nodes.last_mut()).and_then(|leaf| {
        let (path, _) = leaf_of(leaf)?;
        *leaf = node_json(&[Item::bytes(path), Item::bytes(Item::uint_bytes(&value).encode())]);
        Some(())
    });
    if forged.is_some() {
        reply["storageProof"][0]["value"] = json!(hex::quantity_of_bytes(&value));
    }
}

pub(super) fn forged_root(reply: &mut Value) {
    let root = list(reply, ACCOUNT).and_then(|nodes| nodes.first_mut());
    if let Some((mut bytes, root)) = root.and_then(|root| Some((bytes_of(root)?, root))) {
        // A byte inside the first child's hash: the node stays well formed.
        let at = bytes.len() / 2;
        bytes[at] ^= 1;
        *root = json!(hex::encode(&bytes));
    }
}

/// The first sample that was not asked for.
fn other(ask: &Ask<'_>) -> Told {
    let seed = ask.context.node.config().seed;
    let asked = &ask.params[0];
    let others = Population::new(seed, 0)
        .samples()
        .into_iter()
        .map(|sample| json!(hex::encode(&sample.address)));
    let other = others.into_iter().find(|other| !same_hex(other, asked)).unwrap_or(Value::Null);
    ask.proof(&other, &ask.params[1], &ask.params[2])
}

pub(super) fn other_account(ask: &Ask<'_>, _: Value) -> Told {
    other(ask)
}

pub(super) fn other_account_renamed(ask: &Ask<'_>, mut honest: Value) -> Told {
    let mut reply = other(ask)?;
    reply["address"] = honest["address"].take();
    Ok(reply)
}

pub(super) fn stale(ask: &Ask<'_>, _: Value) -> Told {
    let oldest = json!(hex::quantity(ask.context.snapshot.oldest_state()));
    ask.proof(&ask.params[0], &ask.params[1], &oldest)
}

pub(super) fn reordered(reply: &mut Value) {
    if let Some([first, second, ..]) = list(reply, ACCOUNT).map(Vec::as_mut_slice) {
        std::mem::swap(first, second);
    }
}

pub(super) fn duplicated(reply: &mut Value) {
    if let Some(nodes) = list(reply, ACCOUNT) {
        nodes.extend(nodes.last().cloned());
    }
}

pub(super) fn foreign(ask: &Ask<'_>, mut reply: Value) -> Told {
    let mut other = other(ask)?;
    let node = list(&mut other, ACCOUNT).and_then(Vec::pop);
    if let Some(nodes) = list(&mut reply, ACCOUNT) {
        nodes.extend(node);
    }
    Ok(reply)
}

pub(super) fn missing(reply: &mut Value) {
    if let Some(nodes) = list(reply, ACCOUNT).filter(|nodes| nodes.len() > 2) {
        nodes.remove(1);
    }
}

fn bytes_of(node: &Value) -> Option<Vec<u8>> {
    hex::decode(node.as_str()?).ok().filter(|bytes| !bytes.is_empty())
}

fn leaf_of(node: &Value) -> Option<(Vec<u8>, Vec<u8>)> {
    let item = rlp::decode(&bytes_of(node)?).ok()?;
    let [path, value] = item.as_list()? else { return None };
    let path = path.as_bytes()?.to_vec();
    // Flags 2 and 3 are leaves.
    (path.first()? >> 4 >= 2).then_some((path, value.as_bytes()?.to_vec()))
}

fn node_json(items: &[Item]) -> Value {
    json!(hex::encode(&Item::List(items.to_vec()).encode()))
}

fn same_hex(a: &Value, b: &Value) -> bool {
    matches!((a.as_str(), b.as_str()), (Some(a), Some(b)) if a.eq_ignore_ascii_case(b))
}
