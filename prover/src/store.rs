//! Trie nodes in redb, one version per block that changed them.
//!
//! Key = trie id (32) ‖ number of nibbles (1) ‖ packed nibbles ‖ block (u64, big-endian); value =
//! the node's RLP, empty where the node ceased to exist. The node of block n is the newest version
//! at or before n. A journal lists the paths that each block wrote, so that pruning touches only
//! what a newer version has replaced.

use std::collections::BTreeMap;

use redb::{ReadableTable, Table, TableDefinition};

use crate::error::StoreError;
use crate::hash::Word;
use crate::trie::nibbles::{Nibbles, pack};
use crate::trie::{Changes, NodeSource};

/// A table of byte strings.
pub type Bytes = &'static [u8];

/// A redb table that maps versioned keys to nodes.
pub type NodeTable = TableDefinition<'static, Bytes, Bytes>;

/// A redb table that maps a block to the keys it wrote.
pub type JournalTable = TableDefinition<'static, u64, Bytes>;

/// Which trie a node belongs to: zero for the account trie, the account's key hash for a storage
/// trie.
pub type TrieId = Word;

/// The account trie.
pub const ACCOUNTS: TrieId = [0; 32];

/// One trie as of one block.
#[derive(Debug)]
pub struct View<'t, T> {
    table: &'t T,
    trie: TrieId,
    block: u64,
}

impl<'t, T: ReadableTable<Bytes, Bytes>> View<'t, T> {
    /// The trie `trie` as it was after `block`.
    pub fn new(table: &'t T, trie: TrieId, block: u64) -> Self {
        Self { table, trie, block }
    }
}

impl<T: ReadableTable<Bytes, Bytes>> NodeSource for View<'_, T> {
    fn node(&self, path: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        newest(self.table, &prefix(&self.trie, path), self.block)
    }
}

/// What stood under `prefix` after `block`: its newest version at or before it.
///
/// # Errors
/// [`StoreError`] if the database fails.
pub fn newest(
    table: &impl ReadableTable<Bytes, Bytes>,
    prefix: &[u8],
    block: u64,
) -> Result<Option<Vec<u8>>, StoreError> {
    let (oldest, newest) = (versioned(prefix, 0), versioned(prefix, block));
    let version = table.range(oldest.as_slice()..=newest.as_slice())?.next_back().transpose()?;
    Ok(version.map(|(_, value)| value.value().to_vec()).filter(|value| !value.is_empty()))
}

fn prefix(trie: &TrieId, path: &[u8]) -> Vec<u8> {
    let mut key = trie.to_vec();
    // A path has at most 64 nibbles. Its length comes first, so that no key is a prefix of another
    // path's.
    key.push(u8::try_from(path.len()).unwrap_or(u8::MAX));
    key.extend(pack(path));
    key
}

fn versioned(prefix: &[u8], block: u64) -> Vec<u8> {
    [prefix, &block.to_be_bytes()].concat()
}

/// Collects what one block writes, over all tries.
#[derive(Debug)]
pub struct Writer<'t, 'txn> {
    nodes: &'t mut Table<'txn, Bytes, Bytes>,
    block: u64,
    journal: Vec<u8>,
}

impl<'t, 'txn> Writer<'t, 'txn> {
    /// Begins the writes of `block`.
    pub fn new(nodes: &'t mut Table<'txn, Bytes, Bytes>, block: u64) -> Self {
        Self { nodes, block, journal: Vec::new() }
    }

    /// The trie as it was before this block.
    pub fn before(&self, trie: TrieId) -> View<'_, Table<'txn, Bytes, Bytes>> {
        // Genesis starts from nothing: its own version is not written yet.
        View::new(self.nodes, trie, self.block.saturating_sub(1))
    }

    /// Stores one trie's changes.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn apply(&mut self, trie: TrieId, changes: &Changes) -> Result<(), StoreError> {
        for (path, node) in &changes.written {
            self.put(trie, path, node)?;
        }
        for path in &changes.removed {
            self.put(trie, path, &[])?;
        }
        Ok(())
    }

    /// Stores nodes of one trie by path; an empty one ends what stood there.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn put_nodes(
        &mut self,
        trie: TrieId,
        nodes: &BTreeMap<Nibbles, Vec<u8>>,
    ) -> Result<(), StoreError> {
        nodes.iter().try_for_each(|(path, node)| self.put(trie, path, node))
    }

    fn put(&mut self, trie: TrieId, path: &Nibbles, node: &[u8]) -> Result<(), StoreError> {
        self.put_at(&prefix(&trie, path), node)
    }

    /// Stores a version of whatever stands under `prefix`, which is at most 255 bytes long and no
    /// prefix of another one; an empty value ends it.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn put_at(&mut self, prefix: &[u8], value: &[u8]) -> Result<(), StoreError> {
        self.nodes.insert(versioned(prefix, self.block).as_slice(), value)?;
        self.journal.push(u8::try_from(prefix.len()).unwrap_or(u8::MAX));
        self.journal.extend_from_slice(prefix);
        Ok(())
    }

    /// The keys written, for [`prune`].
    pub fn finish(self) -> Vec<u8> {
        self.journal
    }
}

/// Drops every version that no block from `oldest` on can see. Must be called for each block in
/// turn, as it becomes the oldest one: the journal of `oldest` names exactly the paths whose
/// earlier versions it replaced.
///
/// # Errors
/// [`StoreError`] if the database fails.
pub fn prune(
    nodes: &mut Table<'_, Bytes, Bytes>,
    journal: &mut Table<'_, u64, Bytes>,
    oldest: u64,
) -> Result<(), StoreError> {
    prune_version(nodes, journal, oldest, oldest)
}

/// As [`prune`], where what a block wrote is seen only from a later block on.
///
/// * `block`: whose journal it is;
/// * `version`: the block that its nodes were written for. No block before it is kept.
///
/// # Errors
/// [`StoreError`] if the database fails.
pub fn prune_version(
    nodes: &mut Table<'_, Bytes, Bytes>,
    journal: &mut Table<'_, u64, Bytes>,
    block: u64,
    version: u64,
) -> Result<(), StoreError> {
    let Some(written) = journal.remove(block)?.map(|keys| keys.value().to_vec()) else {
        return Ok(());
    };
    let mut rest = written.as_slice();
    while let Some((length, tail)) = rest.split_first() {
        let (prefix, tail) = tail
            .split_at_checked(usize::from(*length))
            .ok_or(StoreError::Corrupt("a journal entry is cut off"))?;
        rest = tail;
        let (first, replaced) = (versioned(prefix, 0), versioned(prefix, version));
        nodes.retain_in(first.as_slice()..replaced.as_slice(), |_, _| false)?;
        // A path without a node needs no version once no older one is left.
        let gone = nodes.get(replaced.as_slice())?.is_some_and(|node| node.value().is_empty());
        if gone {
            nodes.remove(replaced.as_slice())?;
        }
    }
    Ok(())
}
