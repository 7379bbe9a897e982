//! Reads of a state of the store.

use std::fmt;
use std::ops::Bound;
use std::sync::Arc;

use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use slatedb::bytes::Bytes;
use slatedb::config::ScanOptions;
use slatedb::{DbIterator, DbReadOps, Error, IterationOrder, KeyValue};

use super::Threads;
use crate::error::StoreError;
use crate::store::{ALL, Newest, Order, Range, Read, Row, Rows, Table, Value, Version, is_empty};

/// How many reads are under way at once.
const AT_ONCE: usize = 64;
/// How many are waited for together: the store's time to answer is that of a few reads, not of all
/// that somebody asks for.
const TOGETHER: usize = 4 * AT_ONCE;
/// Bytes of a request where several rows are read: whoever asks for a range reads all of it.
const AHEAD: usize = 1 << 20;
/// How many of these are under way at once.
const REQUESTS: usize = 4;

/// A state of the store that does not change.
pub(super) struct Reading<S> {
    pub(super) state: Arc<S>,
    pub(super) threads: Arc<Threads>,
    /// What must be there as long as this is.
    pub(super) _kept: Option<Arc<dyn Send + Sync>>,
}

/// The key of a row: no table's name holds a zero.
pub(super) fn key(table: Table, row: &[u8]) -> Vec<u8> {
    [table.0.as_bytes(), &[0], row].concat()
}

/// Keys from one bound to another.
type Keys = (Bound<Vec<u8>>, Bound<Vec<u8>>);

/// Keys of the rows of a range.
fn keys(table: Table, (start, end): Range<'_>) -> Keys {
    let start = match start {
        Bound::Unbounded => Bound::Included(key(table, &[])),
        start => start.map(|row| key(table, row)),
    };
    let end = match end {
        Bound::Unbounded => Bound::Excluded([table.0.as_bytes(), &[1]].concat()),
        end => end.map(|row| key(table, row)),
    };
    (start, end)
}

/// How rows are read, `ahead` bytes with a request.
fn options(order: Order, ahead: usize) -> ScanOptions {
    let order = match order {
        Order::Ascending => IterationOrder::Ascending,
        Order::Descending => IterationOrder::Descending,
    };
    let mut options = ScanOptions::default().with_order(order);
    (options.cache_blocks, options.read_ahead_bytes) = (true, ahead);
    options.max_fetch_tasks = if ahead > 1 { REQUESTS } else { 1 };
    options
}

impl<S: DbReadOps + Send + Sync> Reading<S> {
    /// Rows by key, of which a request fetches `ahead` bytes. The engine panics if the keys end
    /// before they start.
    async fn scan(&self, keys: Keys, order: Order, ahead: usize) -> Result<DbIterator, Error> {
        self.state.scan_with_options(keys, &options(order, ahead)).await
    }

    /// The first row of a range that does not end before it starts.
    async fn first_of(
        &self,
        table: Table,
        range: Range<'_>,
        order: Order,
    ) -> Result<Option<KeyValue>, Error> {
        self.scan(keys(table, range), order, 1).await?.next().await
    }

    async fn newest_of(
        &self,
        table: Table,
        prefix: &[u8],
        block: u64,
    ) -> Result<Option<KeyValue>, Error> {
        let options = options(Order::Descending, 1);
        let numbers = ..=block.to_be_bytes();
        // By its prefix: the engine leaves out files that have no version under it.
        let mut versions =
            self.state.scan_prefix_with_options(key(table, prefix), numbers, &options).await?;
        versions.next().await
    }

    async fn versions_of(
        &self,
        table: Table,
        prefix: &[u8],
        block: u64,
    ) -> Result<Vec<KeyValue>, Error> {
        let options = options(Order::Ascending, 1);
        let numbers = ..=block.to_be_bytes();
        let mut versions =
            self.state.scan_prefix_with_options(key(table, prefix), numbers, &options).await?;
        let mut found = Vec::new();
        while let Some(version) = versions.next().await? {
            found.push(version);
        }
        Ok(found)
    }

    fn end(&self, table: Table, order: Order) -> Result<Option<Row<'_>>, StoreError> {
        let found = self.threads.answer(self.first_of(table, ALL, order))??;
        Ok(found.map(|found| row(table, &found)))
    }
}

impl<S: DbReadOps + Send + Sync> Read for Reading<S> {
    fn get(&self, table: Table, row: &[u8]) -> Result<Option<Value<'_>>, StoreError> {
        let value = self.threads.answer(self.state.get(key(table, row)))??;
        Ok(value.map(|value| value.to_vec().into()))
    }

    fn get_many(&self, table: Table, rows: &[&[u8]]) -> Result<Vec<Option<Value<'_>>>, StoreError> {
        let mut all = Vec::with_capacity(rows.len());
        for rows in rows.chunks(TOGETHER) {
            let reads = rows.iter().map(|row| self.state.get(key(table, row)));
            let found = stream::iter(reads).buffered(AT_ONCE).try_collect();
            let found: Vec<Option<Bytes>> = self.threads.answer(found)??;
            all.extend(found.into_iter().map(|value| value.map(|value| value.to_vec().into())));
        }
        Ok(all)
    }

    fn range(&self, table: Table, range: Range<'_>, order: Order) -> Result<Rows<'_>, StoreError> {
        let keys = keys(table, range);
        if is_empty((keys.0.as_ref().map(Vec::as_slice), keys.1.as_ref().map(Vec::as_slice))) {
            return Ok(Box::new(std::iter::empty()));
        }
        let mut rows = self.threads.answer(self.scan(keys, order, AHEAD))??;
        Ok(Box::new(std::iter::from_fn(move || {
            let found = self.threads.answer(rows.next()).map_err(StoreError::from);
            let found = found.and_then(|found| Ok(found?)).transpose()?;
            Some(found.map(|found| row(table, &found)))
        })))
    }

    fn newest(
        &self,
        table: Table,
        prefix: &[u8],
        block: u64,
    ) -> Result<Option<Newest<'_>>, StoreError> {
        newest(self.threads.answer(self.newest_of(table, prefix, block))??)
    }

    fn newest_many(
        &self,
        table: Table,
        prefixes: &[&[u8]],
        block: u64,
    ) -> Result<Vec<Option<Newest<'_>>>, StoreError> {
        let mut all = Vec::with_capacity(prefixes.len());
        for prefixes in prefixes.chunks(TOGETHER) {
            let reads = prefixes.iter().map(|prefix| self.newest_of(table, prefix, block));
            let found = stream::iter(reads).buffered(AT_ONCE).try_collect();
            let found: Vec<Option<KeyValue>> = self.threads.answer(found)??;
            for found in found {
                all.push(newest(found)?);
            }
        }
        Ok(all)
    }

    fn versions_many(
        &self,
        table: Table,
        prefixes: &[&[u8]],
        block: u64,
    ) -> Result<Vec<Vec<Version>>, StoreError> {
        let mut all = Vec::with_capacity(prefixes.len());
        for prefixes in prefixes.chunks(TOGETHER) {
            let reads = prefixes.iter().map(|prefix| self.versions_of(table, prefix, block));
            let found = stream::iter(reads).buffered(AT_ONCE).try_collect();
            let found: Vec<Vec<KeyValue>> = self.threads.answer(found)??;
            for rows in found {
                let versions = rows.iter().map(|row| Version::of(&row.key, &row.value));
                all.push(versions.collect::<Result<_, _>>()?);
            }
        }
        Ok(all)
    }

    fn is_far(&self) -> bool {
        true
    }

    fn first(&self, table: Table) -> Result<Option<Row<'_>>, StoreError> {
        self.end(table, Order::Ascending)
    }

    fn last(&self, table: Table) -> Result<Option<Row<'_>>, StoreError> {
        self.end(table, Order::Descending)
    }
}

fn newest<'r>(found: Option<KeyValue>) -> Result<Option<Newest<'r>>, StoreError> {
    found.map_or(Ok(None), |KeyValue { key, value, .. }| Newest::of(&key, value.to_vec().into()))
}

fn row<'r>(table: Table, found: &KeyValue) -> Row<'r> {
    let key = found.key.get(table.0.len() + 1..).unwrap_or_default();
    (key.to_vec().into(), found.value.to_vec().into())
}

impl<S> fmt::Debug for Reading<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Reading").finish_non_exhaustive()
    }
}
