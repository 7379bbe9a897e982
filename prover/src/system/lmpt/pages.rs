//! Pages of nodes in the database: the layers above the snapshot.
//!
//! Nodes are appended, each in one page; a page belongs to one block and is never written again. A
//! place is `page * 2^16 + offset`. Pages leave by number, once no block of the window needs them.

use redb::{ReadableTable, Table};

use super::tree::stored::{Records, Sink};
use crate::error::StoreError;
use crate::store::Bytes;

/// Bytes that fill a page: with its key it fits two pages of the database.
const PAGE_BYTES: usize = 8_000;

/// The first page of a chain. Place 0 names nothing.
pub(super) const FIRST: u64 = 1;

/// Pages that are read.
#[derive(Debug)]
pub(super) struct Pages<'t, T>(pub(super) &'t T);

impl<T: ReadableTable<u64, Bytes>> Records for Pages<'_, T> {
    fn record<V>(&self, at: u64, read: impl FnOnce(&[u8]) -> Option<V>) -> Result<V, StoreError> {
        let corrupt = || StoreError::Corrupt("a node of lmpt's layers is missing");
        let page = self.0.get(at >> 16)?.ok_or_else(corrupt)?;
        let offset = usize::try_from(at & 0xffff).map_err(|_| corrupt())?;
        page.value().get(offset..).and_then(read).ok_or_else(corrupt)
    }
}

/// Appends nodes.
pub(super) struct Appended<'t, 'txn> {
    table: &'t mut Table<'txn, u64, Bytes>,
    page: u64,
    bytes: Vec<u8>,
}

impl<'t, 'txn> Appended<'t, 'txn> {
    /// Begins a page.
    pub(super) fn from(table: &'t mut Table<'txn, u64, Bytes>, page: u64) -> Self {
        Self { table, page, bytes: Vec::with_capacity(PAGE_BYTES) }
    }

    /// Ends the page; the number of the next one.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub(super) fn finish(mut self) -> Result<u64, StoreError> {
        self.turn()?;
        Ok(self.page)
    }

    fn turn(&mut self) -> Result<(), StoreError> {
        if !self.bytes.is_empty() {
            self.table.insert(self.page, self.bytes.as_slice())?;
            self.page += 1;
            self.bytes.clear();
        }
        Ok(())
    }
}

impl Sink for Appended<'_, '_> {
    fn put(&mut self, record: &[u8]) -> Result<u64, StoreError> {
        if self.bytes.len() + record.len() > PAGE_BYTES {
            self.turn()?;
        }
        let at = self.page << 16 | self.bytes.len() as u64;
        self.bytes.extend_from_slice(record);
        Ok(at)
    }
}
