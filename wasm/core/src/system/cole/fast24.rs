//! Format `cole/fast24`: the digests of the paper's authors, blake2b-256 without tags. Bytes and
//! checks: `spec/systems/cole.md`, section 6.
//!
//! As of block b, the proof is that of the range `b..=b`: a version in it, or else its predecessor.
//!
//! # Deviation
//! The authors' verifier trusts `start`, `end` and `results`, does not bind positions to the tree,
//! and stops early on entries that nothing authenticates. Here a source is left closed only after
//! an opened source has shown an authenticated entry older than the range: sources partition time,
//! so whatever is older than that source is older than the range.

mod filter;
mod memory;
mod proof;
mod run;
mod verify;
mod xxh3;

use lightproof_hash::Blake2b256;

use crate::hash::Hash;

pub(super) use proof::Proof;
pub(super) use verify::check;

fn blake2b(bytes: &[u8]) -> Hash {
    let mut hasher = Blake2b256::new();
    hasher.update(bytes);
    Hash(hasher.finish())
}

fn concatenated(words: &[Hash]) -> Hash {
    let mut hasher = Blake2b256::new();
    for word in words {
        hasher.update(&word.0);
    }
    Hash(hasher.finish())
}
