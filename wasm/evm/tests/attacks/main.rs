//! What a lying node, a hostile contract and a wrong table can try, over states that are made here.
//!
//! All go through [`lightproof_evm::interface`], as bytes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::arithmetic_side_effects)]

mod accounts;
mod bombs;
mod overrides;
mod precompiles;
mod witness;
mod world;
