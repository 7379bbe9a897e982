//! `lightproof-node setup`: ceremonies for verkle's cf nodes.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use lightproof_prover::hex;
use lightproof_prover::system::verkle::ceremony::Ceremony;
use lightproof_prover::system::verkle::cf::Cf;
use lightproof_prover::system::verkle::{Commitment, Committer as _, Config};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Multiply every secret of a ceremony by a random one of your own, which is forgotten
    Contribute {
        /// The file so far; left out by the first contributor
        #[arg(long, value_name = "FILE")]
        from: Option<PathBuf>,
        /// Slots of a node, for the first contributor: 32, 256 or 1024
        #[arg(long, default_value_t = 256)]
        k: usize,
        /// The file that goes to the next contributor
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Check every point and every contribution of a file
    Verify {
        /// The file
        file: PathBuf,
    },
}

pub(super) fn main(command: &Command) -> Result<(), String> {
    match command {
        Command::Contribute { from, k, out } => {
            let mut ceremony = match from {
                Some(file) => load(file)?,
                None if [32, 256, 1_024].contains(k) => Ceremony::new(k.ilog2() as usize),
                None => return Err("k is 32, 256 or 1024".to_owned()),
            };
            let mut entropy = [0; 64];
            fs::File::open("/dev/urandom")
                .and_then(|mut source| source.read_exact(&mut entropy))
                .map_err(|error| format!("no random numbers from /dev/urandom: {error}"))?;
            ceremony.contribute(&entropy);
            fs::write(out, ceremony.encode())
                .map_err(|error| format!("cannot write {}: {error}", out.display()))?;
            describe(&ceremony);
        }
        Command::Verify { file } => describe(&load(file)?),
    }
    Ok(())
}

/// The tree of a ceremony's file.
pub(super) fn read(file: &Path) -> Result<Config, String> {
    let points = load(file)?.points;
    let bits = points.h.len().ilog2() as usize;
    // Once in a process, and for all of it.
    let commitment = Commitment::Cf(Box::leak(Box::new(points)));
    Ok(Config { commitment, bits, ..Config::DEFAULT })
}

fn load(file: &Path) -> Result<Ceremony, String> {
    let bytes =
        fs::read(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    Ceremony::read(&bytes).map_err(|error| format!("{}: {error}", file.display()))
}

fn describe(ceremony: &Ceremony) {
    let setup = Cf::new(ceremony.points.clone());
    println!("k {}", setup.k());
    println!("contributions {}", ceremony.contributions.len());
    println!("paramsDigest {}", hex::encode(&setup.digest()));
}
