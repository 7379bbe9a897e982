//! Compound keys and entries.

use crate::hash::Word;

/// Account ‖ slot.
pub type Address = [u8; 52];

/// address ‖ block, big-endian: its bytes order as keys do.
pub type Key = [u8; 56];

/// The key of an address in a block.
pub fn key(address: &Address, block: u32) -> Key {
    let mut key = [0; 56];
    key[..52].copy_from_slice(address);
    key[52..].copy_from_slice(&block.to_be_bytes());
    key
}

/// The address of a key.
pub fn address_of(key: &Key) -> &[u8] {
    &key[..52]
}

/// The block of a key.
pub fn block_of(key: &Key) -> u32 {
    u32::from_be_bytes(std::array::from_fn(|at| key[52 + at]))
}

/// One version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where and when it was written.
    pub key: Key,
    /// What was written.
    pub value: Word,
}

/// Length of an entry on disk and on the wire.
pub const ENTRY_BYTES: usize = 88;

impl Entry {
    /// `cole/fast24`: the entry before all others of a run.
    pub const LEAST: Self = Self { key: [0; 56], value: [0; 32] };
    /// `cole/fast24`: the entry after all others of a run.
    pub const GREATEST: Self = Self { key: [0xff; 56], value: [0; 32] };

    /// key ‖ value.
    pub fn encode(&self) -> [u8; ENTRY_BYTES] {
        let mut out = [0; ENTRY_BYTES];
        out[..56].copy_from_slice(&self.key);
        out[56..].copy_from_slice(&self.value);
        out
    }

    /// The entry that [`Entry::encode`] wrote.
    pub fn decode(bytes: &[u8; ENTRY_BYTES]) -> Self {
        Self {
            key: std::array::from_fn(|at| bytes[at]),
            value: std::array::from_fn(|at| bytes[56 + at]),
        }
    }

    /// Whether it is one of the two sentinels.
    pub fn is_sentinel(&self) -> bool {
        *self == Self::LEAST || *self == Self::GREATEST
    }
}
