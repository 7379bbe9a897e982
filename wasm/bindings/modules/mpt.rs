//! mpt, body, header hashing, keccak-256: all that a wallet needs to show a balance and what
//! happened to it.

#![no_std]

extern crate alloc;

#[path = "parts/body.rs"]
mod body;
#[path = "parts/mpt.rs"]
mod mpt;
#[path = "parts/version.rs"]
mod version;
