//! Compound keys: an address and the block that wrote it, in this order.

use alloc::vec::Vec;

use crate::error::{DecodeError, Malformed, Span};
use crate::wire::Bytes;

/// Length of an address: 20 bytes of account, 32 bytes of slot.
pub const ADDRESS_BYTES: usize = 52;

/// An address of the state: account ‖ slot.
pub type Address = [u8; ADDRESS_BYTES];

/// Length of a key's encoding.
pub(super) const KEY_BYTES: usize = 56;

/// address ‖ block, big-endian: its bytes order as keys do, by address, then by block.
pub(super) type Key = [u8; KEY_BYTES];

/// The key of an address in a block.
pub(super) fn key(address: &Address, block: u32) -> Key {
    let mut key = [0; KEY_BYTES];
    for (to, from) in key.iter_mut().zip(address.iter().chain(&block.to_be_bytes())) {
        *to = *from;
    }
    key
}

/// Length of an entry's encoding: key ‖ value.
pub(super) const ENTRY_BYTES: usize = 88;

/// A version as proofs and answers pack it: block, big-endian ‖ value.
pub(super) type Record = [u8; 36];

/// The block that wrote it.
pub(super) fn written(record: &Record) -> u32 {
    u32::from_be_bytes(record.first_chunk().copied().unwrap_or_default())
}

/// One version as a source holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry<'a> {
    /// Key and value as they are hashed.
    pub(super) encoded: &'a [u8; ENTRY_BYTES],
    /// Where it begins in the proof.
    start: usize,
}

impl<'a> Entry<'a> {
    /// When and where it was written.
    pub(super) fn key(&self) -> &'a Key {
        self.encoded.first_chunk().unwrap_or(&[0; KEY_BYTES])
    }

    /// Where it was written.
    pub(super) fn address(&self) -> &'a Address {
        self.encoded.first_chunk().unwrap_or(&[0; ADDRESS_BYTES])
    }

    /// When it was written.
    pub(super) fn block(&self) -> u32 {
        u32::from_be_bytes(self.key().last_chunk().copied().unwrap_or_default())
    }

    /// What was written.
    pub(super) fn value(&self) -> &'a [u8; 32] {
        self.encoded.last_chunk().unwrap_or(&[0; 32])
    }

    /// Block and value, as answers pack them.
    pub(super) fn record(&self) -> &'a Record {
        self.encoded.last_chunk().unwrap_or(&[0; 36])
    }

    /// Where it stands in the proof.
    pub(super) const fn span(&self) -> Span {
        Span { start: self.start, end: self.start.saturating_add(ENTRY_BYTES) }
    }
}

/// Fixed-size records, packed in one string.
///
/// # Errors
/// `decode.shape` if the length is no multiple of `N`.
pub(super) fn records<'a, const N: usize>(
    packed: Bytes<'a>,
    field: &'static str,
) -> Result<&'a [[u8; N]], DecodeError> {
    let (records, rest) = packed.bytes.as_chunks();
    if rest.is_empty() {
        return Ok(records);
    }
    let reason = "the length is no multiple of a record's";
    Err(Malformed::Shape.at(field, reason, packed.span))
}

/// Entries, packed in one string.
///
/// # Errors
/// As [`records`].
pub(super) fn entries<'a>(
    packed: Bytes<'a>,
    field: &'static str,
) -> Result<Vec<Entry<'a>>, DecodeError> {
    let starts = (packed.span.start..).step_by(ENTRY_BYTES);
    let records = records(packed, field)?.iter();
    Ok(records.zip(starts).map(|(encoded, start)| Entry { encoded, start }).collect())
}
