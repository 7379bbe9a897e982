//! The storage engine: writes go to memory, full memory to disk, full levels to the next one.
//!
//! What must survive is split in two. Runs are files, complete and on disk before anything names
//! them. Which runs a block consists of, and the writes that are still in memory, are records that
//! the caller keeps with the block ([`Applied`]), so that block and state become durable in one
//! transaction. Whatever a kill leaves behind that no record names is deleted on open; merges that
//! were under way start again, and end in the same runs.

mod checkpoint;
mod restore;

pub use restore::Known;

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::thread::JoinHandle;

use super::config::{Config, Format, Kind};
use super::error::{EngineError, Result};
use super::key::{Address, ENTRY_BYTES, Entry, key};
use super::run::{self, Cancel, Run, RunId, Sealed};
use super::tree::Tree;
use super::view::{Group, Level, Memory, View};
use crate::hash::Word;
use crate::store::blobs::Blobs;

/// A run under construction in a thread.
type Pending = JoinHandle<Result<Run>>;

/// The engine of one chain.
#[derive(Debug)]
pub struct Engine {
    config: Config,
    files: Arc<dyn Blobs>,
    memories: Vec<Memory>,
    levels: Vec<Level>,
    /// Threads that make runs out of merging groups: memory's first, then each level's.
    pending: Vec<Option<Pending>>,
    cancel: Cancel,
    /// Number of the next write.
    next: u64,
    /// The newest blocks, oldest first.
    views: VecDeque<Arc<View>>,
    /// Runs whose files exist because some block named them.
    known: BTreeSet<RunId>,
}

/// What a block came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// `H_state`.
    pub state: Word,
    /// Which sources the block consists of. Needed for the newest [`Config::window`] blocks.
    pub record: Vec<u8>,
    /// The block's writes. Needed as long as [`Engine::needs`] says so.
    pub log: Vec<u8>,
}

impl Engine {
    /// An engine without writes, whose files, of which there is none yet, are kept in `files`.
    ///
    /// # Errors
    /// [`EngineError::Io`] if what is left in `files` cannot be removed.
    pub fn create(files: Arc<dyn Blobs>, config: Config) -> Result<Self> {
        Self::restore(files, config, &[], &[])
    }

    /// Commits the writes of a block, which ascend by address and name each address once.
    ///
    /// After an error the engine must be restored from its records: part of the block may be
    /// applied.
    ///
    /// # Errors
    /// [`EngineError`]: a file cannot be written, or the block does not follow the one before.
    pub fn apply(&mut self, block: u32, writes: &[(Address, Word)]) -> Result<Applied> {
        if self.head().is_some_and(|head| block <= head) {
            return Err(EngineError::Usage("blocks ascend"));
        }
        if !writes.is_sorted_by(|one, next| one.0 < next.0) {
            return Err(EngineError::Usage("the writes of a block ascend by address"));
        }
        let mut log = self.next.to_be_bytes().to_vec();
        for (address, value) in writes {
            let entry = Entry { key: key(address, block), value: *value };
            log.extend_from_slice(&entry.encode());
            self.insert(entry);
            if self.config.format != Format::One {
                self.checkpoint()?;
            }
        }
        if self.config.format == Format::One {
            self.checkpoint()?;
        }
        let memories = self.memories.iter().cloned().map(Group::Memory).collect();
        let view = View::new(self.config, block, memories, self.levels.clone());
        let applied = Applied { state: view.state, record: view.record(), log };
        self.views.push_back(Arc::new(view));
        while self.views.len() as u64 > self.config.window.max(1) {
            self.views.pop_front();
        }
        Ok(applied)
    }

    fn insert(&mut self, entry: Entry) {
        self.next += 1;
        if let Some(memory) = self.memories.first_mut() {
            memory.tree.insert(entry);
            memory.to = self.next;
        }
    }

    /// Tells that everything applied so far is durable: runs that no block of the window names are
    /// deleted.
    ///
    /// # Errors
    /// [`EngineError::Io`] if a file cannot be deleted.
    pub fn durable(&mut self) -> Result<()> {
        let levels = self.views.iter().flat_map(|view| &view.levels);
        let named: BTreeSet<RunId> =
            levels.flat_map(Level::runs).map(|run| run.meta().id).collect();
        for id in self.known.difference(&named) {
            run::delete(&*self.files, *id)?;
        }
        self.known = named;
        Ok(())
    }

    /// The newest block.
    pub fn head(&self) -> Option<u32> {
        self.views.back().map(|view| view.block)
    }

    /// The newest block's record.
    pub fn record(&self) -> Option<Vec<u8>> {
        self.views.back().map(|view| view.record())
    }

    /// The state after a block of the window. Proofs are made from it without holding the engine.
    pub fn view(&self, block: u32) -> Option<Arc<View>> {
        self.views.iter().find(|view| view.block == block).cloned()
    }

    /// The oldest block that is provable.
    pub fn oldest(&self) -> Option<u32> {
        self.views.front().map(|view| view.block)
    }

    /// Whether a log record is needed: a tree that some block of the window has in memory holds
    /// writes of it.
    pub fn needs(&self, log: &[u8]) -> bool {
        // What is cut off is kept, so that restoring names it.
        let Some((first, count)) = log_span(log) else { return true };
        let end = first.saturating_add(count);
        let mut trees = self.views.iter().flat_map(|view| &view.memories).filter_map(Group::memory);
        trees.any(|memory| memory.from.max(first) < memory.to.min(end))
    }

    /// Parameters.
    pub fn config(&self) -> &Config {
        &self.config
    }
}

/// Number of the first write in a log record, and how many there are.
fn log_span(log: &[u8]) -> Option<(u64, u64)> {
    let (first, entries) = log.split_first_chunk()?;
    Some((u64::from_be_bytes(*first), (entries.len() / ENTRY_BYTES) as u64))
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.cancel.set();
        for pending in self.pending.iter_mut().filter_map(Option::take) {
            // Its run belongs to no block yet; restoring the engine makes it anew.
            let _ = pending.join();
        }
    }
}

/// In-memory groups of a new engine.
fn memories(config: &Config) -> Vec<Memory> {
    let count = match config.kind {
        Kind::Cole => 1,
        Kind::ColeStar => 2,
    };
    vec![Memory { tree: Tree::new(config), from: 0, to: 0 }; count]
}
