//! Two words side by side, in a vector of 128 bits.

use core::arch::wasm32::{
    i64x2_shl, u64x2, u64x2_extract_lane, u64x2_shr, v128, v128_and, v128_not, v128_or, v128_xor,
};
use core::ops::{BitAnd, BitOr, BitXor, Not};

use crate::lane::Lane;

#[derive(Clone, Copy)]
pub(crate) struct Two(v128);

impl Two {
    pub(crate) fn new(first: u64, second: u64) -> Self {
        Self(u64x2(first, second))
    }

    pub(crate) fn words(self) -> (u64, u64) {
        (u64x2_extract_lane::<0>(self.0), u64x2_extract_lane::<1>(self.0))
    }
}

impl Lane for Two {
    fn of(word: u64) -> Self {
        Self::new(word, word)
    }

    fn rotate_left(self, count: u32) -> Self {
        Self(v128_or(i64x2_shl(self.0, count), u64x2_shr(self.0, 64 - count)))
    }
}

impl BitXor for Two {
    type Output = Self;

    fn bitxor(self, other: Self) -> Self {
        Self(v128_xor(self.0, other.0))
    }
}

impl BitAnd for Two {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(v128_and(self.0, other.0))
    }
}

impl BitOr for Two {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(v128_or(self.0, other.0))
    }
}

impl Not for Two {
    type Output = Self;

    fn not(self) -> Self {
        Self(v128_not(self.0))
    }
}
