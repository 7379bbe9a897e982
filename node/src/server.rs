//! The HTTP side: one POST endpoint, batches, limits, CORS; GET for caches; on request, an endpoint
//! for each lie.

mod get;
mod health;
pub mod operators;

use std::future::Future;

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderName, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get as on_get, post as on_post};
use lightproof_prover::chain::database::snapshot::Snapshot;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tower_http::cors::{Any, CorsLayer};

use crate::bounded::Bounded;
use crate::rpc::error::RpcError;
use crate::rpc::{MAX_BATCH, MAX_BODY, MAX_RESPONSE};
use crate::service::Service;
use crate::system;

/// Connections at once. The chain itself has some hundred open files, of the 1,024 that a process
/// usually may have.
pub const MAX_CONNECTIONS: usize = 512;

/// What no cache may keep.
const NEVER: &str = "no-store";

/// Serves until `stop` resolves.
///
/// # Errors
/// What the operating system says about the socket.
pub async fn serve(
    listener: TcpListener,
    service: Service,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let open = service.metrics().connections();
    let listener = Bounded::new(listener, MAX_CONNECTIONS).counted(open);
    axum::serve(listener, router(service)).with_graceful_shutdown(stop).await
}

/// The routes, for a server or for a test.
pub fn router(service: Service) -> Router {
    // Everything served is public and untrusted; any page may ask, from public pages to loopback
    // too.
    let cors = CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::POST, Method::GET])
        .allow_headers([header::CONTENT_TYPE])
        // An answer is the same for every origin, so that one cached for a page serves others.
        .vary(Vec::<HeaderName>::new())
        .allow_private_network(true);
    let honest = Router::new()
        .route("/", on_get(about).post(post))
        .route("/{method}", on_get(get::ask))
        .merge(health::routes());
    let routes = if service.lies_by_path() {
        honest.route("/lie", on_get(list_lies)).route("/lie/{name}", on_post(post_lie))
    } else {
        honest
    };
    routes.layer(DefaultBodyLimit::max(MAX_BODY)).layer(cors).with_state(service)
}

async fn about() -> &'static str {
    "Lightproof devnet node. Send JSON-RPC 2.0 by POST.\n"
}

/// What there is at `/lie/NAME`.
async fn list_lies() -> Response {
    json_response(StatusCode::OK, system::lies_json(system::lies()).to_string())
}

async fn post_lie(
    State(service): State<Service>,
    Path(name): Path<String>,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    match system::find_lie(&name) {
        Some(lie) => post(State(service.with_lie(Some(lie))), body).await,
        None => (StatusCode::NOT_FOUND, "no such lie\n").into_response(),
    }
}

async fn post(State(service): State<Service>, body: Result<Bytes, BytesRejection>) -> Response {
    let body = match body {
        Ok(body) => body,
        Err(rejection) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
            let text = refusal(&service, &Value::Null, RpcError::limit("body", MAX_BODY));
            return json_response(StatusCode::PAYLOAD_TOO_LARGE, text);
        }
        Err(rejection) => return rejection.into_response(),
    };
    // Database reads block; they must not hold up the accept loop.
    match tokio::task::spawn_blocking(move || answer(&service, &body)).await {
        Ok(Some(text)) => json_response(StatusCode::OK, text),
        Ok(None) => StatusCode::NO_CONTENT.into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

fn json_response(status: StatusCode, text: String) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// The reply to a request body; `None` if it held notifications only.
pub fn answer(service: &Service, body: &[u8]) -> Option<String> {
    let refuse = |error| Some(refusal(service, &Value::Null, error));
    let request: Value = match serde_json::from_slice(body) {
        Ok(request) => request,
        Err(error) => return refuse(RpcError::parse(error)),
    };
    let Value::Array(calls) = request else { return answer_one(service, None, &request) };
    if calls.is_empty() {
        return refuse(RpcError::invalid_request("the batch is empty"));
    }
    if calls.len() > MAX_BATCH {
        return refuse(RpcError::limit("batch", MAX_BATCH));
    }
    // One view for the whole batch: its answers belong to one state of the chain.
    let snapshot = match service.snapshot() {
        Ok(snapshot) => snapshot,
        Err(error) => return refuse(error.into()),
    };
    let (mut replies, mut size) = (Vec::new(), 0);
    for call in &calls {
        let full = (size > MAX_RESPONSE).then(|| RpcError::limit("response", MAX_RESPONSE));
        let text = match full {
            None => answer_one(service, Some(&snapshot), call),
            Some(error) => call.get("id").map(|id| refusal(service, id, error)),
        };
        size += text.as_ref().map_or(0, String::len);
        replies.extend(text);
    }
    (!replies.is_empty()).then(|| format!("[{}]", replies.join(",")))
}

fn answer_one(service: &Service, batch: Option<&Snapshot>, call: &Value) -> Option<String> {
    let id = call.get("id");
    let invalid = |id, message| Some(refusal(service, id, RpcError::invalid_request(message)));
    if !call.is_object() {
        return invalid(&Value::Null, "a call must be an object");
    }
    if !matches!(id, None | Some(Value::Null | Value::Number(_) | Value::String(_))) {
        return invalid(&Value::Null, "id must be a string, a number or null");
    }
    let shown = id.unwrap_or(&Value::Null);
    let (Some("2.0"), Some(method)) = (call["jsonrpc"].as_str(), call["method"].as_str()) else {
        return invalid(shown, "jsonrpc \"2.0\" and a method are required");
    };
    let result = service.answer(batch, method, &call["params"]);
    // Without an id it was a notification: nobody waits for the answer.
    id.map(|id| reply(id, &result))
}

/// The reply to what is no call, or cannot be answered as one.
fn refusal(service: &Service, id: &Value, error: RpcError) -> String {
    reply(id, &Err(service.refused(error)))
}

pub(crate) fn reply(id: &Value, result: &Result<Value, RpcError>) -> String {
    match result {
        Ok(value) => json!({ "jsonrpc": "2.0", "id": id, "result": value }),
        Err(error) => json!({ "jsonrpc": "2.0", "id": id, "error": Value::from(error) }),
    }
    .to_string()
}
