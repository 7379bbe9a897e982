//! Ethereum execution-layer headers of every fork.
//!
//! Source: Yellow Paper §4.4 (the 15 fields of the first forks), EIP-1559, 4895, 4844, 4788, 7685,
//! 7928 and 7843 (the fields that forks appended since).

use super::{Fields, state_root};
use crate::error::DecodeError;
use crate::wire::Reader;

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
    items.hash("transactionsRoot")?;
    items.hash("receiptsRoot")?;
    items.array::<256>("logsBloom")?;
    items.uint256("difficulty")?;
    let number = items.u64("number")?;
    items.u64("gasLimit")?;
    items.u64("gasUsed")?;
    let timestamp = items.u64("timestamp")?;
    items.string("extraData")?;
    items.hash("mixHash")?;
    items.array::<8>("nonce")?;
    appended(&mut items)?;
    let commitments = state_root(root);
    Ok(Fields { parent_hash, number, timestamp, commitments, committee_root: None })
}

fn appended(items: &mut Reader<'_>) -> Result<(), DecodeError> {
    type Check = fn(&mut Reader<'_>) -> Result<(), DecodeError>;
    const CHECKS: [Check; 8] = [
        |items| items.uint256("baseFeePerGas").map(drop),
        |items| items.hash("withdrawalsRoot").map(drop),
        |items| items.u64("blobGasUsed").map(drop),
        |items| items.u64("excessBlobGas").map(drop),
        |items| items.hash("parentBeaconBlockRoot").map(drop),
        |items| items.hash("requestsHash").map(drop),
        |items| items.hash("blockAccessListHash").map(drop),
        |items| items.u64("slotNumber").map(drop),
    ];
    for check in CHECKS {
        if items.is_empty() {
            return Ok(());
        }
        check(items)?;
    }
    while !items.is_empty() {
        items.item("a field of a later fork")?;
    }
    Ok(())
}
