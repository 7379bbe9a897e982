//! The six instructions that divide, over one copy of the division's code.
//!
//! The engine's own ones each bring copies for their widths, 30 kB of WebAssembly in all.

use revm::primitives::U256;
use revm::primitives::ruint::aliases::U512;

/// Quotient and remainder; both zero for the divisor zero, as instructions have it.
#[inline(never)]
fn divide(dividend: U512, divisor: U256) -> (U256, U256) {
    if divisor.is_zero() {
        return (U256::ZERO, U256::ZERO);
    }
    let (quotient, remainder) = dividend.div_rem(U512::from(divisor));
    // The remainder is smaller than the divisor; a quotient of more bits is none that is used.
    (low(quotient), low(remainder))
}

fn low(wide: U512) -> U256 {
    let [a, b, c, d, ..] = wide.into_limbs();
    U256::from_limbs([a, b, c, d])
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

pub(super) fn mulmod(a: U256, b: U256, modulus: U256) -> U256 {
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
