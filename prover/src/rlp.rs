//! RLP, written independently of the verifier's decoder so that the two check each other.
//!
//! The encoder can also splice bytes as they are ([`Item::Raw`]): trie nodes embed inline children
//! that way, and the test vectors build malformed nodes that way. The decoder reads only what this
//! crate itself wrote or a caller's query, and is strict all the same.

/// One RLP item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A byte string.
    Bytes(Vec<u8>),
    /// A list.
    List(Vec<Item>),
    /// Bytes that already are RLP, or are meant to be wrong.
    Raw(Vec<u8>),
}

/// Bytes that are not one canonical RLP item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not canonical RLP at byte {at}")]
pub struct RlpError {
    /// Offset of the item that is wrong.
    pub at: usize,
}

impl Item {
    /// A byte string.
    pub fn bytes(bytes: impl AsRef<[u8]>) -> Self {
        Self::Bytes(bytes.as_ref().to_vec())
    }

    /// An integer: big-endian without leading zeros, zero as the empty string.
    pub fn uint(number: impl Into<u128>) -> Self {
        Self::uint_bytes(&number.into().to_be_bytes())
    }

    /// An integer given as big-endian bytes of any length.
    pub fn uint_bytes(big_endian: &[u8]) -> Self {
        let zeros = big_endian.iter().take_while(|byte| **byte == 0).count();
        Self::Bytes(big_endian[zeros..].to_vec())
    }

    /// The encoding of this item.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.encode_to(&mut out);
        out
    }

    fn encode_to(&self, out: &mut Vec<u8>) {
        match self {
            Self::Bytes(bytes) => string(bytes, out),
            Self::List(items) => {
                let mut body = Vec::new();
                for item in items {
                    item.encode_to(&mut body);
                }
                header(0xc0, body.len(), out);
                out.extend_from_slice(&body);
            }
            Self::Raw(bytes) => out.extend_from_slice(bytes),
        }
    }

    /// The bytes, if this is a byte string.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            Self::List(_) | Self::Raw(_) => None,
        }
    }

    /// The items, if this is a list.
    pub fn as_list(&self) -> Option<&[Self]> {
        match self {
            Self::List(items) => Some(items),
            Self::Bytes(_) | Self::Raw(_) => None,
        }
    }

    /// The number, if this is a canonical integer of at most 16 bytes.
    pub fn as_uint(&self) -> Option<u128> {
        let bytes = self.as_bytes()?;
        if bytes.len() > 16 || bytes.first() == Some(&0) {
            return None;
        }
        Some(bytes.iter().fold(0, |number, byte| number << 8 | u128::from(*byte)))
    }

    /// The number as 32 bytes, if this is a canonical integer of at most 32 bytes.
    pub fn as_word(&self) -> Option<[u8; 32]> {
        let bytes = self.as_bytes()?;
        let mut word = [0; 32];
        word.get_mut(32_usize.checked_sub(bytes.len())?..)?.copy_from_slice(bytes);
        (bytes.first() != Some(&0)).then_some(word)
    }
}

/// Appends a byte string.
pub fn string(bytes: &[u8], out: &mut Vec<u8>) {
    match bytes {
        [byte] if *byte < 0x80 => out.push(*byte),
        _ => {
            header(0x80, bytes.len(), out);
            out.extend_from_slice(bytes);
        }
    }
}

/// Appends what stands before `length` bytes of a string (`offset` 0x80) or a list (0xc0).
pub fn header(offset: u8, length: usize, out: &mut Vec<u8>) {
    let bytes = length.to_be_bytes();
    let minimal = &bytes[bytes.iter().take_while(|byte| **byte == 0).count()..];
    // Both casts are below 256: a short length is at most 55, a length of a length at most 8.
    #[allow(clippy::cast_possible_truncation)]
    if length < 56 {
        out.push(offset + length as u8);
    } else {
        out.push(offset + 55 + minimal.len() as u8);
        out.extend_from_slice(minimal);
    }
}

/// Decodes exactly one item that fills `bytes`.
///
/// # Errors
/// [`RlpError`] for anything but the canonical encoding of one item, nested at most 16 deep.
pub fn decode(bytes: &[u8]) -> Result<Item, RlpError> {
    let mut decoder = Decoder { bytes, at: 0 };
    let item = decoder.item(16)?;
    if decoder.at == bytes.len() { Ok(item) } else { Err(RlpError { at: decoder.at }) }
}

struct Decoder<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Decoder<'_> {
    fn item(&mut self, depth: usize) -> Result<Item, RlpError> {
        let start = self.at;
        let fail = RlpError { at: start };
        let first = *self.take(1)?.first().ok_or(fail)?;
        let (list, short) = match first {
            0x00..=0x7f => return Ok(Item::bytes([first])),
            0x80..=0xbf => (false, first - 0x80),
            0xc0..=0xff => (true, first - 0xc0),
        };
        let length = if short < 56 {
            usize::from(short)
        } else {
            self.long_length(usize::from(short - 55))?
        };
        if !list {
            let bytes = self.take(length)?;
            return if matches!(bytes, [byte] if *byte < 0x80) {
                Err(fail)
            } else {
                Ok(Item::bytes(bytes))
            };
        }
        if depth == 0 {
            return Err(fail);
        }
        let end = self.at.checked_add(length).filter(|end| *end <= self.bytes.len()).ok_or(fail)?;
        let mut items = Vec::new();
        while self.at < end {
            items.push(self.item(depth - 1)?);
        }
        if self.at == end { Ok(Item::List(items)) } else { Err(fail) }
    }

    fn long_length(&mut self, count: usize) -> Result<usize, RlpError> {
        let fail = RlpError { at: self.at };
        let bytes = self.take(count)?;
        if bytes.first() == Some(&0) {
            return Err(fail);
        }
        let length = bytes.iter().try_fold(0_usize, |length, byte| {
            length.checked_mul(256)?.checked_add(usize::from(*byte))
        });
        length.filter(|length| *length >= 56).ok_or(fail)
    }

    fn take(&mut self, count: usize) -> Result<&[u8], RlpError> {
        let end = self.at.checked_add(count).ok_or(RlpError { at: self.at })?;
        let bytes = self.bytes.get(self.at..end).ok_or(RlpError { at: self.at })?;
        self.at = end;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodes_the_examples_of_the_yellow_paper() {
        assert_eq!(Item::bytes("dog").encode(), b"\x83dog");
        assert_eq!(
            Item::List(vec![Item::bytes("cat"), Item::bytes("dog")]).encode(),
            b"\xc8\x83cat\x83dog"
        );
        assert_eq!(Item::uint(0_u64).encode(), [0x80]);
        assert_eq!(Item::uint(15_u64).encode(), [0x0f]);
        assert_eq!(Item::uint(1024_u64).encode(), [0x82, 4, 0]);
        assert_eq!(Item::bytes([7; 56]).encode()[..2], [0xb8, 56]);
    }

    #[test]
    fn round_trips_every_length_class() {
        for length in [0, 1, 2, 55, 56, 255, 256, 65_536] {
            let item = Item::List(vec![
                Item::bytes(vec![0x81; length]),
                Item::List(vec![]),
                Item::uint(300_u64),
            ]);
            assert_eq!(decode(&item.encode()), Ok(item));
        }
    }

    #[test]
    fn rejects_encodings_that_are_not_canonical() {
        let cases: &[&[u8]] = &[
            &[],
            &[0x81, 0x05],
            &[0x82, 1],
            &[0x80, 0x80],
            &[0xb8, 1, 9],
            &[0xb9, 0, 60],
            &[0xc1],
            &[0xc2, 0x82, 1],
            &[0xbf, 255, 255, 255, 255, 255, 255, 255, 255],
        ];
        for bytes in cases {
            assert!(decode(bytes).is_err(), "{bytes:02x?}");
        }
        let deep: Vec<u8> = (0..40_u8).rev().map(|inner| 0xc0 + inner).collect();
        assert!(decode(&deep).is_err());
    }
}
