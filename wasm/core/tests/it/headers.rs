//! Signed headers: a small devnet and a small beacon chain of the tests' own, honest and attacked.
//!
//! Keys, signatures, trees and containers are made here, apart from core and from the prover.

mod attested;
mod beacon;
mod beacon_attacks;
mod beacon_blocks;
mod beacon_forks;
mod beacon_world;
mod bls;
mod config;
mod devnet;
mod devnet_attacks;
mod devnet_world;
mod possession;
mod safety;
mod store;

use lightproof_core::Rejection;

/// The code that a refusal has.
fn code<T: std::fmt::Debug>(verdict: Result<T, Rejection>) -> &'static str {
    verdict.expect_err("accepted").code()
}
