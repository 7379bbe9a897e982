//! Lies about layers: `lp_getProof` of `lmpt/1`, forms as `prover/src/system/lmpt/prove.rs` writes
//! them.

// The table of lies takes functions of one signature, also of those that cannot fail.
#![allow(clippy::unnecessary_wraps)]

use serde_json::{Value, json};

use crate::lies::{Ask, Borrow, Lie, Told, lies};
use lightproof_prover::hex;
use lightproof_prover::rlp::{self, Item};
use lightproof_prover::system::lmpt::NAME;

const PROOF: &[&str] = &["lp_getProof"];

/// Every lie about layers: only the node of a chain with lmpt/1 can tell one.
pub(super) const LIES: &[Lie] = lies! {
    "lmpt-delta-dropped" PROOF, Borrow(delta_dropped),
        "Leaves out the proof of the delta, the newest layer.";
    "lmpt-delta-empty" PROOF, Borrow(delta_empty),
        "Says that the newest layers are empty.";
    "lmpt-stale" PROOF, Borrow(stale),
        "Answers with the valid proof of a block some merges ago.";
    "lmpt-stale-layer" PROOF, Borrow(stale_layer),
        "Shows root and proof of an older delta between the newest lower layers.";
    "lmpt-layers-swapped" PROOF, Borrow(layers_swapped),
        "Exchanges the roots and the proofs of the two newest layers.";
    "lmpt-value" PROOF, Borrow(value),
        "Changes the value in the leaf that answers.";
    "lmpt-tombstone" PROOF, Borrow(tombstone),
        "Puts a tombstone in place of the value that answers.";
    "lmpt-cut" PROOF, Borrow(cut),
        "Drops the last node of the layer that answers.";
    "lmpt-surplus" PROOF, Borrow(surplus),
        "Shows one layer more than the question needs.";
    "lmpt-other-key" PROOF, Borrow(other_key),
        "Answers with the proof of another key.";
    "lmpt-variant" PROOF, Borrow(variant),
        "Says that its walks are adjacent paths.";
};

/// Changes the items of the proof: `[R_snapshot, R_intermediate, R_delta, form, [[proof, …], …]]`.
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

/// The layers shown for the first key, newest first.
fn layers(items: &mut [Item]) -> Option<&mut Vec<Item>> {
    list(list(items.get_mut(4)?)?.first_mut()?)
}

fn list(item: &mut Item) -> Option<&mut Vec<Item>> {
    match item {
        Item::List(items) => Some(items),
        Item::Bytes(_) | Item::Raw(_) => None,
    }
}

/// The node in which the walk of the answering layer ends.
fn last_node(items: &mut [Item]) -> Option<&mut Vec<u8>> {
    match list(layers(items)?.last_mut()?)?.last_mut()? {
        Item::Bytes(node) => Some(node),
        Item::List(_) | Item::Raw(_) => None,
    }
}

/// The honest reply to the same call at another block.
fn at(ask: &Ask<'_>, back: u64) -> Told {
    let head = ask.context.snapshot.head();
    let header = ask.context.snapshot.header(head.saturating_sub(back))?;
    let hash = header.map(|header| hex::encode(&header.hash()));
    let mut params = ask.params.clone();
    params[2]["blockHash"] = json!(hash);
    ask.context.answer("lp_getProof", &params)
}

fn delta_dropped(ask: &Ask<'_>, reply: Value) -> Told {
    edit(ask, reply, |items| {
        layers(items).filter(|layers| !layers.is_empty()).map(|layers| layers.remove(0));
    })
}

fn delta_empty(ask: &Ask<'_>, reply: Value) -> Told {
    edit(ask, reply, |items| {
        let shown = layers(items).into_iter().flatten();
        shown.take(2).for_each(|layer| *layer = Item::List(vec![]));
    })
}

fn stale(ask: &Ask<'_>, reply: Value) -> Told {
    if ask.params[0] == NAME { at(ask, 3) } else { Ok(reply) }
}

fn stale_layer(ask: &Ask<'_>, reply: Value) -> Told {
    let stale = stale(ask, reply.clone())?;
    edit(ask, reply, |honest| {
        let Some(mut older) = items(&stale) else { return };
        honest[2] = older[2].clone();
        let older = layers(&mut older).and_then(|layers| layers.first().cloned());
        if let (Some(older), Some(layers)) = (older, layers(honest)) {
            layers[0] = older;
        }
    })
}

fn layers_swapped(ask: &Ask<'_>, reply: Value) -> Told {
    edit(ask, reply, |items| {
        items.swap(1, 2);
        if let Some([delta, intermediate, ..]) = layers(items).map(Vec::as_mut_slice) {
            std::mem::swap(delta, intermediate);
        }
    })
}

fn value(ask: &Ask<'_>, reply: Value) -> Told {
    edit(ask, reply, |items| {
        last_node(items).and_then(|node| node.last_mut()).into_iter().for_each(|byte| *byte ^= 1);
    })
}

fn tombstone(ask: &Ask<'_>, reply: Value) -> Told {
    edit(ask, reply, |items| {
        let Some(node) = last_node(items) else { return };
        let path = rlp::decode(node).ok().and_then(|node| node.as_list()?.first().cloned());
        if let Some(path) = path {
            *node = Item::List(vec![path, Item::bytes([0])]).encode();
        }
    })
}

fn cut(ask: &Ask<'_>, reply: Value) -> Told {
    edit(ask, reply, |items| {
        layers(items).and_then(|layers| list(layers.last_mut()?)?.pop());
    })
}

fn surplus(ask: &Ask<'_>, reply: Value) -> Told {
    edit(ask, reply, |items| {
        if let Some(layers) = layers(items) {
            layers.extend(layers.last().cloned());
        }
    })
}

fn other_key(ask: &Ask<'_>, reply: Value) -> Told {
    if ask.params[0] != NAME {
        return Ok(reply);
    }
    let asked = ask.params[1].as_str().and_then(|text| hex::decode(text).ok());
    let mut query = asked.and_then(|bytes| rlp::decode(&bytes).ok());
    let first = query.as_mut().and_then(|query| list(query)?.first_mut());
    if let Some(Item::Bytes(key)) = first {
        key.iter_mut().take(1).for_each(|byte| *byte ^= 1);
    }
    let mut params = ask.params.clone();
    params[1] = json!(query.map(|query| hex::encode(&query.encode())));
    ask.context.answer("lp_getProof", &params)
}

fn variant(ask: &Ask<'_>, mut reply: Value) -> Told {
    if ask.params[0] == NAME {
        reply["variant"] = json!(lightproof_prover::system::lmpt::prove::ADJACENT);
    }
    Ok(reply)
}
