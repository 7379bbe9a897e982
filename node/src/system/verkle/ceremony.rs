//! Ceremonies for cf nodes.

use std::path::Path;

use clap::{ArgMatches, Args as _, Command, FromArgMatches as _};
use lightproof_prover::system::verkle::ceremony::Ceremony as Points;
use lightproof_prover::system::verkle::cf::Cf;
use lightproof_prover::system::verkle::{Commitment, Committer as _, Config};

use crate::ceremony::{Ceremonies, Ceremony, Summary, load};

pub(super) struct Trees;

#[derive(Debug, clap::Args)]
#[group(skip)]
struct Flags {
    /// Slots of a node: 32, 256 or 1024
    #[arg(long, default_value_t = 256)]
    k: usize,
}

impl Ceremonies for Trees {
    fn about(&self) -> &'static str {
        "Start a ceremony for a tree of cf nodes"
    }

    fn flags(&self, start: Command) -> Command {
        Flags::augment_args(start)
    }

    fn start(&self, flags: &ArgMatches) -> Result<Box<dyn Ceremony>, String> {
        let Flags { k } = Flags::from_arg_matches(flags).map_err(|error| error.to_string())?;
        if ![32, 256, 1_024].contains(&k) {
            return Err("--k: expected 32, 256 or 1024".to_owned());
        }
        Ok(Box::new(Points::new(k.ilog2() as usize)))
    }

    fn is_file(&self, bytes: &[u8]) -> bool {
        Points::is_file(bytes)
    }

    fn read(&self, bytes: &[u8]) -> Result<Box<dyn Ceremony>, String> {
        Ok(Box::new(Points::read(bytes).map_err(|error| error.to_string())?))
    }
}

impl Ceremony for Points {
    fn contribute(&mut self, entropy: &[u8; 64]) {
        self.contribute(entropy);
    }

    fn encode(&self) -> Vec<u8> {
        self.encode()
    }

    fn summary(&self) -> Result<Summary, String> {
        let setup = Cf::new(self.points.clone());
        let (size, digest) = (format!("k {}", setup.k()), setup.digest());
        Ok(Summary { size, contributions: self.contributions.len(), digest })
    }
}

/// The tree of a ceremony's file.
pub(super) fn config(file: &Path) -> Result<Config, String> {
    let read = Points::read(&load(file)?);
    let points = read.map_err(|error| format!("{}: {error}", file.display()))?.points;
    let bits = points.h.len().ilog2() as usize;
    // Once in a process, and for all of it.
    let commitment = Commitment::Cf(Box::leak(Box::new(points)));
    Ok(Config { commitment, bits, ..Config::DEFAULT })
}
