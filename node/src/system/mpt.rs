//! `mpt`: Ethereum's accounts and slots, which every chain keeps.

mod lies;

use lightproof_prover::system::mpt::{Config, NAME};

use super::Record;
use crate::lies::Lie;
use lightproof_prover::chain::config;

pub(super) struct Mpt;

#[derive(Debug, clap::Args)]
#[group(skip)]
pub(super) struct Flags {}

impl Record for Mpt {
    const NAME: &'static str = NAME;
    const LIES: &'static [Lie] = lies::LIES;
    type Config = Config;
    type Flags = Flags;

    fn usual(chain: &config::Config) -> Config {
        Config { window: chain.window }
    }

    fn configure(chain: &config::Config, _: Flags) -> Result<Config, String> {
        Ok(Self::usual(chain))
    }
}
