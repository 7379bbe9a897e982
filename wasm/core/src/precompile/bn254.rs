//! Sums, multiples and pairings on BN254 (EIP-196, EIP-197): 0x06 to 0x08.

// Operators on group elements cannot overflow.
#![allow(clippy::arithmetic_side_effects)]

use alloc::vec::Vec;

use ark_bn254::{Bn254, G1Affine, G2Affine};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::One;

use super::{Outcome, word};
use crate::algebra::{is_one, miller, sum};
use crate::error::Span;
use crate::wire::{Bytes, bn254, reduced};

/// Bytes of a pair: a point of G1 and one of G2.
const PAIR: usize = 192;
/// Pairs that are prepared at once; each takes some 20 kB.
const CHUNK: usize = 32;

/// Runs precompile `number`.
pub fn run(number: u64, input: &[u8]) -> Outcome {
    match number {
        6 => add(&padded(input)).into(),
        7 => multiply(&padded(input)).into(),
        8 => pair(input).into(),
        _ => Outcome::Unknown,
    }
}

/// The first `N` bytes; what is not there is zero.
fn padded<const N: usize>(input: &[u8]) -> [u8; N] {
    let mut padded = [0; N];
    for (to, from) in padded.iter_mut().zip(input) {
        *to = *from;
    }
    padded
}

/// The sum of two points, 64 bytes each.
fn add(input: &[u8; 128]) -> Option<Vec<u8>> {
    let (left, right) = input.split_at(64);
    let sum = g1(left)?.into_group() + g1(right)?;
    Some(bn254::affine(&sum.into_affine()).to_vec())
}

/// A point times any integer of 32 bytes. The curve has no points but those of the group.
fn multiply(input: &[u8; 96]) -> Option<Vec<u8>> {
    let (point, scalar) = input.split_at(64);
    let product = sum(&[(g1(point)?, reduced(scalar))]);
    Some(bn254::affine(&product.into_affine()).to_vec())
}

/// Whether the product of the pairings of pairs is one.
fn pair(input: &[u8]) -> Option<Vec<u8>> {
    let (pairs, []) = input.as_chunks::<PAIR>() else { return None };
    let mut product = <Bn254 as ark_ec::pairing::Pairing>::TargetField::one();
    for pairs in pairs.chunks(CHUNK) {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for pair in pairs {
            let (one, other) = pair.split_at(64);
            let (one, other) = (g1(one)?, g2(other)?);
            // The pairing with infinity is one.
            if !one.is_zero() && !other.is_zero() {
                left.push(one);
                right.push(other.into());
            }
        }
        product *= miller::<Bn254>(&left, right);
    }
    // A product of one, as of pairs that are all with infinity, needs no final exponentiation.
    Some(word(product.is_one() || is_one::<Bn254>(product)))
}

fn bytes(bytes: &[u8]) -> Bytes<'_> {
    Bytes { bytes, span: Span::default() }
}

fn g1(from: &[u8]) -> Option<G1Affine> {
    bn254::g1_affine(bytes(from), "point").ok()
}

/// A point of the group of order r; zeros are infinity.
fn g2(from: &[u8]) -> Option<G2Affine> {
    if from.iter().all(|byte| *byte == 0) {
        return Some(G2Affine::identity());
    }
    bn254::g2(bytes(from), "point").ok()
}

#[cfg(test)]
mod tests {
    use ark_bn254::Fq2;
    use ark_ff::{BigInteger, PrimeField};

    use super::*;

    /// x.c1 ‖ x.c0 ‖ y.c1 ‖ y.c0.
    fn bytes_of(point: &G2Affine) -> Vec<u8> {
        let coordinates = [point.x.c1, point.x.c0, point.y.c1, point.y.c0];
        coordinates.iter().flat_map(|c| c.into_bigint().to_bytes_be()).collect()
    }

    /// A pairing with infinity is one for every point of the group, and fails for all others.
    #[test]
    fn a_point_outside_the_group_fails() {
        let paired = |point| pair(&[alloc::vec![0; 64], bytes_of(&point)].concat());
        assert_eq!(paired(G2Affine::generator()), Some(word(true)));
        let xs = (0..).map(|number: u64| Fq2::new(number.into(), 1.into()));
        let on_curve = xs.filter_map(|x| G2Affine::get_point_from_x_unchecked(x, true));
        for point in on_curve.take(5) {
            assert_eq!(paired(point), None);
            // Its cofactor's multiple is of the group.
            let cleared = point.mul_by_cofactor_to_group().into_affine();
            assert_eq!(paired(cleared), Some(word(true)));
        }
    }

    /// The product is what the pairs make that have no infinity.
    #[test]
    fn pairs_with_infinity_count_for_one() {
        let [one, other] =
            [G1Affine::generator(), -G1Affine::generator()].map(|p| bn254::affine(&p));
        let generator = bytes_of(&G2Affine::generator());
        let [left, right] = [one, other].map(|point| [&point, generator.as_slice()].concat());
        let with = [&[0; 64], generator.as_slice()].concat();
        let nowhere = [one.as_slice(), &[0; 128]].concat();
        let all = [&with, &left, &nowhere, &right, &with].map(Vec::as_slice);
        assert_eq!(pair(&all.concat()), Some(word(true)));
        assert_eq!(pair(&all[..3].concat()), Some(word(false)));
        assert_eq!(pair(&[all[0], all[2]].concat()), Some(word(true)));
        assert_eq!(pair(&[]), Some(word(true)));
    }
}
