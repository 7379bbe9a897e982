//! The `push` source: an application gives its own blocks, one call each.
//!
//! A block is answered once it is durable. Its digest is the header's origin, so that the chain
//! itself knows which content a number has: a client that lost the reply sends the same again and
//! gets the same answer, before and after a restart.

mod block;
mod jwt;

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use lightproof_prover::chain::header::Header;
use lightproof_prover::chain::source::{Genesis, Parent, Source, SourceBlock, SourceError};
use lightproof_prover::chain::state::StateReader;
use lightproof_prover::error::StoreError;
use lightproof_prover::hash::keccak256;
use lightproof_prover::hex;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::UnboundedSender;

use crate::bounded::Bounded;
use crate::metrics::Metrics;
use crate::rpc::error::RpcError;
use crate::server::reply;
use crate::unix_now;
use block::PushedBlock;
use lightproof_prover::chain::database::Chain;

pub use block::MAX_WRITES;
pub use jwt::Secret;

/// Bytes of one request body: the largest block, with the code of some contracts.
pub const MAX_BODY: usize = 48 * 1024 * 1024;
/// How long a caller may take to send its body.
const BODY_TIME: Duration = Duration::from_secs(30);
/// How far a block's timestamp may be ahead of the node's clock, in seconds: as far as clients take
/// a header from the future.
const MAX_AHEAD: u64 = 10;
/// Connections at once.
const MAX_CONNECTIONS: usize = 64;
/// Bodies that are read and applied at the same time.
const MAX_CALLS: usize = 2;
/// The only method.
const METHOD: &str = "lp_pushBlock";

/// A chain whose blocks are pushed. Give it to [`Chain::open_with`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PushSource {
    /// Chain id of every header.
    pub chain_id: u64,
    /// Timestamp of block 0, whose state is empty, in seconds since 1970.
    pub genesis_time: u64,
}

impl Source for PushSource {
    fn genesis(&self) -> Result<Genesis, SourceError> {
        Ok(Genesis {
            chain_id: self.chain_id,
            timestamp: self.genesis_time,
            // No other source goes on with such a chain.
            config: keccak256(b"lightproof push/1"),
            ..Genesis::default()
        })
    }

    /// None: blocks come when they are pushed.
    fn next(
        &mut self,
        _: &Parent,
        _: &dyn StateReader,
    ) -> Result<Option<SourceBlock>, SourceError> {
        Ok(None)
    }
}

/// One block that was pushed.
struct Once(Option<SourceBlock>);

impl Source for Once {
    fn genesis(&self) -> Result<Genesis, SourceError> {
        Err(StoreError::Corrupt("one block has no genesis").into())
    }

    fn next(
        &mut self,
        _: &Parent,
        _: &dyn StateReader,
    ) -> Result<Option<SourceBlock>, SourceError> {
        Ok(self.0.take())
    }
}

/// Takes pushed blocks, one after the other.
#[derive(Clone)]
pub struct Push(Arc<Shared>);

struct Shared {
    node: Arc<Chain>,
    secret: Secret,
    /// Held from the look at the head until the block is durable.
    turn: Mutex<()>,
    calls: Semaphore,
    /// Headers once they are durable, in their order, and what must stop the node.
    told: UnboundedSender<Result<Header, String>>,
    metrics: Option<Arc<Metrics>>,
}

impl Push {
    /// * `told`: gets each new header once it is durable, and an error after which the node must
    ///   stop.
    /// * `metrics`: where calls are counted.
    pub fn new(
        node: Arc<Chain>,
        secret: Secret,
        told: UnboundedSender<Result<Header, String>>,
        metrics: Option<Arc<Metrics>>,
    ) -> Self {
        let (turn, calls) = (Mutex::new(()), Semaphore::new(MAX_CALLS));
        Self(Arc::new(Shared { node, secret, turn, calls, told, metrics }))
    }

    /// Serves until `stop` resolves.
    ///
    /// # Errors
    /// What the operating system says about the socket.
    pub async fn serve(
        self,
        listener: TcpListener,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> std::io::Result<()> {
        // No CORS: no page may push.
        let routes = Router::new().route("/", post(pushed)).with_state(self);
        let listener = Bounded::new(listener, MAX_CONNECTIONS);
        axum::serve(listener, routes).with_graceful_shutdown(stop).await
    }

    /// Applies a block, or finds the header that it was given before.
    fn apply(&self, block: SourceBlock) -> Result<Header, RpcError> {
        let Shared { node, turn, told, .. } = &*self.0;
        // A panic amid a block leaves the chain as it was before.
        let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
        let snapshot = node.snapshot()?;
        let head = snapshot.head();
        if block.number <= head {
            let header = snapshot.header(block.number)?.ok_or_else(RpcError::unknown_block)?;
            let is_same = header.origin == block.origin;
            return if is_same { Ok(header) } else { Err(RpcError::taken(&header)) };
        }
        if block.number > head + 1 {
            return Err(RpcError::gap(head + 1));
        }
        drop(snapshot);
        // No later block may go below it: one in milliseconds would set the chain's time forever.
        let now = unix_now();
        if block.timestamp > now.saturating_add(MAX_AHEAD) {
            let SourceBlock { number, timestamp, .. } = block;
            let reason = format!(
                "block {number} has timestamp {timestamp}, which is more than {MAX_AHEAD} s ahead \
                 of the node's clock, {now}; it is in seconds"
            );
            return Err(RpcError::refused(reason));
        }
        match node.advance(&mut Once(Some(block)), 1) {
            Ok(headers) => {
                let header = headers.into_iter().next_back().ok_or_else(RpcError::unknown_block)?;
                // Nobody listens any more if the node is stopping. The block is durable all the
                // same.
                let _ = told.send(Ok(header.clone()));
                Ok(header)
            }
            Err(SourceError::Store(StoreError::Block(reason))) => Err(RpcError::refused(reason)),
            Err(error) => {
                let _ = told.send(Err(error.to_string()));
                Err(RpcError::internal("the block could not be applied"))
            }
        }
    }
}

/// Checks the token before a byte of the body is read.
async fn pushed(State(push): State<Push>, request: Request) -> Response {
    let token = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if let Err(reason) = push.0.secret.check(token, unix_now()) {
        return (StatusCode::UNAUTHORIZED, format!("{reason}\n")).into_response();
    }
    let Ok(_permit) = push.0.calls.acquire().await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let body = match read(request.into_body()).await {
        Ok(body) => body,
        Err(refusal) => return refusal,
    };
    let answer = {
        let push = push.clone();
        tokio::task::spawn_blocking(move || answer(&push, &body)).await
    };
    match answer {
        Ok(text) => {
            (StatusCode::OK, [(header::CONTENT_TYPE, "application/json")], text).into_response()
        }
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

async fn read(body: Body) -> Result<Bytes, Response> {
    let too_long = || {
        let text = reply(&Value::Null, &Err(RpcError::limit("body", MAX_BODY)));
        (StatusCode::PAYLOAD_TOO_LARGE, text).into_response()
    };
    // What Content-Length says, before any of it is read.
    if body.size_hint().lower() > MAX_BODY as u64 {
        return Err(too_long());
    }
    match tokio::time::timeout(BODY_TIME, axum::body::to_bytes(body, MAX_BODY)).await {
        Ok(Ok(body)) => Ok(body),
        // Or the body was cut off: then nobody reads this.
        Ok(Err(_)) => Err(too_long()),
        Err(_) => Err(StatusCode::REQUEST_TIMEOUT.into_response()),
    }
}

#[derive(Deserialize)]
struct Call<'a> {
    jsonrpc: String,
    #[serde(default)]
    id: Value,
    method: String,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

fn answer(push: &Push, body: &[u8]) -> String {
    let start = Instant::now();
    let call: Call<'_> = match serde_json::from_slice(body) {
        Ok(call) => call,
        Err(error) => return reply(&Value::Null, &Err(RpcError::parse(error))),
    };
    if call.jsonrpc != "2.0" {
        let error = RpcError::invalid_request("expected jsonrpc \"2.0\"");
        return reply(&call.id, &Err(error));
    }
    if call.method != METHOD {
        return reply(&call.id, &Err(RpcError::method_not_found(&call.method)));
    }
    let params = call.params.map_or("[]", RawValue::get);
    let block = serde_json::from_str::<[PushedBlock; 1]>(params);
    let result = block
        .map_err(|error| RpcError::invalid_params("block", error))
        .and_then(|[block]| push.apply(block.into_source()?));
    if let Some(cause) = result.as_ref().err().and_then(RpcError::cause) {
        tracing::error!(method = METHOD, "{METHOD} failed: {cause}");
    }
    if let Some(metrics) = &push.0.metrics {
        let outcome = result.as_ref().err().map_or("ok", RpcError::kind);
        metrics.answered(METHOD, outcome, start.elapsed());
    }
    reply(&call.id, &result.map(|header| accepted(&header)))
}

fn accepted(header: &Header) -> Value {
    let commitments: Map<String, Value> = header
        .commitments
        .iter()
        .map(|(system, bytes)| (system.clone(), json!(hex::encode(bytes))))
        .collect();
    json!({
        "hash": hex::encode(&header.hash()),
        "number": hex::quantity(header.number),
        "commitments": commitments,
    })
}
