//! The tree: judged by a plain map, by a tree built anew, by the verifier, by c-kzg, and by restarts; and the setups behind it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod ceremony;
mod chain;
mod kzg;
mod random;
