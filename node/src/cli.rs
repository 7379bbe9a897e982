//! The command line.

mod announce;
mod attest;
mod clock;
#[cfg(feature = "ethereum")]
mod follow;
mod home;
mod listen;
mod log;
mod operate;
mod push;
mod run;
#[cfg(feature = "object-store")]
mod serve;
mod setup;

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{ArgMatches, Args, Command as Clap, FromArgMatches, Parser, Subcommand};
use lightproof_node::lies::Lie;
use lightproof_node::system::{SYSTEMS, Selection, find_lie, lies, lies_json};
use lightproof_prover::chain::CHAIN_ID;
use lightproof_prover::chain::config::CACHE_BYTES;
use tracing_subscriber::filter::{LevelFilter, Targets};

/// Lightproof's full node: produces a devnet chain, serves its state with proofs, and lies on
/// request
#[derive(Debug, Parser)]
#[command(name = "lightproof-node", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Produce blocks and serve them over JSON-RPC
    Run(Box<RunArgs>),
    /// Serve the chain that another node writes to a store, with nothing on this machine's disk
    #[cfg(feature = "object-store")]
    Serve(Box<serve::ServeArgs>),
    /// List the attacks that `run --lie` accepts
    Lies {
        /// Print JSON
        #[arg(long)]
        json: bool,
        /// List only lies about these: systems, headers, signatures [default: all]
        #[arg(long, value_name = "NAME,…", value_delimiter = ',', value_parser = subject)]
        about: Vec<&'static str>,
    },
    /// Keys of operators who attest a chain's blocks
    Keys {
        #[command(subcommand)]
        command: attest::Command,
    },
    /// Start, contribute to or verify a ceremony that makes public parameters
    Setup {
        #[command(subcommand)]
        command: setup::Command,
    },
}

#[derive(Debug, Args)]
struct RunArgs {
    /// Data directory of the chain; created if missing
    #[arg(long, value_name = "DIR", required_unless_present = "store")]
    data: Option<PathBuf>,
    /// Keep the chain on object storage instead of in a directory: `s3://BUCKET/PREFIX`, with
    /// credentials, region and endpoint from the environment (`AWS_ACCESS_KEY_ID`, …), or
    /// `file:///PATH`. Takes the store over from the node that writes it, which then ends. Needs a
    /// program with the feature object-store
    #[arg(long, value_name = "URL", conflicts_with = "data")]
    store: Option<String>,
    /// How long --store may take to answer a read, or to make a block durable. Past it a read fails,
    /// and a node that waits for a block ends: start it again
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    store_timeout: u64,
    /// Listen address; port 0 picks a free port
    #[arg(long, default_value = "127.0.0.1:0", value_name = "HOST:PORT")]
    listen: SocketAddr,
    /// Seed of the generated accounts, writes and INSECURE keys
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// Block time in milliseconds
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..))]
    block_time_ms: u64,
    /// Produce this many blocks at --block-time-ms, then only serve [default: unlimited]
    #[arg(long)]
    blocks: Option<u64>,
    /// Produce this many blocks before serving, without waiting between them; none is dated later
    /// than now
    #[arg(long, default_value_t = 0)]
    prefill: u64,
    /// Systems that headers commit to, comma-separated [default: all]
    #[arg(long, value_name = "NAME,…", value_parser = Selection::parse, default_value_t = Selection::all(), hide_default_value = true)]
    systems: Selection,
    /// Memory for the database's pages, or for what is read from --store, in MiB; more of it saves
    /// reads where the state is large
    #[arg(long, default_value_t = CACHE_BYTES as u64 >> 20, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    cache: u64,
    /// Number of keys in a committee that signs headers: a power of two from 8 to 512; 0 disables
    /// signatures. INSECURE: the keys follow from --seed
    #[arg(long, default_value_t = 32, value_name = "N", value_parser = committee_size)]
    committee_size: u64,
    /// Length of a committee's period, in blocks
    #[arg(long, default_value_t = 64, value_name = "BLOCKS", value_parser = clap::value_parser!(u64).range(1..=1 << 32))]
    period: u64,
    /// Timestamp of block 0 in seconds since 1970; later blocks add --block-time-ms each. Every
    /// block's hash depends on it: give the same to all nodes of one chain [default: that of the
    /// chain in --data or --store; for a new one now, less the time of the blocks of --prefill]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    genesis_time: Option<u64>,
    /// Tell clients to ask by GET for answers that never change, where a cache stands before this
    /// node
    #[arg(long)]
    offer_get: bool,
    /// Attack clients with this lie; `lightproof-node lies` lists the names
    #[arg(long, value_name = "NAME", value_parser = lie)]
    lie: Option<&'static Lie>,
    /// Also serve every attack at /lie/NAME, for demonstrations; /lie lists them, / stays honest
    #[arg(long)]
    lies_by_path: bool,
    #[cfg(feature = "ethereum")]
    #[command(flatten)]
    follow: follow::FollowArgs,
    #[command(flatten)]
    push: PushArgs,
    #[command(flatten)]
    attest: attest::AttestArgs,
    #[command(flatten)]
    operate: operate::OperateArgs,
    #[command(flatten)]
    flags: SystemFlags,
}

impl RunArgs {
    /// Whether the chain holds the workload's accounts.
    fn is_workload(&self) -> bool {
        #[cfg(feature = "ethereum")]
        if self.follow.is_set() {
            return false;
        }
        self.push.push.is_none()
    }

    /// Most bytes of the store that stay in memory.
    fn cache(&self) -> usize {
        // The flag's range keeps the number far below 2^44; a 32-bit machine takes what it can.
        usize::try_from(self.cache << 20).unwrap_or(usize::MAX)
    }
}

/// An application's own blocks, in place of the generated ones.
#[derive(Debug, Args)]
#[command(next_help_heading = "push")]
struct PushArgs {
    /// Take blocks by `lp_pushBlock` on this address instead of generating them; port 0 picks a
    /// free port
    #[arg(long, value_name = "HOST:PORT", requires = "jwt", conflicts_with_all = ["blocks", "prefill", "block_time_ms"])]
    push: Option<SocketAddr>,
    /// File with the secret that signs the tokens of --push: 64 hex digits, as in Ethereum's
    /// Engine API
    #[arg(long, value_name = "FILE", requires = "push")]
    jwt: Option<PathBuf>,
    /// Chain id of a chain whose blocks are pushed
    #[arg(long, value_name = "ID", requires = "push", default_value_t = CHAIN_ID)]
    chain_id: u64,
}

/// What the systems' own flags say.
#[derive(Debug)]
struct SystemFlags(ArgMatches);

impl FromArgMatches for SystemFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self(matches.clone()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0 = matches.clone();
        Ok(())
    }
}

impl Args for SystemFlags {
    fn augment_args(run: Clap) -> Clap {
        SYSTEMS.iter().fold(run, |run, system| system.flags(run))
    }

    fn augment_args_for_update(run: Clap) -> Clap {
        Self::augment_args(run)
    }
}

/// Parses the arguments and does what they say.
///
/// # Errors
/// A sentence for the user.
pub(crate) fn main() -> Result<(), String> {
    let command = Cli::parse().command;
    match &command {
        Command::Run(args) => args.operate.start_log(),
        #[cfg(feature = "object-store")]
        Command::Serve(args) => args.operate.start_log(),
        _ => log::start(log::Format::Text, Targets::new().with_default(LevelFilter::INFO)),
    }
    match command {
        Command::Run(args) => run::run(&args),
        #[cfg(feature = "object-store")]
        Command::Serve(args) => serve::run(&args),
        Command::Lies { json, about } => {
            let wanted = lies().filter(|(of, _)| about.is_empty() || about.contains(of));
            print(&list_lies(wanted.collect(), json))
        }
        Command::Keys { command } => attest::main(&command),
        Command::Setup { command } => setup::main(&command),
    }
}

fn committee_size(text: &str) -> Result<u64, String> {
    let size: u64 = text.parse().map_err(|error| format!("{error}"))?;
    let fits = size == 0 || (size.is_power_of_two() && (8..=512).contains(&size));
    if fits { Ok(size) } else { Err("expected 0 or a power of two from 8 to 512".to_owned()) }
}

fn lie(name: &str) -> Result<&'static Lie, String> {
    let all = || lies().map(|(_, lie)| lie.name).collect::<Vec<_>>();
    find_lie(name).ok_or_else(|| format!("unknown lie; expected one of: {}", all().join(", ")))
}

fn subject(name: &str) -> Result<&'static str, String> {
    let mut known: Vec<_> = lies().map(|(subject, _)| subject).collect();
    known.dedup();
    let found = known.iter().find(|known| **known == name).copied();
    found.ok_or_else(|| format!("unknown subject; expected one of: {}", known.join(", ")))
}

fn list_lies(lies: Vec<(&'static str, &'static Lie)>, as_json: bool) -> String {
    if as_json {
        return format!("{}\n", lies_json(lies));
    }
    // Writing to a string cannot fail.
    let mut text = String::new();
    let width = lies.iter().map(|(_, lie)| lie.name.len()).max().unwrap_or(0);
    let mut last = "";
    for (subject, Lie { name, about, .. }) in lies {
        if subject != last {
            let gap = if last.is_empty() { "" } else { "\n" };
            let _ = writeln!(text, "{gap}{subject}");
            last = subject;
        }
        let _ = writeln!(text, "  {name:width$}  {about}");
    }
    text
}

/// Writes to standard output. A reader that closed it has read enough.
fn print(text: &str) -> Result<(), String> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("cannot write to standard output: {error}"))
        }
        _ => Ok(()),
    }
}
