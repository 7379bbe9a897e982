//! Format `cole/1`: hashes are keccak-256 with a leading tag byte. Bytes and checks:
//! `spec/systems/cole.md`, section 5.
//!
//! # Deviation
//! The paper commits to no counts and no blocks, and lets a proof stop early on entries that
//! nothing authenticates. Here `n` and each source's blocks are part of its hash: edges are
//! positions 0 and `n - 1`, and which sources are left closed follows from the question.

mod digest;
mod opening;
mod proof;
mod verify;

pub(super) use proof::Proof;
pub(super) use verify::check;
