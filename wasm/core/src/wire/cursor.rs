//! Fields of fixed length, one after the other, without marks between them.

use super::Bytes;
use crate::error::{DecodeError, Malformed, Span};

/// Cuts fields off the front of bytes and keeps their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor<'a> {
    rest: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// Reads `bytes`, which stand at offset `at` of the input.
    pub const fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { rest: bytes, at }
    }

    /// The next `count` bytes.
    ///
    /// # Errors
    /// `decode.shape` if fewer remain.
    pub fn take(&mut self, count: usize, field: &'static str) -> Result<Bytes<'a>, DecodeError> {
        let Some((bytes, rest)) = self.rest.split_at_checked(count) else {
            return Err(Malformed::Shape.at(field, "truncated", self.rest()));
        };
        let start = self.at;
        self.rest = rest;
        self.at = start.saturating_add(count);
        Ok(Bytes { bytes, span: Span { start, end: self.at } })
    }

    /// The next `N` bytes.
    ///
    /// # Errors
    /// As [`Cursor::take`].
    pub fn array<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N], DecodeError> {
        let wrong = Malformed::Shape.at(field, "truncated", self.rest());
        self.take(N, field)?.bytes.try_into().map_err(|_| wrong)
    }

    /// Where the next field starts.
    pub const fn position(&self) -> usize {
        self.at
    }

    /// Ends the fields.
    ///
    /// # Errors
    /// `decode.shape` if bytes remain.
    pub fn finish(&self, field: &'static str) -> Result<(), DecodeError> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(Malformed::Shape.at(field, "trailing bytes", self.rest()))
        }
    }

    /// Where the bytes stand that remain.
    const fn rest(&self) -> Span {
        Span { start: self.at, end: self.at.saturating_add(self.rest.len()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_from_where_its_bytes_stand() {
        let mut cursor = Cursor::new(&[1, 2, 3], 5);
        assert_eq!(cursor.take(2, "field").unwrap().span, Span { start: 5, end: 7 });
        assert_eq!(cursor.position(), 7);
        assert_eq!(cursor.finish("field").unwrap_err().span, Span { start: 7, end: 8 });
    }
}
