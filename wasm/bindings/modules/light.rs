//! Committee signatures: a page whose systems only hash needs no more of BLS12-381 than this.

#![no_std]

extern crate alloc;

#[path = "parts/light.rs"]
mod light;
#[path = "parts/version.rs"]
mod version;
