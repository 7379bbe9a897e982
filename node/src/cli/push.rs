//! `lightproof-node run --push`: the listener for blocks.

use std::sync::Arc;

use lightproof_node::push::{Push, Secret};
use lightproof_prover::chain::database::Chain;
use tokio::net::TcpListener;
use tokio::sync::mpsc::unbounded_channel;

use super::PushArgs;
use super::attest::Durable;

/// A listener that takes no blocks yet.
pub(super) struct Pushing {
    listener: TcpListener,
    secret: Secret,
    /// Where to push.
    pub(super) url: String,
}

/// Binds the address of `--push` and reads the secret; `None` without the flag.
pub(super) fn listen(args: &PushArgs) -> Result<Option<Pushing>, String> {
    let (Some(address), Some(jwt)) = (args.push, &args.jwt) else { return Ok(None) };
    let secret = Secret::read(jwt)?;
    let (listener, address) = super::listen::listen(address, "--push")?;
    Ok(Some(Pushing { listener, secret, url: format!("http://{address}") }))
}

impl Pushing {
    /// Takes blocks and hands on each that is durable, until something fails.
    pub(super) async fn take(
        self,
        node: &Arc<Chain>,
        durable: &Durable,
        end: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), String> {
        let (told, mut headers) = unbounded_channel();
        let metrics = Some(Arc::clone(&durable.metrics));
        let push = Push::new(Arc::clone(node), self.secret, told, metrics);
        let server = tokio::spawn(push.serve(self.listener, end));
        // The server holds the other end, so that the channel ends with it.
        while let Some(header) = headers.recv().await {
            durable.take(&[header?]).await?;
        }
        match server.await {
            Ok(outcome) => outcome.map_err(|error| format!("the push server failed: {error}")),
            Err(error) => Err(error.to_string()),
        }
    }
}
