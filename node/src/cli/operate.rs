//! Flags of whoever operates a node, and its listeners from the first request to the last.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use lightproof_node::health::Health;
use lightproof_node::server::{self, operators};
use lightproof_node::service::Service;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// How long open requests may take once the node stops.
const OPEN_REQUESTS: Duration = Duration::from_secs(3);

#[derive(Debug, Args)]
#[command(next_help_heading = "operation")]
pub(super) struct OperateArgs {
    /// Serve figures for Prometheus on this address (/metrics, and /live and /ready too). Keep it
    /// away from clients; port 0 picks a free port
    #[arg(long, value_name = "HOST:PORT")]
    metrics: Option<SocketAddr>,
    /// Answer /ready with 503 while the newest block is older [default: no limit]
    #[arg(long, value_name = "SECONDS")]
    ready_age: Option<u64>,
}

impl OperateArgs {
    /// Binds the address of `--metrics`; `None` without the flag.
    pub(super) async fn listen(&self) -> Result<Option<Operators>, String> {
        let Some(address) = self.metrics else { return Ok(None) };
        let listener = TcpListener::bind(address).await.map_err(|error| {
            format!("cannot listen on {address}: {error}; choose another address with --metrics")
        })?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        Ok(Some(Operators { listener, url: format!("http://{address}") }))
    }

    /// The service with what its operator wants to know of it.
    pub(super) fn watch(&self, service: Service) -> Service {
        service.with_health(Arc::new(Health::new(self.ready_age)))
    }
}

/// The listener for operators, which answers nothing yet.
pub(super) struct Operators {
    listener: TcpListener,
    /// Where the figures are.
    pub(super) url: String,
}

/// The listeners of a node that serves.
pub(super) struct Servers {
    stop: watch::Sender<()>,
    clients: JoinHandle<std::io::Result<()>>,
    operators: Option<JoinHandle<std::io::Result<()>>>,
}

impl Servers {
    pub(super) fn start(
        clients: TcpListener,
        operators: Option<Operators>,
        service: Service,
    ) -> Self {
        let (stop, stopped) = watch::channel(());
        let operators = operators.map(|Operators { listener, .. }| {
            // Until the process ends: it says that the node stops.
            tokio::spawn(operators::serve(listener, service.clone(), std::future::pending()))
        });
        let clients = tokio::spawn(server::serve(clients, service, wait_for_end(stopped)));
        Self { stop, clients, operators }
    }

    /// Resolves when the node is about to stop.
    pub(super) fn stopped(&self) -> impl Future<Output = ()> + Send + use<> {
        wait_for_end(self.stop.subscribe())
    }

    /// Why a listener ended by itself.
    pub(super) async fn failed(&mut self) -> String {
        let operators = async {
            match &mut self.operators {
                Some(operators) => operators.await,
                None => std::future::pending().await,
            }
        };
        let (name, ended) = tokio::select! {
            ended = &mut self.clients => ("JSON-RPC", ended),
            ended = operators => ("metrics", ended),
        };
        match ended {
            Ok(Ok(())) => format!("the {name} server ended"),
            Ok(Err(error)) => format!("the {name} server failed: {error}"),
            Err(error) => error.to_string(),
        }
    }

    /// Takes no more requests, and waits for those that are open.
    pub(super) async fn end(self) {
        drop(self.stop);
        if !self.clients.is_finished() {
            // Past the deadline the process ends anyway: every block is durable already.
            let _ = tokio::time::timeout(OPEN_REQUESTS, self.clients).await;
        }
    }
}

/// Resolves when the sender is gone.
async fn wait_for_end(mut stopped: watch::Receiver<()>) {
    while stopped.changed().await.is_ok() {}
}
