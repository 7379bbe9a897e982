//! The hash functions that most of a proof's check is made of: keccak-256 and `BLAKE2b` with 32
//! bytes of output.
//!
//! A crate of their own, so that they alone are compiled for speed where all else is compiled for
//! size. What proofs hash is mostly shorter than a block and comes in parts: bytes go into the
//! state of keccak where they fall, a word at a time, and no block is copied together first.
//!
//! # Why keccak is our own
//! Time of crate `sha3` 0.10 over ours, both at opt-level 3 in Node.js, messages of 64, 120, 136
//! and 532 bytes: 1.33, 1.26, 1.15 and 1.03 where two messages are hashed at once ([`Pairs`], in
//! 128-bit lanes, as `cole` does with entries of 89 bytes), 1.12, 1.07, 1.08 and 1.00 one at a
//! time; natively 1.12 at 64 bytes and 1.13 at 4,096. Its permutation `keccak` has no two states at
//! once on stable Rust. `BLAKE2b` is that of crate `blake2`, which takes 0.76 to 0.57 of the time
//! of one of ours.

#![no_std]

#[cfg(test)]
extern crate alloc;

mod blake2b;
mod keccak;
mod lane;
mod permutation;
#[cfg(target_feature = "simd128")]
mod two;
mod words;

pub use blake2b::Blake2b256;
pub use keccak::{Keccak256, Pairs, keccak256};
