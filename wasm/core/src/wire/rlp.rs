//! Strict RLP (Ethereum Yellow Paper, appendix B): one byte string per value, and no other.

use super::Uint256;
use crate::error::{DecodeError, Malformed, Span};
use crate::hash::Hash;

/// A string item and where it stands in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes<'a> {
    /// The payload.
    pub bytes: &'a [u8],
    /// Byte range of the payload in the input.
    pub span: Span,
}

/// One RLP item: a string, or a list to read on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item<'a> {
    /// A string.
    String(Bytes<'a>),
    /// A list: its items, and its whole encoding (prefix included).
    List {
        /// Reads the items.
        items: Reader<'a>,
        /// The list's encoding, prefix included.
        encoded: Bytes<'a>,
    },
}

/// Reads RLP items one after the other and keeps their place, so that an error points at its bytes.
///
/// Nothing is allocated and nothing recurses: nesting goes as deep as the caller's types do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reader<'a> {
    rest: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// Reads `bytes`, which stand at offset `at` of the input.
    pub const fn at(bytes: &'a [u8], at: usize) -> Self {
        Self { rest: bytes, at }
    }

    /// Reads `bytes` from the start.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self::at(bytes, 0)
    }

    /// The one list that `bytes` encode, exactly.
    ///
    /// # Errors
    /// `decode.rlp` if the bytes are not one canonical item, `decode.shape` if it is a string.
    pub fn whole_list(
        bytes: &'a [u8],
        at: usize,
        field: &'static str,
    ) -> Result<Self, DecodeError> {
        let mut outer = Self::at(bytes, at);
        if bytes.is_empty() {
            return Err(outer.error(Malformed::Rlp, field, "no bytes"));
        }
        let list = outer.list(field)?;
        outer.finish_as(Malformed::Rlp, field)?;
        Ok(list)
    }

    /// Whether every item was read.
    pub const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The encodings that remain to be read.
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Where they stand.
    pub const fn span(&self) -> Span {
        Span { start: self.at, end: self.at.saturating_add(self.rest.len()) }
    }

    /// The next item.
    ///
    /// # Errors
    /// `decode.shape` if there is none, `decode.rlp` if its encoding is not canonical.
    pub fn item(&mut self, field: &'static str) -> Result<Item<'a>, DecodeError> {
        let (start, all) = (self.at, self.rest);
        let (is_list, payload) = self.payload(field)?;
        if !is_list {
            return Ok(Item::String(payload));
        }
        let length = self.at.saturating_sub(start);
        let encoded = Bytes {
            bytes: all.get(..length).unwrap_or_default(),
            span: Span { start, end: self.at },
        };
        Ok(Item::List { items: Self::at(payload.bytes, payload.span.start), encoded })
    }

    /// The next item, a list.
    ///
    /// # Errors
    /// As [`Reader::item`]; `decode.shape` if it is a string.
    pub fn list(&mut self, field: &'static str) -> Result<Self, DecodeError> {
        let (is_list, Bytes { bytes, span }) = self.payload(field)?;
        if !is_list {
            return Err(Malformed::Shape.at(field, "a string in place of a list", span));
        }
        Ok(Self::at(bytes, span.start))
    }

    /// The next item, a string.
    ///
    /// # Errors
    /// As [`Reader::item`]; `decode.shape` if it is a list.
    pub fn string(&mut self, field: &'static str) -> Result<Bytes<'a>, DecodeError> {
        let start = self.at;
        let (is_list, payload) = self.payload(field)?;
        if is_list {
            let span = Span { start, end: self.at };
            return Err(Malformed::Shape.at(field, "a list in place of a string", span));
        }
        Ok(payload)
    }

    /// The next item, a string of exactly `N` bytes.
    ///
    /// # Errors
    /// As [`Reader::string`]; `decode.shape` if the length differs.
    pub fn array<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N], DecodeError> {
        let Bytes { bytes, span } = self.string(field)?;
        bytes.try_into().map_err(|_| Malformed::Shape.at(field, "wrong length", span))
    }

    /// The next item, a 32-byte hash.
    ///
    /// # Errors
    /// As [`Reader::array`].
    pub fn hash(&mut self, field: &'static str) -> Result<Hash, DecodeError> {
        self.array(field).map(Hash)
    }

    /// The next item, an integer: minimal big-endian, zero is the empty string.
    ///
    /// # Errors
    /// As [`Reader::string`]; `decode.shape` if longer than 32 bytes, `decode.rlp` if it has a
    /// leading zero byte.
    pub fn uint256(&mut self, field: &'static str) -> Result<Uint256, DecodeError> {
        // It has 32 bytes at most.
        self.uint(field).map(|bytes| Uint256::from_be(bytes).unwrap_or_default())
    }

    /// The same, as it stands: big-endian, without leading zeros.
    ///
    /// # Errors
    /// As [`Reader::uint256`].
    pub fn uint(&mut self, field: &'static str) -> Result<&'a [u8], DecodeError> {
        let Bytes { bytes, span } = self.integer(field)?;
        if bytes.len() > 32 {
            return Err(Malformed::Shape.at(field, "integer over 256 bits", span));
        }
        Ok(bytes)
    }

    /// The next item, an integer below 2^64.
    ///
    /// # Errors
    /// As [`Reader::uint256`]; `decode.shape` if it is larger.
    pub fn u64(&mut self, field: &'static str) -> Result<u64, DecodeError> {
        let Bytes { bytes, span } = self.integer(field)?;
        if bytes.len() > 8 {
            return Err(Malformed::Shape.at(field, "integer over 64 bits", span));
        }
        Ok(bytes.iter().fold(0, |value, byte| (value << 8) | u64::from(*byte)))
    }

    fn integer(&mut self, field: &'static str) -> Result<Bytes<'a>, DecodeError> {
        let Bytes { bytes, span } = self.string(field)?;
        if bytes.first() == Some(&0) {
            return Err(Malformed::Rlp.at(field, "integer with a leading zero", span));
        }
        Ok(Bytes { bytes, span })
    }

    /// Ends the list.
    ///
    /// # Errors
    /// `decode.shape` if items remain.
    pub fn finish(&self, field: &'static str) -> Result<(), DecodeError> {
        self.finish_as(Malformed::Shape, field)
    }

    fn finish_as(&self, malformed: Malformed, field: &'static str) -> Result<(), DecodeError> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(self.error(malformed, field, "trailing bytes"))
        }
    }

    /// Whether the next item is a list, and what it holds.
    fn payload(&mut self, field: &'static str) -> Result<(bool, Bytes<'a>), DecodeError> {
        let Some(&prefix) = self.rest.first() else {
            return Err(self.error(Malformed::Shape, field, "missing"));
        };
        let (header, length) = match prefix {
            0..=0x7f => (0, 1),
            0x80..=0xb7 => (1, usize::from(prefix).saturating_sub(0x80)),
            0xb8..=0xbf => self.long(prefix.wrapping_sub(0xb7), field)?,
            0xc0..=0xf7 => (1, usize::from(prefix).saturating_sub(0xc0)),
            0xf8..=0xff => self.long(prefix.wrapping_sub(0xf7), field)?,
        };
        // A header of more than one byte was read: it is there.
        self.rest = self.rest.get(header..).unwrap_or_default();
        self.at = self.at.saturating_add(header);
        let Some((bytes, rest)) = self.rest.split_at_checked(length) else {
            return Err(self.error(Malformed::Rlp, field, "truncated"));
        };
        let span = Span { start: self.at, end: self.at.saturating_add(length) };
        (self.rest, self.at) = (rest, span.end);
        if prefix == 0x81 && bytes.first().is_some_and(|byte| *byte < 0x80) {
            return Err(Malformed::Rlp.at(field, "a small byte with a prefix", span));
        }
        Ok((prefix >= 0xc0, Bytes { bytes, span }))
    }

    /// Lengths of a long form's header, `size` digits after the prefix, and of what follows.
    fn long(&self, size: u8, field: &'static str) -> Result<(usize, usize), DecodeError> {
        let header = usize::from(size).saturating_add(1);
        let Some(digits) = self.rest.get(1..header) else {
            return Err(self.error(Malformed::Rlp, field, "truncated"));
        };
        if digits.first() == Some(&0) {
            return Err(self.error(Malformed::Rlp, field, "length with a leading zero"));
        }
        // At most 8 digits, so a u64 holds them; a length over `usize` cannot fit the input either.
        let length = digits.iter().fold(0_u64, |sum, digit| (sum << 8) | u64::from(*digit));
        if length < 56 {
            return Err(self.error(Malformed::Rlp, field, "long form of a short length"));
        }
        Ok((header, usize::try_from(length).unwrap_or(usize::MAX)))
    }

    fn error(
        &self,
        malformed: Malformed,
        field: &'static str,
        reason: &'static str,
    ) -> DecodeError {
        malformed.at(field, reason, self.span())
    }
}
