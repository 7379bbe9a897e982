//! `balanceproofs`: a vector of balances.

mod accounts;
mod ceremony;
mod lies;

use std::path::PathBuf;

use lightproof_core::system::balanceproofs::Scheme;
use lightproof_prover::system::balanceproofs::config::DEVNET_SEED;
use lightproof_prover::system::balanceproofs::{Config, NAME, Source};

use super::Record;
use crate::ceremony::Ceremonies;
use crate::lies::Lie;
use lightproof_prover::chain::config;

pub(super) struct BalanceProofs;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "balanceproofs")]
#[group(skip)]
pub(super) struct Flags {
    /// Scheme of balanceproofs. basic uses Ethereum's KZG ceremony; the others are INSECURE unless
    /// --balanceproofs-setup is given: their secrets follow from a public seed
    #[arg(long, value_enum, default_value_t = Vector::Basic)]
    balanceproofs: Vector,
    /// Ceremony file for a two-layer vector; every contribution is verified. Overrides
    /// --balanceproofs
    #[arg(long, value_name = "FILE")]
    balanceproofs_setup: Option<PathBuf>,
    /// Addresses whose balances balanceproofs commits to, one a line; the first line is position 0
    /// [default: the first accounts that appear]
    #[arg(long, value_name = "FILE")]
    balances: Option<PathBuf>,
}

/// Each with 4,096 balances.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Vector {
    /// balanceproofs/basic
    Basic,
    /// balanceproofs/bucketed, 64 buckets of 64
    Bucketed,
    /// balanceproofs/two-layer, 16 × 16 buckets of 16
    TwoLayer,
}

/// The vector, with nobody's balances yet.
fn vector(flags: &Flags) -> Result<Config, String> {
    if let Some(file) = &flags.balanceproofs_setup {
        return ceremony::config(file);
    }
    let (scheme, sides) = match flags.balanceproofs {
        Vector::Basic => return Ok(Config::DEFAULT),
        Vector::Bucketed => (Scheme::Bucketed, [64, 1, 64]),
        Vector::TwoLayer => (Scheme::TwoLayer, [16, 16, 16]),
    };
    Ok(Config { scheme, sides, source: Source::Seed(DEVNET_SEED), ..Config::DEFAULT })
}

impl Record for BalanceProofs {
    const NAME: &'static str = NAME;
    const LIES: &'static [Lie] = lies::LIES;
    type Config = Config;
    type Flags = Flags;

    fn usual(_: &config::Config) -> Config {
        Config::DEFAULT
    }

    fn configure(_: &config::Config, flags: Flags) -> Result<Config, String> {
        let vector = vector(&flags)?;
        let listed =
            flags.balances.map(|file| accounts::read(&file, vector.sides.iter().product()));
        Ok(Config { accounts: listed.transpose()?, ..vector })
    }

    fn ceremonies() -> Option<&'static dyn Ceremonies> {
        Some(&ceremony::Grids)
    }
}
