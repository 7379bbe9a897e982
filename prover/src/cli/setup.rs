//! `lightproof-node setup`: ceremonies for verkle's cf nodes, and for two-layer vectors of balanceproofs.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use lightproof_prover::hash::keccak256;
use lightproof_prover::hex;
use lightproof_prover::system::balanceproofs;
use lightproof_prover::system::balanceproofs::ceremony::Ceremony as Grid;
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
        /// Slots of a node of verkle, for the first contributor: 32, 256 or 1024
        #[arg(long, default_value_t = 256)]
        k: usize,
        /// Sides of a two-layer vector of balanceproofs instead, for the first contributor: powers of two
        #[arg(long, value_name = "P,T,M", value_parser = grid_sides, conflicts_with_all = ["k", "from"])]
        sides: Option<[usize; 3]>,
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

fn grid_sides(text: &str) -> Result<[usize; 3], String> {
    let sides: Option<Vec<usize>> = text.split(',').map(|side| side.parse().ok()).collect();
    sides.and_then(|sides| sides.try_into().ok()).ok_or("three numbers".to_owned())
}

/// A ceremony of either system.
enum Either {
    Verkle(Ceremony),
    Balances(Box<Grid>),
}

pub(super) fn main(command: &Command) -> Result<(), String> {
    match command {
        Command::Contribute { from, k, sides, out } => {
            let mut ceremony = match (from, sides) {
                (Some(file), _) => load_either(file)?,
                (None, Some(sides)) => Either::Balances(Box::new(
                    Grid::new(*sides).map_err(|error| error.to_string())?,
                )),
                _ if [32, 256, 1_024].contains(k) => {
                    Either::Verkle(Ceremony::new(k.ilog2() as usize))
                }
                _ => return Err("k is 32, 256 or 1024".to_owned()),
            };
            let file = match &mut ceremony {
                Either::Verkle(ceremony) => {
                    ceremony.contribute(&random()?);
                    ceremony.encode()
                }
                Either::Balances(ceremony) => {
                    ceremony.contribute(&random()?);
                    ceremony.encode()
                }
            };
            fs::write(out, file)
                .map_err(|error| format!("cannot write {}: {error}", out.display()))?;
            describe(&ceremony)
        }
        Command::Verify { file } => describe(&load_either(file)?),
    }
}

/// Bytes that nobody else knows.
fn random<const N: usize>() -> Result<[u8; N], String> {
    let mut bytes = [0; N];
    fs::File::open("/dev/urandom")
        .and_then(|mut source| source.read_exact(&mut bytes))
        .map_err(|error| format!("no random numbers from /dev/urandom: {error}"))?;
    Ok(bytes)
}

/// The tree of a ceremony's file.
pub(super) fn read(file: &Path) -> Result<Config, String> {
    let points = load(file)?.points;
    let bits = points.h.len().ilog2() as usize;
    // Once in a process, and for all of it.
    let commitment = Commitment::Cf(Box::leak(Box::new(points)));
    Ok(Config { commitment, bits, ..Config::DEFAULT })
}

/// The vector of a ceremony's file.
pub(super) fn read_vector(file: &Path) -> Result<balanceproofs::Config, String> {
    match load_either(file)? {
        // Once in a process, and for all of it.
        Either::Balances(ceremony) => Ok(balanceproofs::Config::on(Box::leak(ceremony))),
        Either::Verkle(_) => Err(format!("{}: a ceremony of verkle", file.display())),
    }
}

fn load(file: &Path) -> Result<Ceremony, String> {
    match load_either(file)? {
        Either::Verkle(ceremony) => Ok(ceremony),
        Either::Balances(_) => Err(format!("{}: a ceremony of balanceproofs", file.display())),
    }
}

/// Reads a file and checks all of it.
fn load_either(file: &Path) -> Result<Either, String> {
    let bytes =
        fs::read(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    if !Grid::is_file(&bytes) {
        return Ceremony::read(&bytes).map(Either::Verkle).map_err(|error| named(&error));
    }
    let ceremony = Grid::decode(&bytes).map_err(|error| named(&error))?;
    ceremony.verify(&random()?).map_err(|error| named(&error))?;
    Ok(Either::Balances(Box::new(ceremony)))
}

fn describe(ceremony: &Either) -> Result<(), String> {
    let (contributions, digest) = match ceremony {
        Either::Verkle(ceremony) => {
            let setup = Cf::new(ceremony.points.clone());
            println!("k {}", setup.k());
            (ceremony.contributions.len(), setup.digest())
        }
        Either::Balances(ceremony) => {
            let [p, t, m] = ceremony.sides();
            println!("sides {p},{t},{m}");
            let params = ceremony.params(balanceproofs::setup::PLAIN);
            let params = params.map_err(|error| error.to_string())?;
            (ceremony.contributions.len(), keccak256(&params))
        }
    };
    println!("contributions {contributions}");
    println!("paramsDigest {}", hex::encode(&digest));
    Ok(())
}
