//! A chain: what its blocks write, what their headers say, and where both are kept.

pub mod committee;
pub mod config;
pub mod database;
pub mod header;
pub mod source;
pub mod state;
pub mod workload;
pub mod writes;

use crate::hash::Word;

/// The devnet's chain id, "LP" in ASCII.
pub const CHAIN_ID: u64 = 0x4c50;

/// Timestamp of block 0, in seconds since 1970. Fixed, so that a seed alone decides every hash.
pub const GENESIS_TIME: u64 = 1_767_225_600;

/// Seconds between the timestamps of two blocks, however fast they are made.
pub const BLOCK_INTERVAL: u64 = 2;

/// Which time each block states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Timestamp of block 0, in seconds since 1970.
    pub genesis: u64,
    /// Milliseconds between two blocks.
    pub interval_ms: u64,
}

impl Clock {
    /// Fixed, so that a seed alone decides every hash.
    pub const DEFAULT: Self = Self { genesis: GENESIS_TIME, interval_ms: BLOCK_INTERVAL * 1_000 };

    /// Timestamp of a block, rounded down to seconds so that no block is ahead of its time.
    pub fn at(&self, number: u64) -> u64 {
        self.genesis.saturating_add(number.saturating_mul(self.interval_ms) / 1_000)
    }

    /// The newest block that is not later than `time`, in seconds since 1970; 0 if block 0 is later.
    pub fn newest(&self, time: u64) -> u64 {
        let end = time.saturating_add(1).saturating_sub(self.genesis);
        end.saturating_mul(1_000).saturating_sub(1) / self.interval_ms.max(1)
    }
}

/// An account's address.
pub type Address = [u8; 20];

/// A storage slot's key, before hashing.
pub type Slot = Word;
