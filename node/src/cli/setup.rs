//! `lightproof-node setup`: ceremonies of the systems that have some.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Command as Clap, FromArgMatches, Subcommand, value_parser};
use lightproof_node::ceremony::{Ceremonies, Ceremony, Summary, load, random};
use lightproof_node::system::SYSTEMS;
use lightproof_prover::hex;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Start a ceremony with a first contribution
    Start {
        #[command(subcommand)]
        system: Start,
    },
    /// Contribute to a ceremony: multiply every secret by a random one, which is then discarded
    Contribute {
        /// Ceremony file of the previous contributor
        #[arg(long, value_name = "FILE")]
        from: PathBuf,
        /// Output file, for the next contributor
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Verify every point and every contribution of a ceremony file
    Verify {
        /// Ceremony file
        file: PathBuf,
    },
}

/// A system by name, and its flags.
#[derive(Debug)]
pub(super) struct Start {
    system: String,
    flags: ArgMatches,
}

/// The systems that have ceremonies.
fn ceremonies() -> impl Iterator<Item = (&'static str, &'static dyn Ceremonies)> {
    SYSTEMS.iter().filter_map(|system| Some((system.name(), system.ceremonies()?)))
}

impl FromArgMatches for Start {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::new(clap::error::ErrorKind::MissingSubcommand);
        let (system, flags) = matches.subcommand().ok_or_else(missing)?;
        Ok(Self { system: system.to_owned(), flags: flags.clone() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for Start {
    fn augment_subcommands(start: Clap) -> Clap {
        let out = Arg::new("out").long("out").value_name("FILE").required(true);
        let out = out.value_parser(value_parser!(PathBuf));
        let out = out.help("Output file, for the next contributor");
        let one = |start: Clap, (name, of): (&'static str, &dyn Ceremonies)| {
            start.subcommand(of.flags(Clap::new(name).about(of.about()).arg(out.clone())))
        };
        ceremonies().fold(start, one)
    }

    fn augment_subcommands_for_update(start: Clap) -> Clap {
        Self::augment_subcommands(start)
    }

    fn has_subcommand(name: &str) -> bool {
        ceremonies().any(|(known, _)| known == name)
    }
}

pub(super) fn main(command: &Command) -> Result<(), String> {
    match command {
        Command::Start { system: Start { system, flags } } => {
            let of = ceremonies().find(|(name, _)| name == system);
            let (_, of) = of.ok_or_else(|| format!("{system} has no ceremonies"))?;
            let out = flags.get_one::<PathBuf>("out").ok_or("--out is missing")?;
            contribute(of.start(flags)?, out)
        }
        Command::Contribute { from, out } => contribute(read(from)?, out),
        Command::Verify { file } => describe(&*read(file)?),
    }
}

fn contribute(mut ceremony: Box<dyn Ceremony>, out: &Path) -> Result<(), String> {
    ceremony.contribute(&random()?);
    fs::write(out, ceremony.encode())
        .map_err(|error| format!("cannot write {}: {error}", out.display()))?;
    describe(&*ceremony)
}

/// Reads a file of any system and checks all of it.
fn read(file: &Path) -> Result<Box<dyn Ceremony>, String> {
    let bytes = load(file)?;
    let of = ceremonies().find(|(_, of)| of.is_file(&bytes));
    let (_, of) = of.ok_or_else(|| {
        let names: Vec<_> = ceremonies().map(|(name, _)| name).collect();
        format!("{}: expected a ceremony file of {}", file.display(), names.join(" or "))
    })?;
    of.read(&bytes).map_err(|error| format!("{}: {error}", file.display()))
}

fn describe(ceremony: &dyn Ceremony) -> Result<(), String> {
    let Summary { size, contributions, digest } = ceremony.summary()?;
    println!("{size}\ncontributions {contributions}\nparamsDigest {}", hex::encode(&digest));
    Ok(())
}
