//! What the process used, and what it left on disk. Linux says so.

use std::path::Path;
use std::time::{Duration, Instant};

use lightproof_prover::store::embedded::Embedded;
use serde_json::{Value, json};

use super::clock;

/// Processor time of all threads, and time by the clock.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spent {
    pub(crate) cpu: Duration,
    pub(crate) wall: Duration,
}

impl Spent {
    /// What some work took.
    pub(crate) fn by<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let (used, began) = (clock::used(), Instant::now());
        let done = work();
        self.cpu += clock::used().saturating_sub(used);
        self.wall += began.elapsed();
        done
    }

    /// The figures of a row: microseconds of each of some blocks, and the process's peak of memory.
    pub(crate) fn row(self, id: &str, blocks: u64) -> Value {
        let each = |time: Duration| time.as_secs_f64() * 1e6 / blocks as f64;
        let (cpu, wall) = (each(self.cpu), each(self.wall));
        json!({ "id": id, "blocks": blocks, "cpuUs": cpu, "wallUs": wall, "peakBytes": peak() })
    }
}

/// The most memory that was resident at once, in bytes.
pub(crate) fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

/// Bytes of a chain's keys and values in its database, and of the files beside it. The database's
/// file is longer: it makes room before it needs it. No node may have the directory open.
pub(crate) fn bytes(directory: &Path) -> u64 {
    let database = Embedded::open(&directory.join("chain.redb")).unwrap();
    database.stored_bytes().unwrap() + beside(directory)
}

fn beside(directory: &Path) -> u64 {
    let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap());
    let sizes = entries.map(|entry| {
        let data = entry.metadata().unwrap();
        let is_database = entry.path().extension().is_some_and(|extension| extension == "redb");
        match (data.is_dir(), is_database) {
            (true, _) => beside(&entry.path()),
            (false, true) => 0,
            (false, false) => data.len(),
        }
    });
    sizes.sum()
}
