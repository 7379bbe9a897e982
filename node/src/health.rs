//! Whether a load balancer should send requests to this node.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use lightproof_prover::error::StoreError;
use tokio::sync::Mutex;

use crate::unix_now;

/// How long the chain may take to answer. Load balancers wait some seconds.
const CHECK_TIME: Duration = Duration::from_secs(2);

/// What `/ready` follows from, besides the chain.
#[derive(Debug)]
pub struct Health {
    is_stopping: AtomicBool,
    /// Seconds.
    limit: Option<u64>,
    check_time: Duration,
    /// Held by the check that reads the chain: where the disk hangs, one thread hangs with it.
    check: Arc<Mutex<()>>,
}

impl Health {
    /// * `limit`: age of the newest block, in seconds, above which the node is not ready.
    pub fn new(limit: Option<u64>) -> Self {
        let (is_stopping, check) = (AtomicBool::new(false), Arc::default());
        Self { is_stopping, limit, check_time: CHECK_TIME, check }
    }

    /// From now on the node is not ready.
    pub fn stop(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
    }

    /// Whether the chain can be read and is new enough.
    ///
    /// * `head_time`: reads the newest block's timestamp, in seconds since 1970.
    ///
    /// # Errors
    /// The reason, in one line. It says nothing that a client may not know.
    pub(crate) async fn ready(
        &self,
        head_time: impl FnOnce() -> Result<u64, StoreError> + Send + 'static,
    ) -> Result<(), String> {
        if self.is_stopping.load(Ordering::Relaxed) {
            return Err("shutting down".to_owned());
        }
        let read = async {
            let turn = Arc::clone(&self.check).lock_owned().await;
            let read = move || {
                let _turn = turn;
                head_time()
            };
            tokio::task::spawn_blocking(read).await
        };
        let time = match tokio::time::timeout(self.check_time, read).await {
            Ok(Ok(Ok(time))) => time,
            Ok(Ok(Err(error))) => {
                tracing::error!("the chain cannot be read: {error}");
                return Err("the chain cannot be read".to_owned());
            }
            Ok(Err(_)) => return Err("the chain cannot be read".to_owned()),
            Err(_) => return Err("the chain cannot be read in time".to_owned()),
        };
        let age = unix_now().saturating_sub(time);
        match self.limit {
            Some(limit) if age > limit => {
                Err(format!("the newest block is {age} s old; the limit is {limit} s"))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[tokio::test]
    async fn a_chain_that_fails_or_hangs_is_not_ready() {
        let health = Health { check_time: Duration::from_mins(1), ..Health::new(None) };
        let failed = health.ready(|| Err(StoreError::Corrupt("/data/chain"))).await;
        assert_eq!(failed, Err("the chain cannot be read".to_owned()));
        let panicked = health.ready(|| panic!("made to panic")).await;
        assert_eq!(panicked, Err("the chain cannot be read".to_owned()));

        let health = Health { check_time: Duration::from_millis(20), ..health };
        let (release, released) = channel::<()>();
        let hangs = move || {
            let _ = released.recv();
            Ok(0)
        };
        let late = Err("the chain cannot be read in time".to_owned());
        assert_eq!(health.ready(hangs).await, late);
        // One thread hangs, whoever asks meanwhile.
        let asks = health.ready(|| panic!("a second thread reads"));
        assert_eq!(asks.await, late);
        drop(release);
        let patient = Health { check_time: Duration::from_mins(1), ..health };
        assert_eq!(patient.ready(|| Ok(0)).await, Ok(()));
    }

    #[tokio::test]
    async fn an_old_head_is_not_ready_where_a_limit_is_set() {
        let old = || Ok(unix_now() - 100);
        assert_eq!(Health::new(None).ready(old).await, Ok(()));
        assert_eq!(Health::new(Some(1_000)).ready(old).await, Ok(()));
        let reason = Health::new(Some(99)).ready(old).await.unwrap_err();
        assert!(reason.starts_with("the newest block is 10"), "{reason}");
        assert!(reason.ends_with(" s old; the limit is 99 s"), "{reason}");
        // A clock that is behind the chain's.
        assert_eq!(Health::new(Some(0)).ready(|| Ok(u64::MAX)).await, Ok(()));
    }

    #[tokio::test]
    async fn a_node_that_stops_is_not_ready() {
        let health = Health::new(None);
        health.stop();
        assert_eq!(health.ready(|| Ok(0)).await, Err("shutting down".to_owned()));
    }
}
