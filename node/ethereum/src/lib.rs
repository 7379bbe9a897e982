//! Follows an Ethereum chain: takes its blocks from nodes that are not trusted, executes each on
//! our own state, and compares every field of its header with what the execution gives.
//!
//! * [`genesis`]: geth's `genesis.json`; [`chain`]: the forks that it schedules; [`snapshot`]: a
//!   state to begin with in place of block 0.
//! * [`block`]: blocks as nodes send them, raw or as JSON.
//! * [`rules`]: what a header must satisfy that execution does not show.
//! * [`mod@execute`]: one block on a [`State`], which gives its [`Changes`].
//! * [`record`]: a block with its receipts, to be kept; [`json`], [`logs`]: as geth prints them.
//! * [`rpc`]: a node's JSON-RPC; [`follow`]: which block comes next, by what several nodes say.
//!
//! Execution shows that a block is valid, never that it is canonical: a forged child that credits
//! any withdrawal is as valid as the real one. Whoever signs must know the chain by other means.

pub mod block;
pub mod chain;
pub mod execute;
pub mod follow;
pub mod genesis;
pub mod json;
pub mod logs;
pub mod record;
pub mod rpc;
pub mod rules;
pub mod snapshot;
mod state;

/// The words that accounts and blocks are made of.
pub mod types {
    pub use alloy_primitives::{Address, B256, Bytes, U256};
}

pub use state::{Account, Changes, State, StateError};
