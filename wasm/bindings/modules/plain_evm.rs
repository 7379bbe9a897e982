//! Calls on proven state: a page loads this at its first call.

#![no_std]

extern crate alloc;

mod evm;
mod version;
