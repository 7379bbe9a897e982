//! Ethereum execution-layer headers of every fork.
//!
//! Source: Yellow Paper §4.4 (the 15 fields of the first forks), EIP-1559, 4895, 4844, 4788, 7685,
//! 7928 and 7843 (the fields that forks appended since).

use alloc::vec::Vec;

use super::{Fields, state_root};
use crate::error::DecodeError;
use crate::wire::{Reader, prefix};

/// Decodes a header. Forks only ever append fields, so a fork is a length; fields beyond the known
/// ones are part of the hashed bytes and are left unread.
///
/// # Errors
/// A [`DecodeError`] that names the field.
pub(super) fn decode(rlp: &[u8]) -> Result<Fields, DecodeError> {
    let mut items = Reader::whole_list(rlp, 0, "header")?;
    let parent_hash = items.hash("parentHash")?;
    items.hash("sha3Uncles")?;
    items.array::<20>("miner")?;
    let root = items.hash("stateRoot")?;
    let roots = items;
    items.hash("transactionsRoot")?;
    items.hash("receiptsRoot")?;
    items.array::<256>("logsBloom")?;
    let mut body = read_since(&roots, &items).to_vec();
    items.uint256("difficulty")?;
    let number = items.u64("number")?;
    items.u64("gasLimit")?;
    items.u64("gasUsed")?;
    let timestamp = items.u64("timestamp")?;
    items.string("extraData")?;
    items.hash("mixHash")?;
    items.array::<8>("nonce")?;
    let since = items;
    appended(&mut items, &BODY)?;
    body.extend_from_slice(read_since(&since, &items));
    appended(&mut items, &REST)?;
    while !items.is_empty() {
        items.item("a field of a later fork")?;
    }
    let mut whole = Vec::new();
    prefix(&mut whole, 0xc0, body.len());
    whole.append(&mut body);
    let (commitments, body) = (state_root(root), Some(whole));
    Ok(Fields {
        parent_hash,
        number,
        timestamp,
        commitments,
        body,
        committee_root: None,
        origin: None,
    })
}

/// The encodings of the items between two places of one list.
fn read_since<'a>(before: &Reader<'a>, now: &Reader<'a>) -> &'a [u8] {
    let length = before.rest().len().saturating_sub(now.rest().len());
    before.rest().get(..length).unwrap_or_default()
}

type Check = fn(&mut Reader<'_>) -> Result<(), DecodeError>;

/// What forks appended, in their order. The first two are about the block's body.
const BODY: [Check; 2] = [
    |items| items.uint256("baseFeePerGas").map(drop),
    |items| items.hash("withdrawalsRoot").map(drop),
];
const REST: [Check; 6] = [
    |items| items.u64("blobGasUsed").map(drop),
    |items| items.u64("excessBlobGas").map(drop),
    |items| items.hash("parentBeaconBlockRoot").map(drop),
    |items| items.hash("requestsHash").map(drop),
    |items| items.hash("blockAccessListHash").map(drop),
    |items| items.u64("slotNumber").map(drop),
];

/// Checks the fields that are there.
fn appended(items: &mut Reader<'_>, checks: &[Check]) -> Result<(), DecodeError> {
    checks.iter().try_for_each(|check| if items.is_empty() { Ok(()) } else { check(items) })
}
