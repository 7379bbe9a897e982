//! `cole`: histories.

mod lies;

use lightproof_prover::system::cole::{Config, Format, Kind, NAME};

use super::Record;
use crate::lies::Lie;
use lightproof_prover::chain::config;

pub(super) struct Cole;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "cole")]
#[group(skip)]
pub(super) struct Flags {
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

impl Record for Cole {
    const NAME: &'static str = NAME;
    const LIES: &'static [Lie] = lies::LIES;
    type Config = Config;
    type Flags = Flags;

    fn usual(_: &config::Config) -> Config {
        Config::DEFAULT
    }

    fn configure(_: &config::Config, flags: Flags) -> Result<Config, String> {
        let fast24 = Format::Fast24 { filters: true };
        let (format, kind) = match flags.cole {
            Engine::One => (Format::One, Kind::Cole),
            Engine::OneStar => (Format::One, Kind::ColeStar),
            Engine::Fast24 => (fast24, Kind::Cole),
            Engine::Fast24Star => (fast24, Kind::ColeStar),
        };
        Ok(Config { format, kind, capacity: flags.cole_memory, ..Config::DEFAULT })
    }
}
