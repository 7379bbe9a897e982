//! Flags of whoever operates a node, and its listeners from the first request to the last.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use lightproof_node::health::Health;
use lightproof_node::server::{self, operators};
use lightproof_node::service::Service;
use tokio::net::TcpListener;
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tracing_subscriber::filter::Targets;

use super::listen::listen;
use super::log;

/// How long open requests may take once the node stops.
const OPEN_REQUESTS: Duration = Duration::from_secs(10);

#[derive(Debug, Args)]
#[command(next_help_heading = "operation")]
pub(super) struct OperateArgs {
    /// Serve figures for Prometheus on this address (/metrics, and /live and /ready too). Keep it
    /// away from clients; port 0 picks a free port
    #[arg(long, value_name = "HOST:PORT")]
    metrics: Option<SocketAddr>,
    /// Answer /ready with 503 while the newest block is older [default: no limit]
    #[arg(long, value_name = "SECONDS")]
    pub(super) ready_age: Option<u64>,
    /// Serve on for this long after SIGTERM or SIGINT, while /ready says 503; a second signal ends it
    #[arg(long, value_name = "SECONDS", default_value_t = 0)]
    pub(super) drain: u64,
    /// Log calls that take at least this long
    #[arg(long, value_name = "MS", default_value_t = 1_000)]
    pub(super) slow_ms: u64,
    /// What is logged on stderr: off, error, warn, info, debug, or a filter like that of `RUST_LOG`
    #[arg(long, value_name = "FILTER", default_value = "info", value_parser = log::filter)]
    log: Targets,
    /// How it is logged
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    log_format: log::Format,
}

impl OperateArgs {
    /// Binds the address of `--metrics`; `None` without the flag.
    pub(super) fn listen(&self) -> Result<Option<Operators>, String> {
        let Some(address) = self.metrics else { return Ok(None) };
        let (listener, address) = listen(address, "--metrics")?;
        Ok(Some(Operators { listener, url: format!("http://{address}") }))
    }

    /// From here on events are logged.
    pub(super) fn start_log(&self) {
        log::start(self.log_format, self.log.clone());
    }

    /// Resolves when a signal has come and the time of `--drain` is over.
    pub(super) async fn shutdown(
        &self,
        mut signals: Signals,
        health: &Health,
    ) -> Result<(), String> {
        signals.next().await?;
        health.stop();
        let drain = self.drain;
        if drain == 0 {
            tracing::info!("shutting down");
        } else {
            tracing::info!(drain, "shutting down in {drain} s");
        }
        match tokio::time::timeout(Duration::from_secs(drain), signals.next()).await {
            Ok(second) => second,
            Err(_) => Ok(()),
        }
    }

    /// The service with what its operator wants to know of it.
    pub(super) fn watch(&self, service: Service) -> Service {
        let health = Arc::new(Health::new(self.ready_age));
        service.with_health(health).with_slow(Duration::from_millis(self.slow_ms))
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

    /// Takes no more requests, and waits for those that are open and for what else ends then.
    ///
    /// Past the deadline there is no outcome, and the process ends all the same: every block is
    /// durable already.
    pub(super) async fn end<T>(self, rest: impl Future<Output = T>) -> Option<T> {
        let Self { stop, mut clients, operators: _operators } = self;
        drop(stop);
        let open = async {
            if !clients.is_finished() {
                let _ = (&mut clients).await;
            }
        };
        let both = async { tokio::join!(open, rest).1 };
        tokio::time::timeout(OPEN_REQUESTS, both).await.ok()
    }
}

/// SIGTERM and SIGINT, or what the system has of them.
pub(super) struct Signals {
    #[cfg(unix)]
    terminate: Signal,
    #[cfg(unix)]
    interrupt: Signal,
}

impl Signals {
    /// From here on a signal does not end the process. To be called before anybody is told that the
    /// node serves.
    #[cfg_attr(not(unix), expect(clippy::unnecessary_wraps, reason = "unix' signals fail"))]
    pub(super) fn take() -> Result<Self, String> {
        Ok(Self {
            #[cfg(unix)]
            terminate: signal(SignalKind::terminate()).map_err(|error| cannot_wait(&error))?,
            #[cfg(unix)]
            interrupt: signal(SignalKind::interrupt()).map_err(|error| cannot_wait(&error))?,
        })
    }

    async fn next(&mut self) -> Result<(), String> {
        #[cfg(unix)]
        tokio::select! {
            _ = self.terminate.recv() => Ok(()),
            _ = self.interrupt.recv() => Ok(()),
        }
        #[cfg(not(unix))]
        tokio::signal::ctrl_c().await.map_err(|error| cannot_wait(&error))
    }
}

fn cannot_wait(error: &std::io::Error) -> String {
    format!("cannot wait for signals: {error}")
}

/// Resolves when the sender is gone.
async fn wait_for_end(mut stopped: watch::Receiver<()>) {
    while stopped.changed().await.is_ok() {}
}
