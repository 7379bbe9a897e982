//! The Keccak sponge (Keccak team, "The Keccak reference", 3.0).

use crate::permutation::f1600;
use crate::{add, bytes_of, next_word, xor};

/// Bytes absorbed at a time, 1,088 bits: capacity is 512 bits.
const RATE: usize = 136;

/// keccak-256 of bytes that come in parts, with the original Keccak padding (not that of FIPS 202).
#[derive(Clone, Debug, Default)]
pub struct Keccak256 {
    lanes: [u64; 25],
    /// Bytes taken in since the last permutation, less than [`RATE`].
    filled: usize,
}

impl Keccak256 {
    /// Takes in more bytes.
    pub fn update(&mut self, mut bytes: &[u8]) {
        while let Some((word, length)) = next_word(&mut bytes) {
            let at = self.filled;
            let rest = add(&mut self.lanes, at, word);
            self.filled += length;
            if self.filled < RATE {
                xor(&mut self.lanes, at / 8 + 1, rest);
            } else {
                f1600(&mut self.lanes);
                self.filled -= RATE;
                xor(&mut self.lanes, 0, rest);
            }
        }
    }

    /// The digest of everything taken in.
    pub fn finish(mut self) -> [u8; 32] {
        // The last byte may be the first one of the padding too.
        add(&mut self.lanes, self.filled, 1);
        add(&mut self.lanes, RATE - 1, 0x80);
        f1600(&mut self.lanes);
        bytes_of(&self.lanes)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    /// Lengths around the rate, in one part and in two; the other sponge is that of crate `sha3`.
    #[test]
    fn digests_as_another_sponge_does() {
        use sha3::Digest as _;
        let bytes: Vec<u8> = (0..=u8::MAX).cycle().take(3 * RATE + 2).collect();
        for end in 0..bytes.len() {
            let (all, expected) = (&bytes[..end], sha3::Keccak256::digest(&bytes[..end]));
            for cut in [0, 1, 7, RATE - 1, RATE, RATE + 1].into_iter().filter(|cut| *cut <= end) {
                let mut sponge = Keccak256::default();
                sponge.update(&all[..cut]);
                sponge.update(&all[cut..]);
                assert_eq!(sponge.finish()[..], expected[..], "{end} bytes, cut at {cut}");
            }
        }
    }
}
