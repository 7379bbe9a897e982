//! Lightproof's verifier core: facts about blockchain state, proven against a trusted header.
//!
//! One direction, no way back: node bytes are decoded strictly ([`wire`]), checked against a
//! [`Root`] that only a [`TrustedHeader`] or an explicit pin can make, and become a [`Proven`]
//! fact. Nothing else in the crate can make one.
//!
//! The crate is `no_std` and pure: no I/O, clock, randomness or logs. All inputs are public, so
//! variable running time is intended; never reuse this code for secrets.

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

#[cfg(any(feature = "bls12-381", feature = "bn254"))]
pub mod algebra;
pub mod body;
pub mod chain;
pub mod error;
pub mod hash;
pub mod header;
pub mod json;
pub mod observer;
pub mod precompile;
pub mod proven;
pub mod root;
pub mod system;
#[cfg(feature = "bls12-381")]
pub mod transcript;
pub mod trie;
pub mod verifier;
pub mod wire;

pub use chain::Chain;
pub use error::{DecodeError, InputError, Rejection, VerifyError};
pub use header::TrustedHeader;
pub use proven::{Claim, Proven, verify};
pub use root::Root;
pub use system::{Presence, System};
pub use verifier::Verifier;
