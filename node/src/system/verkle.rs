//! `verkle`: a k-ary Verkle tree.

mod ceremony;
mod lies;

use std::path::PathBuf;
use std::sync::Arc;

use clap::{ArgMatches, Args as _, Command, FromArgMatches as _};
use lightproof_prover::system::Configuration;
use lightproof_prover::system::verkle::{Commitment, Config, NAME};

use super::Definition;
use crate::ceremony::Ceremonies;
use crate::lies::Lie;
use lightproof_prover::chain::config;

pub(super) struct Verkle;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "verkle")]
#[group(skip)]
struct Flags {
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

impl Definition for Verkle {
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
        chain: &config::Config,
        flags: &ArgMatches,
    ) -> Result<Arc<dyn Configuration>, String> {
        let flags = Flags::from_arg_matches(flags).map_err(|error| error.to_string())?;
        if let Some(file) = &flags.verkle_setup {
            return Ok(Arc::new(ceremony::config(file)?));
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
        Ok(Arc::new(Config { commitment, bits, ..Config::DEFAULT }))
    }

    fn lies(&self) -> &'static [Lie] {
        lies::LIES
    }

    fn ceremonies(&self) -> Option<&dyn Ceremonies> {
        Some(&ceremony::Trees)
    }
}
