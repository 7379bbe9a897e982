//! The command line.

mod run;
mod setup;

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use lightproof_core::system::balanceproofs::Scheme;
use lightproof_prover::lies::{
    self, BALANCEPROOFS_LIES, COLE_LIES, LIES, LMPT_LIES, LVMT_LIES, Lie, SIGNATURE_LIES,
    VERKLE_LIES,
};
use lightproof_prover::system::{Selection, balanceproofs, cole, lmpt, lvmt, verkle};
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
        /// The lies about signatures instead, of which there are none with --committee-size 0
        #[arg(long)]
        signatures: bool,
        /// The lies about histories instead, of which there are none without system cole
        #[arg(long, conflicts_with = "signatures")]
        cole: bool,
        /// The lies about layers instead, of which there are none without system lmpt
        #[arg(long, conflicts_with_all = ["signatures", "cole"])]
        lmpt: bool,
        /// The lies about versions instead, of which there are none without system lvmt
        #[arg(long, conflicts_with_all = ["signatures", "cole", "lmpt"])]
        lvmt: bool,
        /// The lies about a vector instead, of which there are none without system balanceproofs
        #[arg(long, conflicts_with_all = ["signatures", "cole", "lmpt", "lvmt"])]
        balanceproofs: bool,
        /// The lies about Verkle trees instead, of which there are none without system verkle
        #[arg(long, conflicts_with_all = ["signatures", "cole", "lmpt", "lvmt", "balanceproofs"])]
        verkle: bool,
    },
    /// Make or check a setup of verkle's cf nodes, or of balanceproofs' two-layer vectors
    Setup {
        #[command(subcommand)]
        command: setup::Command,
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
    /// Systems that headers commit to, with commas between them [default: all]
    #[arg(long, value_name = "NAME,…", value_parser = Selection::parse, default_value_t = Selection::ALL, hide_default_value = true)]
    systems: Selection,
    /// Format and system of cole's commitment
    #[arg(long, value_enum, default_value_t = Cole::One)]
    cole: Cole,
    /// Entries that cole keeps in memory before it flushes them
    #[arg(long, default_value_t = 1_024, value_name = "ENTRIES", value_parser = clap::value_parser!(u64).range(2..))]
    cole_memory: u64,
    /// Scheme of balanceproofs' vector: basic is on Ethereum's KZG ceremony, the others are INSECURE, with secrets from a known seed
    #[arg(long, value_enum, default_value_t = Balances::Basic)]
    balanceproofs: Balances,
    /// Take a two-layer vector's setup from this file of a ceremony, of which every part is checked; its sides go before --balanceproofs
    #[arg(long, value_name = "FILE")]
    balanceproofs_setup: Option<PathBuf>,
    /// Format of lmpt's layers
    #[arg(long, value_enum, default_value_t = Lmpt::One)]
    lmpt: Lmpt,
    /// Blocks between two merges of lmpt's layers
    #[arg(long, default_value_t = lmpt::Config::DEFAULT.interval, value_name = "BLOCKS", value_parser = clap::value_parser!(u64).range(1..=1 << 16))]
    lmpt_interval: u64,
    /// log2 of the leaves of an AMT of lvmt. INSECURE without --lvmt-ptau: everybody knows its secret
    #[arg(long, default_value_t = lvmt::Config::DEFAULT.k, value_name = "K", value_parser = clap::value_parser!(u8).range(1..=16))]
    lvmt_k: u8,
    /// Parameters of lvmt from a ceremony on BN254: a .ptau file of power --lvmt-k + 1 or more
    #[arg(long, value_name = "FILE")]
    lvmt_ptau: Option<PathBuf>,
    /// Prove only keys of lvmt whose leaves of the root AMT are ≡ I mod N, a power of two; blocks are the same in every shard
    #[arg(long, default_value_t = lvmt::Shard::WHOLE, value_name = "I/N")]
    shard: lvmt::Shard,
    /// Node commitment and width of verkle's tree; cf with secrets that follow from --seed: INSECURE
    #[arg(long, value_enum, default_value_t = Verkle::Kzg256)]
    verkle: Verkle,
    /// Take cf's setup from this file of a ceremony, of which every part is checked; its k goes before --verkle's
    #[arg(long, value_name = "FILE")]
    verkle_setup: Option<PathBuf>,
    /// Sign headers with committees of this many keys, a power of two from 8 to 512; 0 signs nothing.
    /// INSECURE: whoever knows --seed knows every key
    #[arg(long, default_value_t = 32, value_name = "N", value_parser = committee_size)]
    committee_size: u64,
    /// Blocks for which a committee signs
    #[arg(long, default_value_t = 64, value_name = "BLOCKS", value_parser = clap::value_parser!(u64).range(1..=1 << 32))]
    period: u64,
    /// Timestamp of block 0 in seconds since 1970; timestamps then step by --block-time-ms [default:
    /// 2026-01-01 and 2 seconds, so that a seed alone decides every hash]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    genesis_time: Option<u64>,
    /// Answer with this attack (see `lightproof-node lies`)
    #[arg(long, value_name = "NAME", value_parser = lie)]
    lie: Option<&'static Lie>,
    /// Serve every attack at /lie/NAME too, for demonstrations: /lie lists them, / stays honest
    #[arg(long)]
    lies_by_path: bool,
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

/// Schemes of balanceproofs, each with 4,096 balances.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Balances {
    /// balanceproofs/basic
    Basic,
    /// balanceproofs/bucketed, 64 buckets
    Bucketed,
    /// balanceproofs/two-layer, 16 buckets of 16
    TwoLayer,
}

/// Formats of lmpt.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Lmpt {
    /// lmpt/1
    #[value(name = "1")]
    One,
    /// lmpt/conflux
    Conflux,
}

/// Trees of verkle.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Verkle {
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

impl RunArgs {
    fn verkle(&self) -> Result<verkle::Config, String> {
        if let Some(file) = &self.verkle_setup {
            return setup::read(file);
        }
        let insecure = verkle::Commitment::CfInsecure(self.seed);
        let (commitment, bits) = match self.verkle {
            Verkle::Cf32 => (insecure, 5),
            Verkle::Cf256 => (insecure, 8),
            Verkle::Cf1024 => (insecure, 10),
            Verkle::Kzg32 => (verkle::Commitment::Kzg, 5),
            Verkle::Kzg256 => (verkle::Commitment::Kzg, 8),
            Verkle::Kzg1024 => (verkle::Commitment::Kzg, 10),
        };
        Ok(verkle::Config { commitment, bits, ..verkle::Config::DEFAULT })
    }

    fn balanceproofs(&self) -> Result<balanceproofs::Config, String> {
        if let Some(file) = &self.balanceproofs_setup {
            return setup::read_vector(file);
        }
        let (scheme, sides) = match self.balanceproofs {
            Balances::Basic => return Ok(balanceproofs::Config::DEFAULT),
            Balances::Bucketed => (Scheme::Bucketed, [64, 1, 64]),
            Balances::TwoLayer => (Scheme::TwoLayer, [16, 16, 16]),
        };
        let source = balanceproofs::Source::Seed(balanceproofs::config::DEVNET_SEED);
        Ok(balanceproofs::Config { scheme, sides, source, ..balanceproofs::Config::DEFAULT })
    }

    fn lmpt(&self) -> lmpt::Config {
        let format = match self.lmpt {
            Lmpt::One => lmpt::Format::Layered,
            Lmpt::Conflux => lmpt::Format::Conflux,
        };
        lmpt::Config { format, interval: self.lmpt_interval, ..lmpt::Config::DEFAULT }
    }

    fn lvmt(&self) -> Result<lvmt::Config, String> {
        let shard = self.shard;
        if shard.bits() > self.lvmt_k {
            return Err(format!("--shard {shard}: an AMT has 2^{} leaves", self.lvmt_k));
        }
        // It lives as long as the node does.
        let leak = |path: &PathBuf| &*Box::leak(path.clone().into_boxed_path());
        let ptau = self.lvmt_ptau.as_ref().map(leak);
        Ok(lvmt::Config { k: self.lvmt_k, ptau, shard, ..lvmt::Config::DEFAULT })
    }

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
        Command::Lies { json, signatures, cole, lmpt, lvmt, balanceproofs, verkle } => {
            let tables = [
                (signatures, SIGNATURE_LIES),
                (cole, COLE_LIES),
                (lmpt, LMPT_LIES),
                (lvmt, LVMT_LIES),
                (balanceproofs, BALANCEPROOFS_LIES),
                (verkle, VERKLE_LIES),
            ];
            let table = tables.into_iter().find(|(wanted, _)| *wanted);
            list_lies(table.map_or(LIES, |(_, table)| table), json);
            Ok(())
        }
        Command::Setup { command } => setup::main(&command),
        Command::Vectors { out } => vectors::write(&out)
            .map_err(|error| format!("cannot write test vectors to {}: {error}", out.display())),
    }
}

fn committee_size(text: &str) -> Result<u64, String> {
    let size: u64 = text.parse().map_err(|error| format!("{error}"))?;
    let fits = size == 0 || (size.is_power_of_two() && (8..=512).contains(&size));
    if fits { Ok(size) } else { Err("0, or a power of two from 8 to 512".to_owned()) }
}

fn lie(name: &str) -> Result<&'static Lie, String> {
    let all = || lies::all().map(|lie| lie.name).collect::<Vec<_>>();
    lies::find(name).ok_or_else(|| format!("no such lie; there are: {}", all().join(", ")))
}

fn list_lies(lies: &[Lie], as_json: bool) {
    if as_json {
        let all: Value =
            lies.iter().map(|lie| json!({ "name": lie.name, "about": lie.about })).collect();
        println!("{all}");
        return;
    }
    let width = lies.iter().map(|lie| lie.name.len()).max().unwrap_or(0);
    for lie in lies {
        println!("{:width$}  {}", lie.name, lie.about);
    }
}
