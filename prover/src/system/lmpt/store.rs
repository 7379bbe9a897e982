//! The layers on a chain: all three, the flat table, writes and roots lie in the chain's database,
//! so that block and state become durable in one transaction.
//!
//! In memory are the writes of a block, the nodes on their way, and what a slice of a merge changes,
//! however much the blocks of the window wrote. Only the snapshots of `lmpt/conflux` are in memory
//! as a whole; after a restart they are made again from the flat table and the log, and roots on
//! record tell whether they came out the same.

mod merging;

use std::ops::Bound;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::config::{Config, Format, NAME};
use super::engine::{Engine, restore};
use super::layers::{Layers, View, no_snapshot};
use super::merge::{Key, NODES, Nodes, SNAPSHOT, Writes, apply};
use super::pages::{Appended, FIRST, Pages};
use super::payload;
use super::prove::{self, ADJACENT};
use super::record::{
    FLAT, LOG, PAGES, ROOTS, Recorded, encode, newest, oldest, previous, recorded,
};
use super::tree::Tree;
use super::tree::stored::Stored;
use crate::chain::writes::WriteSet;
use crate::error::StoreError;
use crate::hash::keccak256;
use crate::store::versions::Writer;
use crate::store::{self, Order, Reader, Store, Write};
use crate::system::{Configuration, PLAIN, Proof, Refusal, Spec, System};
use crate::trie::Trie;

/// The system.
#[derive(Debug)]
pub struct Lmpt {
    config: Config,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Nothing until it is first needed, and after a failure: then it is restored from its tables.
    engine: Option<Engine>,
    /// The store before the batch that is being made: what a merge that starts in it reads.
    before: Option<Reader>,
    /// What merges changed that `before` does not show.
    pending: Arc<Nodes>,
}

/// What the chain holds for a key, without a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Read {
    /// A value.
    Present(Vec<u8>),
    /// A deletion that is not merged yet.
    Deleted,
    /// Nothing.
    Absent,
}

impl Lmpt {
    /// The system on a chain.
    pub fn new(config: Config) -> Self {
        let (interval, window) = (config.interval.max(1), config.window.max(1));
        Self { config: Config { interval, window, ..config }, state: Mutex::default() }
    }

    /// What a block of the window holds for a key: from the layers above the snapshot, else from the
    /// flat table.
    ///
    /// # Errors
    /// [`Refusal::Window`] for an older block, [`Refusal::Store`] if the database fails.
    pub fn read(&self, store: &dyn store::Read, block: u64, key: &Key) -> Result<Read, Refusal> {
        let mut view = self.view(store, block)?.ok_or(Refusal::Window)?;
        if let Some(write) = view.written(self.config.format, key, &Pages(store))? {
            return Ok(write.map_or(Read::Deleted, Read::Present));
        }
        let newest = store.newest(FLAT, key, block)?;
        Ok(newest.map_or(Read::Absent, |newest| Read::Present(newest.value.to_vec())))
    }

    /// The layers after a block, `None` outside the window. Nodes above the snapshot are still in
    /// the database.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails or holds other layers than it says.
    fn view(&self, store: &dyn store::Read, block: u64) -> Result<Option<View>, StoreError> {
        let head = newest(store)?;
        let is_shown = head.is_some_and(|head| (self.config.oldest(head)..=head).contains(&block));
        if !is_shown || store.get(ROOTS, &block.to_be_bytes())?.is_none() {
            return Ok(None);
        }
        let Recorded { roots: words, intermediate, delta, .. } = recorded(store, block)?;
        let format = self.config.format;
        let stored = |root, at| Tree::stored(format, root, at);
        let (mut snapshot, mut before) = (None, None);
        if format == Format::Conflux {
            let mut state = self.lock();
            if state.engine.is_none() {
                state.engine = restore(self.config, store)?;
            }
            snapshot = state.engine.as_ref().and_then(|engine| engine.snapshot(block));
            before = previous(&self.config, block, store)?;
        }
        Ok(Some(View {
            block,
            roots: words,
            previous: before,
            delta: stored(&words[2], delta),
            intermediate: stored(&words[1], intermediate),
            snapshot,
        }))
    }

    /// The layers after a block, read into memory as a whole; `None` outside the window.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails or holds other layers than it says.
    pub fn layers(&self, store: &dyn store::Read, block: u64) -> Result<Option<View>, StoreError> {
        let mut view = self.view(store, block)?;
        if let Some(view) = &mut view {
            view.load_all(&Pages(store))?;
        }
        Ok(view)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic amid a block leaves layers that do not follow their tables: the check in `commit`
        // finds out.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first block's writes are the first snapshot.
    fn genesis(
        &self,
        batch: &mut dyn Write,
        block: u64,
        writes: &Writes,
    ) -> Result<Engine, StoreError> {
        let mut flat = Writer::new(batch, FLAT, block);
        // Nothing stood there that could end.
        for (key, value) in writes {
            if let Some(value) = value {
                flat.put_at(key, value)?;
            }
        }
        let mut snapshot = no_snapshot(&self.config);
        if let Some(tree) = &mut snapshot.tree {
            apply(tree, writes);
            snapshot.root = tree.root();
        } else {
            let mut nodes = Writer::new(batch, NODES, block);
            let before = nodes.before(SNAPSHOT);
            let mut trie = Trie::open(&before)?;
            for (key, value) in writes {
                let leaf = value.as_ref().map_or(Vec::new(), |value| payload(Some(value)));
                trie.set(&keccak256(key), leaf)?;
            }
            let changes = trie.finish();
            snapshot.root = changes.root;
            // Nothing older is there to be pruned, so that no journal is needed.
            nodes.apply(SNAPSHOT, &changes)?;
        }
        let snapshots = snapshot.tree.iter().map(|tree| (block, tree.clone())).collect();
        let layers = Layers::above(self.config, snapshot);
        Ok(Engine { head: None, layers, snapshots, merge: None })
    }

    /// Reads the pages of the layers above the snapshot, where the store is far away: the blocks
    /// that follow need nearly all of them, and would ask for one after the other.
    fn read_layers(&self, batch: &dyn store::Read, head: u64) -> Result<(), StoreError> {
        let before = self.config.boundary(head).saturating_sub(self.config.interval);
        if !batch.is_far() || batch.get(ROOTS, &before.to_be_bytes())?.is_none() {
            return Ok(());
        }
        let first = recorded(batch, before)?.end.to_be_bytes();
        let layers = (Bound::Included(first.as_slice()), Bound::Unbounded);
        batch.range(PAGES, layers, Order::Ascending)?.try_for_each(|page| page.map(drop))
    }

    /// The layers before the next block, with the merge that runs then, and the first block.
    fn engine(
        &self,
        batch: &dyn store::Read,
        state: &mut State,
    ) -> Result<Option<(Engine, u64)>, StoreError> {
        let Some((head, first)) = newest(batch)?.zip(oldest(batch)?) else { return Ok(None) };
        let on_record = Some((head, recorded(batch, head)?));
        // Layers ahead of the tables belong to a batch that was given up.
        let mut engine = state.engine.take().filter(|engine| engine.head == on_record);
        if engine.is_none() {
            engine = restore(self.config, batch)?;
            self.read_layers(batch, head)?;
        }
        if let Some(engine) = &mut engine {
            self.start_merge(batch, state, engine, head, first)?;
        }
        Ok(engine.map(|engine| (engine, first)))
    }
}

impl Configuration for Config {
    fn name(&self) -> &'static str {
        NAME
    }

    fn identity(&self) -> Vec<(&'static str, u64)> {
        vec![(NAME, self.code()), ("lmpt interval", self.interval)]
    }

    fn make(&self, _: Option<&Path>, _: &dyn Store) -> Box<dyn System> {
        Box::new(Lmpt::new(*self))
    }
}

impl System for Lmpt {
    fn spec(&self) -> Spec {
        Spec {
            variants: match self.config.format {
                Format::Layered => &[PLAIN, ADJACENT],
                Format::Conflux => &[PLAIN],
            },
            ..Spec::new(NAME, self.config.format_name(), self.config.window)
        }
    }

    fn open(&self, store: &dyn store::Read) -> Result<(), StoreError> {
        // Snapshots in memory are made again.
        self.view(store, newest(store)?.unwrap_or_default()).map(drop)
    }

    fn follow(&self, store: &dyn store::Read) -> Result<(), StoreError> {
        if self.config.format == Format::Conflux {
            let engine = restore(self.config, store)?;
            self.lock().engine = engine;
        }
        Ok(())
    }

    fn begin(&self, before: &Reader) {
        let mut state = self.lock();
        state.before = Some(Arc::clone(before));
        state.pending = Arc::default();
    }

    fn commit(
        &self,
        batch: &mut dyn Write,
        block: u64,
        writes: &WriteSet,
    ) -> Result<Vec<u8>, StoreError> {
        let writes: Writes = writes.key_values().collect();
        let mut state = self.lock();
        let (mut engine, first) = match self.engine(batch, &mut state)? {
            Some((engine, first)) => (engine, Some(first)),
            None => (self.genesis(batch, block, &writes)?, None),
        };
        let mut end = engine.head.map_or(FIRST, |(_, record)| record.end);
        let [mut intermediate, mut delta] =
            engine.head.map_or([0; 2], |(_, record)| [record.intermediate, record.delta]);
        if let Some(first) = first {
            engine.layers.write(&writes, &Pages(batch))?;
            let mut appended = Appended::from(batch, end);
            delta = engine.layers.delta.store(&mut appended)?;
            end = appended.finish()?;
            self.merge(batch, &mut state, &mut engine, block, first)?;
            if block.is_multiple_of(self.config.interval) {
                (intermediate, delta) = (delta, 0);
            }
        }
        let view = engine.layers.view(block, previous(&self.config, block, batch)?);
        let record = Recorded { roots: view.roots, intermediate, delta, end };
        batch.put(ROOTS, &block.to_be_bytes(), &record.encode())?;
        if first.is_some() {
            batch.put(LOG, &block.to_be_bytes(), &encode(&writes))?;
        }
        self.prune(batch, block)?;
        engine.head = Some((block, record));
        engine.forget(self.config.oldest(block));
        if let Some(first) = first {
            self.start_merge(batch, &state, &mut engine, block, first)?;
        }
        state.engine = Some(engine);
        Ok(view.commitment())
    }

    fn durable(&self) -> Result<(), StoreError> {
        // A state that is read holds on to room that later batches could use again.
        self.lock().before = None;
        Ok(())
    }

    fn prove(
        &self,
        store: &dyn store::Read,
        block: u64,
        query: &[u8],
        accepted: &[&'static str],
    ) -> Result<Proof, Refusal> {
        let format = self.config.format;
        let questions =
            prove::decode(format, query).ok_or(Refusal::Query("not a query of lmpt"))?;
        let mut view = self.view(store, block)?.ok_or(Refusal::Window)?;
        let variant = accepted.first().copied().unwrap_or(PLAIN);
        let pages = Pages(store);
        let proof = match format {
            Format::Conflux => {
                view.load(&questions, &pages)?;
                prove::conflux(&view, &questions)
            }
            Format::Layered => {
                let layers =
                    [&view.delta, &view.intermediate].map(|tree| Stored::new(tree, &pages));
                prove::layered(&view, &layers, store, &questions, variant == ADJACENT)?
            }
        };
        Ok(Proof { variant, bytes: proof.encode() })
    }
}
