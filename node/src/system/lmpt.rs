//! `lmpt`: layered tries.

mod lies;

use std::sync::Arc;

use clap::{ArgMatches, Args as _, Command, FromArgMatches as _};
use lightproof_prover::system::Configuration;
use lightproof_prover::system::lmpt::{Config, Format, NAME};

use super::Definition;
use crate::lies::Lie;
use lightproof_prover::chain::config;

pub(super) struct Lmpt;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "lmpt")]
#[group(skip)]
struct Flags {
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

impl Definition for Lmpt {
    fn name(&self) -> &'static str {
        NAME
    }

    fn usual(&self, _: &config::Config) -> Arc<dyn Configuration> {
        Arc::new(Config::DEFAULT)
    }

    fn flags(&self, run: Command) -> Command {
        Flags::augment_args(run)
    }

    fn configure(
        &self,
        _: &config::Config,
        flags: &ArgMatches,
    ) -> Result<Arc<dyn Configuration>, String> {
        let flags = Flags::from_arg_matches(flags).map_err(|error| error.to_string())?;
        let format = match flags.lmpt {
            Tries::One => Format::Layered,
            Tries::Conflux => Format::Conflux,
        };
        Ok(Arc::new(Config { format, interval: flags.lmpt_interval, ..Config::DEFAULT }))
    }

    fn lies(&self) -> &'static [Lie] {
        lies::LIES
    }
}
