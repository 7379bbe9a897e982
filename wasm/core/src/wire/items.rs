//! Lists whose items are read where they are needed, and held nowhere.
//!
//! A list in memory may take many times the bytes that its sender paid for: an item of one byte
//! becomes a struct of a hundred.

use core::marker::PhantomData;

use super::Reader;
use crate::error::{DecodeError, Malformed};

/// What stands in a list.
pub trait Read<'a>: Sized {
    /// Reads the next item.
    ///
    /// # Errors
    /// A [`DecodeError`] if it is not of its form.
    fn read(list: &mut Reader<'a>) -> Result<Self, DecodeError>;
}

/// Items that were read once, to see that they are of their form. An iterator, which reads them
/// again.
#[derive(Debug, PartialEq, Eq)]
pub struct Items<'a, T> {
    rest: Reader<'a>,
    count: usize,
    of: PhantomData<T>,
}

// Derived, they would ask the same of the items.
impl<T> Clone for Items<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Items<'_, T> {}

impl<'a, T: Read<'a>> Items<'a, T> {
    /// The next item, a list of at most `most` items.
    ///
    /// # Errors
    /// `decode.limit` if there are more; as [`Read::read`].
    pub fn list(
        outer: &mut Reader<'a>,
        field: &'static str,
        most: usize,
    ) -> Result<Self, DecodeError> {
        let list = outer.list(field)?;
        let (mut rest, mut count) = (list, 0_usize);
        while !rest.is_empty() {
            if count == most {
                let (malformed, span) = (Malformed::Limit, rest.span());
                return Err(malformed.at(field, "too many items", span));
            }
            T::read(&mut rest)?;
            count = count.saturating_add(1);
        }
        Ok(Self { rest: list, count, of: PhantomData })
    }

    /// The next `count` items of a list.
    ///
    /// # Errors
    /// As [`Read::read`]; `decode.shape` if there are fewer.
    pub fn take(list: &mut Reader<'a>, count: usize) -> Result<Self, DecodeError> {
        let rest = *list;
        for _ in 0..count {
            T::read(list)?;
        }
        Ok(Self { rest, count, of: PhantomData })
    }
}

#[allow(clippy::copy_iterator)] // A copy is another pass, which is what it is for.
impl<'a, T: Read<'a>> Iterator for Items<'a, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.count = self.count.checked_sub(1)?;
        // It was read before, so reading it again cannot fail.
        T::read(&mut self.rest).ok()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.count, Some(self.count))
    }
}

impl<'a, T: Read<'a>> ExactSizeIterator for Items<'a, T> {}
