//! `lightproof-node run`: opens the chain, serves it, makes blocks.
//!
//! stdout carries one JSON object a line, for programs: `ready`, then a `block` for every block,
//! each only after it is durable. stderr is for people.

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use lightproof_prover::chain::Clock;
use lightproof_prover::chain::committee::Terms;
use lightproof_prover::chain::header::Header;
use lightproof_prover::chain::workload::population::Population;
use lightproof_prover::hex;
use lightproof_prover::node::{Config, Node, WINDOW};
use lightproof_prover::rpc::Service;
use lightproof_prover::rpc::server::serve;
use serde_json::{Map, Value, json};
use tokio::net::TcpListener;
use tokio::sync::watch;

use super::RunArgs;

/// Blocks of one transaction while prefilling: few syncs, bounded memory.
const PREFILL_BATCH: u64 = 256;
/// How long open requests may take once a signal has come.
const SHUTDOWN: Duration = Duration::from_secs(3);

pub(super) fn run(args: &RunArgs) -> Result<(), String> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| format!("the runtime did not start: {error}"))?
        .block_on(start(args))
}

async fn start(args: &RunArgs) -> Result<(), String> {
    if let Some(lie) = args.lie.filter(|lie| lie.is_about_signatures() && args.committee_size == 0)
    {
        return Err(format!("{} is about signatures: it needs a --committee-size", lie.name));
    }
    // The port first: it fails fast, and nothing has been written then.
    let listener = TcpListener::bind(args.listen).await.map_err(|error| {
        format!("cannot listen on {}: {error}; choose another --listen", args.listen)
    })?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    let node = Arc::new(Node::open(&args.data, config(args)?).map_err(|error| error.to_string())?);
    let mut left = args.prefill;
    while left > 0 {
        let count = left.min(PREFILL_BATCH);
        node.produce(count).map_err(|error| error.to_string())?;
        left -= count;
    }

    let (stop, stopped) = watch::channel(());
    let service = Service::new(Arc::clone(&node), args.lie);
    let service = if args.lies_by_path { service.with_lies_by_path() } else { service };
    let wait = wait_for_end(stopped.clone());
    let mut server = tokio::spawn(serve(listener, service, wait));
    announce_ready(args, &node, &format!("http://{address}"))?;

    let blocks = produce(args, &node, wait_for_end(stopped));
    let outcome = tokio::select! {
        outcome = blocks => outcome,
        signal = shutdown_signal() => signal.map_err(|error| format!("signals cannot be awaited: {error}")),
        outcome = &mut server => outcome
            .map_err(|error| error.to_string())
            .and_then(|served| served.map_err(|error| format!("the server ended: {error}"))),
    };
    drop(stop);
    if !server.is_finished() {
        // Past the deadline the process ends anyway: every block is durable already.
        let _ = tokio::time::timeout(SHUTDOWN, server).await;
    }
    eprintln!("stopped");
    outcome
}

fn config(args: &RunArgs) -> Result<Config, String> {
    let clock = args
        .genesis_time
        .map_or(Clock::DEFAULT, |genesis| Clock { genesis, interval_ms: args.block_time_ms });
    let terms = (args.committee_size > 0)
        .then_some(Terms { size: args.committee_size, period: args.period });
    let systems = args.systems;
    Ok(Config {
        clock,
        terms,
        systems,
        balanceproofs: args.balanceproofs()?,
        cole: args.cole(),
        lmpt: args.lmpt(),
        lvmt: args.lvmt()?,
        verkle: args.verkle()?,
        ..Config::new(args.seed, WINDOW)
    })
}

/// Resolves when the sender is gone.
async fn wait_for_end(mut stopped: watch::Receiver<()>) {
    while stopped.changed().await.is_ok() {}
}

async fn produce(
    args: &RunArgs,
    node: &Arc<Node>,
    end: impl Future<Output = ()>,
) -> Result<(), String> {
    let mut ticks = tokio::time::interval(Duration::from_millis(args.block_time_ms));
    // A slow disk must not be answered with a burst of blocks.
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    ticks.tick().await;
    let mut left = args.blocks.unwrap_or(u64::MAX);
    while left > 0 {
        ticks.tick().await;
        let node = Arc::clone(node);
        let made = tokio::task::spawn_blocking(move || node.produce(1))
            .await
            .map_err(|error| error.to_string())?;
        for header in made.map_err(|error| error.to_string())? {
            announce_block(&header)?;
        }
        left -= 1;
    }
    end.await;
    Ok(())
}

fn announce_ready(args: &RunArgs, node: &Node, url: &str) -> Result<(), String> {
    let snapshot = node.snapshot().map_err(|error| error.to_string())?;
    let number = snapshot.head();
    let head = snapshot
        .header(number)
        .map_err(|error| error.to_string())?
        .ok_or("the chain has no head")?;
    let hash = hex::encode(&head.hash());
    let samples: Value = Population::new(args.seed, 0)
        .samples()
        .iter()
        .map(|sample| {
            let slots: Vec<_> = sample.slots.iter().map(|slot| hex::encode(slot)).collect();
            json!({ "kind": sample.kind, "address": hex::encode(&sample.address), "slots": slots })
        })
        .collect();
    let systems: Map<String, Value> = node
        .systems()
        .iter()
        .map(|system| {
            let digest = system.params_digest().map(|digest| hex::encode(&digest));
            let mut value = json!({ "format": system.format(), "paramsDigest": digest });
            if system.is_insecure() {
                value["insecure"] = json!(true);
            }
            (system.name().to_owned(), value)
        })
        .collect();
    eprintln!(
        "serving block {number} on {url} (chain id {}, data in {})",
        node.chain_id(),
        args.data.display()
    );
    if args.lies_by_path {
        eprintln!("LYING: at /lie/NAME; / is honest");
    }
    if let Some(lie) = args.lie {
        eprintln!("LYING: {}: {}", lie.name, lie.about);
    }
    for system in node.systems().iter().filter(|system| system.is_insecure()) {
        eprintln!("INSECURE: the secrets behind {}'s parameters follow from a seed", system.name());
    }
    let mut ready = json!({
        "event": "ready",
        "url": url,
        "chainId": node.chain_id(),
        "genesisHash": hex::encode(&node.genesis_hash()),
        "head": { "number": number, "hash": hash },
        "systems": systems,
        "samples": samples,
    });
    if let Some(Terms { size, period }) = node.config().terms {
        eprintln!(
            "INSECURE: headers are signed by committees of {size} keys that follow from the seed"
        );
        ready["checkpoint"] = checkpoint(node, number)?;
        ready["consensus"] = json!({ "committeeSize": size, "periodLength": period });
    }
    say(&ready)
}

/// Where an operator would tell clients to start: at the first block of the period before the head's, so
/// that they are a few blocks and a committee behind, as clients are.
fn checkpoint(node: &Node, head: u64) -> Result<Value, String> {
    let terms = node.config().terms.ok_or("the chain is not signed")?;
    let number = terms.first_block(terms.period_of(head).saturating_sub(1));
    let snapshot = node.snapshot().map_err(|error| error.to_string())?;
    let header = snapshot.header(number).map_err(|error| error.to_string())?;
    let hash = header.ok_or("the chain has a gap")?.hash();
    Ok(json!({ "number": number, "hash": hex::encode(&hash) }))
}

fn announce_block(header: &Header) -> Result<(), String> {
    let hash = hex::encode(&header.hash());
    eprintln!("block {} {hash}", header.number);
    say(&json!({ "event": "block", "number": header.number, "hash": hash }))
}

/// Writes one line for programs. A closed stdout means that whoever started this node is gone: it
/// stops too.
fn say(line: &Value) -> Result<(), String> {
    let mut stdout = std::io::stdout().lock();
    writeln!(stdout, "{line}")
        .and_then(|()| stdout.flush())
        .map_err(|error| format!("stdout: {error}"))
}

async fn shutdown_signal() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            ended = tokio::signal::ctrl_c() => ended,
            _ = terminate.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}
