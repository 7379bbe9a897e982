//! What stands under a prefix, one version per block that changed it.
//!
//! Key = prefix ‖ block (u64, big-endian); the value is empty where what stood there ended. What
//! stood there after block n is the newest version at or before n.
//!
//! A journal lists what each block replaced, so that pruning touches nothing else. An entry is a
//! prefix, behind its length (1), of which all versions before the block's go; or a prefix, behind
//! its length plus 128, and the block (8) of the one version that goes, where that is known: it is
//! removed without being read.
//!
//! A trie node's prefix = trie id (32) ‖ number of nibbles (1) ‖ packed nibbles; its value = the
//! node's RLP.

use std::collections::BTreeMap;
use std::ops::{Deref, RangeInclusive};

use super::{Known, Read, Table, Version, Write};
use crate::error::StoreError;
use crate::hash::Word;
use crate::trie::nibbles::{Nibbles, pack};
use crate::trie::{Changes, NodeSource};

/// Which trie a node belongs to: zero for the account trie, the account's key hash for a storage
/// trie.
pub type TrieId = Word;

/// The account trie.
pub const ACCOUNTS: TrieId = [0; 32];

/// Levels of a trie that are read at once from a store that is far away: enough for 16⁸ keys.
pub const AHEAD: usize = 8;

/// Longest prefix, in bytes.
const MAX_PREFIX: usize = 127;
/// Added to the length of a prefix in a journal, if the block of its version follows.
const ONE: u8 = 128;

/// The key of a version, on the stack: there are several in each step of a trie.
pub(super) struct Key {
    bytes: [u8; MAX_PREFIX + 8],
    length: usize,
}

/// The key of what stands under a prefix, which is at most 127 bytes long, from `block` on.
pub(super) fn key(prefix: &[u8], block: u64) -> Key {
    let prefix = &prefix[..prefix.len().min(MAX_PREFIX)];
    let (mut bytes, length) = ([0; MAX_PREFIX + 8], prefix.len() + 8);
    bytes[..prefix.len()].copy_from_slice(prefix);
    bytes[prefix.len()..length].copy_from_slice(&block.to_be_bytes());
    Key { bytes, length }
}

impl Deref for Key {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// One trie as of one block.
#[derive(Clone, Copy, Debug)]
pub struct View<'r> {
    store: &'r dyn Read,
    table: Table,
    trie: TrieId,
    block: u64,
}

impl<'r> View<'r> {
    /// The trie `trie` of a table as it was after `block`.
    pub fn new(store: &'r dyn Read, table: Table, trie: TrieId, block: u64) -> Self {
        Self { store, table, trie, block }
    }
}

impl NodeSource for View<'_> {
    fn node(&self, path: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        let node = self.store.newest(self.table, &prefix(&self.trie, path), self.block)?;
        Ok(node.map(|node| node.value.to_vec()))
    }

    fn ahead(&self, key: &[u8], depth: usize) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        if !self.store.is_far() {
            return Ok(Vec::new());
        }
        let depths = depth..=key.len().min(depth.saturating_add(AHEAD));
        let prefixes: Vec<_> = depths.map(|depth| prefix(&self.trie, &key[..depth])).collect();
        let prefixes: Vec<_> = prefixes.iter().map(Vec::as_slice).collect();
        let nodes = self.store.newest_many(self.table, &prefixes, self.block)?;
        Ok(nodes.into_iter().map(|node| node.map(|node| node.value.to_vec())).collect())
    }
}

/// The prefixes of the nodes at some depths on the way to a key.
///
/// * `key`: in nibbles.
pub fn way(
    trie: TrieId,
    key: &[u8],
    depths: RangeInclusive<usize>,
) -> impl Iterator<Item = Vec<u8>> {
    let (first, last) = depths.into_inner();
    (first..=last.min(key.len())).map(move |depth| prefix(&trie, &key[..depth]))
}

fn prefix(trie: &TrieId, path: &[u8]) -> Vec<u8> {
    let mut key = Vec::with_capacity(trie.len() + 1 + path.len().div_ceil(2));
    key.extend_from_slice(trie);
    // A path has at most 64 nibbles. Its length comes first, so that no key is a prefix of another
    // path's.
    key.push(u8::try_from(path.len()).unwrap_or(u8::MAX));
    key.extend(pack(path));
    key
}

/// Writes versions of one block to a table, over all tries.
#[derive(Debug)]
pub struct Writer<'b> {
    batch: &'b mut dyn Write,
    table: Table,
    block: u64,
    journal: Vec<u8>,
}

impl<'b> Writer<'b> {
    /// Begins the writes of `block`.
    pub fn new(batch: &'b mut dyn Write, table: Table, block: u64) -> Self {
        Self { batch, table, block, journal: Vec::new() }
    }

    /// The trie as it was before this block.
    pub fn before(&self, trie: TrieId) -> View<'_> {
        View::new(&*self.batch, self.table, trie, self.block_before())
    }

    /// The block before this one.
    fn block_before(&self) -> u64 {
        // Genesis starts from nothing: its own version is not written yet.
        self.block.saturating_sub(1)
    }

    /// Reads what stood under some prefixes before this block, all at once, if the store is far
    /// away: then none of it is waited for again.
    ///
    /// # Errors
    /// [`StoreError`] if the store fails.
    pub fn expect(&mut self, prefixes: impl Iterator<Item = Vec<u8>>) -> Result<(), StoreError> {
        let block = self.block_before();
        self.batch.expect(self.table, &prefixes.collect(), block)
    }

    /// What the block reads, with what it wrote so far.
    pub fn batch(&self) -> &dyn Read {
        &*self.batch
    }

    /// Stores one trie's changes.
    ///
    /// # Errors
    /// [`StoreError`] if the store fails.
    pub fn apply(&mut self, trie: TrieId, changes: &Changes) -> Result<(), StoreError> {
        for (path, node) in &changes.written {
            let prefix = prefix(&trie, path);
            if changes.replaced.contains(path) {
                self.put_at(&prefix, node)?;
            } else {
                self.put_version(&prefix, node)?;
            }
        }
        for path in &changes.removed {
            self.put_at(&prefix(&trie, path), &[])?;
        }
        Ok(())
    }

    /// Stores nodes of one trie by path; an empty one ends what stood there.
    ///
    /// # Errors
    /// [`StoreError`] if the store fails.
    pub fn put_nodes(
        &mut self,
        trie: TrieId,
        nodes: &BTreeMap<Nibbles, Vec<u8>>,
    ) -> Result<(), StoreError> {
        nodes.iter().try_for_each(|(path, node)| self.put_at(&prefix(&trie, path), node))
    }

    /// Stores a version of whatever stands under `prefix`, which is at most 127 bytes long and no
    /// prefix of another one; an empty value ends it.
    ///
    /// # Errors
    /// [`StoreError`] if the store fails.
    pub fn put_at(&mut self, prefix: &[u8], value: &[u8]) -> Result<(), StoreError> {
        match self.batch.known(self.table, prefix, self.block_before()) {
            // What ends needs no version once no older one is left: it is looked for, since another
            // write of this version may follow.
            _ if value.is_empty() => self.note(0, prefix),
            Known::Unread => self.note(0, prefix),
            Known::Nothing => {}
            Known::Block(before) => {
                self.note(ONE, prefix);
                self.journal.extend(before.to_be_bytes());
            }
        }
        self.put_version(prefix, value)
    }

    /// Begins an entry of the journal.
    fn note(&mut self, kind: u8, prefix: &[u8]) {
        self.journal.push(kind | u8::try_from(prefix.len()).unwrap_or(u8::MAX));
        self.journal.extend_from_slice(prefix);
    }

    fn put_version(&mut self, prefix: &[u8], value: &[u8]) -> Result<(), StoreError> {
        self.batch.put(self.table, &key(prefix, self.block), value)
    }

    /// Puts what was replaced on record as that of block `number`, for [`prune`].
    ///
    /// # Errors
    /// [`StoreError`] if the store fails.
    pub fn finish(self, journal: Table, number: u64) -> Result<(), StoreError> {
        self.batch.put(journal, &number.to_be_bytes(), &self.journal)
    }
}

/// Drops every version that no block from `oldest` on can see. Must be called for each block in
/// turn, as it becomes the oldest one: the journal of `oldest` names what it replaced.
///
/// # Errors
/// [`StoreError`] if the store fails.
pub fn prune(
    batch: &mut dyn Write,
    table: Table,
    journal: Table,
    oldest: u64,
) -> Result<(), StoreError> {
    prune_version(batch, (table, journal), oldest, oldest)
}

/// As [`prune`], where what a block wrote is seen only from a later block on.
///
/// * `block`: whose journal it is;
/// * `version`: the block that its nodes were written for. No block before it is kept.
///
/// # Errors
/// [`StoreError`] if the store fails.
pub fn prune_version(
    batch: &mut dyn Write,
    (table, journal): (Table, Table),
    block: u64,
    version: u64,
) -> Result<(), StoreError> {
    let block = block.to_be_bytes();
    let Some(written) = batch.get(journal, &block)?.map(|keys| keys.to_vec()) else {
        return Ok(());
    };
    batch.remove(journal, &block)?;
    let cut_off = || StoreError::Corrupt("a journal entry is cut off");
    let mut prefixes = Vec::new();
    let mut rest = written.as_slice();
    while let Some((kind, tail)) = rest.split_first() {
        let length = usize::from(kind & !ONE);
        let (prefix, tail) = tail.split_at_checked(length).ok_or_else(cut_off)?;
        rest = tail;
        if kind & ONE == 0 {
            prefixes.push(prefix);
            continue;
        }
        let (before, tail) = tail.split_first_chunk().ok_or_else(cut_off)?;
        rest = tail;
        batch.remove(table, &key(prefix, u64::from_be_bytes(*before)))?;
    }
    if prefixes.is_empty() {
        return Ok(());
    }
    let versions = batch.versions_many(table, &prefixes, version)?;
    for (prefix, versions) in prefixes.into_iter().zip(versions) {
        for Version { block, is_empty } in versions {
            if block < version || is_empty {
                batch.remove(table, &key(prefix, block))?;
            }
        }
    }
    Ok(())
}
