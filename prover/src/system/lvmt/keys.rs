//! Keys, and the bits that lead to their leaves.

use lightproof_core::system::lvmt::Format;

use crate::hash::keccak256;
use crate::rlp;

/// Most keys in a query.
const MAX_KEYS: usize = 1_024;
/// Longest key, in bytes.
const MAX_KEY_BYTES: usize = 1_024;

/// Whether the format takes a key.
pub fn is_key(format: Format, key: &[u8]) -> bool {
    let shortest = match format {
        Format::One => 1,
        Format::Osdi23 => 32,
    };
    (shortest..=MAX_KEY_BYTES).contains(&key.len())
}

/// keccak of the key, or in `lvmt/osdi23` the key itself: slots are given to new keys in this
/// order.
pub fn hash(format: Format, key: &[u8]) -> Vec<u8> {
    match format {
        Format::One => keccak256(key).to_vec(),
        Format::Osdi23 => key.to_vec(),
    }
}

/// Index of a leaf: bits \[k·level, k·(level + 1)) of the hash.
pub fn index(k: u8, hash: &[u8], level: usize) -> u32 {
    let start = usize::from(k) * level;
    (start..start + usize::from(k)).fold(0, |index, bit| {
        let byte = hash.get(bit / 8).copied().unwrap_or(0);
        index << 1 | u32::from(byte >> (7 - bit % 8) & 1)
    })
}

/// Reads RLP `[key, …]`; `None` if it is no query of the format.
pub fn decode(format: Format, query: &[u8]) -> Option<Vec<Vec<u8>>> {
    let item = rlp::decode(query).ok()?;
    let items = item.as_list().filter(|items| (1..=MAX_KEYS).contains(&items.len()))?;
    let mut keys: Vec<Vec<u8>> = Vec::new();
    for item in items {
        let key = item.as_bytes().filter(|key| is_key(format, key))?.to_vec();
        if keys.contains(&key) {
            return None;
        }
        keys.push(key);
    }
    Some(keys)
}
