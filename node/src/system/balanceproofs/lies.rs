//! Lies about balances at positions: `lp_getProof` of `balanceproofs`, RLP `[values, points]`.

// The table of lies takes functions of one signature, also of those that cannot fail.
#![allow(clippy::unnecessary_wraps)]

use serde_json::{Value, json};

use crate::lies::{Ask, Borrow, Lie, Told, lies};
use lightproof_prover::hex;
use lightproof_prover::rlp::{self, Item};
use lightproof_prover::system::balanceproofs::NAME;

const PROOF: &[&str] = &["lp_getProof"];

/// Every lie about a vector: only the node of a chain with balanceproofs/basic can tell one.
pub(super) const LIES: &[Lie] = lies! {
    "balances-value" PROOF, Borrow(value),
        "Adds one wei to the first balance.";
    "balances-richer" PROOF, Borrow(richer),
        "Adds 2^120 wei to the first balance.";
    "balances-moved" PROOF, Borrow(moved),
        "Exchanges the first and the last balance.";
    "balances-dropped" PROOF, Borrow(dropped),
        "Leaves the last balance out.";
    "balances-negated" PROOF, Borrow(negated),
        "Negates the first point.";
    "balances-cut" PROOF, Borrow(cut),
        "Leaves the last point out.";
    "balances-stale" PROOF, Borrow(stale),
        "Answers with the valid proof of a block before.";
    "balances-other-position" PROOF, Borrow(other_position),
        "Answers with the proof of other positions.";
    "balances-variant" PROOF, Borrow(variant),
        "Says that its hinted proof is the plain one.";
};

/// Changes values and points.
fn edit(ask: &Ask<'_>, mut reply: Value, change: impl FnOnce(&mut Vec<u8>, &mut Vec<u8>)) -> Told {
    let bytes = reply["proof"].as_str().and_then(|text| hex::decode(text).ok());
    let item = bytes.filter(|_| ask.params[0] == NAME).and_then(|bytes| rlp::decode(&bytes).ok());
    if let Some([Item::Bytes(values), Item::Bytes(points)]) =
        item.as_ref().and_then(|item| item.as_list())
    {
        let (mut values, mut points) = (values.clone(), points.clone());
        change(&mut values, &mut points);
        let items = vec![Item::bytes(values), Item::bytes(points)];
        reply["proof"] = json!(hex::encode(&Item::List(items).encode()));
    }
    Ok(reply)
}

/// The honest reply to a call that differs in one parameter.
fn with(ask: &Ask<'_>, reply: Value, change: impl FnOnce(&mut Value)) -> Told {
    if ask.params[0] != NAME {
        return Ok(reply);
    }
    let mut params = ask.params.clone();
    change(&mut params);
    ask.context.answer("lp_getProof", &params)
}

fn value(ask: &Ask<'_>, reply: Value) -> Told {
    edit(ask, reply, |values, _| {
        // A wei more.
        for byte in values.iter_mut().take(32).rev() {
            *byte = byte.wrapping_add(1);
            if *byte != 0 {
                break;
            }
        }
    })
}

fn richer(ask: &Ask<'_>, reply: Value) -> Told {
    edit(ask, reply, |values, _| values.iter_mut().skip(16).take(1).for_each(|byte| *byte ^= 1))
}

fn moved(ask: &Ask<'_>, reply: Value) -> Told {
    edit(ask, reply, |values, _| {
        // From the last position to the first: the sum stays.
        if values.len() >= 64 {
            let last = values.len() - 32;
            for byte in 0..32 {
                values.swap(byte, last + byte);
            }
        }
    })
}

fn dropped(ask: &Ask<'_>, reply: Value) -> Told {
    edit(ask, reply, |values, _| values.truncate(values.len().saturating_sub(32)))
}

fn negated(ask: &Ask<'_>, reply: Value) -> Told {
    edit(ask, reply, |_, points| points.iter_mut().take(1).for_each(|byte| *byte ^= 0x20))
}

fn cut(ask: &Ask<'_>, reply: Value) -> Told {
    edit(ask, reply, |_, points| points.truncate(points.len().saturating_sub(48)))
}

fn stale(ask: &Ask<'_>, reply: Value) -> Told {
    let head = ask.context.snapshot.head();
    let header = ask.context.snapshot.header(head.saturating_sub(3))?;
    let hash = header.map(|header| hex::encode(&header.hash()));
    with(ask, reply, |params| params[2]["blockHash"] = json!(hash))
}

fn other_position(ask: &Ask<'_>, reply: Value) -> Told {
    let asked = ask.params[1].as_str().and_then(|text| hex::decode(text).ok());
    let positions = asked
        .and_then(|bytes| rlp::decode(&bytes).ok())
        .and_then(|item| item.as_list()?.iter().map(Item::as_uint).collect::<Option<Vec<_>>>());
    // The last one up by one: still ascending.
    let mut positions = positions.unwrap_or_default();
    positions.last_mut().into_iter().for_each(|last| *last += 1);
    let query = Item::List(positions.into_iter().map(Item::uint).collect()).encode();
    with(ask, reply, |params| params[1] = json!(hex::encode(&query)))
}

fn variant(ask: &Ask<'_>, mut reply: Value) -> Told {
    if ask.params[0] == NAME {
        reply["variant"] = json!("plain");
    }
    Ok(reply)
}
