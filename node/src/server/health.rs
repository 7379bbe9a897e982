//! `/live` and `/ready`, for load balancers and whoever restarts a node that hangs.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::NEVER;
use crate::service::Service;

/// No method has these names, so no answer to a client is hidden.
pub(super) fn routes() -> Router<Service> {
    Router::new().route("/live", get(live)).route("/ready", get(ready))
}

async fn live() -> Response {
    plain(StatusCode::OK, "live")
}

async fn ready(State(service): State<Service>) -> Response {
    let health = Arc::clone(service.health());
    match health.ready(move || service.head_time()).await {
        Ok(()) => plain(StatusCode::OK, "ready"),
        Err(reason) => plain(StatusCode::SERVICE_UNAVAILABLE, &reason),
    }
}

fn plain(status: StatusCode, line: &str) -> Response {
    (status, [(header::CACHE_CONTROL, NEVER)], format!("{line}\n")).into_response()
}
