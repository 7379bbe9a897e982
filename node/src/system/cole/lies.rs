//! Histories with something left out, put in or taken from elsewhere, in format `cole/1`: whatever
//! the proof of another format or system looks like, it stays honest.

// Lies have one form, those that cannot fail too.
#![allow(clippy::unnecessary_wraps)]

use serde_json::{Value, json};

use crate::lies::{Ask, Borrow, Lie, Told, lies};
use lightproof_prover::hex;
use lightproof_prover::rlp::{self, Item};
use lightproof_prover::system::cole::prove::Query;

/// Where cole proofs are served.
const METHODS: &[&str] = &["lp_getProof"];

/// Every lie about histories: only the node of a chain that commits to `cole` in format `cole/1`
/// can tell one.
pub(super) const LIES: &[Lie] = lies! {
    "cole-version-omitted" METHODS, Borrow(version_omitted),
        "Leaves out the newest version.";
    "cole-version-forged" METHODS, Borrow(version_forged),
        "Changes the value of a version.";
    "cole-version-moved" METHODS, Borrow(version_moved),
        "Says that another block wrote a version.";
    "cole-predecessor-hidden" METHODS, Borrow(predecessor_hidden),
        "Says that nothing stands before the range.";
    "cole-source-skipped" METHODS, Borrow(source_skipped),
        "Passes over a source that holds blocks of the range.";
    "cole-source-closed" METHODS, Borrow(source_closed),
        "Leaves a source closed, as if a newer one had answered.";
    "cole-stale" METHODS, Borrow(stale),
        "Answers from the state of the block before.";
    "cole-other-address" METHODS, Borrow(other_address),
        "Answers with the proof that a neighbouring address was never written.";
    "cole-range-narrowed" METHODS, Borrow(range_narrowed),
        "Answers with the proof of the range's first block alone.";
};

/// Positions in a proof.
const ADDRESS: usize = 2;
const FROM: usize = 3;
const TO: usize = 4;
const HEIGHT: usize = 5;
const SOURCES: usize = 10;
const FIELDS: usize = 11;

/// Positions in an opened source.
const LEFT: usize = 5;
const VERSIONS: usize = 6;
const OPENED: usize = 9;

/// block ‖ value.
const VERSION_BYTES: usize = 36;

fn version_omitted(ask: &Ask<'_>, reply: Value) -> Told {
    Ok(in_versions(ask, reply, |versions| versions.truncate(versions.len() - VERSION_BYTES)))
}

fn version_forged(ask: &Ask<'_>, reply: Value) -> Told {
    Ok(in_versions(ask, reply, |versions| versions[VERSION_BYTES - 1] ^= 1))
}

fn version_moved(ask: &Ask<'_>, reply: Value) -> Told {
    // Block numbers are 4 bytes, big-endian; the block before it holds no version.
    Ok(in_versions(ask, reply, |versions| versions[3] ^= 1))
}

fn predecessor_hidden(ask: &Ask<'_>, reply: Value) -> Told {
    Ok(in_source(
        ask,
        reply,
        |source| !is_empty(&source[LEFT]),
        |source| {
            source[LEFT] = Item::bytes([]);
        },
    ))
}

fn source_skipped(ask: &Ask<'_>, reply: Value) -> Told {
    Ok(in_source(
        ask,
        reply,
        |_| true,
        |source| {
            source.truncate(4);
            source[0] = Item::uint(0_u8);
            source.push(Item::bytes([0x5c; 32]));
        },
    ))
}

fn source_closed(ask: &Ask<'_>, reply: Value) -> Told {
    Ok(in_source(
        ask,
        reply,
        |_| true,
        |source| {
            *source = vec![Item::uint(2_u8), Item::bytes([0x5c; 32])];
        },
    ))
}

fn stale(ask: &Ask<'_>, reply: Value) -> Told {
    let Some(fields) = fields(ask, &reply) else { return Ok(reply) };
    let Some(before) = fields[HEIGHT].as_uint().and_then(|height| height.checked_sub(1)) else {
        return Ok(reply);
    };
    let block = ask.context.answer("eth_getBlockByNumber", &json!([hex::quantity(before)]))?;
    let mut params = ask.params.clone();
    params[2]["blockHash"] = block["hash"].clone();
    let older = ask.context.answer(ask.method, &params)?;
    Ok(change(ask, reply, |own| {
        if let Some(older) = self::fields(ask, &older) {
            own[SOURCES - 1..].clone_from_slice(&older[SOURCES - 1..]);
        }
    }))
}

fn other_address(ask: &Ask<'_>, reply: Value) -> Told {
    borrow(ask, reply, |query| query.address[51] ^= 1)
}

fn range_narrowed(ask: &Ask<'_>, reply: Value) -> Told {
    borrow(ask, reply, |query| {
        if query.as_of {
            query.from = 0;
        }
        query.to = query.from;
    })
}

/// The proof of another query, with the fields of the one that was asked for.
fn borrow(ask: &Ask<'_>, reply: Value, other: impl FnOnce(&mut Query)) -> Told {
    let asked = ask.params[1].as_str().and_then(|text| hex::decode(text).ok());
    let Some(mut query) = asked.and_then(|bytes| Query::decode(&bytes)) else { return Ok(reply) };
    other(&mut query);
    let mut params = ask.params.clone();
    params[1] = json!(hex::encode(&query.encode()));
    let borrowed = ask.context.answer(ask.method, &params)?;
    let Some(own) = fields(ask, &reply) else { return Ok(reply) };
    Ok(change(ask, borrowed, |borrowed| {
        for field in [ADDRESS, FROM, TO] {
            borrowed[field] = own[field].clone();
        }
    }))
}

/// Changes the versions of the newest source that shows some.
fn in_versions(ask: &Ask<'_>, reply: Value, change: impl FnOnce(&mut Vec<u8>)) -> Value {
    in_source(
        ask,
        reply,
        |source| !is_empty(&source[VERSIONS]),
        |source| {
            if let Item::Bytes(versions) = &mut source[VERSIONS] {
                change(versions);
            }
        },
    )
}

fn is_empty(item: &Item) -> bool {
    item.as_bytes().is_none_or(<[u8]>::is_empty)
}

/// Changes the newest opened source that fits.
fn in_source(
    ask: &Ask<'_>,
    reply: Value,
    fits: impl Fn(&[Item]) -> bool,
    to: impl FnOnce(&mut Vec<Item>),
) -> Value {
    change(ask, reply, |fields| {
        let Item::List(sources) = &mut fields[SOURCES] else { return };
        let opened = sources.iter_mut().filter_map(|source| match source {
            Item::List(items) if items.len() == OPENED => Some(items),
            _ => None,
        });
        if let Some(source) = opened.into_iter().find(|source| fits(source)) {
            to(source);
        }
    })
}

fn change(ask: &Ask<'_>, mut reply: Value, change: impl FnOnce(&mut Vec<Item>)) -> Value {
    if let Some(mut fields) = fields(ask, &reply) {
        change(&mut fields);
        reply["proof"] = json!(hex::encode(&Item::List(fields).encode()));
    }
    reply
}

/// The fields of a proof in `cole/1`.
fn fields(ask: &Ask<'_>, reply: &Value) -> Option<Vec<Item>> {
    if ask.params[0] != "cole" {
        return None;
    }
    let bytes = hex::decode(reply["proof"].as_str()?).ok()?;
    match rlp::decode(&bytes).ok()? {
        Item::List(fields) if fields.len() == FIELDS => Some(fields),
        _ => None,
    }
}
