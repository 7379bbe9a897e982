//! What a chain is kept in: tables of bytes, read and written through one interface, whichever
//! engine is behind it.
//!
//! Keys of a table ascend as bytes; numbers in keys are 8 bytes, big-endian. What has versions
//! stands under prefix ‖ block, and an empty value ends it ([`versions`]). A table that was never
//! written is empty.
//!
//! Everything that blocks change goes into one [`Write`], which reads what it wrote, and becomes
//! durable as a whole or not at all. [`embedded`] is the engine that a directory holds.

pub mod blobs;
pub mod embedded;
#[cfg(feature = "object-store")]
pub mod object;
pub mod overlay;
pub mod versions;

use std::collections::BTreeSet;
use std::fmt::{self, Debug};
use std::ops::{Bound, Deref};
use std::sync::Arc;

use crate::error::StoreError;
use blobs::Blobs;
use embedded::Guard;

/// A table, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Table(pub &'static str);

/// Keys from one bound to another.
pub type Range<'k> = (Bound<&'k [u8]>, Bound<&'k [u8]>);

/// All keys of a table.
pub const ALL: Range<'static> = (Bound::Unbounded, Bound::Unbounded);

/// Keys from `first` to `last`, both included.
pub fn between<'k>(first: &'k [u8], last: &'k [u8]) -> Range<'k> {
    (Bound::Included(first), Bound::Included(last))
}

/// Keys below `end`.
pub fn below(end: &[u8]) -> Range<'_> {
    (Bound::Unbounded, Bound::Excluded(end))
}

/// Keys above `start`.
pub fn above(start: &[u8]) -> Range<'_> {
    (Bound::Excluded(start), Bound::Unbounded)
}

/// Whether a range ends before it starts.
pub fn is_empty((start, end): Range<'_>) -> bool {
    use Bound::{Excluded, Included};
    match (start, end) {
        (Included(start), Included(end)) => start > end,
        (Included(start) | Excluded(start), Included(end) | Excluded(end)) => start >= end,
        _ => false,
    }
}

/// The number that a key of 8 bytes stands for.
///
/// # Errors
/// [`StoreError::Corrupt`] if the key is of another length.
pub fn number(key: &[u8]) -> Result<u64, StoreError> {
    let key = key.try_into().map_err(|_| StoreError::Corrupt("a number is not 8 bytes"))?;
    Ok(u64::from_be_bytes(key))
}

/// Bytes of a key or a value, where the engine has them.
pub struct Value<'r>(Inner<'r>);

enum Inner<'r> {
    /// A part of a page of the embedded engine.
    Page(Guard<'r>),
    /// What a batch in memory has.
    Batch(&'r [u8]),
    /// A copy.
    Owned(Vec<u8>),
}

impl<'r> From<Guard<'r>> for Value<'r> {
    fn from(guard: Guard<'r>) -> Self {
        Self(Inner::Page(guard))
    }
}

impl<'r> From<&'r [u8]> for Value<'r> {
    fn from(bytes: &'r [u8]) -> Self {
        Self(Inner::Batch(bytes))
    }
}

impl From<Vec<u8>> for Value<'_> {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Inner::Owned(bytes))
    }
}

impl Deref for Value<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Inner::Page(guard) => guard.value(),
            Inner::Batch(bytes) => bytes,
            Inner::Owned(bytes) => bytes,
        }
    }
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(formatter)
    }
}

/// Which end of a range comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The lowest key.
    Ascending,
    /// The highest key.
    Descending,
}

/// A key and its value.
pub type Row<'r> = (Value<'r>, Value<'r>);

/// Rows, read as they are asked for.
pub type Rows<'r> = Box<dyn Iterator<Item = Result<Row<'r>, StoreError>> + 'r>;

/// A state of the store that does not change.
pub type Reader = Arc<dyn Read + Send + Sync>;

/// What stood under a prefix after a block.
#[derive(Debug)]
pub struct Newest<'r> {
    /// The block that wrote it.
    pub block: u64,
    /// Never empty.
    pub value: Value<'r>,
}

impl<'r> Newest<'r> {
    /// `None` if the version is empty.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if the row is no version.
    fn of(key: &[u8], value: Value<'r>) -> Result<Option<Self>, StoreError> {
        let Version { block, is_empty } = Version::of(key, &value)?;
        Ok((!is_empty).then_some(Self { block, value }))
    }
}

/// What is known of [`Newest`] before it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// It must be read.
    Unread,
    /// Nothing stood there.
    Nothing,
    /// What stood there was written by this block.
    Block(u64),
}

/// A version of what stands under a prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    /// The block that wrote it.
    pub block: u64,
    /// Whether nothing stands there from that block on.
    pub is_empty: bool,
}

impl Version {
    /// # Errors
    /// [`StoreError::Corrupt`] if the row is no version.
    fn of(key: &[u8], value: &[u8]) -> Result<Self, StoreError> {
        let block = key.last_chunk().ok_or(StoreError::Corrupt("a version has no block"))?;
        Ok(Self { block: u64::from_be_bytes(*block), is_empty: value.is_empty() })
    }
}

/// Tables that can be read.
pub trait Read: Debug {
    /// What stands under a key.
    ///
    /// # Errors
    /// [`StoreError`] if the engine fails.
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Value<'_>>, StoreError>;

    /// The same of several keys: an engine that is far away reads them at once.
    ///
    /// # Errors
    /// [`StoreError`] if the engine fails.
    fn get_many(&self, table: Table, keys: &[&[u8]]) -> Result<Vec<Option<Value<'_>>>, StoreError> {
        keys.iter().map(|key| self.get(table, key)).collect()
    }

    /// The rows of a range. A range that ends before it starts is empty.
    ///
    /// # Errors
    /// [`StoreError`] if the engine fails.
    fn range(&self, table: Table, range: Range<'_>, order: Order) -> Result<Rows<'_>, StoreError>;

    /// What stood under `prefix` after `block`: its newest version at or before it; `None` if there
    /// is none, or it is empty.
    ///
    /// # Errors
    /// [`StoreError`] if the engine fails.
    fn newest(
        &self,
        table: Table,
        prefix: &[u8],
        block: u64,
    ) -> Result<Option<Newest<'_>>, StoreError> {
        // The prefix itself comes before all that stands under it.
        let newest = versions::key(prefix, block);
        let mut versions = self.range(table, between(prefix, &newest), Order::Descending)?;
        let version = versions.next().transpose()?;
        version.map_or(Ok(None), |(key, value)| Newest::of(&key, value))
    }

    /// The same of several prefixes: an engine that is far away reads them at once.
    ///
    /// # Errors
    /// [`StoreError`] if the engine fails.
    fn newest_many(
        &self,
        table: Table,
        prefixes: &[&[u8]],
        block: u64,
    ) -> Result<Vec<Option<Newest<'_>>>, StoreError> {
        prefixes.iter().map(|prefix| self.newest(table, prefix, block)).collect()
    }

    /// All versions under a prefix at or before `block`, the oldest first.
    ///
    /// # Errors
    /// [`StoreError`] if the engine fails.
    fn versions(
        &self,
        table: Table,
        prefix: &[u8],
        block: u64,
    ) -> Result<Vec<Version>, StoreError> {
        let newest = versions::key(prefix, block);
        let rows = self.range(table, between(prefix, &newest), Order::Ascending)?;
        rows.map(|row| row.and_then(|(key, value)| Version::of(&key, &value))).collect()
    }

    /// The same of several prefixes: an engine that is far away reads them at once.
    ///
    /// # Errors
    /// [`StoreError`] if the engine fails.
    fn versions_many(
        &self,
        table: Table,
        prefixes: &[&[u8]],
        block: u64,
    ) -> Result<Vec<Vec<Version>>, StoreError> {
        prefixes.iter().map(|prefix| self.versions(table, prefix, block)).collect()
    }

    /// Whether a read waits for another machine: then several at once take as long as one, and
    /// [`Self::get_many`] and [`Self::newest_many`] are worth more keys than are needed.
    fn is_far(&self) -> bool {
        false
    }

    /// The row with the lowest key.
    ///
    /// # Errors
    /// [`StoreError`] if the engine fails.
    fn first(&self, table: Table) -> Result<Option<Row<'_>>, StoreError> {
        self.range(table, ALL, Order::Ascending)?.next().transpose()
    }

    /// The row with the highest key.
    ///
    /// # Errors
    /// [`StoreError`] if the engine fails.
    fn last(&self, table: Table) -> Result<Option<Row<'_>>, StoreError> {
        self.range(table, ALL, Order::Descending)?.next().transpose()
    }
}

/// What blocks change, on top of what is durable: a batch.
pub trait Write: Read {
    /// Reads what [`Read::newest`] will be asked for, all at once, if the store is far away: then
    /// none of it is waited for again.
    ///
    /// # Errors
    /// [`StoreError`] if the engine fails.
    fn expect(
        &mut self,
        _table: Table,
        _prefixes: &BTreeSet<Vec<u8>>,
        _block: u64,
    ) -> Result<(), StoreError> {
        Ok(())
    }

    /// What is known of [`Read::newest`], since it was expected.
    fn known(&self, _table: Table, _prefix: &[u8], _block: u64) -> Known {
        Known::Unread
    }

    /// Sets what stands under a key.
    ///
    /// # Errors
    /// [`StoreError`] if the engine fails.
    fn put(&mut self, table: Table, key: &[u8], value: &[u8]) -> Result<(), StoreError>;

    /// Sets what stands under a key; what stood there before.
    ///
    /// # Errors
    /// [`StoreError`] if the engine fails.
    fn replace(
        &mut self,
        table: Table,
        key: &[u8],
        value: &[u8],
    ) -> Result<Option<Value<'_>>, StoreError>;

    /// Leaves nothing under a key.
    ///
    /// # Errors
    /// [`StoreError`] if the engine fails.
    fn remove(&mut self, table: Table, key: &[u8]) -> Result<(), StoreError>;

    /// Leaves nothing in a range.
    ///
    /// # Errors
    /// [`StoreError`] if the engine fails.
    fn remove_range(&mut self, table: Table, range: Range<'_>) -> Result<(), StoreError>;
}

/// What becomes of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It becomes durable.
    Commit,
    /// The store stays as it was.
    Abandon,
}

/// An engine.
pub trait Store: Debug + Send + Sync {
    /// The store as it is now; later batches do not change what it shows.
    ///
    /// # Errors
    /// [`StoreError`] if the engine fails.
    fn reader(&self) -> Result<Reader, StoreError>;

    /// Makes a batch. Batches come one after the other: each reads what the one before it wrote.
    /// It is durable when this returns, if `work` says so.
    ///
    /// # Errors
    /// [`StoreError`] if the engine fails; the store is then as it was before.
    fn batch(&self, work: &mut dyn FnMut(&mut dyn Write) -> Fate) -> Result<(), StoreError>;

    /// Looks for what another process wrote, so that new readers show it.
    ///
    /// # Errors
    /// [`StoreError`] if the engine fails; readers show what they did before then.
    fn refresh(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Whether another process has taken the store over, as far as the store says so. The store is
    /// asked: this is for errors, which may follow from it.
    fn is_taken(&self) -> bool {
        false
    }

    /// The files of a system beside the tables.
    fn blobs(&self, system: &str) -> Arc<dyn Blobs>;
}

impl<S: Store + ?Sized> Store for Arc<S> {
    fn reader(&self) -> Result<Reader, StoreError> {
        (**self).reader()
    }

    fn batch(&self, work: &mut dyn FnMut(&mut dyn Write) -> Fate) -> Result<(), StoreError> {
        (**self).batch(work)
    }

    fn refresh(&self) -> Result<(), StoreError> {
        (**self).refresh()
    }

    fn is_taken(&self) -> bool {
        (**self).is_taken()
    }

    fn blobs(&self, system: &str) -> Arc<dyn Blobs> {
        (**self).blobs(system)
    }
}

/// Makes a batch that becomes durable unless `work` fails; what `work` returns.
///
/// # Errors
/// Those of `work`, or [`StoreError`] if the engine fails; the store is then as it was before.
pub fn write<T, E: From<StoreError>>(
    store: &dyn Store,
    work: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let (mut work, mut done) = (Some(work), None);
    store.batch(&mut |batch| {
        done = work.take().map(|work| work(batch));
        if matches!(done, Some(Ok(_))) { Fate::Commit } else { Fate::Abandon }
    })?;
    // Invariant: an engine calls `work` once, or fails.
    done.ok_or(StoreError::Corrupt("the store made no batch"))?
}
