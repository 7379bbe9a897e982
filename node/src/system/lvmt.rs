//! `lvmt`: latest values over vector commitments.

mod lies;

use std::path::PathBuf;

use lightproof_prover::system::lvmt::{Config, NAME, Shard};

use super::Record;
use crate::lies::Lie;
use lightproof_prover::chain::config;

pub(super) struct Lvmt;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "lvmt")]
#[group(skip)]
pub(super) struct Flags {
    /// log2 of the number of leaves of an lvmt AMT. INSECURE without --lvmt-ptau: the secret is
    /// public
    #[arg(long, default_value_t = Config::DEFAULT.k, value_name = "K", value_parser = clap::value_parser!(u8).range(1..=16))]
    lvmt_k: u8,
    /// Powers-of-tau file on BN254 (.ptau) for lvmt, of power --lvmt-k + 1 or more
    #[arg(long, value_name = "FILE")]
    lvmt_ptau: Option<PathBuf>,
    /// Serve lvmt proofs for shard I of N only (N a power of two; a key's shard is its root-AMT
    /// leaf index mod N). Does not change the blocks
    #[arg(long, default_value_t = Shard::WHOLE, value_name = "I/N")]
    shard: Shard,
}

impl Record for Lvmt {
    const NAME: &'static str = NAME;
    const LIES: &'static [Lie] = lies::LIES;
    type Config = Config;
    type Flags = Flags;

    fn usual(_: &config::Config) -> Config {
        Config::DEFAULT
    }

    fn configure(_: &config::Config, flags: Flags) -> Result<Config, String> {
        let Flags { lvmt_k: k, lvmt_ptau, shard } = flags;
        if shard.bits() > k {
            return Err(format!(
                "--shard {shard}: expected at most 2^{k} shards, one per leaf of the root AMT (--lvmt-k)"
            ));
        }
        // It lives as long as the node does.
        let leak = |path: PathBuf| &*Box::leak(path.into_boxed_path());
        Ok(Config { k, ptau: lvmt_ptau.map(leak), shard, ..Config::DEFAULT })
    }
}
