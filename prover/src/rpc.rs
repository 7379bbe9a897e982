//! JSON-RPC 2.0: the `eth_` methods that wallets use and the `lp_` methods of the light client.

pub mod block;
pub mod error;
pub mod eth;
pub mod lp;
pub mod params;
pub mod server;

use std::sync::Arc;

use serde_json::{Value, json};

use crate::error::StoreError;
use crate::hex;
use crate::lies::{self, Lie};
use crate::node::Node;
use crate::node::snapshot::Snapshot;
use error::RpcError;
use params::Params;

/// Bytes of one request body.
pub const MAX_BODY: usize = 2 * 1024 * 1024;
/// Calls in one batch.
pub const MAX_BATCH: usize = 100;
/// Bytes of one response body.
pub const MAX_RESPONSE: usize = 8 * 1024 * 1024;
/// Headers in one answer to `lp_getHeaders`.
pub const MAX_HEADERS: u64 = 1_024;
/// Slots in one `eth_getProof`.
pub const MAX_KEYS: usize = 1_024;

/// Answers calls from a chain, with or without a lie.
#[derive(Clone, Debug)]
pub struct Service {
    node: Arc<Node>,
    lie: Option<&'static Lie>,
    lies_by_path: bool,
}

/// One call with the view of the chain that it is answered from.
#[derive(Debug)]
pub struct Context<'a> {
    /// The chain.
    pub node: &'a Node,
    /// The same for every call of a batch.
    pub snapshot: &'a Snapshot,
}

impl Service {
    /// Serves `node`; `lie` is told about every reply.
    pub fn new(node: Arc<Node>, lie: Option<&'static Lie>) -> Self {
        Self { node, lie, lies_by_path: false }
    }

    /// The same chain, served with a lie.
    #[must_use]
    pub fn with_lie(&self, lie: Option<&'static Lie>) -> Self {
        Self::new(Arc::clone(&self.node), lie)
    }

    /// The same, with every lie at a path of its own besides.
    #[must_use]
    pub fn with_lies_by_path(self) -> Self {
        Self { lies_by_path: true, ..self }
    }

    /// Whether lies are served at paths of their own.
    pub fn lies_by_path(&self) -> bool {
        self.lies_by_path
    }

    /// The chain that is served.
    pub fn node(&self) -> &Node {
        &self.node
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
        let context = Context { node: &self.node, snapshot };
        let honest = context.answer(method, params);
        match self.lie {
            None => honest,
            Some(lie) => lies::tell(lie, &context, method, params, honest),
        }
    }
}

impl Context<'_> {
    /// The honest answer to a call.
    ///
    /// # Errors
    /// [`RpcError`] as the method defines it.
    pub fn answer(&self, method: &str, params: &Value) -> Result<Value, RpcError> {
        let params = Params::new(params)?;
        match method {
            "web3_clientVersion" => {
                Ok(json!(concat!("lightproof-node/", env!("CARGO_PKG_VERSION"))))
            }
            "net_version" => Ok(json!(self.node.chain_id().to_string())),
            "eth_chainId" => Ok(json!(hex::quantity(self.node.chain_id()))),
            "eth_blockNumber" => Ok(json!(hex::quantity(self.snapshot.head()))),
            "eth_getBlockByNumber" => self.block_by_number(&params),
            "eth_getBlockByHash" => self.block_by_hash(&params),
            "eth_getBalance" => self.balance(&params),
            "eth_getTransactionCount" => self.transaction_count(&params),
            "eth_getCode" => self.code(&params),
            "eth_getStorageAt" => self.storage_at(&params),
            "eth_getProof" => self.proof(&params),
            "lp_status" => self.status(&params),
            "lp_getHeader" => self.header(&params),
            "lp_getHeaders" => self.headers(&params),
            "lp_getParams" => self.system_params(&params),
            "lp_getBootstrap" => self.bootstrap(&params),
            "lp_getUpdates" => self.updates(&params),
            "lp_getFinality" => self.finality(&params),
            "lp_getProof" => self.system_proof(&params),
            _ => Err(RpcError::method_not_found(method)),
        }
    }
}
