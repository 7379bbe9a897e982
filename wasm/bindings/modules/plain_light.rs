//! Committee signatures: a page whose systems only hash needs no more of BLS12-381 than this.

#![no_std]

extern crate alloc;

mod light;
mod version;
