//! Questions by GET, so that a cache between the node and its clients answers the second one.
//!
//! `GET /METHOD?params=JSON` is answered as a POST of that call with the id null, for the methods
//! whose answers may never change. An answer that cannot change is marked so; no other is kept.

use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use lightproof_prover::hash::keccak256;
use lightproof_prover::hex;
use serde::Deserialize;
use serde_json::Value;

use super::{NEVER, json_response, refusal, reply};
use crate::rpc::error::RpcError;
use crate::rpc::{is_fixed, may_be_fixed};
use crate::service::Service;

/// A year: as long as caches keep anything.
const FOREVER: &str = "public, max-age=31536000, immutable";

#[derive(Deserialize)]
pub(super) struct Question {
    /// JSON of the call's parameters.
    params: Option<String>,
}

/// Answers one question.
pub(super) async fn ask(
    State(service): State<Service>,
    Path(method): Path<String>,
    Query(Question { params }): Query<Question>,
    headers: HeaderMap,
) -> Response {
    if !may_be_fixed(&method) {
        let text = "by GET there are only answers that never change; POST JSON-RPC 2.0 to /\n";
        return (StatusCode::NOT_FOUND, text).into_response();
    }
    // Database reads block; they must not hold up the accept loop.
    let answered =
        tokio::task::spawn_blocking(move || answer(&service, &method, params.as_deref()));
    match answered.await {
        Ok((text, false)) => {
            let response = json_response(StatusCode::OK, text);
            ([(header::CACHE_CONTROL, NEVER)], response).into_response()
        }
        Ok((text, true)) => fixed(&headers, text),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// The reply, and whether it is the same for ever.
fn answer(service: &Service, method: &str, params: Option<&str>) -> (String, bool) {
    let params = params.map_or(Ok(Value::Null), serde_json::from_str);
    let params: Value = match params {
        Ok(params) => params,
        Err(error) => return (refusal(service, &Value::Null, RpcError::parse(error)), false),
    };
    let result = service.answer(None, method, &params);
    // Null is a block that this node does not know yet.
    let found = result.as_ref().is_ok_and(|value| !value.is_null());
    (reply(&Value::Null, &result), found && is_fixed(method, &params))
}

fn fixed(headers: &HeaderMap, text: String) -> Response {
    let hash = keccak256(text.as_bytes());
    let tag = format!("\"{}\"", hex::encode(&hash));
    let kept =
        headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let is_kept = kept.flat_map(|tags| tags.split(',')).any(|known| known.trim() == tag);
    let marks = [(header::CACHE_CONTROL, FOREVER), (header::ETAG, tag.as_str())];
    if is_kept {
        return (StatusCode::NOT_MODIFIED, marks).into_response();
    }
    (marks, json_response(StatusCode::OK, text)).into_response()
}
