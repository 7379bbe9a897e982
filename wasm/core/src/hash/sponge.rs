//! The Keccak sponge (Keccak team, "The Keccak reference", 3.0) over the permutation of crate `keccak`.

use super::Hash;

/// Bytes absorbed at a time, 1,088 bits: capacity is 512 bits.
const RATE: usize = 136;

/// keccak-256 of bytes that come in parts, with the original Keccak padding (not that of FIPS 202).
#[derive(Clone, Debug)]
pub struct Keccak256 {
    lanes: [u64; 25],
    block: [u8; RATE],
    /// Bytes of `block` that are in use, less than [`RATE`].
    filled: usize,
}

impl Default for Keccak256 {
    fn default() -> Self {
        Self { lanes: [0; 25], block: [0; RATE], filled: 0 }
    }
}

impl Keccak256 {
    /// The digest of `bytes`.
    pub fn digest(bytes: &[u8]) -> Hash {
        let mut sponge = Self::default();
        sponge.update(bytes);
        sponge.finish()
    }

    /// Takes in more bytes.
    pub fn update(&mut self, mut bytes: &[u8]) {
        if self.filled > 0 {
            bytes = fill(&mut self.block, &mut self.filled, bytes);
            if self.filled < RATE {
                return;
            }
            self.filled = 0;
            absorb(&mut self.lanes, &self.block);
        }
        let (blocks, rest) = bytes.as_chunks();
        for block in blocks {
            absorb(&mut self.lanes, block);
        }
        fill(&mut self.block, &mut self.filled, rest);
    }

    /// The digest of everything taken in.
    pub fn finish(mut self) -> Hash {
        for (index, byte) in self.block.iter_mut().enumerate().skip(self.filled) {
            *byte = u8::from(index == self.filled);
        }
        // The last byte may be the first one of the padding too.
        if let Some(last) = self.block.last_mut() {
            *last |= 0x80;
        }
        absorb(&mut self.lanes, &self.block);
        let mut digest = [0; 32];
        for (to, lane) in digest.as_chunks_mut().0.iter_mut().zip(self.lanes) {
            *to = lane.to_le_bytes();
        }
        Hash(digest)
    }
}

/// Copies as many of `bytes` as find room behind the `filled` ones of a block; the rest of them.
pub(crate) fn fill<'a>(block: &mut [u8], filled: &mut usize, bytes: &'a [u8]) -> &'a [u8] {
    let free = block.get_mut(*filled..).unwrap_or_default();
    let taken = free.len().min(bytes.len());
    let Some((head, rest)) = bytes.split_at_checked(taken) else { return &[] };
    if let Some(free) = free.get_mut(..taken) {
        // Of one length: the compiler sees that this cannot panic, and copies at once.
        free.copy_from_slice(head);
    }
    *filled = filled.saturating_add(taken);
    rest
}

fn absorb(lanes: &mut [u64; 25], block: &[u8; RATE]) {
    for (lane, bytes) in lanes.iter_mut().zip(block.as_chunks().0) {
        *lane ^= u64::from_le_bytes(*bytes);
    }
    keccak::f1600(lanes);
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
            assert_eq!(Keccak256::digest(all).0[..], expected[..], "{end} bytes");
            for cut in [1, RATE - 1, RATE, RATE + 1].into_iter().filter(|cut| *cut <= end) {
                let mut sponge = Keccak256::default();
                sponge.update(&all[..cut]);
                sponge.update(&all[cut..]);
                assert_eq!(sponge.finish().0[..], expected[..], "{end} bytes, cut at {cut}");
            }
        }
    }
}
