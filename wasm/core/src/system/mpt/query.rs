//! What is asked: an account, some of its slots, perhaps its code.

use alloc::vec::Vec;

use crate::error::{DecodeError, InputError, Malformed};
use crate::wire::Reader;

/// Most slots in one query.
pub const MAX_SLOTS: usize = 1024;

/// A query: RLP `[address, [slot, …], wantCode]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// The account's address.
    pub address: [u8; 20],
    /// Storage slots, 32 bytes each, distinct.
    pub slots: Vec<[u8; 32]>,
    /// Whether the code is asked for too.
    pub want_code: bool,
}

impl Query {
    /// Decodes a query.
    ///
    /// # Errors
    /// [`InputError::Query`] if the bytes are not of the form, or a slot stands twice.
    pub fn from_rlp(rlp: &[u8]) -> Result<Self, InputError> {
        let query = read(rlp).map_err(|error| InputError::Query(error.reason))?;
        // Each against those behind it: a sort would be faster, and weigh more than the rest of
        // this file.
        let mut behind = query.slots.as_slice();
        while let [slot, rest @ ..] = behind {
            behind = rest;
            if rest.iter().any(|other| halves(other) == halves(slot)) {
                return Err(InputError::Query("a slot stands twice"));
            }
        }
        Ok(query)
    }
}

/// Two integers are compared in a few instructions, bytes one by one.
fn halves(slot: &[u8; 32]) -> [u128; 2] {
    let (halves, _) = slot.as_chunks();
    let mut halves = halves.iter().map(|half| u128::from_be_bytes(*half));
    [halves.next().unwrap_or_default(), halves.next().unwrap_or_default()]
}

fn read(rlp: &[u8]) -> Result<Query, DecodeError> {
    let mut items = Reader::whole_list(rlp, 0, "query")?;
    let address = items.array("address")?;
    let mut list = items.list("slots")?;
    let mut slots = Vec::new();
    while !list.is_empty() {
        if slots.len() == MAX_SLOTS {
            return Err(Malformed::Shape.at("slots", "more than 1024 slots", list.span()));
        }
        slots.push(list.array("slot")?);
    }
    let span = items.span();
    let want_code = match items.u64("wantCode")? {
        0 => false,
        1 => true,
        _ => return Err(Malformed::Shape.at("wantCode", "wantCode is 0 or 1", span)),
    };
    items.finish("query")?;
    Ok(Query { address, slots, want_code })
}
