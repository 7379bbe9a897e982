//! The lanes of a state: two words of two states, or a word.

use core::ops::{BitAnd, BitOr, BitXor, Not};

/// What the rounds do with words.
pub(crate) trait Lane:
    Copy + BitXor<Output = Self> + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    fn of(word: u64) -> Self;
    fn rotate_left(self, count: u32) -> Self;
}

#[cfg(test)]
impl Lane for u64 {
    fn of(word: u64) -> Self {
        word
    }

    fn rotate_left(self, count: u32) -> Self {
        self.rotate_left(count)
    }
}
