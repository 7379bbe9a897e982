//! Which part of the proofs a prover makes: a subtree of the root AMT, and the sub-AMTs below its
//! leaves (paper, §3.3).
//!
//! State, commitments and headers are the same in every shard.

use std::fmt;
use std::str::FromStr;

use lightproof_core::system::lvmt::Format;

use super::keys;
use crate::system::ShardId;

/// Root leaves ≡ index mod 2^bits: the tree splits on the LOW bits of the level-0 index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shard {
    bits: u8,
    index: u32,
}

impl Shard {
    /// Every key.
    pub const WHOLE: Self = Self { bits: 0, index: 0 };

    /// Shard `index` of 2^bits; `None` if there is no such shard of AMTs with 2^16 leaves.
    pub fn new(bits: u8, index: u32) -> Option<Self> {
        (bits <= 16 && u64::from(index) < 1 << bits).then_some(Self { bits, index })
    }

    /// log2 of the number of shards.
    pub fn bits(self) -> u8 {
        self.bits
    }

    /// Which of them.
    pub fn index(self) -> u32 {
        self.index
    }

    /// As nodes name it.
    pub fn id(self) -> ShardId {
        ShardId { bits: self.bits, index: self.index }
    }

    /// Whether keys of a leaf of the root AMT are proven here.
    pub fn has_leaf(self, leaf: u32) -> bool {
        leaf & ((1 << self.bits) - 1) == self.index
    }

    /// Whether proofs made here have a node of the root AMT: it is on the path to a leaf, or a
    /// sibling of such a node.
    pub fn keeps(self, depth: u8, residue: u32) -> bool {
        let shared = self.bits.min(depth.saturating_sub(1));
        (residue ^ self.index) & ((1 << shared) - 1) == 0
    }

    /// Whether a key is proven here.
    pub fn has_key(self, format: Format, k: u8, key: &[u8]) -> bool {
        self.has_leaf(keys::index(k, &keys::hash(format, key), 0))
    }
}

impl FromStr for Shard {
    type Err = String;

    /// Reads `3/16`.
    fn from_str(text: &str) -> Result<Self, String> {
        let shard = text.split_once('/').and_then(|(index, count)| {
            let (index, count): (u32, u32) = (index.parse().ok()?, count.parse().ok()?);
            let bits = u8::try_from(count.trailing_zeros()).ok()?;
            count.is_power_of_two().then(|| Self::new(bits, index)).flatten()
        });
        shard.ok_or_else(|| "i/n with n a power of two up to 65536, and i below it".to_owned())
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.id().fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_read_as_it_is_written() {
        for text in ["0/1", "3/16", "65535/65536"] {
            assert_eq!(text.parse::<Shard>().unwrap().to_string(), text);
        }
        for text in ["", "3", "16/16", "1/3", "-1/4", "0/0", "0/131072", "1/4/2"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }

    #[test]
    fn low_bits_of_the_leaf_decide() {
        let shard: Shard = "3/16".parse().unwrap();
        assert!(shard.has_leaf(0x3453) && !shard.has_leaf(0x3334) && Shard::WHOLE.has_leaf(9));
    }
}
