//! The devnet chain: what a block writes and what its header says.

pub mod header;
pub mod workload;
pub mod writes;

use crate::hash::Word;

/// The devnet's chain id, "LP" in ASCII.
pub const CHAIN_ID: u64 = 0x4c50;

/// Timestamp of block 0, in seconds since 1970. Fixed, so that a seed alone decides every hash.
pub const GENESIS_TIME: u64 = 1_767_225_600;

/// Seconds between the timestamps of two blocks, however fast they are made.
pub const BLOCK_INTERVAL: u64 = 2;

/// An account's address.
pub type Address = [u8; 20];

/// A storage slot's key, before hashing.
pub type Slot = Word;
