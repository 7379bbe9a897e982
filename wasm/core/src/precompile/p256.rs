//! Signatures on secp256r1 (RIP-7212, EIP-7951): 0x100.

// Operators on field and group elements reduce modulo a prime; they cannot overflow.
#![allow(clippy::arithmetic_side_effects)]

use alloc::vec::Vec;

use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{BigInteger as _, BigInteger256, Field, PrimeField, Zero};
use ark_secp256r1::{Affine, Fq, Fr};

use super::{Outcome, word};
use crate::wire::reduced;

/// Runs precompile `number`.
///
/// * `input`: hash, r, s, x, y, 32 bytes each.
///
/// One in 32 bytes if the signature is the key's, nothing if it is not.
pub fn run(number: u64, input: &[u8]) -> Outcome {
    if number != 0x100 {
        return Outcome::Unknown;
    }
    Outcome::Output(verify(input).map_or_else(Vec::new, |()| word(true)))
}

/// ECDSA (FIPS 186-5, 6.4.2): r is the abscissa of (h/s)·G + (r/s)·Q.
fn verify(input: &[u8]) -> Option<()> {
    let (words, []) = input.as_chunks::<32>() else { return None };
    let [hash, r, s, x, y] = words else { return None };
    let [r, s] = [r, s].map(|word| Fr::from_bigint(integer(word)));
    let (r, s) = (r.filter(|r| !r.is_zero())?, s?);
    let inverse = s.inverse()?;
    let key = Affine::new_unchecked(coordinate(x)?, coordinate(y)?);
    // Every point of the curve is in the group. (0, 0) is none: arkworks keeps infinity there.
    if key.is_zero() || !key.is_on_curve() {
        return None;
    }
    let hash: Fr = reduced(hash);
    let sum = Affine::generator() * (hash * inverse) + key * (r * inverse);
    let x = sum.into_affine().x()?.into_bigint();
    (reduced::<Fr>(&x.to_bytes_be()) == r).then_some(())
}

fn coordinate(word: &[u8; 32]) -> Option<Fq> {
    Fq::from_bigint(integer(word))
}

/// Big-endian.
fn integer(word: &[u8; 32]) -> BigInteger256 {
    let mut limbs = [0; 4];
    for (limb, word) in limbs.iter_mut().rev().zip(word.as_chunks().0) {
        *limb = u64::from_be_bytes(*word);
    }
    BigInteger256::new(limbs)
}
