//! The threads that the engine works on.

use tokio::runtime::{Builder, Runtime};

use crate::error::StoreError;

/// An asynchronous runtime of the engine's own.
pub(super) struct Threads(Option<Runtime>);

impl Threads {
    pub(super) fn start() -> Result<Self, StoreError> {
        let mut builder = Builder::new_multi_thread();
        let runtime = builder.enable_all().thread_name("store").build();
        Ok(Self(Some(runtime.map_err(|error| StoreError::Database(Box::new(error)))?)))
    }

    /// Lets a future go on beside the caller.
    pub(super) fn start_task(&self, task: impl Future<Output = ()> + Send + 'static) {
        if let Some(runtime) = &self.0 {
            runtime.spawn(task);
        }
    }

    /// What a future comes to. The thread that calls waits, so it should not be one that other
    /// futures need; those of the engine go on.
    pub(super) fn wait<F: Future>(&self, future: F) -> F::Output {
        // What it starts, and what wakes it, belongs to the engine's runtime.
        let _entered = self.0.as_ref().map(Runtime::enter);
        // It does not share the budget of a task that may be running on the caller's thread: that
        // would not be filled up again while the task waits here.
        futures::executor::block_on(tokio::task::unconstrained(future))
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        // The last one who holds a reader may be a task, which must not wait for threads to end.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}
