//! `BLAKE2b` (RFC 7693) with 32 bytes of output and no key.

use crate::{add, bytes_of, next_word, xor};

const BLOCK: usize = 128;

const IV: [u64; 8] = [
    0x6a09_e667_f3bc_c908,
    0xbb67_ae85_84ca_a73b,
    0x3c6e_f372_fe94_f82b,
    0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1,
    0x9b05_688c_2b3e_6c1f,
    0x1f83_d9ab_fb41_bd6b,
    0x5be0_cd19_137e_2179,
];

/// Which word of the message goes where, for ten rounds; the last two repeat the first two.
const SIGMA: [[u8; 16]; 10] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

/// A digest of bytes that come in parts; they go into the message as they come, as those of keccak go into its lanes.
#[derive(Clone, Debug)]
pub struct Blake2b256 {
    state: [u64; 8],
    message: [u64; 16],
    /// Bytes of `message` that are in use. A full one waits for what follows: the last one is marked.
    filled: usize,
    /// Bytes in the messages before this one. A count over 2^64 needs more bytes than there are.
    before: u64,
}

impl Default for Blake2b256 {
    fn default() -> Self {
        Self::new()
    }
}

impl Blake2b256 {
    /// Of nothing yet.
    pub const fn new() -> Self {
        let mut state = IV;
        // Parameter block: 32 bytes of digest, no key, fanout 1, depth 1.
        let [first, ..] = &mut state;
        *first ^= 0x0101_0020;
        Self { state, message: [0; 16], filled: 0, before: 0 }
    }

    /// Takes in more bytes.
    pub fn update(&mut self, mut bytes: &[u8]) {
        while let Some((word, length)) = next_word(&mut bytes) {
            if self.filled == BLOCK {
                self.next();
            }
            let at = self.filled;
            let rest = add(&mut self.message, at, word);
            self.filled += length;
            if self.filled <= BLOCK {
                xor(&mut self.message, at / 8 + 1, rest);
            } else {
                self.next();
                xor(&mut self.message, 0, rest);
            }
        }
    }

    /// Goes on after a full message.
    fn next(&mut self) {
        self.before = self.before.wrapping_add(BLOCK as u64);
        self.compress(self.before, 0);
        self.message = [0; 16];
        self.filled -= BLOCK;
    }

    /// The digest of everything taken in.
    pub fn finish(mut self) -> [u8; 32] {
        self.compress(self.before.wrapping_add(self.filled as u64), u64::MAX);
        bytes_of(&self.state)
    }

    /// `total`: bytes up to the end of this message; `last`: all ones in the last one.
    fn compress(&mut self, total: u64, last: u64) {
        let [mut a0, mut a1, mut a2, mut a3, mut b0, mut b1, mut b2, mut b3] = self.state;
        let [mut c0, mut c1, mut c2, mut c3, mut d0, mut d1, mut d2, mut d3] = IV;
        d0 ^= total;
        d2 ^= last;
        for sigma in SIGMA.iter().cycle().take(12) {
            let mut words = [0; 16];
            for (word, index) in words.iter_mut().zip(sigma) {
                *word = self.message.get(usize::from(*index)).copied().unwrap_or_default();
            }
            let [s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15] = words;
            (a0, b0, c0, d0) = mix(a0, b0, c0, d0, s0, s1);
            (a1, b1, c1, d1) = mix(a1, b1, c1, d1, s2, s3);
            (a2, b2, c2, d2) = mix(a2, b2, c2, d2, s4, s5);
            (a3, b3, c3, d3) = mix(a3, b3, c3, d3, s6, s7);
            (a0, b1, c2, d3) = mix(a0, b1, c2, d3, s8, s9);
            (a1, b2, c3, d0) = mix(a1, b2, c3, d0, s10, s11);
            (a2, b3, c0, d1) = mix(a2, b3, c0, d1, s12, s13);
            (a3, b0, c1, d2) = mix(a3, b0, c1, d2, s14, s15);
        }
        let low = [a0, a1, a2, a3, b0, b1, b2, b3];
        let high = [c0, c1, c2, c3, d0, d1, d2, d3];
        for ((word, low), high) in self.state.iter_mut().zip(low).zip(high) {
            *word ^= low ^ high;
        }
    }
}

/// G of the RFC.
#[inline(always)]
#[allow(clippy::inline_always, clippy::many_single_char_names)]
const fn mix(
    mut a: u64,
    mut b: u64,
    mut c: u64,
    mut d: u64,
    x: u64,
    y: u64,
) -> (u64, u64, u64, u64) {
    a = a.wrapping_add(b).wrapping_add(x);
    d = (d ^ a).rotate_right(32);
    c = c.wrapping_add(d);
    b = (b ^ c).rotate_right(24);
    a = a.wrapping_add(b).wrapping_add(y);
    d = (d ^ a).rotate_right(16);
    c = c.wrapping_add(d);
    b = (b ^ c).rotate_right(63);
    (a, b, c, d)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    /// Lengths around the block, in one part and in two; the other implementation is crate `blake2`.
    #[test]
    fn digests_as_another_implementation_does() {
        use blake2::digest::consts::U32;
        use blake2::{Blake2b as Other, Digest as _};
        let bytes: Vec<u8> = (0..=u8::MAX).cycle().take(3 * BLOCK + 2).collect();
        for end in 0..bytes.len() {
            let expected = Other::<U32>::digest(&bytes[..end]);
            for cut in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1].into_iter().filter(|cut| *cut <= end) {
                let mut hasher = Blake2b256::new();
                hasher.update(&bytes[..cut]);
                hasher.update(&bytes[cut..end]);
                assert_eq!(hasher.finish()[..], expected[..], "{end} bytes, cut at {cut}");
            }
        }
    }
}
