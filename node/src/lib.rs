//! Lightproof's full node, of which `lightproof-node` is the program. The chain that it serves is
//! the prover's: [`lightproof_prover::chain::database::Chain`].
//!
//! * [`push`]: blocks that an application gives, over a listener of their own.
//! * [`rpc`]: the honest answers of JSON-RPC 2.0; [`lies`]: how a reply becomes an attack.
//! * [`system`]: what each system has of its own: flags, configuration, lies, ceremonies
//!   ([`ceremony`]).
//! * [`attest`]: operators who sign the blocks of a chain with keys of their own.
//! * `ethereum`, a feature: blocks of an Ethereum chain that is followed.
//! * [`service`] and [`server`]: a chain over HTTP, honest or lying; [`health`]: whether it should
//!   get requests; [`metrics`]: what operators count.

pub mod answers;
pub mod attest;
mod bounded;
pub mod ceremony;
#[cfg(feature = "ethereum")]
pub mod ethereum;
pub mod health;
pub mod lies;
pub mod looks;
pub mod metrics;
pub mod push;
pub mod rpc;
pub mod server;
pub mod service;
pub mod system;

use std::time::{SystemTime, UNIX_EPOCH};

/// Seconds since 1970.
pub fn unix_now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}
