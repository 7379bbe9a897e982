//! `merge_compute` of the paper's Fig. 8: the intermediate layer's writes on top of a snapshot, in
//! threads of their own.
//!
//! A merge only reads: what it comes to is written by the block that waits for it, in that block's
//! transaction. So a process that is killed on the way loses nothing but the work, which starts
//! again and ends in the same snapshot.
//!
//! `lmpt/1` merges as many slices of the layer as there are blocks until the next boundary, each in
//! one block, so that no more than a slice is in memory. What a slice changes gets the number of
//! that boundary, so that no block before it sees it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use super::conflux;
use super::tree::Tree;
use super::tree::stored::Leaf;
use crate::error::StoreError;
use crate::hash::Word;
use crate::store::overlay::Overlay;
use crate::store::versions::{AHEAD, TrieId, View, way};
use crate::store::{Read as _, Reader, Table, Write as _};
use crate::trie::nibbles::{Nibbles, unpack};
use crate::trie::{NodeSource, Trie};

/// Account ‖ slot.
pub type Key = [u8; 52];

/// Newest write by key; `None` deletes.
pub type Writes = BTreeMap<Key, Option<Word>>;

/// Nodes by path; empty where none stands any more.
pub type Nodes = BTreeMap<Nibbles, Vec<u8>>;

/// `lmpt/1`: nodes of the snapshot's trie.
pub(super) const NODES: Table = Table("lmpt/nodes");

/// The snapshot's trie in its table.
pub const SNAPSHOT: TrieId = [0; 32];

/// A snapshot of `lmpt/1` to merge into: in the store, with what its readers cannot see yet.
#[derive(Debug)]
pub struct Base {
    /// Has the snapshot's nodes.
    pub store: Reader,
    /// The block whose snapshot it becomes.
    pub block: u64,
    /// Later than the store.
    pub pending: Arc<Nodes>,
}

/// What a merge came to.
#[derive(Clone, Debug)]
pub struct Merged {
    /// The new snapshot's root.
    pub root: Word,
    /// `lmpt/1`: the nodes that changed.
    pub nodes: Nodes,
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
    /// `lmpt/1`: starts to merge leaves of an intermediate layer into a snapshot.
    pub(super) fn layered(base: Base, leaves: Vec<Leaf>) -> Self {
        Self::start(move |cancelled| layered(&base, leaves, cancelled))
    }

    /// `lmpt/conflux`: starts to merge writes into a snapshot in memory.
    pub(super) fn conflux(mut tree: Tree, writes: Writes) -> Self {
        Self::start(move |_| {
            apply(&mut tree, &writes);
            Ok(Merged { root: tree.root(), nodes: Nodes::new(), tree: Some(tree) })
        })
    }

    fn start(
        work: impl FnOnce(&AtomicBool) -> Result<Merged, StoreError> + Send + 'static,
    ) -> Self {
        let cancelled = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&cancelled);
        let thread = std::thread::spawn(move || work(&flag));
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

fn layered(base: &Base, leaves: Vec<Leaf>, cancelled: &AtomicBool) -> Result<Merged, StoreError> {
    // Nothing is written to it.
    let mut store = Overlay::new(&*base.store);
    if store.is_far() {
        let keys: Vec<_> = leaves.iter().map(|(key, _)| unpack(key)).collect();
        let ways = keys.iter().flat_map(|key| way(SNAPSHOT, key, 0..=AHEAD));
        store.expect(NODES, &ways.collect(), base.block)?;
    }
    let view = View::new(&store, NODES, SNAPSHOT, base.block);
    let source = Source { view, pending: &base.pending };
    let mut trie = Trie::open(&source)?;
    for (key, payload) in leaves {
        if cancelled.load(Ordering::Relaxed) {
            return Err(StoreError::Corrupt("a merge of lmpt was cancelled"));
        }
        // A tombstone for an unknown key removes nothing.
        trie.set(&key, if payload == TOMBSTONE { Vec::new() } else { payload })?;
    }
    let changes = trie.finish();
    let mut nodes = changes.written;
    nodes.extend(changes.removed.into_iter().map(|path| (path, Vec::new())));
    Ok(Merged { root: changes.root, nodes, tree: None })
}

/// The leaf of a deletion in `lmpt/1`.
const TOMBSTONE: [u8; 1] = [0];

/// The slice of an intermediate layer that is merged as the `number`th of `count`, by the first two
/// bytes of keys.
pub(super) fn slice(number: u64, count: u64) -> Range<u32> {
    let bound = |number: u64| u32::try_from((number << 16) / count.max(1)).unwrap_or(u32::MAX);
    bound(number.saturating_sub(1))..bound(number)
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

/// The snapshot that a merge starts from.
struct Source<'b> {
    /// As the store has it.
    view: View<'b>,
    /// Later than the store.
    pending: &'b Nodes,
}

impl NodeSource for Source<'_> {
    fn node(&self, path: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        match self.pending.get(path) {
            Some(node) => Ok(Some(node.clone()).filter(|node| !node.is_empty())),
            None => self.view.node(path),
        }
    }
}
