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
/// Roots of the three layers, and where those above the snapshot lie, by block.
pub(super) const ROOTS: JournalTable = TableDefinition::new("lmpt/roots");
/// Nodes of the layers above the snapshot, in pages by number.
pub(super) const PAGES: JournalTable = TableDefinition::new("lmpt/pages");

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
    roots: &impl ReadableTable<u64, Bytes>,
) -> Result<Option<Roots>, StoreError> {
    let first = oldest(roots)?.unwrap_or(block);
    let moved = config.boundary(block) > first;
    let before = || block.saturating_sub(config.interval).max(first);
    moved.then(|| Ok(recorded(roots, before())?.roots)).transpose()
}

/// The oldest block on record: the chain's first one, until it leaves the window.
///
/// # Errors
/// [`StoreError`] if the database fails.
pub(super) fn oldest(roots: &impl ReadableTable<u64, Bytes>) -> Result<Option<u64>, StoreError> {
    Ok(roots.first()?.map(|(block, _)| block.value()))
}

/// What is on record of a block.
///
/// # Errors
/// [`StoreError`] if it is not there.
pub(super) fn recorded(
    roots: &impl ReadableTable<u64, Bytes>,
    block: u64,
) -> Result<Recorded, StoreError> {
    let corrupt = || StoreError::Corrupt("roots of lmpt are missing");
    let bytes = roots.get(block)?.ok_or_else(corrupt)?;
    Recorded::decode(bytes.value()).ok_or_else(corrupt)
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
