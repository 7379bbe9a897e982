//! A listener for operators: figures for Prometheus, and whether the node is live and ready.

use std::future::Future;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;

use super::{NEVER, health};
use crate::bounded::Bounded;
use crate::service::Service;

/// Connections at once.
const MAX_CONNECTIONS: usize = 16;
/// The text format of `OpenMetrics`.
const TEXT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Serves until `stop` resolves.
///
/// # Errors
/// What the operating system says about the socket.
pub async fn serve(
    listener: TcpListener,
    service: Service,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    // No CORS: no page may read the figures.
    let routes = Router::new().route("/metrics", get(metrics)).merge(health::routes());
    let listener = Bounded::new(listener, MAX_CONNECTIONS);
    axum::serve(listener, routes.with_state(service)).with_graceful_shutdown(stop).await
}

async fn metrics(State(service): State<Service>) -> Response {
    // Database reads block; they must not hold up the accept loop.
    match tokio::task::spawn_blocking(move || service.figures()).await {
        Ok(Ok(text)) => {
            ([(header::CONTENT_TYPE, TEXT), (header::CACHE_CONTROL, NEVER)], text).into_response()
        }
        failed => {
            if let Ok(Err(error)) = failed {
                tracing::error!("the chain cannot be read: {error}");
            }
            let line = "the chain cannot be read\n";
            (StatusCode::SERVICE_UNAVAILABLE, [(header::CACHE_CONTROL, NEVER)], line)
                .into_response()
        }
    }
}
