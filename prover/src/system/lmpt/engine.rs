//! The layers in memory, and how they are made again from what lies in the database.

use std::collections::VecDeque;
use std::sync::Arc;

use redb::ReadableTable;

use super::config::Config;
use super::conflux;
use super::layers::{Layers, View, no_snapshot};
use super::merge::{Merge, Merged, Writes, apply};
use super::record::{logged, oldest, previous, recorded};
use crate::error::StoreError;
use crate::store::Bytes;

/// The layers after the newest block, and those of the blocks before it that can be asked about.
#[derive(Debug)]
pub(super) struct Engine {
    /// After the newest block.
    pub(super) layers: Layers,
    /// The newest blocks, oldest first.
    pub(super) views: VecDeque<Arc<View>>,
    /// The one that runs.
    pub(super) merge: Option<Merge>,
}

/// The layers as they were after the newest block on record; `None` if there is none.
///
/// # Errors
/// [`StoreError`] if the database fails, or holds other layers than it says.
pub(super) fn restore(
    config: Config,
    roots: &impl ReadableTable<u64, Bytes>,
    log: &impl ReadableTable<u64, Bytes>,
    flat: &impl ReadableTable<Bytes, Bytes>,
) -> Result<Option<Engine>, StoreError> {
    let Some(head) = roots.last()?.map(|(block, _)| block.value()) else { return Ok(None) };
    let first = oldest(roots)?.unwrap_or(head);
    let shown = config.oldest(head).max(first);
    let start = config.boundary(shown).max(first);
    let mut layers = Layers::above(config, snapshot_at(&config, start, roots, flat)?);
    if start > first {
        let before = start.saturating_sub(config.interval).max(first);
        let mut writes = Writes::new();
        for block in before + 1..=start {
            writes.extend(logged(log, block)?);
        }
        layers = layers.with_intermediate(writes, conflux::padding(&recorded(roots, before)?));
    }
    let mut views = VecDeque::new();
    for block in start..=head {
        if block > start {
            layers.write(logged(log, block)?);
            if block.is_multiple_of(config.interval) {
                let merged = merged_again(&layers, block, roots)?;
                layers.rotate(merged);
            }
        }
        let previous = previous(&config, block, roots)?;
        let view = layers.view(block, previous);
        if view.roots != recorded(roots, block)? {
            return Err(StoreError::Corrupt("lmpt's log does not lead to its roots"));
        }
        if block >= shown {
            views.push_back(Arc::new(view));
        }
    }
    Ok(Some(Engine { layers, views, merge: None }))
}

/// The snapshot of a block that is on record.
fn snapshot_at(
    config: &Config,
    block: u64,
    roots: &impl ReadableTable<u64, Bytes>,
    flat: &impl ReadableTable<Bytes, Bytes>,
) -> Result<Merged, StoreError> {
    let mut snapshot = no_snapshot(config);
    [snapshot.root, _, _] = recorded(roots, block)?;
    if let Some(tree) = &mut snapshot.tree {
        let mut newest = Writes::new();
        for entry in flat.iter()? {
            let (versioned, value) = entry?;
            let corrupt = || StoreError::Corrupt("a flat entry of lmpt is none");
            let (key, version) = versioned.value().split_first_chunk().ok_or_else(corrupt)?;
            let version = u64::from_be_bytes(version.try_into().map_err(|_| corrupt())?);
            if version <= block {
                // Versions ascend; nothing is left of an entry that ended.
                newest.insert(*key, value.value().try_into().ok());
            }
        }
        apply(tree, &newest);
    }
    Ok(snapshot)
}

/// The result of a merge that is on record.
fn merged_again(
    layers: &Layers,
    block: u64,
    roots: &impl ReadableTable<u64, Bytes>,
) -> Result<Merged, StoreError> {
    let mut merged = layers.snapshot.clone();
    [merged.root, _, _] = recorded(roots, block)?;
    if let Some(tree) = &mut merged.tree {
        apply(tree, &layers.intermediate_writes);
    }
    Ok(merged)
}
