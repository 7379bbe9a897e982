//! Roots of unity: position i of a vector of n values stands for ωⁱ, ω = 7^((r − 1)/n), in natural
//! order.

use alloc::vec::Vec;

use ark_bls12_381::Fr;
use ark_ff::{FftField, Field, One};

/// The largest vector that the field has a domain for, as a power of two.
pub(super) const MAX_LOG: u32 = 32;

/// The n-th roots of unity, n a power of two.
#[derive(Clone, Debug)]
pub struct Domain {
    log: u32,
    /// ω⁰, ω¹, … up to the half of the exponent's bits.
    low: Vec<Fr>,
    /// The same of ω to the power of their number.
    high: Vec<Fr>,
}

impl Domain {
    /// The domain of `size` roots; `None` if the field has none.
    pub fn new(size: u64) -> Option<Self> {
        let log = size.checked_ilog2().filter(|log| size.is_power_of_two() && *log <= MAX_LOG)?;
        let omega = square(Fr::TWO_ADIC_ROOT_OF_UNITY, MAX_LOG.checked_sub(log)?);
        let half = log.div_ceil(2);
        let low = powers(omega, half);
        let high = powers(square(omega, half), log.checked_sub(half)?);
        Some(Self { log, low, high })
    }

    /// How many roots there are.
    pub const fn size(&self) -> u64 {
        1 << self.log
    }

    /// How many bits an exponent has.
    pub const fn log(&self) -> u32 {
        self.log
    }

    /// ω to the power of an exponent below [`Domain::size`].
    pub fn root(&self, exponent: u64) -> Fr {
        let width = self.log.div_ceil(2);
        let low = exponent & (1_u64 << width).wrapping_sub(1);
        let at = |table: &[Fr], place: u64| {
            usize::try_from(place).ok().and_then(|place| table.get(place).copied())
        };
        match (at(&self.low, low), at(&self.high, exponent >> width)) {
            (Some(low), Some(high)) => low * high,
            _ => Fr::ONE,
        }
    }

    /// xⁿ − 1, zero on the domain and nowhere else.
    pub fn vanishing(&self, x: Fr) -> Fr {
        square(x, self.log) - Fr::one()
    }
}

/// x to the power of 2^times.
fn square(mut x: Fr, times: u32) -> Fr {
    for _ in 0..times {
        x.square_in_place();
    }
    x
}

/// The first 2^log powers.
fn powers(base: Fr, log: u32) -> Vec<Fr> {
    let mut power = Fr::one();
    let next = |_| {
        let this = power;
        power *= base;
        this
    };
    (0..1_u64 << log).map(next).collect()
}
