//! `lightproof-node serve`: a reader of the chain that another node writes to a store.
//!
//! It shows the head of the store as it follows it, and answers at that head. Where the writer ends
//! or the store fails, it goes on with what it has.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use lightproof_node::attest::keys;
use lightproof_node::looks::Looks;
use lightproof_node::service::Service;
use lightproof_node::system::Selection;
use lightproof_prover::chain::Clock;
use lightproof_prover::chain::committee::Terms;
use lightproof_prover::chain::config::{CACHE_BYTES, Config, WINDOW};
use lightproof_prover::chain::database::Chain;
use lightproof_prover::error::StoreError;
use lightproof_prover::store::object::follow::Follower;

use super::announce::{Urls, announce_block, announce_follower};
use super::listen::listen;
use super::operate::{OperateArgs, Servers, Signals};
use super::{SystemFlags, committee_size};

/// How long reads of the store may take once the node stops.
const SHUTDOWN: Duration = Duration::from_secs(3);
/// While the store is opened, the writer may remove what no block needs any more.
const ATTEMPTS: u32 = 5;
const PAUSE: Duration = Duration::from_millis(200);

#[derive(Debug, Args)]
pub(super) struct ServeArgs {
    /// Store that another node writes with `run --store`: `file:///PATH` or `s3://BUCKET/PREFIX`. It is
    /// only read; credentials come from the environment
    #[arg(long, value_name = "URL")]
    store: String,
    /// How long the store may take to answer a read. Past it the call that needs it fails
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    store_timeout: u64,
    /// How often to look for new blocks, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 500, value_parser = clap::value_parser!(u64).range(10..=3_600_000))]
    poll_ms: u64,
    /// Listen address; port 0 picks a free port
    #[arg(long, default_value = "127.0.0.1:0", value_name = "HOST:PORT")]
    listen: SocketAddr,
    /// Memory for what was read of the store, in MiB
    #[arg(long, default_value_t = CACHE_BYTES as u64 >> 20, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    cache: u64,
    /// As the writer's, like all flags that follow from the chain: the reader says which differs
    #[arg(long, value_name = "NAME,…", value_parser = Selection::parse, default_value_t = Selection::all(), hide_default_value = true)]
    systems: Selection,
    /// As the writer's
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// As the writer's
    #[arg(long, default_value_t = 32, value_name = "N", value_parser = committee_size)]
    committee_size: u64,
    /// As the writer's
    #[arg(long, default_value_t = 64, value_name = "BLOCKS", value_parser = clap::value_parser!(u64).range(1..=1 << 32))]
    period: u64,
    /// As the writer's
    #[arg(long, value_name = "FILE", conflicts_with_all = ["committee_size", "period"])]
    committee: Option<PathBuf>,
    /// Tell clients to ask by GET for answers that never change, where a cache stands before this
    /// node
    #[arg(long)]
    offer_get: bool,
    #[command(flatten)]
    pub(super) operate: OperateArgs,
    #[command(flatten)]
    flags: SystemFlags,
}

pub(super) fn run(args: &ServeArgs) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| format!("cannot start the async runtime: {error}"))?;
    let outcome = runtime.block_on(start(args));
    // A read may still wait for the store.
    runtime.shutdown_timeout(SHUTDOWN);
    outcome
}

async fn start(args: &ServeArgs) -> Result<(), String> {
    let (listener, address) = listen(args.listen, "--listen")?;
    let operators = args.operate.listen()?;
    let node = Arc::new(open(args)?);
    let service = args.operate.watch(Service::new(Arc::clone(&node), None));
    let service = service.with_looks(Looks::new(Duration::from_millis(args.poll_ms)));
    let service = if args.offer_get { service.with_get() } else { service };
    let (health, metrics) = (Arc::clone(service.health()), Arc::clone(service.metrics()));
    let urls = Urls {
        clients: format!("http://{address}"),
        push: None,
        metrics: operators.as_ref().map(|operators| operators.url.clone()),
    };
    let from = announced(&node)?;
    let signals = Signals::take()?;
    let mut servers = Servers::start(listener, operators, service);
    announce_follower(&node, &urls, &args.store)?;
    let blocks = follow(args, &node, from, |count| metrics.made(count));
    let outcome = tokio::select! {
        outcome = blocks => outcome,
        reason = servers.failed() => Err(reason),
        signal = args.operate.shutdown(signals, &health) => signal,
    };
    servers.end(async {}).await;
    tracing::info!("stopped");
    outcome
}

/// Opens the store, on a thread that may wait for it.
fn open(args: &ServeArgs) -> Result<Chain, String> {
    // The flag's range keeps the number far below 2^44; a 32-bit machine takes what it can.
    let cache = usize::try_from(args.cache << 20).unwrap_or(usize::MAX);
    let patience = Duration::from_secs(args.store_timeout);
    let mut left = ATTEMPTS;
    let open = || loop {
        let store = Follower::open_within(&args.store, cache, patience);
        let store = store.map_err(|error| error.to_string())?;
        let clock = Chain::clock_in(&store).map_err(|error| error.to_string())?;
        let clock = clock.ok_or("the store holds no chain; start the writer first")?;
        let config = config(args, clock, cache)?;
        left -= 1;
        match Chain::follow_in(Box::new(store), &format!("store {}", args.store), config) {
            Err(error) if left > 0 && !matches!(error, StoreError::OtherChain { .. }) => {
                std::thread::sleep(PAUSE);
            }
            opened => return opened.map_err(|error| error.to_string()),
        }
    };
    tokio::task::block_in_place(open)
}

fn config(args: &ServeArgs, clock: Clock, cache: usize) -> Result<Config, String> {
    let roster = args.committee.as_deref().map(|file| keys::roster(file).map(Arc::new));
    let roster = roster.transpose()?;
    let terms = (args.committee_size > 0 && roster.is_none())
        .then_some(Terms { size: args.committee_size, period: args.period });
    let chain = Config { clock, terms, roster, cache, ..Config::new(args.seed, WINDOW) };
    Ok(Config { systems: args.systems.configure(&chain, &args.flags.0)?, ..chain })
}

/// Number of the newest block that clients are told of.
fn announced(node: &Chain) -> Result<u64, String> {
    node.snapshot().map(|snapshot| snapshot.announced()).map_err(|error| error.to_string())
}

/// Follows the store, and announces each block that it shows then.
async fn follow(
    args: &ServeArgs,
    node: &Arc<Chain>,
    mut last: u64,
    count: impl Fn(usize),
) -> Result<(), String> {
    let mut ticks = tokio::time::interval(Duration::from_millis(args.poll_ms));
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut waiting = String::new();
    loop {
        ticks.tick().await;
        let node = Arc::clone(node);
        let new = tokio::task::spawn_blocking(move || {
            node.follow()?;
            let snapshot = node.snapshot()?;
            let numbers = last + 1..=snapshot.announced();
            numbers.filter_map(|number| snapshot.header(number).transpose()).collect()
        });
        let new: Result<Vec<_>, StoreError> = new.await.map_err(|error| error.to_string())?;
        match new {
            Ok(headers) => {
                waiting.clear();
                count(headers.len());
                headers.iter().try_for_each(announce_block)?;
                last = headers.last().map_or(last, |header| header.number);
            }
            // It is tried again, and said once.
            Err(error) => {
                let why = error.to_string();
                if why != waiting {
                    tracing::warn!("waiting: {why}");
                    waiting = why;
                }
            }
        }
    }
}
