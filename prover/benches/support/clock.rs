//! The processor's clock: while others have the machine, nobody's time passes.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// What this process's threads have used.
pub(crate) fn used() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or_default())
}

/// Microseconds that they used since.
pub(crate) fn micros_since(start: Duration) -> f64 {
    used().saturating_sub(start).as_secs_f64() * 1e6
}
