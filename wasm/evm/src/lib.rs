//! Calls on Ethereum's virtual machine, over nothing but proven state.
//!
//! One rule makes a result sound: what is not proven does not exist. A read of an account, a slot,
//! a code or a block hash that the witness does not prove stops the run and names the item; it is
//! never zero. What is absent needs a proof of its own. [`Machine`] runs calls, [`interface`] does
//! so from bytes, for the WebAssembly module.
//!
//! The engine is revm; this crate is what it reads from, its precompiles, and the rules by which a
//! header becomes the block that a call sees. The crate is `no_std` and pure. All inputs are
//! public.

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod answer;
mod block;
mod fork;
mod handler;
mod heavy;
mod instructions;
pub mod interface;
mod item;
mod machine;
mod overlay;
mod overrides;
mod precompile;
mod reader;
mod state;

pub use answer::{Answer, Done, Failure, Status};
pub use block::Block;
pub use fork::{Fork, Forks, Rules};
pub use heavy::Heavy;
pub use item::Item;
pub use machine::{Call, Limits, Machine};
pub use overlay::{Change, Overlay};
pub use overrides::{BlockOverride, Override, Overrides};
pub use precompile::recover;
pub use state::State;

#[cfg(feature = "native")]
pub use heavy::Native;

/// The engine's types of a transaction, for those who run whole ones.
pub use revm::context::TxEnv;
pub use revm::context_interface;
pub use revm::primitives;
