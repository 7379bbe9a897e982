//! The precompiles that take few bytes of code: ecrecover, SHA-256, RIPEMD-160, identity, modexp,
//! BLAKE2's compression.

use alloc::vec;
use alloc::vec::Vec;

use revm::primitives::U256;
use sha2::{Digest as _, Sha256};

use super::input::{padded, word};
use super::modexp::power;
use super::recover::recover;
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
    Some(power(&base, &exponent, &modulus))
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
