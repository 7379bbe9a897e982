//! What moves between the layers, and what leaves.

use std::sync::Arc;

use redb::{ReadableTable as _, Table, WriteTransaction};

use super::{Lmpt, State};
use crate::error::StoreError;
use crate::hash::Word;
use crate::store::{Bytes, Writer, prune_version};
use crate::system::lmpt::config::Format;
use crate::system::lmpt::engine::{Engine, written};
use crate::system::lmpt::layers::Snapshot;
use crate::system::lmpt::merge::{Base, Merge, Merged, SNAPSHOT, slice};
use crate::system::lmpt::pages::Pages;
use crate::system::lmpt::record::{
    FLAT, FLAT_JOURNAL, JOURNAL, LOG, NODES, PAGES, logged, recorded,
};

impl Lmpt {
    /// Writes what merges changed, for the boundary at which it becomes the snapshot; at that
    /// boundary the layers move on (`merge_update` of Fig. 8).
    pub(super) fn merge(
        &self,
        transaction: &WriteTransaction,
        state: &mut State,
        engine: &mut Engine,
        block: u64,
        first: u64,
    ) -> Result<(), StoreError> {
        let interval = self.config.interval;
        let boundary = self.config.boundary(block - 1) + interval;
        let is_boundary = boundary == block;
        if let Some(before) = block.checked_sub(interval).filter(|before| *before > first) {
            let mut flat = transaction.open_table(FLAT)?;
            let mut flat = Writer::new(&mut flat, boundary);
            for (key, value) in logged(&transaction.open_table(LOG)?, before)? {
                flat.put_at(&key, value.as_ref().map_or(&[], Word::as_slice))?;
            }
            transaction.open_table(FLAT_JOURNAL)?.insert(block, flat.finish().as_slice())?;
        }
        let is_due = self.config.format == Format::Layered || is_boundary;
        let mut snapshot = engine.layers.snapshot.clone();
        // The first time there is nothing to merge.
        if let Some(merge) = engine.merge.take_if(|_| is_due) {
            let Merged { root, nodes, tree } = merge.wait()?;
            let mut table = transaction.open_table(NODES)?;
            let mut written = Writer::new(&mut table, boundary);
            written.put_nodes(SNAPSHOT, &nodes)?;
            transaction.open_table(JOURNAL)?.insert(block, written.finish().as_slice())?;
            Arc::make_mut(&mut state.pending).extend(nodes);
            snapshot = Snapshot { root, tree };
        }
        if is_boundary {
            engine.snapshots.extend(snapshot.tree.iter().map(|tree| (block, tree.clone())));
            engine.layers.rotate(snapshot);
        }
        Ok(())
    }

    /// Starts what the next block merges, unless it runs: a slice of the intermediate layer, or in
    /// `lmpt/conflux` all of it.
    pub(super) fn start_merge(
        &self,
        transaction: &WriteTransaction,
        state: &State,
        engine: &mut Engine,
        head: u64,
        first: u64,
    ) -> Result<(), StoreError> {
        let (interval, start) = (self.config.interval, self.config.boundary(head));
        if engine.merge.is_some() || start <= first {
            return Ok(());
        }
        if let Some(tree) = &engine.layers.snapshot.tree {
            let writes = written(&self.config, start, first, &transaction.open_table(LOG)?)?;
            engine.merge = Some(Merge::conflux(tree.clone(), writes));
            return Ok(());
        }
        let before = state.before.as_ref();
        let before = before.ok_or(StoreError::Corrupt("lmpt was not told of a block"))?;
        let (nodes, pending) = (before.open_table(NODES)?, Arc::clone(&state.pending));
        let pages = transaction.open_table(PAGES)?;
        let range = slice(head + 1 - start, interval);
        let leaves = engine.layers.intermediate.leaves(&range, &Pages(&pages))?;
        let base = Base { nodes, block: start + interval, pending };
        engine.merge = Some(Merge::layered(base, leaves));
        Ok(())
    }

    /// Drops what no block of the window needs.
    pub(super) fn prune(
        &self,
        transaction: &WriteTransaction,
        roots: &mut Table<'_, u64, Bytes>,
        pages: &mut Table<'_, u64, Bytes>,
        log: &mut Table<'_, u64, Bytes>,
        block: u64,
    ) -> Result<(), StoreError> {
        let (oldest, interval) = (self.config.oldest(block), self.config.interval);
        // The intermediate layer of the oldest block began later than this.
        let needed = oldest.saturating_sub(2 * interval);
        if roots.get(needed)?.is_some() {
            let end = recorded(roots, needed)?.end;
            pages.retain_in(..end, |_, _| false)?;
        }
        roots.retain_in(..needed, |_, _| false)?;
        let logged = match self.config.format {
            Format::Layered => (block + 1).saturating_sub(interval),
            // Snapshots are made again from the log.
            Format::Conflux => needed,
        };
        log.retain_in(..logged, |_, _| false)?;
        // What a block merged became visible at the boundary behind it.
        let Some(merged) = oldest.checked_sub(interval) else { return Ok(()) };
        let version = self.config.boundary(merged.saturating_sub(1)) + interval;
        let (mut nodes, mut flat) = (transaction.open_table(NODES)?, transaction.open_table(FLAT)?);
        let (mut of_nodes, mut of_flat) =
            (transaction.open_table(JOURNAL)?, transaction.open_table(FLAT_JOURNAL)?);
        prune_version(&mut nodes, &mut of_nodes, merged, version)?;
        prune_version(&mut flat, &mut of_flat, merged, version)
    }
}
