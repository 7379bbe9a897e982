//! The six instructions that divide, over one copy of the division's code.
//!
//! The engine's own ones each bring copies for their widths, 30 kB of WebAssembly in all.

use revm::primitives::U256;
use revm::primitives::ruint::aliases::U512;

/// Quotient and remainder; both zero for the divisor zero, as instructions have it.
///
/// A quotient of more than 256 bits loses its upper ones: no instruction uses it.
#[inline(never)]
#[allow(clippy::indexing_slicing, reason = "places are below the lengths")]
pub(crate) fn divide(dividend: U512, divisor: U256) -> (U256, U256) {
    let length = divisor.bit_len().div_ceil(32);
    if length == 0 {
        return (U256::ZERO, U256::ZERO);
    }
    let shift = divisor.leading_zeros() % 32;
    let (mut v, mut u, mut quotient) = ([0; 8], [0; 17], [0; 8]);
    shifted(words(divisor.as_limbs()), shift, &mut v);
    shifted(words(dividend.as_limbs()), shift, &mut u);
    let most = dividend.bit_len().div_ceil(32).max(length);
    reduce(&mut u[..=most], &v[..length], &mut quotient);
    let joined = |words: &[u32], shift: usize| {
        let word = |at: usize| {
            let above = words.get(at.saturating_add(1)).copied().unwrap_or_default();
            ((u64::from(above) << 32 | u64::from(words[at])) >> shift) & u64::from(u32::MAX)
        };
        U256::from_limbs([0, 2, 4, 6].map(|at| word(at) | word(at | 1) << 32))
    };
    (joined(&quotient, 0), joined(&u[..length.max(8)], shift))
}

/// What is left of `u` stands in its first words, as many as `v` has; the others become zero.
///
/// * `u`: words, the lowest first; one more at the end than the dividend fills, or several.
/// * `v`: the divisor, with the first bit of its last word.
/// * `quotient`: takes its lowest words, as many as there is room for.
///
/// Source: Knuth, The Art of Computer Programming, volume 2, 4.3.1, algorithm D, in words of 32
/// bits: WebAssembly divides and multiplies 64 bits at most.
#[allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    reason = "places are below the lengths, and the algorithm bounds every word"
)]
pub(crate) fn reduce(u: &mut [u32], v: &[u32], quotient: &mut [u32]) {
    let length = v.len();
    let first = u64::from(v[length - 1]);
    let second = if length > 1 { u64::from(v[length - 2]) } else { 0 };
    for at in (0..u.len() - length).rev() {
        let top = u64::from(u[at + length]) << 32 | u64::from(u[at + length - 1]);
        let mut guess = top / first;
        let mut rest = top - guess * first;
        let next = if length > 1 { u64::from(u[at + length - 2]) } else { 0 };
        while guess >> 32 != 0 || guess * second > (rest << 32 | next) {
            guess -= 1;
            rest += first;
            if rest >> 32 != 0 {
                break;
            }
        }
        if guess == 0 {
            continue;
        }
        let (low, high) = u[at..=at + length].split_at_mut(length);
        // What is subtracted, and what that borrows from the next word.
        let mut borrowed = 0;
        for (u, v) in low.iter_mut().zip(v) {
            let less = guess * u64::from(*v) + borrowed;
            let (word, under) = u.overflowing_sub(less as u32);
            *u = word;
            borrowed = (less >> 32) + u64::from(under);
        }
        let (word, under) = high[0].overflowing_sub(borrowed as u32);
        high[0] = word;
        if under {
            // One too many: rare, and added back.
            guess -= 1;
            let mut carry = 0;
            for (u, v) in low.iter_mut().zip(v) {
                carry += u64::from(*u) + u64::from(*v);
                *u = carry as u32;
                carry >>= 32;
            }
            high[0] = 0;
        }
        if let Some(word) = quotient.get_mut(at) {
            *word = guess as u32;
        }
    }
}

/// The words of limbs, the lowest first.
#[allow(clippy::cast_possible_truncation, reason = "the lower half")]
fn words(limbs: &[u64]) -> impl Iterator<Item = u32> {
    limbs.iter().flat_map(|limb| [*limb as u32, (limb >> 32) as u32])
}

/// Words, shifted up by less than a word.
#[allow(clippy::cast_possible_truncation, reason = "the lower half")]
pub(crate) fn shifted(words: impl Iterator<Item = u32>, shift: usize, to: &mut [u32]) {
    let mut below = 0;
    for (to, word) in to.iter_mut().zip(words.chain([0])) {
        let both = u64::from(word) << 32 | u64::from(below);
        *to = (both << shift >> 32) as u32;
        below = word;
    }
}

pub(super) fn div(a: U256, b: U256) -> U256 {
    divide(U512::from(a), b).0
}

pub(super) fn rem(a: U256, b: U256) -> U256 {
    divide(U512::from(a), b).1
}

pub(super) fn sdiv(a: U256, b: U256) -> U256 {
    let quotient = div(absolute(a), absolute(b));
    signed(quotient, a.bit(255) != b.bit(255))
}

/// The remainder has the dividend's sign.
pub(super) fn smod(a: U256, b: U256) -> U256 {
    signed(rem(absolute(a), absolute(b)), a.bit(255))
}

pub(super) fn addmod(a: U256, b: U256, modulus: U256) -> U256 {
    divide(U512::from(a).wrapping_add(U512::from(b)), modulus).1
}

pub(crate) fn mulmod(a: U256, b: U256, modulus: U256) -> U256 {
    divide(a.widening_mul(b), modulus).1
}

/// The size of a number in two's complement; 2^255 for the smallest.
fn absolute(a: U256) -> U256 {
    signed(a, a.bit(255))
}

fn signed(a: U256, is_negative: bool) -> U256 {
    if is_negative { a.wrapping_neg() } else { a }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::arithmetic_side_effects)]

    use alloc::vec::Vec;

    use super::*;
    use lightproof_core::hash::keccak256;
    use revm::interpreter::instructions::i256::{i256_div, i256_mod};

    /// Numbers of every length, with runs of ones and zeros, and all the corners.
    fn numbers() -> Vec<U256> {
        let max = U256::MAX;
        let mut all = alloc::vec![U256::ZERO, U256::ONE, max, max - U256::ONE, max >> 1];
        all.extend((0..256).step_by(31).flat_map(|bit| {
            let power: U256 = U256::ONE << bit;
            [power, power - U256::ONE, power.wrapping_neg(), max << bit]
        }));
        let mut seed = [7; 32];
        for length in (0..256).step_by(17) {
            seed = keccak256(&seed).0;
            all.push(U256::from_be_bytes(seed) >> length);
        }
        all
    }

    #[test]
    fn the_engines_own_instructions_give_the_same() {
        for a in numbers() {
            for b in numbers() {
                assert_eq!(div(a, b), a.checked_div(b).unwrap_or_default(), "{a} / {b}");
                assert_eq!(rem(a, b), a.checked_rem(b).unwrap_or_default(), "{a} % {b}");
                assert_eq!(sdiv(a, b), i256_div(a, b), "{a} s/ {b}");
                assert_eq!(smod(a, b), i256_mod(a, b), "{a} s% {b}");
                for modulus in numbers().into_iter().step_by(3) {
                    assert_eq!(addmod(a, b, modulus), a.add_mod(b, modulus), "{a} {b} {modulus}");
                    assert_eq!(mulmod(a, b, modulus), a.mul_mod(b, modulus), "{a} {b} {modulus}");
                }
            }
        }
    }
}
