//! `mpt`: Ethereum's accounts and slots, which every chain keeps.

mod lies;

use std::sync::Arc;

use lightproof_prover::system::Configuration;
use lightproof_prover::system::mpt::{Config, NAME};

use super::Definition;
use crate::lies::Lie;
use lightproof_prover::chain::config;

pub(super) struct Mpt;

impl Definition for Mpt {
    fn name(&self) -> &'static str {
        NAME
    }

    fn usual(&self, chain: &config::Config) -> Arc<dyn Configuration> {
        Arc::new(Config { window: chain.window })
    }

    fn lies(&self) -> &'static [Lie] {
        lies::LIES
    }
}
