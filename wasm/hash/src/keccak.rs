//! The Keccak sponge (Keccak team, "The Keccak reference", 3.0).

use ::keccak::f1600;

#[cfg(target_feature = "simd128")]
use crate::permutation::f1600_both;
use crate::words::{add, bytes_of, next_word, xor};

/// Bytes absorbed at a time, 1,088 bits: capacity is 512 bits.
const RATE: usize = 136;

/// Both states, one after the other: no lanes hold two words.
#[cfg(not(target_feature = "simd128"))]
fn f1600_both(first: &mut [u64; 25], second: &mut [u64; 25]) {
    f1600(first);
    f1600(second);
}

/// keccak-256 of bytes that come in parts, with the original Keccak padding (not that of FIPS 202).
#[derive(Clone, Debug, Default)]
pub struct Keccak256 {
    lanes: [u64; 25],
    /// Bytes taken in since the last permutation, less than [`RATE`].
    filled: usize,
}

impl Keccak256 {
    /// Of nothing yet.
    pub const EMPTY: Self = Self { lanes: [0; 25], filled: 0 };

    fn take(&mut self, parts: &[&[u8]]) {
        for part in parts {
            self.update(part);
        }
    }

    /// Takes in more bytes.
    pub fn update(&mut self, mut bytes: &[u8]) {
        // Words fall across two lanes each, unless what came before ends with a lane; what the
        // first has no room for waits.
        let shift = self.filled % 8 * 8;
        let mut waiting = 0;
        while let Some((word, length)) = next_word(&mut bytes) {
            xor(&mut self.lanes, self.filled / 8, (word << shift) | waiting);
            waiting = (word >> 1) >> (63 - shift);
            self.filled += length;
            if self.filled >= RATE {
                f1600(&mut self.lanes);
                self.filled -= RATE;
            }
        }
        xor(&mut self.lanes, self.filled / 8, waiting);
    }

    /// The digest of everything taken in.
    pub fn finish(mut self) -> [u8; 32] {
        self.digest()
    }

    fn digest(&mut self) -> [u8; 32] {
        self.pad();
        f1600(&mut self.lanes);
        bytes_of(&self.lanes)
    }

    fn pad(&mut self) {
        // The last byte may be the first one of the padding too.
        add(&mut self.lanes, self.filled, 1);
        add(&mut self.lanes, RATE - 1, 0x80);
    }
}

/// keccak-256 of bytes that come in parts.
pub fn keccak256(parts: &[&[u8]]) -> [u8; 32] {
    let mut sponge = Keccak256::default();
    sponge.take(parts);
    sponge.digest()
}

/// Digests of many messages, in order: two at a time, which takes less than twice one where vectors
/// hold two words.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    sponges: [Keccak256; 2],
    /// Whether the first message waits for the second one.
    waits: bool,
}

impl Pairs {
    /// Takes in a message: what `begun` has taken in, then `parts`. After every other one, the
    /// digests of both.
    pub fn push(&mut self, begun: &Keccak256, parts: &[&[u8]]) -> Option<[[u8; 32]; 2]> {
        let [first, second] = &mut self.sponges;
        let sponge = if self.waits { &mut *second } else { &mut *first };
        sponge.clone_from(begun);
        sponge.take(parts);
        sponge.pad();
        self.waits = !self.waits;
        if self.waits {
            return None;
        }
        f1600_both(&mut first.lanes, &mut second.lanes);
        Some([bytes_of(&first.lanes), bytes_of(&second.lanes)])
    }

    /// The digest of a message that waits, if one does.
    pub fn finish(&mut self) -> Option<[u8; 32]> {
        let [first, _] = &mut self.sponges;
        core::mem::take(&mut self.waits).then(|| {
            f1600(&mut first.lanes);
            bytes_of(&first.lanes)
        })
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
                let mut pairs = Pairs::default();
                assert_eq!(pairs.push(&sponge, &[&all[cut..]]), None);
                let both = pairs.push(&Keccak256::default(), &[&all[..cut], &all[cut..], b"+"]);
                let [first, second] = both.expect("two messages");
                assert_eq!(second[..], sha3::Keccak256::digest([all, b"+"].concat())[..]);
                assert_eq!(pairs.push(&sponge, &[&all[cut..]]), None);
                sponge.update(&all[cut..]);
                for digest in [first, pairs.finish().expect("one message"), sponge.finish()] {
                    assert_eq!(digest[..], expected[..], "{end} bytes, cut at {cut}");
                }
                assert_eq!(pairs.finish(), None);
            }
        }
    }
}
