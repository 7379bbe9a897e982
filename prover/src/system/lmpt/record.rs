//! What lies in the database: tables, and the bytes of roots and of a block's writes.

use redb::{ReadableTable, TableDefinition};

use super::config::Config;
use super::layers::Roots;
use super::merge::Writes;
use crate::error::StoreError;
use crate::store::{Bytes, JournalTable, NodeTable};

/// `lmpt/1`: the snapshot's trie.
pub(super) const NODES: NodeTable = TableDefinition::new("lmpt/nodes");
pub(super) const JOURNAL: JournalTable = TableDefinition::new("lmpt/journal");
/// The snapshot as a plain map, for reads without a proof.
pub(super) const FLAT: NodeTable = TableDefinition::new("lmpt/flat");
pub(super) const FLAT_JOURNAL: JournalTable = TableDefinition::new("lmpt/flat-journal");
/// What each block wrote.
pub(super) const LOG: JournalTable = TableDefinition::new("lmpt/log");
/// Roots of the three layers, by block.
pub(super) const ROOTS: JournalTable = TableDefinition::new("lmpt/roots");

/// The roots one interval before a block, once the layers moved on: those of the first block if it
/// began within that interval, whose blocks all have the same padding.
///
/// # Errors
/// [`StoreError`] if they are not there.
pub(super) fn previous(
    config: &Config,
    block: u64,
    roots: &impl ReadableTable<u64, Bytes>,
) -> Result<Option<Roots>, StoreError> {
    let first = oldest(roots)?.unwrap_or(block);
    let moved = config.boundary(block) > first;
    let before = || block.saturating_sub(config.interval).max(first);
    moved.then(|| recorded(roots, before())).transpose()
}

/// The oldest block on record: the chain's first one, until it leaves the window.
///
/// # Errors
/// [`StoreError`] if the database fails.
pub(super) fn oldest(roots: &impl ReadableTable<u64, Bytes>) -> Result<Option<u64>, StoreError> {
    Ok(roots.first()?.map(|(block, _)| block.value()))
}

/// The roots of a block.
///
/// # Errors
/// [`StoreError`] if they are not there.
pub(super) fn recorded(
    roots: &impl ReadableTable<u64, Bytes>,
    block: u64,
) -> Result<Roots, StoreError> {
    let corrupt = || StoreError::Corrupt("roots of lmpt are missing");
    let bytes = roots.get(block)?.ok_or_else(corrupt)?;
    let (words, rest) = bytes.value().as_chunks::<32>();
    Some(words)
        .filter(|_| rest.is_empty())
        .and_then(|words| words.try_into().ok())
        .ok_or_else(corrupt)
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
pub(super) fn logged(
    log: &impl ReadableTable<u64, Bytes>,
    block: u64,
) -> Result<Writes, StoreError> {
    let corrupt = || StoreError::Corrupt("a block is missing in lmpt's log");
    let bytes = log.get(block)?.ok_or_else(corrupt)?;
    let (writes, rest) = bytes.value().as_chunks::<WRITE_BYTES>();
    if !rest.is_empty() {
        return Err(corrupt());
    }
    let write = |bytes: &[u8; WRITE_BYTES]| {
        let key = std::array::from_fn(|at| bytes[at]);
        (key, (bytes[52] == 1).then(|| std::array::from_fn(|at| bytes[53 + at])))
    };
    Ok(writes.iter().map(write).collect())
}
