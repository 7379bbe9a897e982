//! The hash functions that most of a proof's check is made of: keccak-256 and `BLAKE2b` with 32
//! bytes of output.
//!
//! A crate of their own, so that they alone are compiled for speed where all else is compiled for
//! size. What proofs hash is mostly shorter than a block and comes in parts: bytes go into the
//! state of keccak where they fall, a word at a time, and no block is copied together first.
//!
//! # What of it is our own
//! The permutation is that of crate `keccak` 0.1, which `sha3` 0.10 has too, but where two messages
//! are hashed at once in WebAssembly ([`Pairs`], in 128-bit lanes, as `cole` does with entries of 89
//! bytes): `keccak` has no two states at once on stable Rust. Ours stays where it is at least 1.15
//! times as fast in WebAssembly. Processor time over that of our rounds on words, interleaved, both
//! at opt-level 3, natively on x86-64 and in Node.js:
//!
//! | bytes | native: `keccak` | `sha3` | WebAssembly: `keccak` | `sha3` | two at once, ours |
//! | --- | --- | --- | --- | --- | --- |
//! | 64 | 1.15 | 1.24 | 1.09 | 1.11 | 0.62 |
//! | 89 | 1.15 | 1.22 | 1.09 | 1.09 | 0.63 |
//! | 120 | 1.15 | 1.22 | 1.09 | 1.07 | 0.64 |
//! | 136 | 1.15 | 1.20 | 1.10 | 1.08 | 0.82 |
//! | 532 | 1.16 | 1.17 | 1.10 | 1.03 | 0.93 |
//! | 4,096 | 1.16 | 1.16 | – | – | – |
//!
//! The sponge above it is ours: words fall into the state where they belong, and no block is copied
//! together first. `keccak` 0.2 takes 2.3 times the time in WebAssembly. `BLAKE2b` is that of crate
//! `blake2`, which takes 0.76 to 0.57 of the time of one of ours.

#![no_std]

#[cfg(test)]
extern crate alloc;

mod blake2b;
mod keccak;
#[cfg(any(test, target_feature = "simd128"))]
mod lane;
#[cfg(any(test, target_feature = "simd128"))]
mod permutation;
#[cfg(target_feature = "simd128")]
mod two;
mod words;

pub use blake2b::Blake2b256;
pub use keccak::{Keccak256, Pairs, keccak256};
