//! The threads that the engine works on.

use std::io;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

use crate::error::StoreError;

/// An asynchronous runtime of the engine's own.
pub(super) struct Threads {
    runtime: Option<Runtime>,
    /// How long the store may take to answer a read, or to make a batch durable.
    patience: Duration,
}

/// The store took longer than it may.
#[derive(Clone, Copy, Debug)]
pub(super) struct Late(Duration);

impl From<Late> for StoreError {
    fn from(Late(patience): Late) -> Self {
        Self::Silent { seconds: patience.as_secs() }
    }
}

impl From<Late> for io::Error {
    fn from(late: Late) -> Self {
        Self::new(io::ErrorKind::TimedOut, StoreError::from(late))
    }
}

impl Threads {
    /// * `patience`: how long the store may take to answer a read, or to make a batch durable.
    pub(super) fn start(patience: Duration) -> Result<Self, StoreError> {
        let mut builder = Builder::new_multi_thread();
        let runtime = builder.enable_all().thread_name("store").build();
        let runtime = Some(runtime.map_err(|error| StoreError::Database(Box::new(error)))?);
        Ok(Self { runtime, patience })
    }

    /// Lets a future go on beside the caller.
    pub(super) fn start_task(&self, task: impl Future<Output = ()> + Send + 'static) {
        if let Some(runtime) = &self.runtime {
            runtime.spawn(task);
        }
    }

    /// What a future comes to. The thread that calls waits, so it should not be one that other
    /// futures need; those of the engine go on.
    pub(super) fn wait<F: Future>(&self, future: F) -> F::Output {
        // What it starts, and what wakes it, belongs to the engine's runtime.
        let _entered = self.runtime.as_ref().map(Runtime::enter);
        // It does not share the budget of a task that may be running on the caller's thread: that
        // would not be filled up again while the task waits here.
        futures::executor::block_on(tokio::task::unconstrained(future))
    }

    /// What a future comes to that needs one answer of the store, as [`Self::wait`] has it. The
    /// engine by itself would ask for ever.
    pub(super) fn answer<F: Future>(&self, future: F) -> Result<F::Output, Late> {
        self.within(self.patience, future)
    }

    /// The same of a future that needs one answer after the other, as opening a store does.
    pub(super) fn answers<F: Future>(&self, future: F) -> Result<F::Output, Late> {
        self.within(4 * self.patience, future)
    }

    fn within<F: Future>(&self, time: Duration, future: F) -> Result<F::Output, Late> {
        self.wait(async { timeout(time, future).await }).map_err(|_| Late(time))
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        // The last one who holds a reader may be a task, which must not wait for threads to end.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
