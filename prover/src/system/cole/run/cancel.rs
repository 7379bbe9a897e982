//! The stop signal of background work.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tells background work to stop.
#[derive(Clone, Debug, Default)]
pub(in crate::system::cole) struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks to stop.
    pub(in crate::system::cole) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether to stop.
    pub(in crate::system::cole) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
