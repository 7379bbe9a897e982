//! Compound keys: an address and the block that wrote it, in this order.

use crate::error::{DecodeError, Malformed, Span};
use crate::wire::Bytes;

/// Length of an address: 20 bytes of account, 32 bytes of slot.
pub const ADDRESS_BYTES: usize = 52;

/// An address of the state: account ‖ slot.
pub type Address = [u8; ADDRESS_BYTES];

/// A compound key. It orders as its 56 bytes do: by address, then by block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    /// The address.
    pub(super) address: Address,
    /// The block that wrote it.
    pub(super) block: u32,
}

/// Length of a key's encoding.
pub(super) const KEY_BYTES: usize = 56;

impl Key {
    /// address ‖ block, big-endian.
    pub(super) fn from_bytes(bytes: &[u8; KEY_BYTES]) -> Self {
        let (address, block) = (bytes.first_chunk(), bytes.last_chunk());
        Self {
            address: address.copied().unwrap_or([0; ADDRESS_BYTES]),
            block: u32::from_be_bytes(block.copied().unwrap_or_default()),
        }
    }
}

/// Length of an entry's encoding: key ‖ value.
pub(super) const ENTRY_BYTES: usize = 88;

/// One version as a source holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry<'a> {
    /// When and where it was written.
    pub(super) key: Key,
    /// What was written.
    pub(super) value: &'a [u8; 32],
    /// Key and value as they are hashed.
    pub(super) encoded: &'a [u8; ENTRY_BYTES],
    /// Where it stands in the proof.
    pub(super) span: Span,
}

impl<'a> Entry<'a> {
    fn read(encoded: &'a [u8; ENTRY_BYTES], start: usize) -> Option<Self> {
        let key = Key::from_bytes(encoded.first_chunk()?);
        let span = Span { start, end: start.saturating_add(ENTRY_BYTES) };
        Some(Self { key, value: encoded.last_chunk()?, encoded, span })
    }

    /// The key as it is hashed.
    pub(super) fn key_bytes(&self) -> &'a [u8] {
        self.encoded.get(..KEY_BYTES).unwrap_or_default()
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
    Err(DecodeError { malformed: Malformed::Shape, field, reason, span: packed.span })
}

/// Entries, packed in one string.
///
/// # Errors
/// As [`records`].
pub(super) fn entries<'a>(
    packed: Bytes<'a>,
    field: &'static str,
) -> Result<alloc::vec::Vec<Entry<'a>>, DecodeError> {
    let starts = (packed.span.start..).step_by(ENTRY_BYTES);
    let records = records(packed, field)?;
    Ok(records.iter().zip(starts).filter_map(|(record, at)| Entry::read(record, at)).collect())
}
