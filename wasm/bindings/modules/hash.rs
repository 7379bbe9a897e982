//! lmpt and cole, which only hash.

#![no_std]

extern crate alloc;

#[path = "parts/cole.rs"]
mod cole;
#[path = "parts/lmpt.rs"]
mod lmpt;
#[path = "parts/version.rs"]
mod version;
