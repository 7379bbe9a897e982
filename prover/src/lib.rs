//! Lightproof's companion prover: the devnet full node, its proofs, its lies and the shared test
//! vectors.
//!
//! * [`chain`]: write sets, headers, the seeded workload.
//! * [`trie`] and [`system`]: what each system commits to, with history.
//! * [`node`]: blocks and state in one redb file.
//! * [`rpc`]: JSON-RPC 2.0 over HTTP.
//! * [`lies`]: the attacks that a node can carry out over RPC.
//! * [`vectors`]: the files in `test-vectors/`.
//!
//! Nothing here is part of what a wallet trusts. RLP, tries and header bytes are written
//! independently of `lightproof-core`, so that each side checks the other.

pub mod chain;
pub mod error;
pub mod hash;
pub mod hex;
pub mod lies;
pub mod node;
pub mod rlp;
pub mod rng;
pub mod rpc;
pub mod system;
pub mod trie;
pub mod vectors;
