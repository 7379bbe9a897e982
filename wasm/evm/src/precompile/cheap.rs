//! The precompiles that take few bytes of code: ecrecover, SHA-256, RIPEMD-160, identity, modexp,
//! BLAKE2's compression.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::{Mul as _, Neg as _};

use k256::elliptic_curve::PrimeField as _;
use k256::elliptic_curve::ops::{LinearCombination as _, Reduce};
use k256::elliptic_curve::point::DecompressPoint as _;
use k256::elliptic_curve::sec1::ToEncodedPoint as _;
use k256::{AffinePoint, FieldBytes, ProjectivePoint, Scalar};
use lightproof_core::hash::keccak256;
use revm::primitives::U256;
use sha2::{Digest as _, Sha256};

use super::{blake2, ripemd};
use lightproof_core::precompile::Outcome;

/// Runs precompile `number`; unknown if it is none of these.
pub(super) fn run(number: u64, input: &[u8]) -> Outcome {
    match number {
        1 => Outcome::Output(recover(input).unwrap_or_default()),
        2 => Outcome::Output(Sha256::digest(input).to_vec()),
        3 => {
            let mut output = vec![0; 12];
            output.extend_from_slice(&ripemd::digest(input));
            Outcome::Output(output)
        }
        4 => Outcome::Output(input.to_vec()),
        5 => modexp(input).map_or(Outcome::Failure, Outcome::Output),
        9 => blake2_f(input).map_or(Outcome::Failure, Outcome::Output),
        _ => Outcome::Unknown,
    }
}

/// `length` bytes from `start` on, as if zeros followed the input.
fn padded(input: &[u8], start: usize, length: usize) -> Vec<u8> {
    let from = input.get(start.min(input.len())..).unwrap_or_default();
    let mut bytes = from.get(..length.min(from.len())).unwrap_or_default().to_vec();
    bytes.resize(length, 0);
    bytes
}

/// The integer of 32 bytes at `start`.
pub(super) fn word(input: &[u8], start: usize) -> U256 {
    U256::from_be_slice(&padded(input, start, 32))
}

/// `[hash, v, r, s]`, 32 bytes each: the address that signed, in 32 bytes.
pub(super) fn recover(input: &[u8]) -> Option<Vec<u8>> {
    let v = u8::try_from(word(input, 32)).ok()?;
    let is_odd = v.checked_sub(27).filter(|odd| *odd < 2)?;
    let bytes = |start| FieldBytes::clone_from_slice(&padded(input, start, 32));
    let scalar = |start| Option::<Scalar>::from(Scalar::from_repr(bytes(start)));
    let (r, s) = (scalar(64)?, scalar(96).filter(|s| !bool::from(s.is_zero()))?);
    let hash = <Scalar as Reduce<k256::U256>>::reduce_bytes(&bytes(0));
    let inverse = Option::<Scalar>::from(r.invert())?;
    let point = Option::<AffinePoint>::from(AffinePoint::decompress(&bytes(64), is_odd.into()))?;
    // The key Q for which the signature holds: Q = (s R - hash G) / r. Every s but zero will do.
    let (u, v) = (inverse.mul(hash).neg(), inverse.mul(s));
    let key = ProjectivePoint::lincomb(&ProjectivePoint::GENERATOR, &u, &point.into(), &v);
    // The identity has no coordinates: its encoding is one byte.
    let key = key.to_affine().to_encoded_point(false);
    let mut address = keccak256(key.as_bytes().get(1..65)?).0;
    address.first_chunk_mut::<12>()?.fill(0);
    Some(address.to_vec())
}

/// The first 32 bytes of modexp's exponent, as an integer.
pub(super) fn exponent_head(input: &[u8], base: u64, exponent: u64) -> U256 {
    let start = usize::try_from(base.saturating_add(96)).unwrap_or(usize::MAX);
    let length = usize::try_from(exponent.min(32)).unwrap_or(32);
    U256::from_be_slice(&padded(input, start, length))
}

/// EIP-198. The gas was paid for, so the lengths are small; `None` where they cannot be.
fn modexp(input: &[u8]) -> Option<Vec<u8>> {
    let length = |start| usize::try_from(word(input, start)).ok();
    let (base_length, modulus_length) = (length(0)?, length(64)?);
    if base_length == 0 && modulus_length == 0 {
        return Some(Vec::new());
    }
    let exponent_length = length(32)?;
    let exponent_at = base_length.checked_add(96)?;
    let modulus_at = exponent_at.checked_add(exponent_length)?;
    let base = padded(input, 96, base_length);
    let exponent = padded(input, exponent_at, exponent_length);
    let modulus = padded(input, modulus_at, modulus_length);
    let power = aurora_engine_modexp::modexp(&base, &exponent, &modulus);
    let mut output = vec![0; modulus_length.saturating_sub(power.len())];
    output.extend_from_slice(power.get(power.len().saturating_sub(modulus_length)..)?);
    Some(output)
}

/// EIP-152: rounds, h, m, t, and whether the block is the last.
fn blake2_f(input: &[u8]) -> Option<Vec<u8>> {
    let (rounds, rest) = input.split_first_chunk::<4>()?;
    let (h, rest) = rest.split_first_chunk::<64>()?;
    let (m, rest) = rest.split_first_chunk::<128>()?;
    let (t, rest) = rest.split_first_chunk::<16>()?;
    let last = match rest {
        [0] => false,
        [1] => true,
        _ => return None,
    };
    let mut h = words::<8>(h);
    let rounds = u32::from_be_bytes(*rounds);
    blake2::compress(rounds, &mut h, &words(m), words(t), last);
    Some(h.iter().flat_map(|word| word.to_le_bytes()).collect())
}

fn words<const N: usize>(bytes: &[u8]) -> [u64; N] {
    let mut words = [0; N];
    for (to, from) in words.iter_mut().zip(bytes.as_chunks().0) {
        *to = u64::from_le_bytes(*from);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Signatures that hold, with both parities and a high s; zeros, and numbers over the order.
    #[test]
    fn the_engine_recovers_the_same() {
        let order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
        let order = U256::from_str_radix(order, 16).unwrap_or_default();
        let some = |seed: u8| U256::from_be_bytes(keccak256(&[seed]).0);
        let numbers: Vec<U256> = (0..20)
            .map(some)
            .chain([U256::ZERO, U256::ONE, order, order.wrapping_sub(U256::ONE), U256::MAX])
            .collect();
        let mut recovered = 0;
        for v in [0, 26, 27, 28, 29, 256 + 27] {
            for r in &numbers {
                for s in numbers.iter().step_by(3).chain([&U256::ZERO, &U256::ONE]) {
                    let words = [some(99), U256::from(v), *r, *s];
                    let input: Vec<u8> = words.iter().flat_map(U256::to_be_bytes::<32>).collect();
                    let theirs = revm::precompile::secp256k1::ec_recover_run(&input, 3_000);
                    let theirs = theirs.map(|output| output.bytes.to_vec()).unwrap_or_default();
                    assert_eq!(recover(&input).unwrap_or_default(), theirs, "{words:?}");
                    recovered += usize::from(!theirs.is_empty());
                }
            }
        }
        assert!(recovered > 50, "{recovered}");
    }
}
