//! `lmpt`: layered tries.

mod lies;

use lightproof_prover::system::lmpt::{Config, Format, NAME};

use super::Record;
use crate::lies::Lie;
use lightproof_prover::chain::config;

pub(super) struct Lmpt;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "lmpt")]
#[group(skip)]
pub(super) struct Flags {
    /// Format of lmpt
    #[arg(long, value_enum, default_value_t = Tries::One)]
    lmpt: Tries,
    /// Merge interval of lmpt's layers, in blocks
    #[arg(long, default_value_t = Config::DEFAULT.interval, value_name = "BLOCKS", value_parser = clap::value_parser!(u64).range(1..=1 << 16))]
    lmpt_interval: u64,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Tries {
    /// lmpt/1
    #[value(name = "1")]
    One,
    /// lmpt/conflux
    Conflux,
}

impl Record for Lmpt {
    const NAME: &'static str = NAME;
    const LIES: &'static [Lie] = lies::LIES;
    type Config = Config;
    type Flags = Flags;

    fn usual(_: &config::Config) -> Config {
        Config::DEFAULT
    }

    fn configure(_: &config::Config, flags: Flags) -> Result<Config, String> {
        let format = match flags.lmpt {
            Tries::One => Format::Layered,
            Tries::Conflux => Format::Conflux,
        };
        Ok(Config { format, interval: flags.lmpt_interval, ..Config::DEFAULT })
    }
}
