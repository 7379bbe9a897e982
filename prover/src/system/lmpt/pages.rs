//! Pages of nodes in the database: the layers above the snapshot.
//!
//! Nodes are appended, each in one page; a page belongs to one block and is never written again. A
//! place is `page * 2^16 + offset`. Pages leave by number, once no block of the window needs them.

use super::record::PAGES;
use super::tree::stored::{Records, Sink};
use crate::error::StoreError;
use crate::store::{Read, Write};

/// Bytes that fill a page: with its key it fits two pages of the database.
const PAGE_BYTES: usize = 8_000;

/// The first page of a chain. Place 0 names nothing.
pub(super) const FIRST: u64 = 1;

/// Pages that are read.
#[derive(Debug)]
pub(super) struct Pages<'r>(pub(super) &'r dyn Read);

impl Records for Pages<'_> {
    fn record<V>(&self, at: u64, read: impl FnOnce(&[u8]) -> Option<V>) -> Result<V, StoreError> {
        let corrupt = || StoreError::Corrupt("a node of lmpt's layers is missing");
        let page = self.0.get(PAGES, &(at >> 16).to_be_bytes())?.ok_or_else(corrupt)?;
        let offset = usize::try_from(at & 0xffff).map_err(|_| corrupt())?;
        page.get(offset..).and_then(read).ok_or_else(corrupt)
    }
}

/// Appends nodes.
pub(super) struct Appended<'b> {
    batch: &'b mut dyn Write,
    page: u64,
    bytes: Vec<u8>,
}

impl<'b> Appended<'b> {
    /// Begins a page.
    pub(super) fn from(batch: &'b mut dyn Write, page: u64) -> Self {
        Self { batch, page, bytes: Vec::with_capacity(PAGE_BYTES) }
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
            self.batch.put(PAGES, &self.page.to_be_bytes(), &self.bytes)?;
            self.page += 1;
            self.bytes.clear();
        }
        Ok(())
    }
}

impl Sink for Appended<'_> {
    fn put(&mut self, record: &[u8]) -> Result<u64, StoreError> {
        if self.bytes.len() + record.len() > PAGE_BYTES {
            self.turn()?;
        }
        let at = self.page << 16 | self.bytes.len() as u64;
        self.bytes.extend_from_slice(record);
        Ok(at)
    }
}
