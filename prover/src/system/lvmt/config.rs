//! What a chain's state is made from.

use std::path::Path;

pub use lightproof_core::system::lvmt::Format;

use super::shard::Shard;

/// Name of this system in headers.
pub const NAME: &str = "lvmt";

/// Parameters of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Bytes and hashes. A devnet has `lvmt/1`: its keys share their first 32 bytes.
    pub format: Format,
    /// log2 of an AMT's leaves, 1 to 16.
    pub k: u8,
    /// Newest blocks that stay provable, at least 1.
    pub window: u64,
    /// What the INSECURE setup follows from, unless there is a ceremony's file.
    pub setup_seed: u64,
    /// A `.ptau` file of power k + 1 or more.
    pub ptau: Option<&'static Path>,
    /// The keys that are proven here.
    pub shard: Shard,
    /// Keep the shard's proof tree; without it blocks cost less, and proofs sum all leaves anew.
    pub keeps_tree: bool,
}

impl Config {
    /// `lvmt/1` with 2^16 leaves, 64 blocks of history.
    pub const DEFAULT: Self = Self {
        format: Format::One,
        k: 16,
        window: 64,
        setup_seed: 0,
        ptau: None,
        shard: Shard::WHOLE,
        keeps_tree: true,
    };

    /// The format's name in chain configurations.
    pub fn format_name(&self) -> &'static str {
        match self.format {
            Format::One => "lvmt/1",
            Format::Osdi23 => "lvmt/osdi23",
        }
    }

    /// Tells configurations of a chain apart.
    pub fn code(&self) -> u64 {
        let format = match self.format {
            Format::One => 1,
            Format::Osdi23 => 2,
        };
        format << 8 | u64::from(self.k)
    }

    /// Depth to which the root AMT is folded in a hybrid.
    pub fn depth(&self) -> u8 {
        6.min(self.k.saturating_sub(1))
    }
}
