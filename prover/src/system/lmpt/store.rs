//! The layers on a chain: snapshot, flat table, writes and roots lie in the chain's database, so
//! that block and state become durable in one transaction.
//!
//! Delta and intermediate layers live in memory. What they hold is written to a log, from which
//! they are made again after a restart, for every block of the window; roots on record tell whether
//! they came out the same.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use redb::{
    Database, ReadTransaction, ReadableDatabase as _, ReadableTable, Table, WriteTransaction,
};

use super::config::{Config, Format, NAME};
use super::engine::{Engine, restore};
use super::layers::{Layers, View, no_snapshot};
use super::merge::{Base, Key, Merge, Overlay, SNAPSHOT, Writes, apply};
use super::payload;
use super::prove::{self, ADJACENT};
use super::record::{FLAT, FLAT_JOURNAL, JOURNAL, LOG, NODES, ROOTS, encode, oldest, previous};
use crate::chain::writes::WriteSet;
use crate::error::StoreError;
use crate::hash::{Word, keccak256};
use crate::store::{Bytes, Writer, newest, prune};
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
    /// The database before the transaction that is being made: what a merge that starts in it
    /// reads.
    before: Option<ReadTransaction>,
    /// Merges that `before` does not show.
    pending: Vec<Arc<Overlay>>,
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

    /// What a block of the window holds for a key: from the layers in memory, else from the flat
    /// table.
    ///
    /// # Errors
    /// [`Refusal::Window`] for an older block, [`Refusal::Store`] if the database fails.
    pub fn read(
        &self,
        transaction: &ReadTransaction,
        block: u64,
        key: &Key,
    ) -> Result<Read, Refusal> {
        let view = self.view(transaction, block)?.ok_or(Refusal::Window)?;
        if let Some(write) = view.written(self.config.format, key) {
            return Ok(write.map_or(Read::Deleted, Read::Present));
        }
        let value = newest(&transaction.open_table(FLAT)?, key, block)?;
        Ok(value.map_or(Read::Absent, Read::Present))
    }

    /// The layers after a block, `None` outside the window.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails or holds other layers than it says.
    pub fn view(
        &self,
        transaction: &ReadTransaction,
        block: u64,
    ) -> Result<Option<Arc<View>>, StoreError> {
        let mut state = self.lock();
        if state.engine.is_none() {
            let roots = transaction.open_table(ROOTS)?;
            let (log, flat) = (transaction.open_table(LOG)?, transaction.open_table(FLAT)?);
            state.engine = restore(self.config, &roots, &log, &flat)?;
        }
        let views = state.engine.iter().flat_map(|engine| &engine.views);
        Ok(views.into_iter().find(|view| view.block == block).cloned())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic amid a block leaves layers that do not follow their tables: the check in `commit`
        // finds out.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first block's writes are the first snapshot.
    fn genesis(
        &self,
        transaction: &WriteTransaction,
        block: u64,
        writes: &Writes,
    ) -> Result<Engine, StoreError> {
        let mut flat = transaction.open_table(FLAT)?;
        let mut flat = Writer::new(&mut flat, block);
        for (key, value) in writes {
            let value = value.as_ref();
            flat.put_at(key, value.map_or(&[], Word::as_slice))?;
        }
        let mut snapshot = no_snapshot(&self.config);
        if let Some(tree) = &mut snapshot.tree {
            apply(tree, writes);
            snapshot.root = tree.root();
        } else {
            let mut nodes = transaction.open_table(NODES)?;
            let mut nodes = Writer::new(&mut nodes, block);
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
        let layers = Layers::above(self.config, snapshot);
        Ok(Engine { layers, views: VecDeque::new(), merge: None })
    }

    /// `merge_update` of Fig. 8, and what it changes in the database.
    fn rotate(
        transaction: &WriteTransaction,
        state: &mut State,
        engine: &mut Engine,
        block: u64,
    ) -> Result<(), StoreError> {
        let merged = match engine.merge.take() {
            Some(merge) => merge.wait()?,
            // The first time there is nothing to merge.
            None => engine.layers.snapshot.clone(),
        };
        let mut nodes = transaction.open_table(NODES)?;
        let mut written = Writer::new(&mut nodes, block);
        written.put_nodes(SNAPSHOT, &merged.nodes)?;
        transaction.open_table(JOURNAL)?.insert(block, written.finish().as_slice())?;
        let mut flat = transaction.open_table(FLAT)?;
        let mut written = Writer::new(&mut flat, block);
        for (key, value) in &*engine.layers.intermediate_writes {
            written.put_at(key, value.as_ref().map_or(&[], Word::as_slice))?;
        }
        transaction.open_table(FLAT_JOURNAL)?.insert(block, written.finish().as_slice())?;
        state.pending.push(Arc::clone(&merged.nodes));
        engine.layers.rotate(merged);
        Ok(())
    }

    /// Starts the merge of the intermediate layer that `block` has.
    fn start_merge(state: &State, engine: &mut Engine, block: u64) -> Result<(), StoreError> {
        let base = if let Some(tree) = &engine.layers.snapshot.tree {
            Base::Memory(tree.clone())
        } else {
            let before = state.before.as_ref();
            let before = before.ok_or(StoreError::Corrupt("lmpt was not told of a block"))?;
            let (nodes, pending) = (before.open_table(NODES)?, state.pending.clone());
            Base::Stored { nodes, block, pending }
        };
        let writes = Arc::clone(&engine.layers.intermediate_writes);
        engine.merge = Some(Merge::start(base, writes));
        Ok(())
    }

    /// Drops what no block of the window needs.
    fn prune(
        &self,
        transaction: &WriteTransaction,
        roots: &mut Table<'_, u64, Bytes>,
        log: &mut Table<'_, u64, Bytes>,
        block: u64,
    ) -> Result<(), StoreError> {
        let oldest = self.config.oldest(block);
        let needed = self.config.boundary(oldest).saturating_sub(self.config.interval);
        roots.retain_in(..needed, |_, _| false)?;
        log.retain_in(..needed, |_, _| false)?;
        let (mut nodes, mut flat) = (transaction.open_table(NODES)?, transaction.open_table(FLAT)?);
        prune(&mut nodes, &mut transaction.open_table(JOURNAL)?, oldest)?;
        prune(&mut flat, &mut transaction.open_table(FLAT_JOURNAL)?, oldest)
    }

    /// The layers before `block`, with the merge that runs then.
    fn engine(
        &self,
        transaction: &WriteTransaction,
        state: &mut State,
        block: u64,
    ) -> Result<Option<Engine>, StoreError> {
        let roots = transaction.open_table(ROOTS)?;
        let on_record = roots.last()?.map(|(block, roots)| (block.value(), roots.value().to_vec()));
        // Layers ahead of the tables belong to a transaction that was given up.
        let newest =
            |engine: &Engine| engine.views.back().map(|view| (view.block, view.roots.concat()));
        let mut engine = state.engine.take().filter(|engine| newest(engine) == on_record);
        if engine.is_none() {
            let (log, flat) = (transaction.open_table(LOG)?, transaction.open_table(FLAT)?);
            engine = restore(self.config, &roots, &log, &flat)?;
        }
        if let Some((engine, first)) = engine.as_mut().zip(oldest(&roots)?) {
            let boundary = self.config.boundary(block.saturating_sub(1));
            if engine.merge.is_none() && boundary > first {
                Self::start_merge(state, engine, boundary)?;
            }
        }
        Ok(engine)
    }
}

impl Configuration for Config {
    fn name(&self) -> &'static str {
        NAME
    }

    fn identity(&self) -> Vec<(&'static str, u64)> {
        vec![(NAME, self.code()), ("lmpt interval", self.interval)]
    }

    fn make(&self, _: &Path) -> Box<dyn System> {
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

    fn open(&self, transaction: &ReadTransaction) -> Result<(), StoreError> {
        self.view(transaction, 0).map(drop)
    }

    fn begin(&self, database: &Database) -> Result<(), StoreError> {
        let mut state = self.lock();
        state.before = Some(database.begin_read()?);
        state.pending.clear();
        Ok(())
    }

    fn commit(
        &self,
        transaction: &WriteTransaction,
        block: u64,
        writes: &WriteSet,
    ) -> Result<Vec<u8>, StoreError> {
        let writes: Writes = writes.key_values().collect();
        let mut state = self.lock();
        let before = self.engine(transaction, &mut state, block)?;
        let is_first = before.is_none();
        let mut engine = match before {
            Some(engine) => engine,
            None => self.genesis(transaction, block, &writes)?,
        };
        if !is_first {
            engine.layers.write(writes.iter().map(|(key, value)| (*key, *value)));
            if block.is_multiple_of(self.config.interval) {
                Self::rotate(transaction, &mut state, &mut engine, block)?;
                Self::start_merge(&state, &mut engine, block)?;
            }
        }
        let mut roots = transaction.open_table(ROOTS)?;
        let mut log = transaction.open_table(LOG)?;
        let view = engine.layers.view(block, previous(&self.config, block, &roots)?);
        roots.insert(block, view.roots.concat().as_slice())?;
        if !is_first {
            log.insert(block, encode(&writes).as_slice())?;
        }
        self.prune(transaction, &mut roots, &mut log, block)?;
        let commitment = view.commitment();
        engine.views.push_back(Arc::new(view));
        let oldest = self.config.oldest(block);
        while engine.views.front().is_some_and(|view| view.block < oldest) {
            engine.views.pop_front();
        }
        state.engine = Some(engine);
        Ok(commitment)
    }

    fn durable(&self) -> Result<(), StoreError> {
        // A transaction that is read holds on to pages that the next one could use again.
        self.lock().before = None;
        Ok(())
    }

    fn prove(
        &self,
        transaction: &ReadTransaction,
        block: u64,
        query: &[u8],
        accepted: &[&'static str],
    ) -> Result<Proof, Refusal> {
        let format = self.config.format;
        let questions =
            prove::decode(format, query).ok_or(Refusal::Query("not a query of lmpt"))?;
        let view = self.view(transaction, block)?.ok_or(Refusal::Window)?;
        let variant = accepted.first().copied().unwrap_or(PLAIN);
        let proof = match format {
            Format::Conflux => prove::conflux(&view, &questions),
            Format::Layered => {
                let nodes = transaction.open_table(NODES)?;
                prove::layered(&view, &nodes, &questions, variant == ADJACENT)?
            }
        };
        Ok(Proof { variant, bytes: proof.encode() })
    }
}
