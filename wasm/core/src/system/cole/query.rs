//! What is asked: the versions between two blocks, or the value as of one.

use super::key::{ADDRESS_BYTES, Address};
use super::params::{Format, Params};
use crate::error::{DecodeError, InputError};
use crate::wire::Reader;

/// Which question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Every version written in blocks `from..=to`.
    Range,
    /// The newest version written in block `to` or before; `from` equals `to`.
    AsOf,
}

/// A query: RLP `[mode, address, from, to]`, mode 0 for a range and 1 for a value as of a block.
///
/// The latest value is the one as of the root's own block, or of any later one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// The question.
    pub mode: Mode,
    /// Account (20 bytes) ‖ slot (32 bytes).
    pub address: Address,
    /// First block.
    pub from: u32,
    /// Last block, included.
    pub to: u32,
}

impl Query {
    /// Decodes a query.
    ///
    /// # Errors
    /// [`InputError::Query`] if the bytes are not of the form, the blocks are not in order, or the
    /// format cannot hold the address: in `cole/fast24`, 0^52 and ff^52 look like the sentinels.
    pub(super) fn from_rlp(params: Params, rlp: &[u8]) -> Result<Self, InputError> {
        let malformed = |error: DecodeError| InputError::Query(error.reason);
        let mut items = Reader::whole_list(rlp, 0, "query").map_err(malformed)?;
        let mode = match items.u64("mode").map_err(malformed)? {
            0 => Mode::Range,
            1 => Mode::AsOf,
            _ => return Err(InputError::Query("mode is 0 (range) or 1 (as of)")),
        };
        let address = items.array("address").map_err(malformed)?;
        let from = items.u64("from").map_err(malformed)?;
        let to = items.u64("to").map_err(malformed)?;
        items.finish("query").map_err(malformed)?;
        let wide = |_| InputError::Query("block numbers have 4 bytes");
        let (from, to) = (from.try_into().map_err(wide)?, to.try_into().map_err(wide)?);
        if from > to || (mode == Mode::AsOf && from != to) {
            return Err(InputError::Query("expected from <= to, and from = to in mode 1 (as of)"));
        }
        let sentinel = [[0; ADDRESS_BYTES], [0xff; ADDRESS_BYTES]].contains(&address);
        if params.format == Format::Fast24 && sentinel {
            return Err(InputError::Query("address is reserved for sentinels in cole/fast24"));
        }
        Ok(Self { mode, address, from, to })
    }
}
