//! Tests of the prover in one program: each program more compiles its generic code again.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::arithmetic_side_effects)]

mod callers;
mod cole;
mod embedding;
mod lmpt;
mod lvmt;
mod store;
mod trie;
mod verkle;
