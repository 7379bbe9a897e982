//! `merge_compute` of the paper's Fig. 8: the intermediate layer's writes on top of a snapshot, in
//! a thread of their own.
//!
//! A merge only reads: what it comes to is written by the block that waits for it, in that block's
//! transaction. So a process that is killed on the way loses nothing but the work, which starts
//! again and ends in the same snapshot.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use redb::ReadOnlyTable;

use super::tree::Tree;
use super::{conflux, payload};
use crate::error::StoreError;
use crate::hash::{Word, keccak256};
use crate::store::{Bytes, TrieId, View};
use crate::trie::nibbles::Nibbles;
use crate::trie::{NodeSource, Trie};

/// Account ‖ slot.
pub type Key = [u8; 52];

/// Newest write by key; `None` deletes.
pub type Writes = BTreeMap<Key, Option<Word>>;

/// Nodes by path; empty where none stands any more.
pub type Overlay = BTreeMap<Nibbles, Vec<u8>>;

/// The snapshot's trie in its table.
pub const SNAPSHOT: TrieId = [0; 32];

/// A snapshot to merge into.
#[derive(Debug)]
pub enum Base {
    /// `lmpt/1`: in the database, with the merges that its readers cannot see yet, newest last.
    Stored {
        /// The snapshot's nodes.
        nodes: ReadOnlyTable<Bytes, Bytes>,
        /// The block whose snapshot it is.
        block: u64,
        /// Later than the table.
        pending: Vec<Arc<Overlay>>,
    },
    /// `lmpt/conflux`: in memory.
    Memory(Tree),
}

/// What a merge came to.
#[derive(Clone, Debug)]
pub struct Merged {
    /// The new snapshot's root.
    pub root: Word,
    /// `lmpt/1`: the nodes that changed.
    pub nodes: Arc<Overlay>,
    /// `lmpt/conflux`: the new snapshot.
    pub tree: Option<Tree>,
}

/// A merge under way.
#[derive(Debug)]
pub struct Merge {
    thread: Option<JoinHandle<Result<Merged, StoreError>>>,
    cancelled: Arc<AtomicBool>,
}

impl Merge {
    /// Starts to merge `writes` into `base`.
    pub fn start(base: Base, writes: Arc<Writes>) -> Self {
        let cancelled = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&cancelled);
        let thread = std::thread::spawn(move || merge(&base, &writes, &flag));
        Self { thread: Some(thread), cancelled }
    }

    /// Waits for the end.
    ///
    /// # Errors
    /// [`StoreError`] if the snapshot could not be read.
    pub fn wait(mut self) -> Result<Merged, StoreError> {
        let lost = StoreError::Corrupt("a merge of lmpt ended early");
        self.thread.take().and_then(|thread| thread.join().ok()).ok_or(lost)?
    }
}

impl Drop for Merge {
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // Nobody waits for its result; it must only be done with the database.
            let _ = thread.join();
        }
    }
}

fn merge(base: &Base, writes: &Writes, cancelled: &AtomicBool) -> Result<Merged, StoreError> {
    match base {
        Base::Memory(tree) => {
            let mut tree = tree.clone();
            apply(&mut tree, writes);
            Ok(Merged { root: tree.root(), nodes: Arc::default(), tree: Some(tree) })
        }
        Base::Stored { .. } => {
            let mut trie = Trie::open(base)?;
            for (key, value) in writes {
                if cancelled.load(Ordering::Relaxed) {
                    return Err(StoreError::Corrupt("a merge of lmpt was cancelled"));
                }
                // A tombstone for an unknown key removes nothing.
                let leaf = value.as_ref().map_or(Vec::new(), |value| payload(Some(value)));
                trie.set(&keccak256(key), leaf)?;
            }
            let changes = trie.finish();
            let mut nodes = changes.written;
            nodes.extend(changes.removed.into_iter().map(|path| (path, Vec::new())));
            Ok(Merged { root: changes.root, nodes: Arc::new(nodes), tree: None })
        }
    }
}

/// Merges writes into a snapshot of `lmpt/conflux`.
pub fn apply(tree: &mut Tree, writes: &Writes) {
    for (key, value) in writes {
        let key = conflux::snapshot_key(key);
        match value {
            Some(value) => tree.insert(&key, value.to_vec()),
            None => tree.remove(&key),
        }
    }
}

impl NodeSource for Base {
    fn node(&self, path: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        match self {
            Self::Memory(tree) => tree.node(path),
            Self::Stored { nodes, block, pending } => {
                let newest = pending.iter().rev().find_map(|nodes| nodes.get(path));
                match newest {
                    Some(node) => Ok(Some(node.clone()).filter(|node| !node.is_empty())),
                    None => View::new(nodes, SNAPSHOT, *block).node(path),
                }
            }
        }
    }
}
