//! The command line.

mod run;

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use lightproof_prover::lies::{LIES, Lie};
use lightproof_prover::system::cole;
use lightproof_prover::vectors;
use serde_json::{Value, json};

/// Lightproof's full node: makes a devnet chain, serves its state with proofs, and lies on request.
#[derive(Debug, Parser)]
#[command(name = "lightproof-node", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Produce blocks and serve them by JSON-RPC
    Run(RunArgs),
    /// List the attacks that --lie takes
    Lies {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Write the generated test vectors
    Vectors {
        /// Directory, usually test-vectors
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
}

#[derive(Debug, Args)]
struct RunArgs {
    /// Directory of the chain's database; made if it does not exist
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Address to serve on; port 0 takes a free one
    #[arg(long, default_value = "127.0.0.1:0", value_name = "HOST:PORT")]
    listen: SocketAddr,
    /// Decides every account and every write
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// Milliseconds between blocks
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..))]
    block_time_ms: u64,
    /// Make this many blocks at --block-time-ms, then only serve [default: go on for ever]
    #[arg(long)]
    blocks: Option<u64>,
    /// Make this many blocks at once before serving
    #[arg(long, default_value_t = 0)]
    prefill: u64,
    /// Format and system of cole's commitment
    #[arg(long, value_enum, default_value_t = Cole::One)]
    cole: Cole,
    /// Entries that cole keeps in memory before it flushes them
    #[arg(long, default_value_t = 1_024, value_name = "ENTRIES", value_parser = clap::value_parser!(u64).range(2..))]
    cole_memory: u64,
    /// Answer with this attack (see `lightproof-node lies`)
    #[arg(long, value_name = "NAME", value_parser = lie)]
    lie: Option<&'static Lie>,
}

/// Formats and systems of cole.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Cole {
    /// cole/1, merging at once
    #[value(name = "1")]
    One,
    /// cole/1, merging in the background
    #[value(name = "1-star")]
    OneStar,
    /// cole/fast24, merging at once
    Fast24,
    /// cole/fast24, merging in the background
    Fast24Star,
}

impl RunArgs {
    fn cole(&self) -> cole::Config {
        let fast24 = cole::Format::Fast24 { filters: true };
        let (format, kind) = match self.cole {
            Cole::One => (cole::Format::One, cole::Kind::Cole),
            Cole::OneStar => (cole::Format::One, cole::Kind::ColeStar),
            Cole::Fast24 => (fast24, cole::Kind::Cole),
            Cole::Fast24Star => (fast24, cole::Kind::ColeStar),
        };
        cole::Config { format, kind, capacity: self.cole_memory, ..cole::Config::default() }
    }
}

/// Parses the arguments and does what they say.
///
/// # Errors
/// A sentence for the user.
pub(crate) fn main() -> Result<(), String> {
    match Cli::parse().command {
        Command::Run(args) => run::run(&args),
        Command::Lies { json } => {
            list_lies(json);
            Ok(())
        }
        Command::Vectors { out } => vectors::write(&out)
            .map_err(|error| format!("cannot write test vectors to {}: {error}", out.display())),
    }
}

fn lie(name: &str) -> Result<&'static Lie, String> {
    let names = || LIES.iter().map(|lie| lie.name).collect::<Vec<_>>().join(", ");
    LIES.iter()
        .find(|lie| lie.name == name)
        .ok_or_else(|| format!("no such lie; there are: {}", names()))
}

fn list_lies(as_json: bool) {
    if as_json {
        let all: Value =
            LIES.iter().map(|lie| json!({ "name": lie.name, "about": lie.about })).collect();
        println!("{all}");
        return;
    }
    let width = LIES.iter().map(|lie| lie.name.len()).max().unwrap_or(0);
    for lie in LIES {
        println!("{:width$}  {}", lie.name, lie.about);
    }
}
