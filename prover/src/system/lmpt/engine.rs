//! The newest layers, and how they are found again in the database.

use std::collections::VecDeque;

use super::config::{Config, Format};
use super::layers::{Layers, Snapshot, no_snapshot};
use super::merge::{Merge, Writes, apply};
use super::record::{FLAT, Recorded, logged, newest, oldest, recorded};
use super::tree::Tree;
use crate::error::StoreError;
use crate::store::{ALL, Order, Read};

/// The layers after the newest block.
#[derive(Debug)]
pub(super) struct Engine {
    /// The newest block and what is on record of it; `None` before the first one.
    pub(super) head: Option<(u64, Recorded)>,
    pub(super) layers: Layers,
    /// `lmpt/conflux`: snapshots of the window, each with the block that it begins with, oldest
    /// first.
    pub(super) snapshots: VecDeque<(u64, Tree)>,
    /// The one that runs.
    pub(super) merge: Option<Merge>,
}

impl Engine {
    /// `lmpt/conflux`: the snapshot of a block.
    pub(super) fn snapshot(&self, block: u64) -> Option<Tree> {
        let mut older = self.snapshots.iter().rev();
        older.find(|(first, _)| *first <= block).map(|(_, tree)| tree.clone())
    }

    /// `lmpt/conflux`: forgets the snapshots that no block from `oldest` on has.
    pub(super) fn forget(&mut self, oldest: u64) {
        while self.snapshots.get(1).is_some_and(|(first, _)| *first <= oldest) {
            self.snapshots.pop_front();
        }
    }
}

/// The layers as they were after the newest block on record; `None` if there is none.
///
/// # Errors
/// [`StoreError`] if the database fails, or holds other layers than it says.
pub(super) fn restore(config: Config, store: &dyn Read) -> Result<Option<Engine>, StoreError> {
    let Some(head) = newest(store)? else { return Ok(None) };
    let record = recorded(store, head)?;
    let snapshots = match config.format {
        Format::Layered => VecDeque::new(),
        Format::Conflux => snapshots(&config, head, store)?,
    };
    let tree = snapshots.back().map(|(_, tree)| tree.clone());
    let [root, intermediate, delta] = record.roots;
    let stored = |root, at| Tree::stored(config.format, root, at);
    let (intermediate, delta) =
        (stored(&intermediate, record.intermediate), stored(&delta, record.delta));
    let layers = Layers::new(config, Snapshot { root, tree }, intermediate, delta);
    Ok(Some(Engine { head: Some((head, record)), layers, snapshots, merge: None }))
}

/// `lmpt/conflux`: the snapshots of the window, from the flat table and the log.
fn snapshots(
    config: &Config,
    head: u64,
    store: &dyn Read,
) -> Result<VecDeque<(u64, Tree)>, StoreError> {
    let first = oldest(store)?.unwrap_or(head);
    let start = config.boundary(config.oldest(head).max(first)).max(first);
    let mut tree = snapshot_at(config, start, store)?;
    let mut snapshots = VecDeque::new();
    for block in start..=head {
        let before = block.saturating_sub(config.interval);
        let moves = block > start && block.is_multiple_of(config.interval);
        if moves && before > first {
            apply(&mut tree, &written(config, before, first, store)?);
        }
        if moves || block == start {
            if tree.root() != recorded(store, block)?.roots[0] {
                return Err(StoreError::Corrupt("lmpt's log does not lead to its roots"));
            }
            snapshots.push_back((block, tree.clone()));
        }
    }
    Ok(snapshots)
}

/// What the blocks of an interval wrote that ends with `boundary`, which is after the first block.
///
/// # Errors
/// [`StoreError`] if the log ends before.
pub(super) fn written(
    config: &Config,
    boundary: u64,
    first: u64,
    store: &dyn Read,
) -> Result<Writes, StoreError> {
    let mut writes = Writes::new();
    for block in boundary.saturating_sub(config.interval).max(first) + 1..=boundary {
        writes.extend(logged(store, block)?);
    }
    Ok(writes)
}

/// The snapshot of a block that is on record.
fn snapshot_at(config: &Config, block: u64, store: &dyn Read) -> Result<Tree, StoreError> {
    let mut held = Writes::new();
    for row in store.range(FLAT, ALL, Order::Ascending)? {
        let (versioned, value) = row?;
        let corrupt = || StoreError::Corrupt("a flat entry of lmpt is none");
        let (key, version) = versioned.split_first_chunk().ok_or_else(corrupt)?;
        let version = u64::from_be_bytes(version.try_into().map_err(|_| corrupt())?);
        if version <= block {
            // Versions ascend; nothing is left of an entry that ended.
            held.insert(*key, (*value).try_into().ok());
        }
    }
    let mut tree = no_snapshot(config).tree.unwrap_or_else(|| Tree::new(config.format));
    apply(&mut tree, &held);
    Ok(tree)
}
