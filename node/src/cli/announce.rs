//! Lines for programs on stdout, and for people on stderr.

use std::io::Write as _;

use lightproof_prover::chain::committee::Terms;
use lightproof_prover::chain::committee::operators::Roster;
use lightproof_prover::chain::database::{Chain, Served};
use lightproof_prover::chain::header::Header;
use lightproof_prover::chain::workload::population::Population;
use lightproof_prover::hex;
use serde_json::{Map, Value, json};

use super::RunArgs;
use super::home;
use super::operate::OperateArgs;

/// Tells of a block that is durable.
pub(super) fn announce_block(header: &Header) -> Result<(), String> {
    let hash = hex::encode(&header.hash());
    let number = header.number;
    tracing::debug!(number, hash, "block {number} {hash}");
    say(&json!({ "event": "block", "number": number, "hash": hash }))
}

/// Writes one line for programs. A closed stdout means that whoever started this node is gone: it
/// stops too.
fn say(line: &Value) -> Result<(), String> {
    let mut stdout = std::io::stdout().lock();
    writeln!(stdout, "{line}")
        .and_then(|()| stdout.flush())
        .map_err(|error| format!("cannot write to stdout: {error}"))
}

/// Says what the node runs with; URLs of other nodes may hold keys, so they are not named.
fn log_configuration(args: &RunArgs, node: &Chain) {
    let version = env!("CARGO_PKG_VERSION");
    let source = match (args.is_workload(), args.push.push) {
        (true, _) => "the workload",
        (false, Some(_)) => "an application",
        (false, None) => "another chain",
    };
    let names: Vec<_> = node.systems().iter().map(|served| served.spec.name).collect();
    let (systems, cache) = (names.join(","), args.cache);
    let OperateArgs { ready_age, drain, slow_ms, .. } = args.operate;
    tracing::info!(
        version,
        source,
        systems,
        cache,
        ready_age,
        drain,
        slow_ms,
        "lightproof-node {version}: blocks of {source}, systems {systems}, {cache} MiB for pages"
    );
}

/// Where the node listens.
pub(super) struct Urls {
    pub(super) clients: String,
    pub(super) push: Option<String>,
    pub(super) metrics: Option<String>,
}

/// The first line for programs: all that a client needs to start.
pub(super) fn announce_ready(args: &RunArgs, node: &Chain, urls: &Urls) -> Result<(), String> {
    let data = home::describe(args);
    log_configuration(args, node);
    // What the workload writes; nobody knows what an application or another chain will.
    let population = args.is_workload().then(|| Population::new(args.seed, 0).samples());
    let samples: Value = population
        .iter()
        .flatten()
        .map(|sample| {
            let slots: Vec<_> = sample.slots.iter().map(|slot| hex::encode(slot)).collect();
            json!({ "kind": sample.kind, "address": hex::encode(&sample.address), "slots": slots })
        })
        .collect();
    let ready = ready(node, urls, &samples, &format!("data in {data}"))?;
    if args.lies_by_path {
        tracing::warn!("LYING: requests to /lie/NAME get that attack; / is honest");
    }
    if let Some(lie) = args.lie {
        tracing::warn!("LYING: {}: {}", lie.name, lie.about);
    }
    say(&ready)
}

/// As [`announce_ready`], of a chain that another process writes to a store.
#[cfg(feature = "object-store")]
pub(super) fn announce_follower(node: &Chain, urls: &Urls, store: &str) -> Result<(), String> {
    say(&ready(node, urls, &json!([]), &format!("following {store}"))?)
}

fn ready(node: &Chain, urls: &Urls, samples: &Value, place: &str) -> Result<Value, String> {
    let url = &urls.clients;
    let snapshot = node.snapshot().map_err(|error| error.to_string())?;
    let number = snapshot.announced();
    let head = snapshot
        .header(number)
        .map_err(|error| error.to_string())?
        .ok_or("the database has no header for the head block")?;
    let hash = hex::encode(&head.hash());
    let systems: Map<String, Value> = node
        .systems()
        .iter()
        .map(|Served { spec, .. }| {
            let mut value = json!({ "format": spec.format });
            if let Some(digest) = spec.params {
                value["paramsDigest"] = json!(hex::encode(&digest));
            }
            if spec.insecure {
                value["insecure"] = json!(true);
            }
            (spec.name.to_owned(), value)
        })
        .collect();
    let id = node.chain_id();
    tracing::info!(number, url, "serving block {number} on {url} (chain id {id}, {place})");
    for Served { spec, .. } in node.systems().iter().filter(|served| served.spec.insecure) {
        tracing::warn!("INSECURE: the parameters of {} were made from a public seed", spec.name);
    }
    let mut ready = json!({
        "event": "ready",
        "url": url,
        "chainId": id,
        "genesisHash": hex::encode(&node.genesis_hash()),
        "head": { "number": number, "hash": hash },
        "systems": systems,
        "samples": samples,
    });
    if let Some(url) = &urls.metrics {
        tracing::info!(url, "serving figures for Prometheus on {url}/metrics");
        ready["metrics"] = json!(url);
    }
    if let Some(url) = &urls.push {
        tracing::info!(url, "taking blocks by lp_pushBlock on {url}");
        ready["push"] = json!(url);
    }
    if let Some(roster) = node.roster() {
        let (size, period) = (roster.at(number).keys().len(), roster.period());
        tracing::info!(
            "operators attest the blocks: a committee of {size}, periods of {period} blocks"
        );
        ready["checkpoint"] = checkpoint(node, number)?;
        ready["kind"] = json!("attested");
        ready["consensus"] = json!({ "periodLength": period });
    } else if let Some(Terms { size, period }) = node.config().terms {
        tracing::warn!(
            "INSECURE: headers are signed by committees of {size} keys derived from the seed"
        );
        ready["checkpoint"] = checkpoint(node, number)?;
        ready["consensus"] = json!({ "committeeSize": size, "periodLength": period });
    }
    Ok(ready)
}

/// Where an operator would tell clients to start: at the first block of the period before the
/// head's, so that they are a few blocks and a committee behind, as clients are.
fn checkpoint(node: &Chain, head: u64) -> Result<Value, String> {
    let (roster, terms) = (node.roster(), node.config().terms);
    let period = roster.map(Roster::period).or(terms.map(|terms| terms.period));
    let period = period.ok_or("headers are not signed")?;
    let number = (head / period).saturating_sub(1).saturating_mul(period);
    let snapshot = node.snapshot().map_err(|error| error.to_string())?;
    let number = number.max(snapshot.first());
    let header = snapshot.header(number).map_err(|error| error.to_string())?;
    let hash = header.ok_or("the database has no header for the checkpoint block")?.hash();
    Ok(json!({ "number": number, "hash": hex::encode(&hash) }))
}
