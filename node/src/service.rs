//! A chain as it is served: honestly, or with a lie.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lightproof_prover::error::StoreError;
use serde_json::Value;

use crate::answers::Answers;
use crate::attest::Attester;
use crate::health::Health;
use crate::lies::{self, Lie};
use crate::looks::Looks;
use crate::metrics::Metrics;
use crate::rpc::error::RpcError;
use crate::rpc::{Context, is_unknown, label};
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::database::snapshot::Snapshot;

/// A call that takes longer is logged.
const SLOW: Duration = Duration::from_secs(1);

/// Answers calls from a chain, with or without a lie.
#[derive(Clone, Debug)]
pub struct Service {
    node: Arc<Chain>,
    answers: Arc<Answers>,
    lie: Option<&'static Lie>,
    lies_by_path: bool,
    offers_get: bool,
    attester: Option<Arc<Attester>>,
    looks: Option<Arc<Looks>>,
    health: Arc<Health>,
    metrics: Arc<Metrics>,
    slow: Duration,
}

impl Service {
    /// Serves `node`; `lie` is told about every reply.
    pub fn new(node: Arc<Chain>, lie: Option<&'static Lie>) -> Self {
        let answers = Arc::new(Answers::of(node.systems()));
        let metrics = Arc::new(Metrics::new(answers.proofs()));
        Self {
            node,
            answers,
            lie,
            lies_by_path: false,
            offers_get: false,
            attester: None,
            looks: None,
            health: Arc::new(Health::new(None)),
            metrics,
            slow: SLOW,
        }
    }

    /// The same chain, served with a lie.
    #[must_use]
    pub fn with_lie(&self, lie: Option<&'static Lie>) -> Self {
        Self { lie, lies_by_path: false, ..self.clone() }
    }

    /// The same, with what this operator attests.
    #[must_use]
    pub fn with_attester(self, attester: Arc<Attester>) -> Self {
        Self { attester: Some(attester), ..self }
    }

    /// The same, of a store that another node writes: for a block that is not shown yet, the store
    /// is looked at.
    #[must_use]
    pub fn with_looks(self, looks: Looks) -> Self {
        Self { looks: Some(Arc::new(looks)), ..self }
    }

    /// The same, with every lie at a path of its own besides.
    #[must_use]
    pub fn with_lies_by_path(self) -> Self {
        Self { lies_by_path: true, ..self }
    }

    /// The same, where caches stand before it: clients are told to ask by GET what never changes.
    #[must_use]
    pub fn with_get(self) -> Self {
        Self { offers_get: true, ..self }
    }

    /// The same, which says by `health` whether it is ready.
    #[must_use]
    pub fn with_health(self, health: Arc<Health>) -> Self {
        Self { health, ..self }
    }

    /// The same, which logs calls that take longer than `slow`.
    #[must_use]
    pub fn with_slow(self, slow: Duration) -> Self {
        Self { slow, ..self }
    }

    /// Whether lies are served at paths of their own.
    pub fn lies_by_path(&self) -> bool {
        self.lies_by_path
    }

    /// The chain that is served.
    pub fn node(&self) -> &Chain {
        &self.node
    }

    /// What `/ready` follows from.
    pub fn health(&self) -> &Arc<Health> {
        &self.health
    }

    /// What is counted.
    pub fn metrics(&self) -> &Arc<Metrics> {
        &self.metrics
    }

    /// The figures as Prometheus reads them.
    pub(crate) fn figures(&self) -> Result<String, StoreError> {
        self.metrics.text(&self.snapshot()?, self.node.systems())
    }

    /// Timestamp of the newest block that clients are told of, in seconds since 1970.
    pub(crate) fn head_time(&self) -> Result<u64, StoreError> {
        let snapshot = self.snapshot()?;
        let header = snapshot.header(snapshot.announced())?;
        header.map(|header| header.timestamp).ok_or(StoreError::Corrupt("no header of the head"))
    }

    /// A view for the calls of one request.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn snapshot(&self) -> Result<Snapshot, StoreError> {
        self.node.snapshot()
    }

    /// Answers one call of a request, from its view if it has one. The call is counted, and logged
    /// if it is slow or the node is at fault: by its method alone, since its parameters may say who
    /// asks.
    pub(crate) fn answer(
        &self,
        view: Option<&Snapshot>,
        method: &str,
        params: &Value,
    ) -> Result<Value, RpcError> {
        let start = Instant::now();
        let result = match view {
            Some(view) => self.call(view, method, params),
            None => self
                .snapshot()
                .map_err(RpcError::from)
                .and_then(|view| self.call(&view, method, params)),
        };
        let (method, time) = (label(method), start.elapsed());
        if time >= self.slow {
            let milliseconds = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
            tracing::warn!(method, milliseconds, "slow: {method} took {milliseconds} ms");
        }
        self.count(method, result.as_ref().err(), time);
        result
    }

    /// Counts what is no call of a method, or cannot be answered as one.
    pub(crate) fn refused(&self, error: RpcError) -> RpcError {
        self.count(label(""), Some(&error), Duration::ZERO);
        error
    }

    fn count(&self, method: &'static str, error: Option<&RpcError>, time: Duration) {
        if let Some(cause) = error.and_then(RpcError::cause) {
            tracing::error!(method, "{method} failed: {cause}");
        }
        self.metrics.answered(method, error.map_or("ok", RpcError::kind), time);
    }

    /// Answers one call.
    ///
    /// # Errors
    /// [`RpcError`] as the method defines it.
    pub fn call(
        &self,
        snapshot: &Snapshot,
        method: &str,
        params: &Value,
    ) -> Result<Value, RpcError> {
        if let Some(attester) = self.attester.as_ref().filter(|_| method == "lp_getAttestations") {
            return attester.attestations(params);
        }
        let mut context = self.context(snapshot);
        let mut honest = context.answer(method, params);
        let looks = self.looks.as_ref().filter(|_| is_unknown(method, &honest));
        let newer = looks.and_then(|looks| looks.newer(&self.node, snapshot));
        if let Some(newer) = &newer {
            context = self.context(newer);
            honest = context.answer(method, params);
        }
        match self.lie {
            None => honest,
            Some(lie) => lies::tell(lie, &context, method, params, honest),
        }
    }

    fn context<'a>(&'a self, snapshot: &'a Snapshot) -> Context<'a> {
        let offers_get = self.offers_get;
        Context { node: &self.node, answers: &self.answers, snapshot, offers_get }
    }
}
