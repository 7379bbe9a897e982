//! What a chain fixes about its engine.

use crate::hash::keccak256;
use crate::rlp::Item;

/// Name of this system in headers.
pub const NAME: &str = "cole";

/// Bytes and hashes of the commitment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `cole/1`: tagged keccak; counts and blocks are committed, filters are local.
    One,
    /// `cole/fast24`: the digests of the paper's authors.
    Fast24 {
        /// Whether runs commit to a Bloom filter.
        filters: bool,
    },
}

/// Merges at once, or between checkpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Full levels merge within the block that filled them (Algorithm 1).
    Cole,
    /// Merges run in threads, from the checkpoint that starts them to the one that commits them
    /// (Algorithm 5).
    ColeStar,
}

/// Parameters of an engine. `m` and `T` are public, the rest decides when runs are made and how
/// they are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Bytes and hashes.
    pub format: Format,
    /// COLE or COLE\*.
    pub kind: Kind,
    /// m: most children of a tree node, 2 to 256.
    pub fanout: u16,
    /// T: runs that fill a level, 2 to 255.
    pub ratio: u8,
    /// B: entries in memory, in both groups of COLE\* together.
    pub capacity: u64,
    /// ε: how far a learned model may be off, in entries.
    pub epsilon: u64,
    /// Newest blocks that stay provable, at least 1.
    pub window: u64,
}

impl Default for Config {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Config {
    /// COLE in `cole/1`, with the paper's T, m and ε.
    pub const DEFAULT: Self = Self {
        format: Format::One,
        kind: Kind::Cole,
        fanout: 4,
        ratio: 4,
        capacity: 1_024,
        epsilon: 23,
        window: 64,
    };

    /// The public parameters, RLP `[system, m, T]`, as a chain configuration pins them by their
    /// keccak.
    pub fn params(&self) -> Vec<u8> {
        let system = self.system();
        Item::List(vec![Item::uint(system), Item::uint(self.fanout), Item::uint(self.ratio)])
            .encode()
    }

    /// keccak256 of [`Config::params`].
    pub fn params_digest(&self) -> [u8; 32] {
        keccak256(&self.params())
    }

    /// Name of the format in a chain configuration.
    pub fn format_name(&self) -> &'static str {
        match self.format {
            Format::One => "cole/1",
            Format::Fast24 { .. } => "cole/fast24",
        }
    }

    /// A number for each combination of format and system, by which a data directory knows its own.
    pub fn code(&self) -> u64 {
        let format = match self.format {
            Format::One => 0,
            Format::Fast24 { filters: true } => 1,
            Format::Fast24 { filters: false } => 2,
        };
        2 * format + u64::from(self.system())
    }

    /// 0 for COLE, 1 for COLE\*.
    pub fn system(&self) -> u8 {
        match self.kind {
            Kind::Cole => 0,
            Kind::ColeStar => 1,
        }
    }

    /// Entries that fill the in-memory tree which takes the writes.
    pub(super) fn memory_capacity(&self) -> u64 {
        match self.kind {
            Kind::Cole => self.capacity.max(1),
            Kind::ColeStar => (self.capacity / 2).max(1),
        }
    }

    /// Whether a merging tree moves from memory to files once a block holds the run that it became.
    /// COLE\* in `cole/1` flushes at the end of a block, so a tree may hold a whole block, however
    /// large it is. `cole/fast24` flushes within a block: a tree has at most
    /// [`Config::memory_capacity`] entries.
    pub(super) fn seals(&self) -> bool {
        self.format == Format::One && self.kind == Kind::ColeStar
    }

    /// Entries for which the filter of a run on `level` (0 for the first on disk) is laid out.
    pub(super) fn filter_capacity(&self, level: usize) -> u64 {
        let level = u32::try_from(level).unwrap_or(u32::MAX);
        self.capacity.saturating_mul(u64::from(self.ratio).saturating_pow(level))
    }

    /// Whether runs begin and end with a sentinel.
    pub(super) fn sentinels(&self) -> bool {
        matches!(self.format, Format::Fast24 { .. })
    }
}
