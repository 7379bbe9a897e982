//! Powers modulo any number, as the precompile 0x05 takes them (EIP-198), over the division of the
//! instructions.

use alloc::vec;
use alloc::vec::Vec;

use crate::instructions::division::{reduce, shifted};

/// `base ^ exponent % modulus`, as long as the modulus; zero for the modulus zero. All are
/// big-endian.
pub(super) fn power(base: &[u8], exponent: &[u8], modulus: &[u8]) -> Vec<u8> {
    let mut words = words(modulus);
    while words.last() == Some(&0) {
        words.pop();
    }
    let Some(last) = words.last() else { return vec![0; modulus.len()] };
    // A multiple of the modulus, with the first bit of its last word: what is equal modulo that is
    // equal modulo the modulus.
    let shift = last.leading_zeros() as usize;
    let mut multiple = vec![0; words.len()];
    shifted(words.iter().copied(), shift, &mut multiple);
    let field = Field(multiple);
    let result = field.power(field.number(self::words(base)), exponent);
    // (x 2^shift) % (modulus 2^shift) = (x % modulus) 2^shift.
    let mut wide = vec![0; result.len().saturating_add(1)];
    shifted(result.into_iter(), shift, &mut wide);
    let mut last = field.number(wide);
    let mut above = 0;
    for word in last.iter_mut().rev() {
        let both = u64::from(above) << 32 | u64::from(*word);
        above = *word;
        *word = low(both >> shift);
    }
    let mut output = vec![0; modulus.len()];
    let bytes = last.iter().flat_map(|word| word.to_le_bytes());
    for (to, byte) in output.iter_mut().rev().zip(bytes) {
        *to = byte;
    }
    output
}

/// The words of a number, the lowest first.
fn words(bytes: &[u8]) -> Vec<u32> {
    let word = |bytes: &[u8]| bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
    bytes.rchunks(4).map(word).collect()
}

#[allow(clippy::cast_possible_truncation, reason = "the lower half")]
const fn low(wide: u64) -> u32 {
    wide as u32
}

/// Numbers modulo one whose last word has its first bit.
struct Field(Vec<u32>);

impl Field {
    /// A number, made as long as the modulus.
    fn number(&self, mut words: Vec<u32>) -> Vec<u32> {
        let length = self.0.len();
        words.resize(words.len().max(length).saturating_add(1), 0);
        reduce(&mut words, &self.0, &mut []);
        words.truncate(length);
        words
    }

    #[allow(clippy::arithmetic_side_effects, reason = "a product of words and two words fit")]
    fn multiply(&self, a: &[u32], b: &[u32]) -> Vec<u32> {
        let length = self.0.len();
        let mut product = vec![0; length * 2];
        for (at, a) in a.iter().enumerate() {
            let mut carry = 0;
            let row = product.iter_mut().skip(at);
            for (to, b) in row.zip(b.iter().chain([&0])) {
                carry += u64::from(*a) * u64::from(*b) + u64::from(*to);
                *to = low(carry);
                carry >>= 32;
            }
        }
        self.number(product)
    }

    /// Four bits of the exponent at a time; one, where it is short.
    #[allow(clippy::arithmetic_side_effects, reason = "shifts by less than a byte")]
    fn power(&self, base: Vec<u32>, exponent: &[u8]) -> Vec<u32> {
        let zeros = exponent.iter().take_while(|byte| **byte == 0).count();
        let exponent = exponent.get(zeros..).unwrap_or_default();
        let width = if exponent.len() > 8 { 4 } else { 1 };
        let one = self.number(vec![1]);
        let mut powers = vec![one, base];
        while let (Some(last), [_, base, ..]) = (powers.last(), powers.as_slice())
            && powers.len() < 1 << width
        {
            powers.push(self.multiply(last, base));
        }
        let mut result: Option<Vec<u32>> = None;
        for byte in exponent {
            for at in (0..8 / width).rev() {
                let digit = usize::from(byte >> (at * width)) & ((1 << width) - 1);
                for _ in 0..width {
                    result = result.map(|result| self.multiply(&result, &result));
                }
                let Some(step) = powers.get(digit).filter(|_| digit != 0) else { continue };
                result = Some(match result {
                    Some(result) => self.multiply(&result, step),
                    None => step.clone(),
                });
            }
        }
        result.unwrap_or_else(|| self.number(vec![1]))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

    use lightproof_core::hash::keccak256;

    use super::*;

    /// Numbers of every length, with runs of ones and zeros.
    fn numbers() -> Vec<Vec<u8>> {
        let mut all = vec![vec![], vec![0], vec![1], vec![0, 0, 2], vec![0xff; 33], vec![0; 9]];
        for length in [1, 3, 4, 5, 8, 9, 16, 31, 32, 40, 65] {
            let mut bytes: Vec<u8> = (0..3).flat_map(|at| keccak256(&[at, length]).0).collect();
            bytes.truncate(length.into());
            all.push(bytes.clone());
            // Even, and with whole words of zeros and ones within.
            bytes[usize::from(length) - 1] &= 0xf0;
            let middle = usize::from(length) / 3..usize::from(length) * 2 / 3;
            bytes[middle.clone()].fill(0);
            all.push(bytes.clone());
            bytes[middle].fill(0xff);
            bytes[0] |= 0x80;
            all.push(bytes.clone());
            bytes[0] = 0x80;
            bytes[1..].fill(0);
            all.push(bytes);
        }
        all
    }

    #[test]
    fn the_engine_computes_the_same() {
        let all = numbers();
        for base in all.iter().step_by(5) {
            for exponent in all.iter().step_by(4) {
                for modulus in &all {
                    let theirs = aurora_engine_modexp::modexp(base, exponent, modulus);
                    let mut padded = vec![0; modulus.len().saturating_sub(theirs.len())];
                    padded.extend(&theirs[theirs.len().saturating_sub(modulus.len())..]);
                    let ours = power(base, exponent, modulus);
                    assert_eq!(ours, padded, "{base:x?} ^ {exponent:x?} % {modulus:x?}");
                }
            }
        }
    }
}
