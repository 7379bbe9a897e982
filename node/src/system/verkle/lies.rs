//! Lies about a Verkle tree: `lp_getProof` of `verkle`, forms as
//! `prover/src/system/verkle/prove.rs` writes them.

// The table of lies takes functions of one signature, also of those that cannot fail.
#![allow(clippy::unnecessary_wraps)]

use serde_json::{Value, json};

use crate::lies::{Ask, Borrow, Lie, Told, lies};
use lightproof_prover::hash::sha256;
use lightproof_prover::hex;
use lightproof_prover::rlp::{self, Item};
use lightproof_prover::system::PLAIN;
use lightproof_prover::system::verkle::NAME;
use lightproof_prover::system::verkle::commitment::{POINT_BYTES, identity};
use lightproof_prover::system::verkle::prove::{self, AGGREGATED};

const PROOF: &[&str] = &["lp_getProof"];

/// Every lie about a Verkle tree: only the node of a chain with `verkle` can tell one.
pub(super) const LIES: &[Lie] = lies! {
    "verkle-value" PROOF, Borrow(value),
        "Changes the value of a key that is there.";
    "verkle-absent" PROOF, Borrow(absent),
        "Says that the slot of a key is empty.";
    "verkle-own-leaf" PROOF, Borrow(own_leaf),
        "Shows the key's own leaf as the one that stands in its way.";
    "verkle-empty" PROOF, Borrow(empty),
        "Says that the tree is empty.";
    "verkle-opening" PROOF, Borrow(opening),
        "Sends the identity in place of the last opening.";
    "verkle-stale" PROOF, Borrow(stale),
        "Answers with the valid proof of a block before.";
    "verkle-other-key" PROOF, Borrow(other_key),
        "Answers with the proof of another key.";
    "verkle-variant" PROOF, Borrow(variant),
        "Says that its proof has the other shape.";
};

/// Changes the items of the proof: value and path of every key, and the opening of all in an
/// aggregated one.
fn edit(ask: &Ask<'_>, mut reply: Value, change: impl FnOnce(&mut Vec<Item>)) -> Told {
    if let Some(mut items) = items(&reply).filter(|_| ask.params[0] == NAME) {
        change(&mut items);
        reply["proof"] = json!(hex::encode(&Item::List(items).encode()));
    }
    Ok(reply)
}

fn items(reply: &Value) -> Option<Vec<Item>> {
    let bytes = hex::decode(reply["proof"].as_str()?).ok()?;
    Some(rlp::decode(&bytes).ok()?.as_list()?.to_vec())
}

fn bytes(items: &mut [Item], at: usize) -> Option<&mut Vec<u8>> {
    match items.get_mut(at)? {
        Item::Bytes(bytes) => Some(bytes),
        Item::List(_) | Item::Raw(_) => None,
    }
}

/// Value and path of the first key, if it is there.
fn present(items: &mut [Item]) -> Option<(&mut Vec<u8>, &mut Vec<u8>)> {
    match items {
        [Item::Bytes(value), Item::Bytes(path), ..] if path.get(1) == Some(&0) => {
            Some((value, path))
        }
        _ => None,
    }
}

/// The keys that are asked for.
fn keys(ask: &Ask<'_>) -> Option<Vec<Vec<u8>>> {
    prove::decode(&hex::decode(ask.params[1].as_str()?).ok()?)
}

fn value(ask: &Ask<'_>, reply: Value) -> Told {
    edit(ask, reply, |items| {
        if let Some((value, _)) = present(items) {
            value.push(1);
        }
    })
}

fn absent(ask: &Ask<'_>, reply: Value) -> Told {
    edit(ask, reply, |items| {
        if let Some((value, path)) = present(items) {
            value.clear();
            path[1] = 1;
        }
    })
}

fn own_leaf(ask: &Ask<'_>, reply: Value) -> Told {
    let key = keys(ask).and_then(|keys| keys.into_iter().next()).unwrap_or_default();
    edit(ask, reply, |items| {
        if let Some((value, path)) = present(items) {
            path[1] = 2;
            path.extend(sha256(&[&key]));
            path.extend(sha256(&[value]));
            value.clear();
        }
    })
}

fn empty(ask: &Ask<'_>, reply: Value) -> Told {
    edit(ask, reply, |items| {
        for (at, item) in items.iter_mut().enumerate() {
            *item = Item::Bytes(if at % 2 == 1 { vec![0, 1] } else { vec![] });
        }
    })
}

fn opening(ask: &Ask<'_>, reply: Value) -> Told {
    edit(ask, reply, |items| {
        let at = items.len() - 1;
        if let Some(bytes) = bytes(items, at) {
            // An aggregated proof ends with an opening, and so does a plain one of a key that is
            // there.
            if let Some(start) = bytes.len().checked_sub(POINT_BYTES) {
                bytes.splice(start.., identity());
            }
        }
    })
}

fn stale(ask: &Ask<'_>, reply: Value) -> Told {
    if ask.params[0] != NAME {
        return Ok(reply);
    }
    let head = ask.context.snapshot.head();
    let header = ask.context.snapshot.header(head.saturating_sub(3))?;
    let mut params = ask.params.clone();
    params[2]["blockHash"] = json!(header.map(|header| hex::encode(&header.hash())));
    ask.context.answer("lp_getProof", &params)
}

fn other_key(ask: &Ask<'_>, reply: Value) -> Told {
    let Some(mut keys) = keys(ask).filter(|_| ask.params[0] == NAME) else { return Ok(reply) };
    for key in &mut keys {
        key[0] ^= 1;
    }
    let mut params = ask.params.clone();
    params[1] = json!(hex::encode(&prove::encode(&keys)));
    ask.context.answer("lp_getProof", &params)
}

fn variant(ask: &Ask<'_>, mut reply: Value) -> Told {
    if ask.params[0] == NAME {
        let other = if reply["variant"] == PLAIN { AGGREGATED } else { PLAIN };
        reply["variant"] = json!(other);
    }
    Ok(reply)
}
