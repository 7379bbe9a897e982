//! A chain as it is served: honestly, or with a lie.

use std::sync::Arc;

use lightproof_prover::error::StoreError;
use serde_json::Value;

use crate::answers::Answers;
use crate::attest::Attester;
use crate::health::Health;
use crate::lies::{self, Lie};
use crate::rpc::Context;
use crate::rpc::error::RpcError;
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::database::snapshot::Snapshot;

/// Answers calls from a chain, with or without a lie.
#[derive(Clone, Debug)]
pub struct Service {
    node: Arc<Chain>,
    answers: Arc<Answers>,
    lie: Option<&'static Lie>,
    lies_by_path: bool,
    offers_get: bool,
    attester: Option<Arc<Attester>>,
    health: Arc<Health>,
}

impl Service {
    /// Serves `node`; `lie` is told about every reply.
    pub fn new(node: Arc<Chain>, lie: Option<&'static Lie>) -> Self {
        let answers = Arc::new(Answers::of(node.systems()));
        Self {
            node,
            answers,
            lie,
            lies_by_path: false,
            offers_get: false,
            attester: None,
            health: Arc::new(Health::new(None)),
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

    /// Whether lies are served at paths of their own.
    pub fn lies_by_path(&self) -> bool {
        self.lies_by_path
    }

    /// The chain that is served.
    pub fn node(&self) -> &Chain {
        &self.node
    }

    /// What `/ready` follows from.
    pub(crate) fn health(&self) -> &Arc<Health> {
        &self.health
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
        let offers_get = self.offers_get;
        let context = Context { node: &self.node, answers: &self.answers, snapshot, offers_get };
        let honest = context.answer(method, params);
        match self.lie {
            None => honest,
            Some(lie) => lies::tell(lie, &context, method, params, honest),
        }
    }
}
