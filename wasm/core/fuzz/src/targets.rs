//! Everything that is fuzzed, by name.

mod chain_config;
mod claims;
mod evm_call;
mod header;
mod light_beacon;
mod light_steps;
mod mpt_forged;
mod mpt_proof;
mod query;
mod rlp;
mod trie_walk;

use std::sync::LazyLock;

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

macro_rules! targets {
    ($($module:ident $system:ident,)*) => {
        &[
            $((
                concat!(stringify!($module), "_verify"),
                attacks!(lightproof_core::system::$module::$system),
            ),)*
            ("chain_config", chain_config::fuzz),
            ("claims", claims::fuzz),
            ("evm_call", evm_call::fuzz),
            ("header", header::fuzz),
            ("light_beacon", light_beacon::fuzz),
            ("light_steps", light_steps::fuzz),
            ("mpt_forged", mpt_forged::fuzz),
            ("mpt_proof", mpt_proof::fuzz),
            ("query", query::fuzz),
            ("rlp", rlp::fuzz),
            ("trie_walk", trie_walk::fuzz),
        ]
    };
}

/// By name: the verifier of every system, then what is made for one decoder or check.
pub const TARGETS: &[(&str, Target)] = lightproof_core::systems!(targets);
