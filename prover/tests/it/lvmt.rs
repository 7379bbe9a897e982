//! The state of lvmt: proofs that the verifier takes, against a plain map of the writes; and roots
//! against a model that shares no code with the prover.

mod deep;
mod ground;
mod known;
mod late;
mod random;
mod shards;
mod world;
