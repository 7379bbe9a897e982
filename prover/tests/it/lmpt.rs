//! The layers: judged by a plain map, by alloy-trie, by the verifier, by readers amid merges, and
//! by restarts.

mod chain;
mod model;
mod random;
mod readers;
