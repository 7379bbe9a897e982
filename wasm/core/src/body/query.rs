//! What is asked of a block's body.

use alloc::vec::Vec;

use super::filter::Filter;
use crate::error::{DecodeError, InputError, Malformed};
use crate::hash::Hash;
use crate::wire::Reader;

/// Most indices, addresses, or topics of a position.
pub const MAX_ITEMS: usize = 1024;

/// Most positions of topics.
const MAX_POSITIONS: usize = 4;

/// A question about one block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query {
    /// RLP `["transactions", [index, …]]`: those of these indices, ascending; all, if there are
    /// none.
    Transactions(Vec<u64>),
    /// RLP `["receipts", [index, …]]`: the same, with what follows from the transactions.
    Receipts(Vec<u64>),
    /// RLP `["withdrawals"]`: all.
    Withdrawals,
    /// RLP `["bloom", [address, …], [[topic, …], …]]`: whether the block may have a log of the
    /// filter.
    Bloom(Filter),
    /// RLP `["logs", [address, …], [[topic, …], …], hashes]`: all logs of the filter, and that
    /// there are no others.
    Logs {
        /// Which logs.
        filter: Filter,
        /// 1 if each comes with its transaction's hash, for which the transactions are needed too.
        hashes: bool,
    },
}

impl Query {
    /// Decodes a query.
    ///
    /// # Errors
    /// [`InputError::Query`] if the bytes are not of a form above.
    pub fn from_rlp(rlp: &[u8]) -> Result<Self, InputError> {
        read(rlp).map_err(|error| InputError::Query(error.reason))
    }

    /// The indices that are asked for, or none where all are.
    pub(super) fn wants(indices: &[u64], index: u64) -> bool {
        indices.is_empty() || indices.binary_search(&index).is_ok()
    }
}

fn read(rlp: &[u8]) -> Result<Query, DecodeError> {
    let mut items = Reader::whole_list(rlp, 0, "query")?;
    let kind = items.string("kind")?;
    let query = match kind.bytes {
        b"transactions" => Query::Transactions(indices(&mut items)?),
        b"receipts" => Query::Receipts(indices(&mut items)?),
        b"withdrawals" => Query::Withdrawals,
        b"bloom" => Query::Bloom(filter(&mut items)?),
        b"logs" => {
            let filter = filter(&mut items)?;
            let span = items.span();
            let hashes = match items.u64("hashes")? {
                0 => false,
                1 => true,
                _ => return Err(Malformed::Shape.at("hashes", "hashes is 0 or 1", span)),
            };
            Query::Logs { filter, hashes }
        }
        _ => {
            let known = "the kinds are transactions, receipts, withdrawals, bloom and logs";
            return Err(Malformed::Shape.at("kind", known, kind.span));
        }
    };
    items.finish("query")?;
    Ok(query)
}

fn indices(items: &mut Reader<'_>) -> Result<Vec<u64>, DecodeError> {
    let all = several(items, "at most 1024 indices", MAX_ITEMS, |list| list.u64("index"))?;
    if !all.is_sorted_by(|a, b| a < b) {
        return Err(Malformed::Shape.at("indices", "indices ascend", items.span()));
    }
    Ok(all)
}

fn filter(items: &mut Reader<'_>) -> Result<Filter, DecodeError> {
    let addresses =
        several(items, "at most 1024 addresses", MAX_ITEMS, |list| list.array("address"))?;
    let topics = several(items, "at most 4 positions of topics", MAX_POSITIONS, |list| {
        several::<Hash>(list, "at most 1024 topics of a position", MAX_ITEMS, |topics| {
            topics.hash("topic")
        })
    })?;
    Ok(Filter { addresses, topics })
}

/// * `reason`: said where there are more than `most`.
fn several<'a, T>(
    items: &mut Reader<'a>,
    reason: &'static str,
    most: usize,
    mut read: impl FnMut(&mut Reader<'a>) -> Result<T, DecodeError>,
) -> Result<Vec<T>, DecodeError> {
    let mut list = items.list("list")?;
    let mut all = Vec::new();
    while !list.is_empty() {
        if all.len() == most {
            return Err(Malformed::Shape.at("list", reason, list.span()));
        }
        all.push(read(&mut list)?);
    }
    Ok(all)
}
