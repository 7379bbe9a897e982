//! `verkle`: a k-ary Verkle tree.

mod ceremony;
mod lies;

use std::path::PathBuf;

use lightproof_prover::system::verkle::{Commitment, Config, NAME};

use super::Record;
use crate::ceremony::Ceremonies;
use crate::lies::Lie;
use lightproof_prover::chain::config;

pub(super) struct Verkle;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "verkle")]
#[group(skip)]
pub(super) struct Flags {
    /// Node commitment and width of verkle's tree. kzg uses Ethereum's KZG ceremony; cf is
    /// INSECURE unless --verkle-setup is given: its secrets follow from --seed
    #[arg(long, value_enum, default_value_t = Tree::Kzg256)]
    verkle: Tree,
    /// Ceremony file for cf; every contribution is verified. Overrides --verkle
    #[arg(long, value_name = "FILE")]
    verkle_setup: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Tree {
    /// verkle/cf-32
    #[value(name = "cf-32")]
    Cf32,
    /// verkle/cf-256
    #[value(name = "cf-256")]
    Cf256,
    /// verkle/cf-1024
    #[value(name = "cf-1024")]
    Cf1024,
    /// verkle/kzg-32
    #[value(name = "kzg-32")]
    Kzg32,
    /// verkle/kzg-256
    #[value(name = "kzg-256")]
    Kzg256,
    /// verkle/kzg-1024
    #[value(name = "kzg-1024")]
    Kzg1024,
}

impl Record for Verkle {
    const NAME: &'static str = NAME;
    const LIES: &'static [Lie] = lies::LIES;
    type Config = Config;
    type Flags = Flags;

    fn usual(_: &config::Config) -> Config {
        Config::DEFAULT
    }

    fn configure(chain: &config::Config, flags: Flags) -> Result<Config, String> {
        if let Some(file) = &flags.verkle_setup {
            return ceremony::config(file);
        }
        let insecure = Commitment::CfInsecure(chain.seed);
        let (commitment, bits) = match flags.verkle {
            Tree::Cf32 => (insecure, 5),
            Tree::Cf256 => (insecure, 8),
            Tree::Cf1024 => (insecure, 10),
            Tree::Kzg32 => (Commitment::Kzg, 5),
            Tree::Kzg256 => (Commitment::Kzg, 8),
            Tree::Kzg1024 => (Commitment::Kzg, 10),
        };
        Ok(Config { commitment, bits, ..Config::DEFAULT })
    }

    fn ceremonies() -> Option<&'static dyn Ceremonies> {
        Some(&ceremony::Trees)
    }
}
