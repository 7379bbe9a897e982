//! Signed headers that are not what they seem: what a light client on a signed chain must refuse.

use serde_json::{Value, json};

use super::{Ask, Told};
use lightproof_prover::chain::committee::forms::{Bootstrap, Listed, Update, listed};
use lightproof_prover::chain::committee::{
    Committee, Committees, KEY_BYTES, SIGNATURE_BYTES, devnet_message,
};
use lightproof_prover::chain::header::Header;
use lightproof_prover::hash::keccak256;
use lightproof_prover::hex;
use lightproof_prover::system::mpt;

/// Where signatures are served.
pub(super) const SIGNED: &[&str] = &["lp_getUpdates", "lp_getFinality"];
/// Where committees are served.
pub(super) const COMMITTEES: &[&str] = &["lp_getUpdates", "lp_getBootstrap"];

pub(super) fn few(ask: &Ask<'_>, reply: Value) -> Told {
    change(ask, reply, &|all, update| {
        let fewest = usize::try_from(all.terms().two_thirds()).unwrap_or(0);
        keep_bits(&mut update.bits, fewest.saturating_sub(1));
        sign(ask, all, update, period(all, update));
    })
}

/// One who is absent is said to have signed, or the first one not to have.
pub(super) fn flipped(ask: &Ask<'_>, reply: Value) -> Told {
    change(ask, reply, &|_, update| {
        let first = update.bits.iter_mut().find(|bits| **bits != 0xff);
        match first {
            Some(bits) => *bits |= *bits + 1,
            None => update.bits[0] &= 0xfe,
        }
    })
}

pub(super) fn other_header(ask: &Ask<'_>, reply: Value) -> Told {
    change(ask, reply, &|all, update| {
        let message = devnet_message(&ask.context.node.genesis_hash(), &keccak256(b"another"));
        update.signature = all.of(period(all, update)).sign(&update.bits, &message).to_vec();
    })
}

pub(super) fn other_committee(ask: &Ask<'_>, reply: Value) -> Told {
    change(ask, reply, &|all, update| sign(ask, all, update, period(all, update) + 1))
}

/// A forged header under a valid signature, by a committee that no header names.
pub(super) fn own_keys(ask: &Ask<'_>, reply: Value) -> Told {
    change(ask, reply, &|all, update| {
        let Some(mut header) = Header::decode(&update.header) else { return };
        for (_, root) in header.commitments.iter_mut().filter(|(name, _)| name == mpt::NAME) {
            *root = vec![0x66; 32];
        }
        update.header = header.encode();
        let own = Committee::insecure(!ask.context.node.config().seed, 0, all.terms().size);
        let message = devnet_message(&ask.context.node.genesis_hash(), &header.hash());
        update.signature = own.sign(&update.bits, &message).to_vec();
    })
}

pub(super) fn infinity(ask: &Ask<'_>, reply: Value) -> Told {
    change(ask, reply, &|_, update| {
        update.signature = vec![0; SIGNATURE_BYTES];
        update.signature[0] = 0xc0;
    })
}

/// The committee signs: only the client's own clock can tell.
pub(super) fn future(ask: &Ask<'_>, reply: Value) -> Told {
    change(ask, reply, &|all, update| {
        let Some(mut header) = Header::decode(&update.header) else { return };
        header.timestamp = u64::MAX - 1;
        update.header = header.encode();
        sign(ask, all, update, period(all, update));
    })
}

pub(super) fn next_committee(ask: &Ask<'_>, reply: Value) -> Told {
    change_committee(ask, reply, &|all, number, committee| {
        let other = listed(all, all.terms().period_of(number) + 7, 0);
        committee.keys = other.keys;
        committee.aggregate = other.aggregate;
        committee.proofs = other.proofs;
    })
}

pub(super) fn swapped_keys(ask: &Ask<'_>, reply: Value) -> Told {
    change_committee(ask, reply, &|_, _, committee| {
        committee.keys[..2 * KEY_BYTES].rotate_left(KEY_BYTES);
    })
}

pub(super) fn aggregate(ask: &Ask<'_>, reply: Value) -> Told {
    change_committee(ask, reply, &|_, _, committee| {
        committee.aggregate = committee.keys[..KEY_BYTES].to_vec();
    })
}

pub(super) fn stale(ask: &Ask<'_>, reply: Value) -> Told {
    Ok(match reply {
        Value::Array(updates) => {
            let first = ask.context.answer("lp_getUpdates", &json!([0, 1]))?;
            updates.iter().map(|_| first[0].clone()).collect()
        }
        finality => {
            let oldest = ask.context.snapshot.header(ask.context.snapshot.first())?;
            let all = ask.context.node.committees().zip(oldest);
            all.map_or(finality, |(all, oldest)| {
                let genesis_hash = ask.context.node.genesis_hash();
                json!(hex::encode(&Update::finality(all, &genesis_hash, &oldest).encode()))
            })
        }
    })
}

pub(super) fn skipped(reply: &mut Value) {
    if let Some(updates) = reply.as_array_mut().filter(|updates| !updates.is_empty()) {
        updates.remove(0);
    }
}

pub(super) fn other_checkpoint(ask: &Ask<'_>, _: Value) -> Told {
    let genesis_hash = hex::encode(&ask.context.node.genesis_hash());
    ask.context.answer("lp_getBootstrap", &json!([genesis_hash]))
}

/// Leaves the first `count` participants.
fn keep_bits(bits: &mut [u8], mut count: usize) {
    for byte in bits {
        for bit in 0..8 {
            if *byte >> bit & 1 == 1 {
                match count.checked_sub(1) {
                    Some(left) => count = left,
                    None => *byte &= !(1 << bit),
                }
            }
        }
    }
}

/// The committee of `period` signs what the update says, by its bits.
fn sign(ask: &Ask<'_>, all: &Committees, update: &mut Update, period: u64) {
    let message = devnet_message(&ask.context.node.genesis_hash(), &keccak256(&update.header));
    update.signature = all.of(period).sign(&update.bits, &message).to_vec();
}

fn period(all: &Committees, update: &Update) -> u64 {
    Header::decode(&update.header).map_or(0, |header| all.terms().period_of(header.number))
}

/// Changes every update or finality of a reply.
#[expect(clippy::unnecessary_wraps, reason = "the form of every lie")]
fn change(ask: &Ask<'_>, reply: Value, edit: &dyn Fn(&Committees, &mut Update)) -> Told {
    let Some(all) = ask.context.node.committees() else { return Ok(reply) };
    Ok(change_bytes(reply, &|bytes| {
        let mut update = Update::decode(bytes)?;
        edit(all, &mut update);
        Some(update.encode())
    }))
}

/// Changes every committee of a reply; `edit` gets the number of the header beside it too.
#[expect(clippy::unnecessary_wraps, reason = "the form of every lie")]
fn change_committee(
    ask: &Ask<'_>,
    reply: Value,
    edit: &dyn Fn(&Committees, u64, &mut Listed),
) -> Told {
    let Some(all) = ask.context.node.committees() else { return Ok(reply) };
    Ok(change_bytes(reply, &|bytes| {
        if let Some(mut bootstrap) = Bootstrap::decode(bytes) {
            let number = Header::decode(&bootstrap.header)?.number;
            edit(all, number, &mut bootstrap.committee);
            return Some(bootstrap.encode());
        }
        let mut update = Update::decode(bytes)?;
        let number = Header::decode(&update.header)?.number;
        edit(all, number, update.next.as_mut()?);
        Some(update.encode())
    }))
}

fn change_bytes(reply: Value, edit: &dyn Fn(&[u8]) -> Option<Vec<u8>>) -> Value {
    match reply {
        Value::String(text) => {
            let edited = hex::decode(&text).ok().and_then(|bytes| edit(&bytes));
            json!(edited.map_or(text, |bytes| hex::encode(&bytes)))
        }
        Value::Array(items) => items.into_iter().map(|item| change_bytes(item, edit)).collect(),
        other => other,
    }
}
