//! What moves between the layers, and what leaves.

use std::sync::Arc;

use super::{Lmpt, State};
use crate::error::StoreError;
use crate::hash::Word;
use crate::store::versions::{Writer, prune_version};
use crate::store::{Read, Write, below};
use crate::system::lmpt::config::Format;
use crate::system::lmpt::engine::{Engine, written};
use crate::system::lmpt::layers::Snapshot;
use crate::system::lmpt::merge::{Base, Merge, Merged, NODES, SNAPSHOT, slice};
use crate::system::lmpt::pages::Pages;
use crate::system::lmpt::record::{
    FLAT, FLAT_JOURNAL, JOURNAL, LOG, PAGES, ROOTS, logged, recorded,
};

impl Lmpt {
    /// Writes what merges changed, for the boundary at which it becomes the snapshot; at that
    /// boundary the layers move on (`merge_update` of Fig. 8).
    pub(super) fn merge(
        &self,
        batch: &mut dyn Write,
        state: &mut State,
        engine: &mut Engine,
        block: u64,
        first: u64,
    ) -> Result<(), StoreError> {
        let interval = self.config.interval;
        let boundary = self.config.boundary(block - 1) + interval;
        let is_boundary = boundary == block;
        if let Some(before) = block.checked_sub(interval).filter(|before| *before > first) {
            let logged = logged(batch, before)?;
            let mut flat = Writer::new(batch, FLAT, boundary);
            // What is replaced is known then, and pruned unread.
            flat.expect(logged.keys().map(|key| key.to_vec()))?;
            for (key, value) in logged {
                flat.put_at(&key, value.as_ref().map_or(&[], Word::as_slice))?;
            }
            flat.finish(FLAT_JOURNAL, block)?;
        }
        let is_due = self.config.format == Format::Layered || is_boundary;
        let mut snapshot = engine.layers.snapshot.clone();
        // The first time there is nothing to merge.
        if let Some(merge) = engine.merge.take_if(|_| is_due) {
            let Merged { root, nodes, tree } = merge.wait()?;
            let mut written = Writer::new(batch, NODES, boundary);
            written.put_nodes(SNAPSHOT, &nodes)?;
            written.finish(JOURNAL, block)?;
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
        store: &dyn Read,
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
            let writes = written(&self.config, start, first, store)?;
            engine.merge = Some(Merge::conflux(tree.clone(), writes));
            return Ok(());
        }
        let before = state.before.as_ref();
        let before = before.ok_or(StoreError::Corrupt("lmpt was not told of a block"))?;
        let (before, pending) = (Arc::clone(before), Arc::clone(&state.pending));
        let range = slice(head + 1 - start, interval);
        let leaves = engine.layers.intermediate.leaves(&range, &Pages(store))?;
        let base = Base { store: before, block: start + interval, pending };
        engine.merge = Some(Merge::layered(base, leaves));
        Ok(())
    }

    /// Drops what no block of the window needs.
    pub(super) fn prune(&self, batch: &mut dyn Write, block: u64) -> Result<(), StoreError> {
        let (oldest, interval) = (self.config.oldest(block), self.config.interval);
        // The intermediate layer of the oldest block began later than this.
        let needed = oldest.saturating_sub(2 * interval);
        if batch.get(ROOTS, &needed.to_be_bytes())?.is_some() {
            let end = recorded(batch, needed)?.end;
            batch.remove_range(PAGES, below(&end.to_be_bytes()))?;
        }
        batch.remove_range(ROOTS, below(&needed.to_be_bytes()))?;
        let logged = match self.config.format {
            Format::Layered => (block + 1).saturating_sub(interval),
            // Snapshots are made again from the log.
            Format::Conflux => needed,
        };
        batch.remove_range(LOG, below(&logged.to_be_bytes()))?;
        // What a block merged became visible at the boundary behind it.
        let Some(merged) = oldest.checked_sub(interval) else { return Ok(()) };
        let version = self.config.boundary(merged.saturating_sub(1)) + interval;
        prune_version(batch, (NODES, JOURNAL), merged, version)?;
        prune_version(batch, (FLAT, FLAT_JOURNAL), merged, version)
    }
}
