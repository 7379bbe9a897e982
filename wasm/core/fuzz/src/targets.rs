//! Everything that is fuzzed, by name.

mod chain_config;
mod claims;
mod evm_call;
mod header;
mod light_beacon;
mod light_steps;
mod mpt_proof;
mod mpt_verify;
mod query;
mod rlp;
mod trie_walk;

use std::sync::LazyLock;

use lightproof_core::system::balanceproofs::BalanceProofs;
use lightproof_core::system::cole::Cole;
use lightproof_core::system::lmpt::Lmpt;
use lightproof_core::system::lvmt::Lvmt;
use lightproof_core::system::verkle::Verkle;

use crate::verify::Vectors;

/// What runs one input.
pub type Target = fn(&[u8]);

/// A target whose inputs are those of [`Vectors::attack`].
macro_rules! attacks {
    ($system:ty) => {
        |data| {
            static VECTORS: LazyLock<Vectors<$system>> = LazyLock::new(Vectors::default);
            VECTORS.attack(data);
        }
    };
}

/// By name, ascending.
pub const TARGETS: [(&str, Target); 16] = [
    ("balanceproofs_verify", attacks!(BalanceProofs)),
    ("chain_config", chain_config::fuzz),
    ("claims", claims::fuzz),
    ("cole_verify", attacks!(Cole)),
    ("evm_call", evm_call::fuzz),
    ("header", header::fuzz),
    ("light_beacon", light_beacon::fuzz),
    ("light_steps", light_steps::fuzz),
    ("lmpt_verify", attacks!(Lmpt)),
    ("lvmt_verify", attacks!(Lvmt)),
    ("mpt_proof", mpt_proof::fuzz),
    ("mpt_verify", mpt_verify::fuzz),
    ("query", query::fuzz),
    ("rlp", rlp::fuzz),
    ("trie_walk", trie_walk::fuzz),
    ("verkle_verify", attacks!(Verkle)),
];
