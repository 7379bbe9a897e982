//! Integers of any size, reduced to elements of a prime field.

// Operators on field elements reduce modulo a prime; they cannot overflow.
#![allow(clippy::arithmetic_side_effects)]

use ark_ff::PrimeField;

/// The element that a big-endian integer of any length is congruent to. The field's modulus must
/// have more than 128 bits.
pub fn reduced<S: PrimeField>(bytes: &[u8]) -> S {
    let (first, halves) = bytes.as_rchunks::<16>();
    let first = first.iter().fold(0, |first, byte| first * 256 + u128::from(*byte));
    let shift = short::<S>(1 << 127).double();
    halves
        .iter()
        .fold(short(first), |sum, half| sum * shift + short::<S>(u128::from_be_bytes(*half)))
}

/// The element of an integer below 2^128. The field's modulus must have more than 128 bits: with a
/// shorter one, integers over it would become zero.
pub(crate) fn short<S: PrimeField>(value: u128) -> S {
    let mut integer = S::BigInt::default();
    let bytes = value.to_le_bytes();
    for (limb, word) in integer.as_mut().iter_mut().zip(bytes.as_chunks().0) {
        *limb = u64::from_le_bytes(*word);
    }
    S::from_bigint(integer).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use ark_ff::BigInteger;

    use super::*;

    fn reduces<S: PrimeField>() {
        assert_eq!(short::<S>(u128::MAX), S::from(u128::MAX));
        assert_eq!(short::<S>(1 << 64), S::from(1_u128 << 64));
        for length in 0..=49 {
            let counted: Vec<u8> = (1..=length).map(|byte| byte * 5).collect();
            for bytes in [counted, vec![0xff; length.into()], vec![0; length.into()]] {
                assert_eq!(reduced::<S>(&bytes), S::from_be_bytes_mod_order(&bytes));
            }
        }
        assert_eq!(reduced::<S>(&S::MODULUS.to_bytes_be()), S::zero());
    }

    #[test]
    fn integers_of_any_size_are_reduced() {
        reduces::<ark_bls12_381::Fr>();
        reduces::<ark_bn254::Fr>();
        reduces::<ark_secp256r1::Fr>();
    }
}
