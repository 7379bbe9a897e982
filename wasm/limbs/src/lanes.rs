//! Registers of several numbers, for arithmetic that does the same to two at a time.
//!
//! WebAssembly's vectors of 128 bits, and arrays that do the same everywhere else. All of it is
//! inlined: a register that a function takes or returns passes through memory.

#![allow(clippy::inline_always, clippy::return_self_not_must_use)]

#[cfg(not(target_feature = "simd128"))]
pub use arrays::{Long, Quad};
#[cfg(target_feature = "simd128")]
pub use vectors::{Long, Quad};

#[cfg(target_feature = "simd128")]
mod vectors {
    use core::arch::wasm32::{
        i32x4, i32x4_add, i32x4_extract_lane, i32x4_mul, i32x4_shl, i32x4_shr, i32x4_shuffle,
        i32x4_sub, i64x2, i64x2_add, i64x2_extmul_high_i32x4, i64x2_extmul_low_i32x4, i64x2_shl,
        i64x2_shuffle, i64x2_sub, u64x2_shr, v128, v128_xor,
    };

    /// Four numbers of 32 bits.
    #[derive(Clone, Copy, Debug)]
    pub struct Quad(v128);

    /// Two numbers of 64 bits, which wrap around.
    #[derive(Clone, Copy, Debug)]
    pub struct Long(v128);

    impl Quad {
        /// In order.
        #[inline(always)]
        pub const fn new([a, b, c, d]: [i32; 4]) -> Self {
            Self(i32x4(a, b, c, d))
        }

        /// In order.
        #[inline(always)]
        pub fn numbers(self) -> [i32; 4] {
            [
                i32x4_extract_lane::<0>(self.0),
                i32x4_extract_lane::<1>(self.0),
                i32x4_extract_lane::<2>(self.0),
                i32x4_extract_lane::<3>(self.0),
            ]
        }

        /// The sum.
        #[inline(always)]
        pub fn plus(self, other: Self) -> Self {
            Self(i32x4_add(self.0, other.0))
        }

        /// The difference.
        #[inline(always)]
        pub fn minus(self, other: Self) -> Self {
            Self(i32x4_sub(self.0, other.0))
        }

        /// Products of the first two numbers.
        #[inline(always)]
        pub fn low(self, other: Self) -> Long {
            Long(i64x2_extmul_low_i32x4(self.0, other.0))
        }

        /// Products of the last two.
        #[inline(always)]
        pub fn high(self, other: Self) -> Long {
            Long(i64x2_extmul_high_i32x4(self.0, other.0))
        }

        /// The last two, and the first two.
        #[inline(always)]
        pub fn crossed(self) -> Self {
            Self(i32x4_shuffle::<2, 3, 0, 1>(self.0, self.0))
        }

        /// The second, the first, the fourth, the third.
        #[inline(always)]
        pub fn swapped(self) -> Self {
            Self(i32x4_shuffle::<1, 0, 3, 2>(self.0, self.0))
        }

        /// The first and the third, each twice.
        #[inline(always)]
        pub fn firsts(self) -> Self {
            Self(i32x4_shuffle::<0, 0, 2, 2>(self.0, self.0))
        }

        /// Of two pairs (a, b) that become (a, −b).
        #[inline(always)]
        pub fn conjugate(self) -> Self {
            let mask = i32x4(0, -1, 0, -1);
            Self(i32x4_sub(v128_xor(self.0, mask), mask))
        }

        /// Of two pairs (a, b) that become (b, 0).
        #[inline(always)]
        pub fn seconds(self) -> Self {
            Self(i32x4_shuffle::<1, 4, 3, 4>(self.0, i32x4(0, 0, 0, 0)))
        }

        /// Products' lowest bits as numbers with a sign: all but the highest `bits` of 32.
        #[inline(always)]
        pub fn lowest_product(self, other: Self, bits: u32) -> Self {
            Self(i32x4_shr(i32x4_shl(i32x4_mul(self.0, other.0), bits), bits))
        }

        /// Two to the power of `bits` times smaller, rounded down.
        #[inline(always)]
        pub fn down(self, bits: u32) -> Self {
            Self(i32x4_shr(self.0, bits))
        }
    }

    impl Long {
        /// Two zeros.
        pub const ZERO: Self = Self(i64x2(0, 0));

        /// The number twice.
        #[inline(always)]
        pub const fn both(number: i64) -> Self {
            Self(i64x2(number, number))
        }

        /// The sum.
        #[inline(always)]
        pub fn plus(self, other: Self) -> Self {
            Self(i64x2_add(self.0, other.0))
        }

        /// The difference.
        #[inline(always)]
        pub fn minus(self, other: Self) -> Self {
            Self(i64x2_sub(self.0, other.0))
        }

        /// Two to the power of `bits` times the numbers.
        #[inline(always)]
        pub fn up(self, bits: u32) -> Self {
            Self(i64x2_shl(self.0, bits))
        }

        /// The same without a sign, two to the power of `bits` times smaller.
        #[inline(always)]
        pub fn down(self, bits: u32) -> Self {
            Self(u64x2_shr(self.0, bits))
        }

        /// (a, b) becomes (b, a).
        #[inline(always)]
        pub fn swapped(self) -> Self {
            Self(i64x2_shuffle::<1, 0>(self.0, self.0))
        }

        /// (a, b) becomes (−a, b).
        #[inline(always)]
        pub fn first_negated(self) -> Self {
            let mask = i64x2(-1, 0);
            Self(i64x2_sub(v128_xor(self.0, mask), mask))
        }

        /// (a, b) and (c, d) become (a + b, c + d).
        #[inline(always)]
        pub fn sums(self, other: Self) -> Self {
            let firsts = i64x2_shuffle::<0, 2>(self.0, other.0);
            Self(i64x2_add(firsts, i64x2_shuffle::<1, 3>(self.0, other.0)))
        }

        /// The lowest 32 bits of both numbers, and of both again.
        #[inline(always)]
        pub fn lowest(self) -> Quad {
            Quad(i32x4_shuffle::<0, 2, 0, 2>(self.0, self.0))
        }

        /// The lowest 32 bits of both numbers, and of the other's.
        #[inline(always)]
        pub fn joined(self, other: Self) -> Quad {
            Quad(i32x4_shuffle::<0, 2, 4, 6>(self.0, other.0))
        }
    }
}

#[cfg(not(target_feature = "simd128"))]
mod arrays {
    /// Four numbers of 32 bits.
    #[derive(Clone, Copy, Debug)]
    pub struct Quad([i32; 4]);

    /// Two numbers of 64 bits, which wrap around.
    #[derive(Clone, Copy, Debug)]
    pub struct Long([i64; 2]);

    // Sums of numbers of 32 bits fit, so that tests see where one does not.
    #[allow(clippy::arithmetic_side_effects, clippy::cast_possible_truncation)]
    impl Quad {
        /// In order.
        pub const fn new(numbers: [i32; 4]) -> Self {
            Self(numbers)
        }

        /// In order.
        pub fn numbers(self) -> [i32; 4] {
            self.0
        }

        fn with(self, Self(other): Self, of: impl Fn(i32, i32) -> i32) -> Self {
            let mut numbers = self.0;
            numbers.iter_mut().zip(other).for_each(|(one, other)| *one = of(*one, other));
            Self(numbers)
        }

        /// The sum.
        pub fn plus(self, other: Self) -> Self {
            self.with(other, |a, b| a + b)
        }

        /// The difference.
        pub fn minus(self, other: Self) -> Self {
            self.with(other, |a, b| a - b)
        }

        /// Products of the first two numbers.
        pub fn low(self, other: Self) -> Long {
            let ([a, b, ..], [c, d, ..]) = (self.0.map(i64::from), other.0.map(i64::from));
            Long([a * c, b * d])
        }

        /// Products of the last two.
        pub fn high(self, other: Self) -> Long {
            self.crossed().low(other.crossed())
        }

        /// The last two, and the first two.
        pub fn crossed(self) -> Self {
            let [a, b, c, d] = self.0;
            Self([c, d, a, b])
        }

        /// The second, the first, the fourth, the third.
        pub fn swapped(self) -> Self {
            let [a, b, c, d] = self.0;
            Self([b, a, d, c])
        }

        /// The first and the third, each twice.
        pub fn firsts(self) -> Self {
            let [a, _, c, _] = self.0;
            Self([a, a, c, c])
        }

        /// Of two pairs (a, b) that become (a, −b).
        pub fn conjugate(self) -> Self {
            let [a, b, c, d] = self.0;
            Self([a, -b, c, -d])
        }

        /// Of two pairs (a, b) that become (b, 0).
        pub fn seconds(self) -> Self {
            let [_, b, _, d] = self.0;
            Self([b, 0, d, 0])
        }

        /// Products' lowest bits as numbers with a sign: all but the highest `bits` of 32.
        pub fn lowest_product(self, other: Self, bits: u32) -> Self {
            self.with(other, |a, b| a.wrapping_mul(b) << bits >> bits)
        }

        /// Two to the power of `bits` times smaller, rounded down.
        pub fn down(self, bits: u32) -> Self {
            Self(self.0.map(|number| number >> bits))
        }
    }

    #[allow(clippy::cast_possible_truncation)] // To the lowest bits.
    impl Long {
        /// Two zeros.
        pub const ZERO: Self = Self([0; 2]);

        /// The number twice.
        pub const fn both(number: i64) -> Self {
            Self([number; 2])
        }

        fn with(self, Self(other): Self, of: impl Fn(i64, i64) -> i64) -> Self {
            let ([a, b], [c, d]) = (self.0, other);
            Self([of(a, c), of(b, d)])
        }

        /// The sum.
        pub fn plus(self, other: Self) -> Self {
            self.with(other, i64::wrapping_add)
        }

        /// The difference.
        pub fn minus(self, other: Self) -> Self {
            self.with(other, i64::wrapping_sub)
        }

        /// Two to the power of `bits` times the numbers.
        pub fn up(self, bits: u32) -> Self {
            Self(self.0.map(|number| number << bits))
        }

        /// The same without a sign, two to the power of `bits` times smaller.
        pub fn down(self, bits: u32) -> Self {
            Self(self.0.map(|number| (number.cast_unsigned() >> bits).cast_signed()))
        }

        /// (a, b) becomes (b, a).
        pub fn swapped(self) -> Self {
            let [a, b] = self.0;
            Self([b, a])
        }

        /// (a, b) becomes (−a, b).
        pub fn first_negated(self) -> Self {
            let [a, b] = self.0;
            Self([a.wrapping_neg(), b])
        }

        /// (a, b) and (c, d) become (a + b, c + d).
        pub fn sums(self, Self([c, d]): Self) -> Self {
            let [a, b] = self.0;
            Self([a.wrapping_add(b), c.wrapping_add(d)])
        }

        /// The lowest 32 bits of both numbers, and of both again.
        pub fn lowest(self) -> Quad {
            self.joined(self)
        }

        /// The lowest 32 bits of both numbers, and of the other's.
        pub fn joined(self, Self([c, d]): Self) -> Quad {
            let [a, b] = self.0;
            Quad([a, b, c, d].map(|number| number as i32))
        }
    }
}
