//! `cole`: histories.

mod lies;

use std::sync::Arc;

use clap::{ArgMatches, Args as _, Command, FromArgMatches as _};
use lightproof_prover::system::Configuration;
use lightproof_prover::system::cole::{Config, Format, Kind, NAME};

use super::Definition;
use crate::lies::Lie;
use lightproof_prover::chain::config;

pub(super) struct Cole;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "cole")]
#[group(skip)]
struct Flags {
    /// Format and merge strategy of cole
    #[arg(long, value_enum, default_value_t = Engine::One)]
    cole: Engine,
    /// Number of entries that cole keeps in memory before it flushes them to a run
    #[arg(long, default_value_t = Config::DEFAULT.capacity, value_name = "ENTRIES", value_parser = clap::value_parser!(u64).range(2..))]
    cole_memory: u64,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Engine {
    /// cole/1, merges block the writer
    #[value(name = "1")]
    One,
    /// cole/1, merges run in the background (COLE*)
    #[value(name = "1-star")]
    OneStar,
    /// cole/fast24, merges block the writer
    Fast24,
    /// cole/fast24, merges run in the background (COLE*)
    Fast24Star,
}

impl Definition for Cole {
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
        let fast24 = Format::Fast24 { filters: true };
        let (format, kind) = match flags.cole {
            Engine::One => (Format::One, Kind::Cole),
            Engine::OneStar => (Format::One, Kind::ColeStar),
            Engine::Fast24 => (fast24, Kind::Cole),
            Engine::Fast24Star => (fast24, Kind::ColeStar),
        };
        Ok(Arc::new(Config { format, kind, capacity: flags.cole_memory, ..Config::DEFAULT }))
    }

    fn lies(&self) -> &'static [Lie] {
        lies::LIES
    }
}
