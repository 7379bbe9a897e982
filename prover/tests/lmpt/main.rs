//! The layers: judged by a plain map, by alloy-trie, by the verifier, by readers amid merges, and by restarts.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod chain;
mod model;
mod random;
mod readers;
