//! The base field where points are added by the thousand: no branches that a processor would have
//! to guess, and reduction only where something is kept. Elements are arkworks' Montgomery
//! residues; where nothing else is said they may be a few times too large.

// A row of a product is a dozen instructions, whose carries stay in the processor's flags only
// where it stands.
#![allow(clippy::inline_always)]

use ark_bls12_381::{Fq, FqConfig};
use ark_ff::{BigInt, Field, MontConfig, PrimeField};

/// A residue, lowest limb first; at most 4p.
pub(super) type Limbs = [u64; 6];

/// 0.
pub(super) const ZERO: Limbs = [0; 6];

/// p.
const MODULUS: Limbs = Fq::MODULUS.0;

/// 2p.
const TWICE: Limbs = {
    let mut twice = [0; 6];
    let (mut at, mut carry) = (0, 0);
    while at < 6 {
        twice[at] = MODULUS[at] << 1 | carry;
        carry = MODULUS[at] >> 63;
        at += 1;
    }
    twice
};

/// A field element as it is kept, below p.
#[inline]
pub(super) fn element(limbs: Limbs) -> Fq {
    Fq::new_unchecked(BigInt(reduce(reduce(limbs, &TWICE), &MODULUS)))
}

/// a·b/2³⁸⁴: below 2p for factors whose product is below 9p², since p is below a ninth of 2³⁸⁴.
#[inline]
pub(super) fn product(a: &Limbs, b: &Limbs) -> Limbs {
    let mut sum = [0; 7];
    for limb in b {
        add_row(&mut sum, a, *limb);
        // The lowest limb becomes zero, and the others move down.
        let factor = sum[0].wrapping_mul(FqConfig::INV);
        add_row(&mut sum, &MODULUS, factor);
        sum = [sum[1], sum[2], sum[3], sum[4], sum[5], sum[6], 0];
    }
    [sum[0], sum[1], sum[2], sum[3], sum[4], sum[5]]
}

/// Adds a number times a limb: the lower halves of the products in one chain of carries, the upper
/// ones in another.
#[inline(always)]
fn add_row(sum: &mut [u64; 7], number: &Limbs, by: u64) {
    let products: [u128; 6] = std::array::from_fn(|at| u128::from(number[at]) * u128::from(by));
    #[allow(clippy::cast_possible_truncation)]
    let (low, high) = (products.map(|one| one as u64), products.map(|one| (one >> 64) as u64));
    let mut carry = false;
    for (sum, low) in sum.iter_mut().zip(low) {
        (*sum, carry) = sum.carrying_add(low, carry);
    }
    sum[6] += u64::from(carry);
    let mut carry = false;
    for (sum, high) in sum[1..].iter_mut().zip(high) {
        (*sum, carry) = sum.carrying_add(high, carry);
    }
}

/// a + b.
#[inline]
pub(super) fn sum(a: &Limbs, b: &Limbs) -> Limbs {
    let mut carry = false;
    std::array::from_fn(|at| {
        let limb;
        (limb, carry) = a[at].carrying_add(b[at], carry);
        limb
    })
}

/// a − b + p, for b up to p.
#[inline]
pub(super) fn difference(a: &Limbs, b: &Limbs) -> Limbs {
    sum(a, &subtract(&MODULUS, b).0)
}

/// a − b + 2p, for b up to 2p.
#[inline]
pub(super) fn wide_difference(a: &Limbs, b: &Limbs) -> Limbs {
    sum(a, &subtract(&TWICE, b).0)
}

/// Whether they are the same, limb by limb.
#[inline]
pub(super) fn are_same(a: &Limbs, b: &Limbs) -> bool {
    a.iter().zip(b).fold(0, |different, (a, b)| different | (a ^ b)) == 0
}

/// Subtracts what is given, unless there is less.
#[inline(always)]
fn reduce(a: Limbs, by: &Limbs) -> Limbs {
    let (rest, is_less) = subtract(&a, by);
    select(is_less, &a, &rest)
}

#[inline(always)]
fn select(first: bool, a: &Limbs, b: &Limbs) -> Limbs {
    let mask = u64::from(first).wrapping_neg();
    std::array::from_fn(|at| a[at] & mask | b[at] & !mask)
}

/// The difference, and whether it is negative.
#[inline(always)]
fn subtract(a: &Limbs, b: &Limbs) -> (Limbs, bool) {
    let mut borrow = false;
    let rest = std::array::from_fn(|at| {
        let limb;
        (limb, borrow) = a[at].borrowing_sub(b[at], borrow);
        limb
    });
    (rest, borrow)
}

/// Replaces each by its inverse; zeros stay zero. Each is below 2p, and no other multiple of p.
pub(super) fn invert(values: &mut [Limbs]) {
    let mut total = Fq::ONE.0.0;
    let mut before = Vec::with_capacity(values.len());
    for value in values.iter() {
        before.push(total);
        if !are_same(value, &ZERO) {
            total = product(&total, value);
        }
    }
    let mut total = element(total).inverse().unwrap_or_default().0.0;
    for (value, before) in values.iter_mut().zip(before).rev() {
        if !are_same(value, &ZERO) {
            let rest = product(&total, value);
            *value = product(&total, &before);
            total = rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ark_ff::{AdditiveGroup, One, Zero};

    /// Edges of the field, and some from all over it.
    fn samples() -> Vec<Fq> {
        let mut samples = vec![Fq::ZERO, Fq::one(), -Fq::one(), Fq::from(2), -Fq::from(2)];
        samples.extend((1..20_u64).map(|n| Fq::from(n).pow([u64::MAX / n, n, 7])));
        samples
    }

    /// The same residue at most three times too large.
    fn enlarged(value: Fq) -> Vec<Limbs> {
        let all = [[0; 6], MODULUS, TWICE, sum(&TWICE, &MODULUS)];
        all.iter().map(|more| sum(&value.0.0, more)).collect()
    }

    #[test]
    fn everything_agrees_with_arkworks() {
        for a in samples() {
            for b in samples() {
                for (wide_a, wide_b) in enlarged(a).iter().zip(enlarged(b).iter().rev()) {
                    assert_eq!(element(*wide_a), a);
                    assert_eq!(element(product(wide_a, wide_b)), a * b);
                }
                let [wide_a, wide_b] = [enlarged(a)[1], enlarged(b)[1]];
                assert_eq!(element(product(&enlarged(a)[2], &wide_b)), a * b);
                assert_eq!(element(sum(&wide_a, &wide_b)), a + b);
                assert_eq!(element(difference(&wide_a, &b.0.0)), a - b);
                assert_eq!(element(wide_difference(&wide_a, &wide_b)), a - b);
                assert_eq!(are_same(&a.0.0, &b.0.0), a == b);
            }
        }
    }

    #[test]
    fn inverses_pass_over_zeros() {
        let values = samples();
        let wide = |value: &Fq| if value.is_zero() { [0; 6] } else { enlarged(*value)[1] };
        let mut inverses: Vec<Limbs> = values.iter().map(wide).collect();
        invert(&mut inverses);
        for (value, inverse) in values.iter().zip(inverses) {
            let expected = if value.is_zero() { Fq::ZERO } else { Fq::one() };
            assert_eq!(element(inverse) * value, expected);
        }
    }
}
