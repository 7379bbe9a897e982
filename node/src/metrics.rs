//! Figures of a running node, as Prometheus reads them.
//!
//! Every label is one of a list that this program has, so that no stranger makes the text longer.

use std::sync::Mutex;
use std::time::Duration;

use lightproof_prover::chain::database::Served;
use lightproof_prover::chain::database::snapshot::Snapshot;
use lightproof_prover::error::StoreError;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use crate::unix_now;

/// Names and values of labels.
pub(crate) type Labels<const N: usize> = [(&'static str, &'static str); N];

/// Upper bounds of the durations that are told apart, in seconds.
const SECONDS: [f64; 8] = [0.001, 0.005, 0.02, 0.1, 0.5, 2.0, 10.0, 60.0];

/// The figures.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    requests: Family<Labels<2>, Counter>,
    seconds: Family<Labels<1>, Histogram, fn() -> Histogram>,
    connections: Gauge,
    blocks: Counter,
    newest: Newest,
}

/// What is read when the figures are asked for.
#[derive(Debug, Default)]
struct Newest {
    /// One text at a time, so that its figures belong together.
    turn: Mutex<()>,
    head: Gauge,
    age: Gauge,
    oldest: Family<Labels<1>, Gauge>,
    memory: Gauge,
}

impl Metrics {
    /// * `proofs`: by system and source, counted where proofs are made.
    pub(crate) fn new(proofs: Family<Labels<2>, Counter>) -> Self {
        let mut registry = Registry::default();
        let histogram: fn() -> Histogram = || Histogram::new(SECONDS);
        let seconds = Family::new_with_constructor(histogram);
        let requests = Family::<Labels<2>, Counter>::default();
        let (connections, blocks, newest) =
            (Gauge::default(), Counter::default(), Newest::default());
        let one = registry.sub_registry_with_prefix("lightproof");
        one.register("requests", "Calls by method and outcome", requests.clone());
        let help = "Time to answer a call, by method";
        one.register_with_unit("request", help, Unit::Seconds, seconds.clone());
        one.register("proofs", "Proofs by system: made, or kept from an equal question", proofs);
        one.register("connections", "Open connections of clients", connections.clone());
        one.register("blocks", "Blocks that this process made durable", blocks.clone());
        one.register("head_block", "Number of the newest block", newest.head.clone());
        let help = "Age of the newest block by its timestamp";
        one.register_with_unit("head_age", help, Unit::Seconds, newest.age.clone());
        let help = "Number of the oldest block that a system proves";
        one.register("oldest_block", help, newest.oldest.clone());
        let help = "Memory of the process that is in RAM";
        registry.register("process_resident_memory_bytes", help, newest.memory.clone());
        Self { registry, requests, seconds, connections, blocks, newest }
    }

    /// Counts an answer.
    ///
    /// * `method`, `outcome`: of this program's own lists.
    pub(crate) fn answered(&self, method: &'static str, outcome: &'static str, time: Duration) {
        self.requests.get_or_create(&[("method", method), ("outcome", outcome)]).inc();
        self.seconds.get_or_create(&[("method", method)]).observe(time.as_secs_f64());
    }

    /// Counts blocks that are durable.
    pub fn made(&self, blocks: usize) {
        self.blocks.inc_by(blocks as u64);
    }

    /// Open connections; whoever opens and closes them counts.
    pub(crate) fn connections(&self) -> Gauge {
        self.connections.clone()
    }

    /// The figures in the text format of `OpenMetrics`, which Prometheus reads.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub(crate) fn text(&self, view: &Snapshot, systems: &[Served]) -> Result<String, StoreError> {
        let Newest { turn, head, age, oldest, memory } = &self.newest;
        let _turn = turn.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let number = view.announced();
        let header = view.header(number)?.ok_or(StoreError::Corrupt("no header of the head"))?;
        head.set(signed(number));
        age.set(signed(unix_now().saturating_sub(header.timestamp)));
        for Served { spec, .. } in systems {
            let from = signed(view.oldest_of(spec));
            oldest.get_or_create(&[("system", spec.name)]).set(from);
        }
        memory.set(signed(resident_bytes()));
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = encode(&mut text, &self.registry);
        Ok(text)
    }
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Memory of this process that is in RAM; 0 where the system does not say it for nothing.
fn resident_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kibibytes.unwrap_or(0) << 10
}
