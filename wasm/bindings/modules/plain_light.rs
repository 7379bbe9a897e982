//! Committee signatures: a page whose systems only hash needs no more of BLS12-381 than this.

#![no_std]

extern crate alloc;

mod known_bls12_381;
mod light;
mod version;
