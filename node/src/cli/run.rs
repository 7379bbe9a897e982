//! `lightproof-node run`: opens the chain, serves it, makes blocks.
//!
//! stdout carries one JSON object a line, for programs: `ready`, then a `block` for every block,
//! each only after it is durable. stderr is for people.

use std::sync::Arc;
use std::time::Duration;

use lightproof_node::push::PushSource;
use lightproof_node::service::Service;
use lightproof_node::unix_now;
use lightproof_prover::chain::committee::Terms;
use lightproof_prover::chain::config::{Config, WINDOW};
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::header::Header;
use lightproof_prover::chain::source::{Source, SourceError};

use super::announce::{Urls, announce_ready};
use super::attest::Durable;
use super::home::Home;
use super::listen::listen;
use super::operate::{Servers, Signals};
use super::{RunArgs, clock, push};

/// Blocks of one transaction while prefilling: few syncs, bounded memory.
const PREFILL_BATCH: u64 = 256;
/// Blocks of one transaction while following: what a stop in the middle fetches again.
const FOLLOW_BATCH: u64 = 16;
/// How long a source may take once the node stops.
const SHUTDOWN: Duration = Duration::from_secs(3);

pub(super) fn run(args: &RunArgs) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| format!("cannot start the async runtime: {error}"))?;
    let outcome = runtime.block_on(start(args));
    // A source may still wait for an answer. Whatever it has not given is not durable.
    runtime.shutdown_timeout(SHUTDOWN);
    outcome
}

async fn start(args: &RunArgs) -> Result<(), String> {
    let has_no_keys = args.committee_size == 0 || args.attest.is_set();
    if let Some(lie) = args.lie.filter(|lie| lie.is_about_signatures() && has_no_keys) {
        return Err(format!(
            "--lie {} attacks signatures, but this node has no keys of the committee; set \
             --committee-size to 8 or more",
            lie.name
        ));
    }
    // The port first: it fails fast, and nothing has been written then.
    let (listener, address) = listen(args.listen, "--listen")?;
    let pushing = push::listen(&args.push)?;
    let operators = args.operate.listen()?;
    // Disks and object storage are waited for.
    let (node, source) = tokio::task::block_in_place(|| {
        let home = Home::take(args)?;
        let config = config(args, &home)?;
        let source = source(args, &config)?;
        let node = home.chain(config, source.as_ref())?;
        Ok::<_, String>((Arc::new(node), source))
    })?;
    let source = prefill(args, &node, source).await?;

    let service = args.operate.watch(Service::new(Arc::clone(&node), args.lie));
    let service = if args.lies_by_path { service.with_lies_by_path() } else { service };
    let service = if args.offer_get { service.with_get() } else { service };
    let attesting = args.attest.start(&node)?;
    let attester = attesting.as_ref().map(|attesting| Arc::clone(&attesting.attester));
    let service = match &attester {
        Some(attester) => service.with_attester(Arc::clone(attester)),
        None => service,
    };
    let durable = Durable { attester, metrics: Arc::clone(service.metrics()) };
    let urls = Urls {
        clients: format!("http://{address}"),
        push: pushing.as_ref().map(|pushing| pushing.url.clone()),
        metrics: operators.as_ref().map(|operators| operators.url.clone()),
    };
    let health = Arc::clone(service.health());
    let signals = Signals::take()?;
    let mut servers = Servers::start(listener, operators, service);
    announce_ready(args, &node, &urls)?;

    let (stopped, is_pushed) = (servers.stopped(), pushing.is_some());
    let mut blocks = std::pin::pin!(async {
        match pushing {
            Some(pushing) => pushing.take(&node, &durable, stopped).await,
            None => produce(args, &node, source, &durable, stopped).await,
        }
    });
    let announcing = async {
        match attesting {
            Some(attesting) => attesting.run().await,
            None => std::future::pending().await,
        }
    };
    let mut takes_more = false;
    let outcome = tokio::select! {
        outcome = &mut blocks => outcome,
        outcome = announcing => outcome,
        reason = servers.failed() => Err(reason),
        signal = args.operate.shutdown(signals, &health) => {
            takes_more = is_pushed && signal.is_ok();
            signal
        }
    };
    // Whoever pushes a block gets its answer; no other block is made.
    let rest = async { if takes_more { blocks.await } else { Ok(()) } };
    let ended = servers.end(rest).await;
    tracing::info!("stopped");
    outcome.and(ended.unwrap_or(Ok(())))
}

fn config(args: &RunArgs, home: &Home) -> Result<Config, String> {
    let clock = clock::choose(args, home)?;
    let roster = args.attest.roster()?;
    let terms = (args.committee_size > 0 && roster.is_none())
        .then_some(Terms { size: args.committee_size, period: args.period });
    let chain =
        Config { clock, terms, roster, cache: args.cache(), ..Config::new(args.seed, WINDOW) };
    Ok(Config { systems: args.systems.configure(&chain, &args.flags.0)?, ..chain })
}

/// Where blocks come from.
#[cfg_attr(
    not(feature = "ethereum"),
    expect(clippy::unnecessary_wraps, reason = "following fails")
)]
fn source(args: &RunArgs, config: &Config) -> Result<Box<dyn Source>, String> {
    #[cfg(feature = "ethereum")]
    if let Some(source) = args.follow.source(config.terms.is_some() || args.attest.signs())? {
        return Ok(Box::new(source));
    }
    if args.push.push.is_some() {
        let genesis_time = config.clock.genesis;
        return Ok(Box::new(PushSource { chain_id: args.push.chain_id, genesis_time }));
    }
    Ok(Box::new(config.workload()))
}

type Blocks = (Box<dyn Source>, Vec<Header>);

/// Takes at most `count` blocks from a source, on a thread that may wait for it.
async fn advance(
    node: &Arc<Chain>,
    mut source: Box<dyn Source>,
    count: u64,
) -> Result<Blocks, String> {
    let node = Arc::clone(node);
    let made = tokio::task::spawn_blocking(move || {
        let headers = node.advance(source.as_mut(), count)?;
        Ok::<Blocks, SourceError>((source, headers))
    });
    made.await.map_err(|error| error.to_string())?.map_err(|error| error.to_string())
}

async fn prefill(
    args: &RunArgs,
    node: &Arc<Chain>,
    mut source: Box<dyn Source>,
) -> Result<Box<dyn Source>, String> {
    let mut left = args.prefill;
    if args.is_workload() {
        // Clients refuse headers of the future.
        let snapshot = node.snapshot().map_err(|error| error.to_string())?;
        left = left.min(node.config().clock.newest(unix_now()).saturating_sub(snapshot.head()));
    }
    while left > 0 {
        let count = left.min(PREFILL_BATCH);
        (source, _) = advance(node, source, count).await?;
        left -= count;
    }
    Ok(source)
}

async fn produce(
    args: &RunArgs,
    node: &Arc<Chain>,
    mut source: Box<dyn Source>,
    durable: &Durable,
    end: impl Future<Output = ()>,
) -> Result<(), String> {
    let mut ticks = tokio::time::interval(Duration::from_millis(args.block_time_ms));
    // A slow disk must not be answered with a burst of blocks.
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    ticks.tick().await;
    let batch = if args.is_workload() { 1 } else { FOLLOW_BATCH };
    let mut left = args.blocks.unwrap_or(u64::MAX);
    while left > 0 {
        ticks.tick().await;
        // A chain that is followed may be far ahead: its blocks wait for nothing.
        loop {
            let headers;
            (source, headers) = advance(node, source, batch.min(left)).await?;
            if !headers.is_empty() {
                durable.take(&headers).await?;
            }
            left = left.saturating_sub(headers.len() as u64);
            if batch == 1 || headers.is_empty() || left == 0 {
                break;
            }
        }
    }
    end.await;
    Ok(())
}
