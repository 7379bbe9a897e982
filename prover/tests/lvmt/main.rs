//! The state of lvmt: proofs that the verifier takes, against a plain map of the writes; and roots against a model that shares
//! no code with the prover.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::arithmetic_side_effects)]

mod deep;
mod ground;
mod known;
mod late;
mod random;
mod shards;
mod world;
