//! What the machine is worth today, apart from our code.

use std::hint::black_box;

use sha3::Digest as _;

/// Bytes of what [`keccaks`] hashes: those of an entry of COLE.
pub(crate) const ENTRY: usize = 88;

/// A hundred entries.
pub(crate) fn entries() -> Vec<[u8; ENTRY]> {
    (0..100).map(|number| [number; ENTRY]).collect()
}

/// Hashes each with crate `sha3`.
pub(crate) fn keccaks(entries: &[[u8; ENTRY]]) {
    for entry in entries {
        black_box(sha3::Keccak256::digest(black_box(entry)));
    }
}
