//! Strict SSZ containers (consensus-specs, `ssz/simple-serialize.md`): one byte string per value.
//!
//! A container is a fixed part, then its variable fields. The fixed part holds an offset for each
//! variable field; offsets stand exactly where they must, and no byte belongs to no field.

use super::Bytes;
use crate::error::{DecodeError, Malformed, Span};
use crate::hash::Hash;

/// Most variable fields that a container of ours has.
const MAX_VARIABLE: usize = 2;

/// Bytes of an offset.
pub const OFFSET_BYTES: usize = 4;

/// One container, read field by field in its order.
#[derive(Clone, Copy, Debug)]
pub struct Container<'a> {
    whole: Bytes<'a>,
    fixed_size: usize,
    /// Fixed part left to read.
    rest: &'a [u8],
    /// Offsets read so far.
    offsets: [Option<usize>; MAX_VARIABLE],
}

impl<'a> Container<'a> {
    /// A container whose fixed part, offsets included, takes `fixed_size` bytes.
    ///
    /// # Errors
    /// `decode.ssz` if there are fewer.
    pub fn new(whole: Bytes<'a>, fixed_size: usize) -> Result<Self, DecodeError> {
        match whole.bytes.get(..fixed_size) {
            Some(rest) => Ok(Self { whole, fixed_size, rest, offsets: [None; MAX_VARIABLE] }),
            None => Err(Malformed::Ssz.at("container", "truncated", whole.span)),
        }
    }

    /// The next field, of fixed size.
    ///
    /// # Errors
    /// `decode.ssz` if it does not lie in the fixed part.
    pub fn fixed(&mut self, size: usize, field: &'static str) -> Result<Bytes<'a>, DecodeError> {
        let start = self.at();
        let Some((bytes, rest)) = self.rest.split_at_checked(size) else {
            return Err(Malformed::Ssz.at(field, "truncated", self.whole.span));
        };
        self.rest = rest;
        Ok(Bytes { bytes, span: Span { start, end: start.saturating_add(size) } })
    }

    /// The next field, `N` bytes.
    ///
    /// # Errors
    /// As [`Container::fixed`].
    pub fn array<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N], DecodeError> {
        let Bytes { bytes, span } = self.fixed(N, field)?;
        bytes.try_into().map_err(|_| Malformed::Ssz.at(field, "wrong length", span))
    }

    /// The next field, 32 bytes.
    ///
    /// # Errors
    /// As [`Container::fixed`].
    pub fn hash(&mut self, field: &'static str) -> Result<Hash, DecodeError> {
        self.array(field).map(Hash)
    }

    /// The next field, an integer below 2^64: 8 bytes, little-endian.
    ///
    /// # Errors
    /// As [`Container::fixed`].
    pub fn u64(&mut self, field: &'static str) -> Result<u64, DecodeError> {
        self.array(field).map(u64::from_le_bytes)
    }

    /// The next field is variable: its offset. The first one is where the fixed part ends.
    ///
    /// # Errors
    /// `decode.ssz` if it is not, if it precedes an earlier one, or lies outside.
    pub fn offset(&mut self, field: &'static str) -> Result<(), DecodeError> {
        let start = self.at();
        let value = u32::from_le_bytes(self.array(field)?);
        let span = Span { start, end: self.at() };
        let offset = usize::try_from(value).unwrap_or(usize::MAX);
        let before = self.offsets.iter().flatten().last().copied();
        let fits = match before {
            None => offset == self.fixed_size,
            Some(before) => offset >= before,
        };
        if !fits || offset > self.whole.bytes.len() {
            return Err(Malformed::Ssz.at(
                field,
                "an offset that is not where the field starts",
                span,
            ));
        }
        match self.offsets.iter_mut().find(|slot| slot.is_none()) {
            Some(slot) => *slot = Some(offset),
            None => {
                return Err(Malformed::Ssz.at(field, "more variable fields than expected", span));
            }
        }
        Ok(())
    }

    /// Ends a container without variable fields.
    ///
    /// # Errors
    /// `decode.ssz` if bytes remain.
    pub fn finish(self) -> Result<(), DecodeError> {
        if self.rest.is_empty() && self.whole.bytes.len() == self.fixed_size {
            Ok(())
        } else {
            Err(Malformed::Ssz.at("container", "trailing bytes", self.whole.span))
        }
    }

    /// Ends a container with one variable field.
    ///
    /// # Errors
    /// `decode.ssz` if the fixed part was not read to its end.
    pub fn finish_one(self) -> Result<Bytes<'a>, DecodeError> {
        match self.offsets {
            [Some(only), None] if self.rest.is_empty() => self.range(only, self.whole.bytes.len()),
            _ => Err(Malformed::Ssz.at("container", "trailing bytes", self.whole.span)),
        }
    }

    /// Ends a container with two variable fields.
    ///
    /// # Errors
    /// As [`Container::finish_one`].
    pub fn finish_two(self) -> Result<[Bytes<'a>; 2], DecodeError> {
        match self.offsets {
            [Some(first), Some(second)] if self.rest.is_empty() => {
                Ok([self.range(first, second)?, self.range(second, self.whole.bytes.len())?])
            }
            _ => Err(Malformed::Ssz.at("container", "trailing bytes", self.whole.span)),
        }
    }

    fn range(&self, start: usize, end: usize) -> Result<Bytes<'a>, DecodeError> {
        let base = self.whole.span.start;
        let span = Span { start: base.saturating_add(start), end: base.saturating_add(end) };
        match self.whole.bytes.get(start..end) {
            Some(bytes) => Ok(Bytes { bytes, span }),
            None => Err(Malformed::Ssz.at("container", "truncated", span)),
        }
    }

    /// Where the next field starts in the input.
    const fn at(&self) -> usize {
        let read = self.fixed_size.saturating_sub(self.rest.len());
        self.whole.span.start.saturating_add(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many bytes at place 10, the first of them offsets.
    fn container(bytes: &[u8], fixed: usize, offsets: usize) -> Container<'_> {
        let span = Span { start: 10, end: bytes.len().saturating_add(10) };
        let mut container = Container::new(Bytes { bytes, span }, fixed).unwrap();
        for _ in 0..offsets {
            container.offset("offset").unwrap();
        }
        container
    }

    #[test]
    fn fields_are_told_where_they_stand() {
        let mut fields = container(&[0; 6], 6, 0);
        for (size, start) in [(1, 10), (2, 11), (3, 13)] {
            let span = fields.fixed(size, "field").unwrap().span;
            assert_eq!(span, Span { start, end: start + size });
        }
    }

    /// Neither in the fixed part nor behind it.
    #[test]
    fn no_byte_belongs_to_no_field() {
        let ends = |read: usize, bytes: &[u8], offsets: usize| {
            let mut fields = container(bytes, 4 * offsets + 2, offsets);
            fields.fixed(read, "field").unwrap();
            match offsets {
                0 => fields.finish().is_ok(),
                1 => fields.finish_one().is_ok(),
                _ => fields.finish_two().is_ok(),
            }
        };
        let all: [&[u8]; 3] = [&[1, 1], &[6, 0, 0, 0, 1, 1], &[10, 0, 0, 0, 10, 0, 0, 0, 1, 1]];
        for (offsets, bytes) in all.into_iter().enumerate() {
            assert!(ends(2, bytes, offsets));
            assert!(!ends(1, bytes, offsets));
        }
        assert!(!ends(2, &[1, 1, 1], 0));
    }
}
