//! What a chain is made from.

use std::sync::Arc;

use crate::chain::Clock;
use crate::chain::committee::Terms;
use crate::chain::committee::operators::Roster;
use crate::chain::workload::Workload;
use crate::system::Configuration;

/// Blocks of state that stay provable.
pub const WINDOW: u64 = 8_192;

/// Bytes of the database's pages that stay in memory.
pub const CACHE_BYTES: usize = 64 << 20;

/// What a chain is made from.
#[derive(Clone, Debug)]
pub struct Config {
    /// Decides every account and every write of the workload; other sources do not ask for it.
    pub seed: u64,
    /// Newest blocks whose state stays provable, at least 1.
    pub window: u64,
    /// Which time each block states.
    pub clock: Clock,
    /// Who signs the headers; `None` for a chain without signatures.
    pub terms: Option<Terms>,
    /// The operators who attest the blocks, in place of `terms`; `None` for another chain.
    pub roster: Option<Arc<Roster>>,
    /// Most bytes of the database's pages that stay in memory, [`CACHE_BYTES`] by default. Does not
    /// change the blocks.
    pub cache: usize,
    /// What every header commits to, by name ascending.
    pub systems: Vec<Arc<dyn Configuration>>,
}

impl Config {
    /// A chain of no system yet, without signatures, with the times of [`Clock::DEFAULT`].
    pub fn new(seed: u64, window: u64) -> Self {
        Self {
            seed,
            window,
            clock: Clock::DEFAULT,
            terms: None,
            roster: None,
            cache: CACHE_BYTES,
            systems: Vec::new(),
        }
    }

    /// The same with a system, in place of the one of its name.
    #[must_use]
    pub fn with(mut self, system: impl Configuration + 'static) -> Self {
        self.systems.retain(|other| other.name() != system.name());
        self.systems.push(Arc::new(system));
        self.systems.sort_by_key(|system| system.name());
        self
    }

    /// The default source of blocks.
    pub fn workload(&self) -> Workload {
        Workload { seed: self.seed, clock: self.clock }
    }

    /// Names of the systems, with commas between them.
    pub fn names(&self) -> String {
        self.systems.iter().map(|system| system.name()).collect::<Vec<_>>().join(",")
    }
}
