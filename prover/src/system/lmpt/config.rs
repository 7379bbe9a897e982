//! What a chain's layers are made from.

/// Name of this system in headers.
pub const NAME: &str = "lmpt";

/// Blocks that are kept beyond the promised window: a block that is being made pushes one out
/// before requests learn of the new head.
const SLACK: u64 = 8;

/// Bytes and hashes of the layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `lmpt/1`: Ethereum tries over keccak(key).
    Layered,
    /// `lmpt/conflux`: Conflux's tries and padded keys.
    Conflux,
}

/// Parameters of the layers. Only the format is part of what proofs are about: the interval decides
/// which roots a chain has, and no verifier needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Bytes and hashes.
    pub format: Format,
    /// Blocks between merges, at least 1.
    pub interval: u64,
    /// Newest blocks that stay provable, at least 1.
    pub window: u64,
}

impl Config {
    /// `lmpt/1`, a merge every 16 blocks, 64 blocks of history.
    pub const DEFAULT: Self = Self { format: Format::Layered, interval: 16, window: 64 };

    /// The format's name in chain configurations.
    pub fn format_name(&self) -> &'static str {
        match self.format {
            Format::Layered => "lmpt/1",
            Format::Conflux => "lmpt/conflux",
        }
    }

    /// Tells configurations of a chain apart.
    pub fn code(&self) -> u64 {
        match self.format {
            Format::Layered => 1,
            Format::Conflux => 2,
        }
    }

    /// The last block at or before `block` after whose writes the layers move on. They do not after
    /// the chain's first block.
    pub fn boundary(&self, block: u64) -> u64 {
        block - block % self.interval.max(1)
    }

    /// The oldest block whose layers are kept once `head` is the newest.
    pub fn oldest(&self, head: u64) -> u64 {
        (head + 1).saturating_sub(self.window + SLACK)
    }
}
