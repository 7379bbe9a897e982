//! What is asked: keys, one after the other.

use alloc::vec::Vec;

use super::params::{Format, Params, SHORTEST_OSDI23_KEY};
use crate::error::InputError;
use crate::hash::{Hash, keccak256};
use crate::wire::Reader;

/// Longest key, in bytes.
const MAX_KEY_BYTES: usize = 1024;

/// Most keys in a query.
const MAX_KEYS: usize = 1024;

/// A key, and the bits that lead to its leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// As it was asked for.
    pub bytes: Vec<u8>,
    /// keccak of the key; in `lvmt/osdi23` its first 32 bytes.
    pub(super) bits: Hash,
}

impl Key {
    /// A key of the format.
    ///
    /// # Errors
    /// The rule that it breaks.
    pub(super) fn new(format: Format, bytes: &[u8]) -> Result<Self, &'static str> {
        if bytes.is_empty() || bytes.len() > MAX_KEY_BYTES {
            return Err("a key has 1 to 1024 bytes");
        }
        let bits = match (format, bytes.first_chunk::<SHORTEST_OSDI23_KEY>()) {
            (Format::One, _) => keccak256(bytes),
            (Format::Osdi23, Some(bits)) => Hash(*bits),
            // Tuples carry no type: a shorter key could pass for a sub-AMT.
            (Format::Osdi23, None) => return Err("a key of lvmt/osdi23 has at least 32 bytes"),
        };
        Ok(Self { bytes: bytes.to_vec(), bits })
    }

    /// Index at a level: bits [k · level, k · (level + 1)), big-endian.
    pub(super) fn index(&self, k: u8, level: usize) -> u32 {
        let start = usize::from(k).saturating_mul(level);
        (0..usize::from(k)).fold(0, |index, bit| {
            let at = start.saturating_add(bit);
            let byte = self.bits.0.get(at >> 3).copied().unwrap_or(0);
            (index << 1) | u32::from((byte >> (!at & 7)) & 1)
        })
    }
}

/// A query: RLP `[key, …]`, 1 to 1,024 keys, all different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// In the order of the answers.
    pub keys: Vec<Key>,
}

impl Query {
    /// Decodes a query.
    ///
    /// # Errors
    /// [`InputError::Query`] if the bytes are not of the form, or not keys of the format.
    pub(super) fn from_rlp(params: &Params, rlp: &[u8]) -> Result<Self, InputError> {
        let malformed = |error: crate::DecodeError| InputError::Query(error.reason);
        let mut items = Reader::whole_list(rlp, 0, "query").map_err(malformed)?;
        let mut keys = Vec::new();
        while !items.is_empty() {
            if keys.len() == MAX_KEYS {
                return Err(InputError::Query("at most 1024 keys"));
            }
            let key = items.string("key").map_err(malformed)?.bytes;
            keys.push(Key::new(params.format, key).map_err(InputError::Query)?);
        }
        if keys.is_empty() {
            return Err(InputError::Query("at least one key"));
        }
        let mut behind = keys.as_slice();
        while let [key, rest @ ..] = behind {
            behind = rest;
            if rest.contains(key) {
                return Err(InputError::Query("the same key twice"));
            }
        }
        Ok(Self { keys })
    }
}
