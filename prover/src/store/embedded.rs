//! The engine of a data directory: redb, one file. The only module that names it.
//!
//! A batch is a write transaction, so that what it changes is in the file's pages, however much
//! that is, and not in a copy beside them.

use std::cell::OnceCell;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use redb::backends::InMemoryBackend;
use redb::{
    AccessGuard, Builder, Database, ReadOnlyTable, ReadTransaction, ReadableDatabase as _,
    ReadableTable, TableDefinition, TableError, WriteTransaction,
};

use super::blobs::{Blobs, Directory};
use super::{
    Fate, Newest, Order, Range, Read, Reader, Rows, Store, Table, Value, Write, between, is_empty,
    versions,
};
use crate::error::StoreError;

/// A table of byte strings.
type Bytes = &'static [u8];

/// A part of a page.
pub(super) type Guard<'r> = AccessGuard<'r, Bytes>;

macro_rules! from_redb {
    ($($kind:ident),*) => {$(
        impl From<redb::$kind> for StoreError {
            fn from(error: redb::$kind) -> Self {
                Self::Database(Box::new(redb::Error::from(error)))
            }
        }
    )*};
}
from_redb!(CommitError, CompactionError, DatabaseError, StorageError, TableError, TransactionError);

/// A store in one file, or in memory.
pub struct Embedded {
    database: Database,
    /// Where files beside it are kept.
    directory: PathBuf,
}

impl Embedded {
    /// Opens a file, and makes it if it does not exist.
    ///
    /// * `cache`: most bytes of its pages that stay in memory.
    ///
    /// # Errors
    /// [`StoreError`] if the file cannot be opened.
    pub fn create(file: &Path, cache: usize) -> Result<Self, StoreError> {
        let database = Builder::new().set_cache_size(cache).create(file)?;
        Ok(Self { database, directory: beside(file) })
    }

    /// Opens a file that exists.
    ///
    /// # Errors
    /// [`StoreError`] if the file cannot be opened.
    pub fn open(file: &Path) -> Result<Self, StoreError> {
        Ok(Self { database: Builder::new().open(file)?, directory: beside(file) })
    }

    /// A store that ends with the process. Files beside it go to the working directory.
    ///
    /// # Errors
    /// [`StoreError`] if there is no memory for it.
    pub fn in_memory() -> Result<Self, StoreError> {
        let database = Builder::new().create_with_backend(InMemoryBackend::new())?;
        Ok(Self { database, directory: PathBuf::new() })
    }

    /// A number that a store of an older layout, whose tables were typed, has under a name;
    /// `None` if it is no such store.
    ///
    /// # Errors
    /// [`StoreError`] if the engine fails.
    pub fn typed_number(&self, table: Table, name: &str) -> Result<Option<u64>, StoreError> {
        let typed = TableDefinition::<&str, u64>::new(table.0);
        match self.database.begin_read()?.open_table(typed) {
            Ok(table) => Ok(table.get(name)?.map(|number| number.value())),
            Err(TableError::TableDoesNotExist(_) | TableError::TableTypeMismatch { .. }) => {
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Bytes of all keys and values.
    ///
    /// # Errors
    /// [`StoreError`] if the engine fails.
    pub fn stored_bytes(&self) -> Result<u64, StoreError> {
        let transaction = self.database.begin_write()?;
        let stored = transaction.stats()?.stored_bytes();
        transaction.abort()?;
        Ok(stored)
    }

    /// Gives back room that the file has reserved and does not use.
    ///
    /// # Errors
    /// [`StoreError`] if the engine fails.
    pub fn compact(&mut self) -> Result<(), StoreError> {
        self.database.compact()?;
        Ok(())
    }
}

impl Store for Embedded {
    fn reader(&self) -> Result<Reader, StoreError> {
        let transaction = self.database.begin_read()?;
        Ok(Arc::new(Reading { transaction, tables: OnceLock::new() }))
    }

    fn batch(&self, work: &mut dyn FnMut(&mut dyn Write) -> Fate) -> Result<(), StoreError> {
        let transaction = self.database.begin_write()?;
        let mut batch = Writing { transaction: &transaction, tables: OnceCell::new() };
        let fate = work(&mut batch);
        // A table tells the transaction what it became when it is closed.
        drop(batch);
        match fate {
            Fate::Commit => transaction.commit()?,
            // Dropped, it is given up. An error of that would hide the one that led to it.
            Fate::Abandon => drop(transaction),
        }
        Ok(())
    }

    fn blobs(&self, system: &str) -> Arc<dyn Blobs> {
        Directory::files(&self.directory.join(system))
    }
}

fn beside(file: &Path) -> PathBuf {
    file.parent().map(Path::to_owned).unwrap_or_default()
}

/// A read transaction, with the tables that were asked for.
struct Reading {
    transaction: ReadTransaction,
    tables: OnceLock<Box<Opened>>,
}

/// A table that is open for reading, and those that were opened later. `None` for one that was
/// never written.
struct Opened {
    name: Table,
    table: Option<ReadOnlyTable<Bytes, Bytes>>,
    next: OnceLock<Box<Opened>>,
}

impl Reading {
    fn table(&self, name: Table) -> Result<Option<&ReadOnlyTable<Bytes, Bytes>>, StoreError> {
        let mut place = &self.tables;
        loop {
            if let Some(opened) = place.get() {
                if opened.name == name {
                    return Ok(opened.table.as_ref());
                }
                place = &opened.next;
                continue;
            }
            let table = match self.transaction.open_table(definition(name)) {
                Err(TableError::TableDoesNotExist(_)) => None,
                table => Some(table?),
            };
            // Whoever was faster has opened the same table or another one: then it is looked at
            // again.
            let _ = place.set(Box::new(Opened { name, table, next: OnceLock::new() }));
        }
    }
}

impl Read for Reading {
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Value<'_>>, StoreError> {
        let Some(table) = self.table(table)? else { return Ok(None) };
        Ok(table.get(key)?.map(Value::from))
    }

    fn range(&self, table: Table, range: Range<'_>, order: Order) -> Result<Rows<'_>, StoreError> {
        match self.table(table)? {
            Some(table) => rows(table, range, order),
            None => Ok(Box::new(std::iter::empty())),
        }
    }

    fn newest(
        &self,
        table: Table,
        prefix: &[u8],
        block: u64,
    ) -> Result<Option<Newest<'_>>, StoreError> {
        self.table(table)?.map_or(Ok(None), |table| newest(table, prefix, block))
    }
}

/// A write transaction, with the tables that were asked for.
struct Writing<'t> {
    transaction: &'t WriteTransaction,
    tables: OnceCell<Box<Changed<'t>>>,
}

/// A table that is open for writing, and those that were opened later.
struct Changed<'t> {
    name: Table,
    table: redb::Table<'t, Bytes, Bytes>,
    next: OnceCell<Box<Changed<'t>>>,
}

impl<'t> Changed<'t> {
    /// An open table from `place` on.
    fn find<'p>(
        place: &'p mut OnceCell<Box<Self>>,
        name: Table,
    ) -> Option<&'p mut redb::Table<'t, Bytes, Bytes>> {
        let changed = place.get_mut()?;
        if changed.name == name {
            Some(&mut changed.table)
        } else {
            Self::find(&mut changed.next, name)
        }
    }
}

impl<'t> Writing<'t> {
    fn table(&self, name: Table) -> Result<&redb::Table<'t, Bytes, Bytes>, StoreError> {
        let mut place = &self.tables;
        loop {
            if let Some(changed) = place.get() {
                if changed.name == name {
                    return Ok(&changed.table);
                }
                place = &changed.next;
                continue;
            }
            let table = self.transaction.open_table(definition(name))?;
            let _ = place.set(Box::new(Changed { name, table, next: OnceCell::new() }));
        }
    }

    fn changed(&mut self, name: Table) -> Result<&mut redb::Table<'t, Bytes, Bytes>, StoreError> {
        self.table(name)?;
        let table = Changed::find(&mut self.tables, name);
        table.ok_or(StoreError::Corrupt("a table was not opened"))
    }
}

impl Read for Writing<'_> {
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Value<'_>>, StoreError> {
        Ok(self.table(table)?.get(key)?.map(Value::from))
    }

    fn range(&self, table: Table, range: Range<'_>, order: Order) -> Result<Rows<'_>, StoreError> {
        rows(self.table(table)?, range, order)
    }

    fn newest(
        &self,
        table: Table,
        prefix: &[u8],
        block: u64,
    ) -> Result<Option<Newest<'_>>, StoreError> {
        newest(self.table(table)?, prefix, block)
    }
}

impl Write for Writing<'_> {
    fn put(&mut self, table: Table, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
        self.changed(table)?.insert(key, value)?;
        Ok(())
    }

    fn replace(
        &mut self,
        table: Table,
        key: &[u8],
        value: &[u8],
    ) -> Result<Option<Value<'_>>, StoreError> {
        Ok(self.changed(table)?.insert(key, value)?.map(Value::from))
    }

    fn remove(&mut self, table: Table, key: &[u8]) -> Result<(), StoreError> {
        self.changed(table)?.remove(key)?;
        Ok(())
    }

    fn remove_range(&mut self, table: Table, range: Range<'_>) -> Result<(), StoreError> {
        if !is_empty(range) {
            self.changed(table)?.retain_in::<&[u8], _>(range, |_, _| false)?;
        }
        Ok(())
    }
}

fn definition(table: Table) -> TableDefinition<'static, Bytes, Bytes> {
    TableDefinition::new(table.0)
}

fn newest<'r>(
    table: &'r impl ReadableTable<Bytes, Bytes>,
    prefix: &[u8],
    block: u64,
) -> Result<Option<Newest<'r>>, StoreError> {
    let newest = versions::key(prefix, block);
    let mut range = table.range::<&[u8]>(between(prefix, &newest))?;
    let version = range.next_back().transpose()?;
    version.map_or(Ok(None), |(key, value)| Newest::of(key.value(), value.into()))
}

fn rows<'r>(
    table: &'r impl ReadableTable<Bytes, Bytes>,
    range: Range<'_>,
    order: Order,
) -> Result<Rows<'r>, StoreError> {
    // redb panics at such a range.
    if is_empty(range) {
        return Ok(Box::new(std::iter::empty()));
    }
    let rows = table.range::<&[u8]>(range)?.map(|row| {
        let (key, value) = row?;
        Ok((Value::from(key), Value::from(value)))
    });
    Ok(match order {
        Order::Ascending => Box::new(rows),
        Order::Descending => Box::new(rows.rev()),
    })
}

impl fmt::Debug for Embedded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Embedded").finish_non_exhaustive()
    }
}

impl fmt::Debug for Reading {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Reading").finish_non_exhaustive()
    }
}

impl fmt::Debug for Writing<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Writing").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
