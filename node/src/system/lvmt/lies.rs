//! Lies about versions and openings: `lp_getProof` of `lvmt/1`, forms as the core's module says.

// The table of lies takes functions of one signature, also of those that cannot fail.
#![allow(clippy::unnecessary_wraps)]

use serde_json::{Value, json};

use crate::lies::{Ask, Borrow, Lie, Told, lies};
use lightproof_prover::hex;
use lightproof_prover::rlp::{self, Item};
use lightproof_prover::system::lvmt::NAME;

const PROOF: &[&str] = &["lp_getProof"];

/// Every lie about versions: only the node of a chain with lvmt/1 can tell one.
pub(super) const LIES: &[Lie] = lies! {
    "lvmt-stale" PROOF, Borrow(stale),
        "Opens the leaf with the points of an older block.";
    "lvmt-whole" PROOF, Borrow(whole),
        "Answers with the valid proof of an older block.";
    "lvmt-value" PROOF, Borrow(value),
        "Appends a byte to the value.";
    "lvmt-point" PROOF, Borrow(point),
        "Negates the first point of the opening.";
    "lvmt-absent" PROOF, Borrow(absent),
        "Says that the key is absent, and that nobody has a slot.";
    "lvmt-other-key" PROOF, Borrow(other_key),
        "Answers with the proof of another key.";
    "lvmt-variant" PROOF, Borrow(variant),
        "Says that its openings have another form.";
};

/// Changes the proof, `[D, blocks, answers]`.
fn edit(ask: &Ask<'_>, mut reply: Value, change: impl FnOnce(&mut Item)) -> Told {
    if let Some(mut proof) = proof(&reply).filter(|_| ask.params[0] == NAME) {
        change(&mut proof);
        reply["proof"] = json!(hex::encode(&proof.encode()));
    }
    Ok(reply)
}

fn proof(reply: &Value) -> Option<Item> {
    rlp::decode(&hex::decode(reply["proof"].as_str()?).ok()?).ok()
}

/// The item at a path of list indices.
fn at<'a>(item: &'a mut Item, path: &[usize]) -> Option<&'a mut Item> {
    let [index, rest @ ..] = path else { return Some(item) };
    match item {
        Item::List(items) => at(items.get_mut(*index)?, rest),
        Item::Bytes(_) | Item::Raw(_) => None,
    }
}

fn bytes<'a>(item: &'a mut Item, path: &[usize]) -> Option<&'a mut Vec<u8>> {
    match at(item, path)? {
        Item::Bytes(bytes) => Some(bytes),
        Item::List(_) | Item::Raw(_) => None,
    }
}

/// The honest reply to the same call some blocks ago.
fn older(ask: &Ask<'_>) -> Told {
    let head = ask.context.snapshot.head();
    let header = ask.context.snapshot.header(head.saturating_sub(8))?;
    let mut params = ask.params.clone();
    params[2]["blockHash"] = json!(header.map(|header| hex::encode(&header.hash())));
    ask.context.answer("lp_getProof", &params)
}

/// Leaves and points of an older block under the newest paths, where the key was not written in
/// between.
fn stale(ask: &Ask<'_>, reply: Value) -> Told {
    if ask.params[0] != NAME {
        return Ok(reply);
    }
    let mut old = proof(&older(ask)?);
    edit(ask, reply, |proof| {
        let points = old.as_mut().and_then(|old| bytes(old, &[2, 0, 2, 0, 1]).cloned());
        if let (Some(points), Some(own)) = (points, bytes(proof, &[2, 0, 2, 0, 1])) {
            *own = points;
        }
    })
}

fn whole(ask: &Ask<'_>, reply: Value) -> Told {
    if ask.params[0] == NAME { older(ask) } else { Ok(reply) }
}

fn value(ask: &Ask<'_>, reply: Value) -> Told {
    edit(ask, reply, |proof| {
        if let Some(value) = bytes(proof, &[2, 0, 4]) {
            value.push(1);
        }
    })
}

fn point(ask: &Ask<'_>, reply: Value) -> Told {
    edit(ask, reply, |proof| {
        // The other root of y².
        if let Some([first, ..]) = bytes(proof, &[2, 0, 2, 0, 1]).map(Vec::as_mut_slice) {
            *first ^= 0x40;
        }
    })
}

fn absent(ask: &Ask<'_>, reply: Value) -> Told {
    edit(ask, reply, |proof| {
        if let Some(Item::List(answer)) = at(proof, &[2, 0])
            && answer.len() > 4
        {
            answer.truncate(3);
            answer[0] = Item::uint(0_u8);
            answer.push(Item::List(vec![Item::List(vec![])]));
        }
        if let Some(blocks) = at(proof, &[1]) {
            *blocks = Item::List(vec![]);
        }
    })
}

fn other_key(ask: &Ask<'_>, reply: Value) -> Told {
    if ask.params[0] != NAME {
        return Ok(reply);
    }
    let asked = ask.params[1].as_str().and_then(|text| hex::decode(text).ok());
    let mut query = asked.and_then(|bytes| rlp::decode(&bytes).ok());
    if let Some(key) = query.as_mut().and_then(|query| bytes(query, &[0])) {
        key.iter_mut().take(1).for_each(|byte| *byte ^= 1);
    }
    let mut params = ask.params.clone();
    params[1] = json!(query.map(|query| hex::encode(&query.encode())));
    ask.context.answer("lp_getProof", &params)
}

fn variant(ask: &Ask<'_>, mut reply: Value) -> Told {
    if ask.params[0] == NAME {
        let is_hybrid = reply["variant"] == "hybrid";
        reply["variant"] = json!(if is_hybrid { "kzg" } else { "hybrid" });
    }
    Ok(reply)
}
