//! The Bloom filter in which a header holds every address and topic of its block's logs.

use crate::hash::keccak256;

/// Bytes of a Bloom filter.
pub const BLOOM_BYTES: usize = 256;

/// A Bloom filter of 2,048 bits (Yellow Paper §4.4.1): each entry sets three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bloom(pub [u8; BLOOM_BYTES]);

impl Bloom {
    /// Whether the entry may have been put in; if not, it was not.
    pub fn may_hold(&self, entry: &[u8]) -> bool {
        let hash = keccak256(entry).0;
        let pairs = hash.as_chunks::<2>().0.iter().take(3);
        pairs.map(|pair| usize::from(u16::from_be_bytes(*pair) & 0x7ff)).all(|bit| {
            // Bit 0 is the lowest of the last byte.
            let byte = (BLOOM_BYTES - 1).checked_sub(bit >> 3).and_then(|at| self.0.get(at));
            byte.is_some_and(|byte| byte >> (bit & 7) & 1 == 1)
        })
    }
}
