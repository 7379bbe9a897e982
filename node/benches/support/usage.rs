//! What the process used. Linux says so.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A tick of the processor's clock in `/proc`.
const TICK: Duration = Duration::from_millis(10);

/// Measures from when it is made.
pub(crate) struct Watch {
    began: Instant,
    used: Duration,
}

impl Watch {
    pub(crate) fn start() -> Self {
        Self { began: Instant::now(), used: used() }
    }

    /// The figures of a row: processor time, wall time and bytes of each of some blocks.
    pub(crate) fn row(&self, blocks: u64, bytes: u64) -> Value {
        let each = |time: Duration| time.as_micros() as f64 / blocks as f64;
        json!({
            "cpuUs": each(used().saturating_sub(self.used)),
            "wallUs": each(self.began.elapsed()),
            "bytes": bytes / blocks,
        })
    }
}

/// Processor time of all threads so far, in steps of ten milliseconds.
fn used() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    // After the name, which may hold spaces: state, then eleven numbers, then user and system time.
    let (_, fields) = stat.rsplit_once(") ").unwrap();
    let fields: Vec<&str> = fields.split(' ').collect();
    let ticks: u32 = fields[11..13].iter().map(|field| field.parse::<u32>().unwrap()).sum();
    TICK * ticks
}

/// The most memory that was resident at once, in bytes.
pub(crate) fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

/// Bytes that the files in a directory and below take of the disk: a database makes room in its
/// file before it needs it.
pub(crate) fn bytes(directory: &Path) -> u64 {
    let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap());
    let sizes = entries.map(|entry| {
        let data = entry.metadata().unwrap();
        if data.is_dir() { bytes(&entry.path()) } else { 512 * data.blocks() }
    });
    sizes.sum()
}
