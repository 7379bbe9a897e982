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
            return Err(self.wrong(field, "truncated"));
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
        let wrong = self.wrong(field, "truncated");
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
        if self.rest.is_empty() { Ok(()) } else { Err(self.wrong(field, "trailing bytes")) }
    }

    const fn wrong(&self, field: &'static str, reason: &'static str) -> DecodeError {
        let span = Span { start: self.at, end: self.at.saturating_add(self.rest.len()) };
        DecodeError { malformed: Malformed::Shape, field, reason, span }
    }
}
