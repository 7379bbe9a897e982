//! What core's tests, benches and fuzzers share. Written apart from core and from the prover, so
//! that a fault in either is not repeated here.
//!
//! Helpers panic on bad test data: a test that cannot read its input must fail.

#![allow(clippy::missing_panics_doc)]

pub mod ask;
pub mod body;
pub mod calls;
pub mod getproof;
pub mod header;
pub mod hex;
pub mod known;
pub mod large;
pub mod record;
pub mod rlp;
pub mod sample;
pub mod state;
pub mod trie;

pub use ask::{Chain, Claim, Source};
pub use rlp::Rlp;
pub use state::{Account, MptProof, Query, SlotProof, State};
pub use trie::Trie;

/// keccak-256.
pub fn keccak(bytes: &[u8]) -> [u8; 32] {
    use sha3::{Digest, Keccak256};
    Keccak256::digest(bytes).into()
}
