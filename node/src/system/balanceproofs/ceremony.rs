//! Ceremonies for two-layer vectors.

use std::path::Path;

use clap::{ArgMatches, Args as _, Command, FromArgMatches as _};
use lightproof_prover::hash::keccak256;
use lightproof_prover::system::balanceproofs::Config;
use lightproof_prover::system::balanceproofs::ceremony::Ceremony as Grid;
use lightproof_prover::system::balanceproofs::setup::PLAIN;

use crate::ceremony::{Ceremonies, Ceremony, Summary, load, random};

pub(super) struct Grids;

#[derive(Debug, clap::Args)]
#[group(skip)]
struct Flags {
    /// Sides of the vector, powers of two
    #[arg(long, default_value = "16,16,16", value_name = "P,T,M", value_parser = sides)]
    sides: [usize; 3],
}

fn sides(text: &str) -> Result<[usize; 3], String> {
    let sides: Option<Vec<usize>> = text.split(',').map(|side| side.parse().ok()).collect();
    sides
        .and_then(|sides| sides.try_into().ok())
        .ok_or("expected three numbers, such as 16,16,16".to_owned())
}

impl Ceremonies for Grids {
    fn about(&self) -> &'static str {
        "Start a ceremony for a two-layer vector"
    }

    fn flags(&self, start: Command) -> Command {
        Flags::augment_args(start)
    }

    fn start(&self, flags: &ArgMatches) -> Result<Box<dyn Ceremony>, String> {
        let Flags { sides } = Flags::from_arg_matches(flags).map_err(|error| error.to_string())?;
        Ok(Box::new(Grid::new(sides).map_err(|error| error.to_string())?))
    }

    fn is_file(&self, bytes: &[u8]) -> bool {
        Grid::is_file(bytes)
    }

    fn read(&self, bytes: &[u8]) -> Result<Box<dyn Ceremony>, String> {
        Ok(Box::new(Grid::read(bytes, &random()?).map_err(|error| error.to_string())?))
    }
}

impl Ceremony for Grid {
    fn contribute(&mut self, entropy: &[u8; 64]) {
        self.contribute(entropy);
    }

    fn encode(&self) -> Vec<u8> {
        self.encode()
    }

    fn summary(&self) -> Result<Summary, String> {
        let [p, t, m] = self.sides();
        let params = self.params(PLAIN).map_err(|error| error.to_string())?;
        let (contributions, digest) = (self.contributions.len(), keccak256(&params));
        Ok(Summary { size: format!("sides {p},{t},{m}"), contributions, digest })
    }
}

/// The vector of a ceremony's file.
pub(super) fn config(file: &Path) -> Result<Config, String> {
    let read = Grid::read(&load(file)?, &random()?);
    let ceremony = read.map_err(|error| format!("{}: {error}", file.display()))?;
    // Once in a process, and for all of it.
    Ok(Config::on(Box::leak(Box::new(ceremony))))
}
