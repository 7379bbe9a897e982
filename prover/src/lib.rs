//! Lightproof's prover: what a full node keeps of a chain's state, and the proofs that it makes.
//!
//! * [`chain`]: write sets, headers, the seeded workload, and the database of a chain,
//!   [`chain::database::Chain`], which a program of yours opens, applies blocks to and asks for
//!   proofs.
//! * [`system`]: what each system commits to, with history.
//! * [`store`]: what a chain is kept in, whichever engine is behind it.
//! * [`trie`]: Merkle-Patricia tries.
//!
//! Nothing here is part of what a wallet trusts. RLP, tries and header bytes are written
//! independently of `lightproof-core`, so that each side checks the other.

mod buckets;
pub mod chain;
pub mod error;
mod glv;
pub mod hash;
pub mod hex;
pub mod locked;
pub mod rlp;
pub mod rng;
pub mod store;
mod sums;
pub mod system;
pub mod trie;
