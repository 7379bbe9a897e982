//! What lies in the store: tables, and the bytes of roots and of a block's writes.

use super::config::Config;
use super::layers::Roots;
use super::merge::Writes;
use crate::error::StoreError;
use crate::store::{Read, Table, number};

/// What merges wrote to the snapshot's trie.
pub(super) const JOURNAL: Table = Table("lmpt/journal");
/// The snapshot as a plain map, for reads without a proof.
pub(super) const FLAT: Table = Table("lmpt/flat");
pub(super) const FLAT_JOURNAL: Table = Table("lmpt/flat-journal");
/// What each block wrote.
pub(super) const LOG: Table = Table("lmpt/log");
/// Roots of the three layers, and where those above the snapshot lie, by block.
pub(super) const ROOTS: Table = Table("lmpt/roots");
/// Nodes of the layers above the snapshot, in pages by number.
pub(super) const PAGES: Table = Table("lmpt/pages");

/// What is on record of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Recorded {
    /// What the header commits to.
    pub(super) roots: Roots,
    /// Place of the intermediate layer's root; 0 if the layer has no keys.
    pub(super) intermediate: u64,
    /// Place of the delta's root.
    pub(super) delta: u64,
    /// The first page that later blocks write.
    pub(super) end: u64,
}

impl Recorded {
    pub(super) fn encode(&self) -> Vec<u8> {
        let numbers = [self.intermediate, self.delta, self.end].map(u64::to_be_bytes);
        [self.roots.as_flattened(), numbers.as_flattened()].concat()
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let (roots, numbers) = bytes.split_at_checked(96)?;
        let roots = roots.as_chunks::<32>().0.try_into().ok()?;
        let (numbers, rest) = numbers.as_chunks::<8>();
        let [intermediate, delta, end] = *numbers else { return None };
        let [intermediate, delta, end] = [intermediate, delta, end].map(u64::from_be_bytes);
        rest.is_empty().then_some(Self { roots, intermediate, delta, end })
    }
}

/// The roots one interval before a block, once the layers moved on: those of the first block if it
/// began within that interval, whose blocks all have the same padding.
///
/// # Errors
/// [`StoreError`] if they are not there.
pub(super) fn previous(
    config: &Config,
    block: u64,
    store: &dyn Read,
) -> Result<Option<Roots>, StoreError> {
    let first = oldest(store)?.unwrap_or(block);
    let moved = config.boundary(block) > first;
    let before = || block.saturating_sub(config.interval).max(first);
    moved.then(|| Ok(recorded(store, before())?.roots)).transpose()
}

/// The oldest block on record: the chain's first one, until it leaves the window.
///
/// # Errors
/// [`StoreError`] if the database fails.
pub(super) fn oldest(store: &dyn Read) -> Result<Option<u64>, StoreError> {
    store.first(ROOTS)?.map(|(block, _)| number(&block)).transpose()
}

/// The newest block on record.
///
/// # Errors
/// [`StoreError`] if the store fails.
pub(super) fn newest(store: &dyn Read) -> Result<Option<u64>, StoreError> {
    store.last(ROOTS)?.map(|(block, _)| number(&block)).transpose()
}

/// What is on record of a block.
///
/// # Errors
/// [`StoreError`] if it is not there.
pub(super) fn recorded(store: &dyn Read, block: u64) -> Result<Recorded, StoreError> {
    let corrupt = || StoreError::Corrupt("roots of lmpt are missing");
    let bytes = store.get(ROOTS, &block.to_be_bytes())?.ok_or_else(corrupt)?;
    Recorded::decode(&bytes).ok_or_else(corrupt)
}

/// Bytes of one write in the log: key, 1 or 0 for a deletion, value.
const WRITE_BYTES: usize = 52 + 1 + 32;

/// A block's writes as bytes.
pub(super) fn encode(writes: &Writes) -> Vec<u8> {
    let mut out = Vec::with_capacity(writes.len() * WRITE_BYTES);
    for (key, value) in writes {
        out.extend_from_slice(key);
        out.push(u8::from(value.is_some()));
        out.extend(value.unwrap_or_default());
    }
    out
}

/// What a block wrote.
///
/// # Errors
/// [`StoreError`] if it is not there, or is none of ours.
pub(super) fn logged(store: &dyn Read, block: u64) -> Result<Writes, StoreError> {
    let corrupt = || StoreError::Corrupt("a block is missing in lmpt's log");
    let bytes = store.get(LOG, &block.to_be_bytes())?.ok_or_else(corrupt)?;
    let (writes, rest) = bytes.as_chunks::<WRITE_BYTES>();
    if !rest.is_empty() {
        return Err(corrupt());
    }
    let write = |bytes: &[u8; WRITE_BYTES]| {
        let key = std::array::from_fn(|at| bytes[at]);
        (key, (bytes[52] == 1).then(|| std::array::from_fn(|at| bytes[53 + at])))
    };
    Ok(writes.iter().map(write).collect())
}
