//! A sorted run on disk: value file, learned index, Merkle file, filter. Written once, then only
//! read.

mod cancel;
mod file;
pub mod filter;
mod hull;
mod index;
mod merge;
mod merkle;
mod sealed;
mod wide;
mod write;

pub(super) use cancel::Cancel;
pub(super) use merge::merge;
pub use sealed::Sealed;
pub(super) use write::{Leaf, write};

use std::collections::BTreeSet;

use file::Stored;
use filter::Filter;
use index::Index;
use merkle::Merkle;

use super::config::{Config, Format};
use super::digest::Extent;
use super::error::{At as _, EngineError, Result};
use super::key::{Address, ENTRY_BYTES, Entry, Key};
use crate::hash::Word;
use crate::store::blobs::Blobs;

/// Names a run: the level it was made for, and which writes of the chain it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId {
    /// 0 for the first level on disk.
    pub level: u8,
    /// Number of the first write, counted from genesis.
    pub from: u64,
    /// One past the number of the last write.
    pub to: u64,
}

impl RunId {
    pub(super) fn span(&self) -> (u64, u64) {
        (self.from, self.to)
    }
}

/// What the records say of a run; its files are checked against it when they are opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meta {
    /// Its name.
    pub id: RunId,
    /// Its entries, without sentinels.
    pub extent: Extent,
    /// Root of its Merkle file.
    pub root: Word,
    /// Digest of its filter.
    pub filter: Word,
}

/// Extensions of a run's files. The last one is only there where blocks prove from the tree that
/// the run was made of.
const EXTENSIONS: [&str; 5] = ["val", "idx", "mht", "flt", sealed::EXTENSION];

/// An open run.
#[derive(Debug)]
pub struct Run {
    meta: Meta,
    values: Stored,
    index: Index,
    merkle: Merkle,
    filter: Filter,
    epsilon: u64,
    entries: u64,
}

impl Run {
    /// Opens a run. With `check`, all files are read once and compared with their checksums and
    /// `meta`.
    ///
    /// # Errors
    /// [`EngineError::Io`] or [`EngineError::Damaged`], naming the file.
    pub fn open(files: &dyn Blobs, config: &Config, meta: Meta, check: bool) -> Result<Self> {
        let name = |extension| name(meta.id, extension);
        let entries = meta.extent.entries + if config.sentinels() { 2 } else { 0 };
        let values = Stored::open(files, &name("val"), check)?;
        if values.length() != entries * ENTRY_BYTES as u64 {
            return Err(values.damaged("its length does not fit the number of entries"));
        }
        let index = Index::open(files, &name("idx"), config.epsilon, check)?;
        let merkle = Merkle::open(files, &name("mht"), (config.fanout, entries), check)?;
        let damaged = |extension, reason| {
            let path = files.place(&name(extension));
            EngineError::Damaged { path, reason }
        };
        if merkle.root()? != meta.root {
            return Err(damaged("mht", "its root is not the one on record"));
        }
        let stored = Stored::open(files, &name("flt"), check)?;
        let mut bytes = vec![0; usize::try_from(stored.length()).unwrap_or_default()];
        stored.read(0, &mut bytes)?;
        let filter = Filter::decode(&bytes).filter(|filter| filter.digest() == meta.filter);
        let filter = filter.ok_or_else(|| damaged("flt", "it is not the filter on record"))?;
        Ok(Self { meta, values, index, merkle, filter, epsilon: config.epsilon, entries })
    }

    /// What the records say of it.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Number of entries, sentinels included.
    pub fn len(&self) -> u64 {
        self.entries
    }

    /// Whether it holds nothing; no run does.
    pub fn is_empty(&self) -> bool {
        self.entries == 0
    }

    /// Number of learned models.
    pub fn models(&self) -> u64 {
        self.index.models()
    }

    /// Its filter.
    pub fn filter(&self) -> &Filter {
        &self.filter
    }

    /// Digest among the sources of a block.
    pub fn digest(&self, config: &Config) -> Word {
        let filter = match config.format {
            Format::Fast24 { filters: true } => Some(&self.meta.filter),
            _ => None,
        };
        config.source(true, &self.meta.extent, &self.meta.root, filter)
    }

    /// Whether the address may stand in it; `false` is certain.
    pub fn may_hold(&self, address: &Address) -> bool {
        self.filter.may_hold(address)
    }

    /// How many entries have keys up to `key`. Costs a page per layer of models, and two of the
    /// value file.
    ///
    /// # Errors
    /// [`EngineError::Io`] if a file cannot be read.
    pub fn rank(&self, key: &Key) -> Result<u64> {
        let Some(near) = self.index.predict(key)? else { return Ok(0) };
        let keys = |from: u64, to: u64| {
            Ok(self.entries(from, to)?.iter().map(|entry| entry.key).collect::<Vec<_>>())
        };
        index::rank(self.entries, near, self.epsilon, key, keys)
    }

    /// Entries at positions `from..to`.
    ///
    /// # Errors
    /// [`EngineError::Io`] if the file cannot be read.
    pub fn entries(&self, from: u64, to: u64) -> Result<Vec<Entry>> {
        let count = usize::try_from(to.saturating_sub(from)).unwrap_or_default();
        let mut records = vec![[0; ENTRY_BYTES]; count];
        self.values.read(from * ENTRY_BYTES as u64, records.as_flattened_mut())?;
        Ok(records.iter().map(Entry::decode).collect())
    }

    /// Entries at positions `from..to`, with their digests.
    fn leaves(&self, from: u64, to: u64) -> Result<Vec<Leaf>> {
        let digests = self.merkle.leaves(from, to)?;
        Ok(self.entries(from, to)?.into_iter().zip(digests).collect())
    }

    /// Digests beside positions `first..=last`, per layer bottom-up, left ones then right ones.
    ///
    /// # Errors
    /// [`EngineError::Io`] if the file cannot be read.
    pub fn siblings(&self, first: u64, last: u64) -> Result<Vec<Vec<Word>>> {
        self.merkle.siblings(first, last)
    }
}

fn name(id: RunId, extension: &str) -> String {
    format!("{}-{}-{}.{extension}", id.level, id.from, id.to)
}

/// Deletes the files of a run; what is gone already stays gone.
pub(super) fn delete(files: &dyn Blobs, id: RunId) -> Result<()> {
    for name in EXTENSIONS.map(|extension| name(id, extension)) {
        files.remove(&name).at(&files.place(&name))?;
    }
    Ok(())
}

/// Deletes every file that belongs to none of `keep`: runs of blocks that never became durable,
/// half-written ones.
pub(super) fn sweep(files: &dyn Blobs, keep: &[RunId]) -> Result<()> {
    let kept = keep.iter().flat_map(|id| EXTENSIONS.map(|one| name(*id, one)));
    let kept: BTreeSet<String> = kept.collect();
    for name in files.names().at(&files.place(""))? {
        if !kept.contains(&name) {
            files.remove(&name).at(&files.place(&name))?;
        }
    }
    Ok(())
}
