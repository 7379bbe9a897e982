//! What the blocks of a followed chain are made of: kept within the window, found by number, origin
//! and transaction.

use redb::{ReadTransaction, TableDefinition, TableError, WriteTransaction};

use crate::chain::source::Content;
use crate::error::StoreError;
use crate::hash::Word;
use crate::store::Bytes;

const CONTENTS: TableDefinition<'static, u64, Bytes> = TableDefinition::new("contents");
/// Origins of the blocks in `CONTENTS`.
const ORIGINS: TableDefinition<'static, Bytes, u64> = TableDefinition::new("origins");
/// Hashes of a block's transactions, one after the other, and behind them the block's origin.
const HASHES: TableDefinition<'static, u64, Bytes> = TableDefinition::new("content hashes");
/// Which block holds a transaction.
const TRANSACTIONS: TableDefinition<'static, Bytes, u64> = TableDefinition::new("transactions");

/// Keeps the content of block `number`, and drops that of the block which leaves the window.
pub(super) fn keep(
    transaction: &WriteTransaction,
    number: u64,
    origin: &Word,
    content: &Content,
    window: u64,
) -> Result<(), StoreError> {
    if let Some(old) = number.checked_sub(window) {
        drop_one(transaction, old)?;
    }
    let Content { bytes, transactions } = content;
    transaction.open_table(CONTENTS)?.insert(number, bytes.as_slice())?;
    transaction.open_table(ORIGINS)?.insert(origin.as_slice(), number)?;
    let mut hashes = transactions.concat();
    hashes.extend_from_slice(origin);
    transaction.open_table(HASHES)?.insert(number, hashes.as_slice())?;
    let mut table = transaction.open_table(TRANSACTIONS)?;
    for hash in transactions {
        table.insert(hash.as_slice(), number)?;
    }
    Ok(())
}

fn drop_one(transaction: &WriteTransaction, number: u64) -> Result<(), StoreError> {
    let mut table = transaction.open_table(HASHES)?;
    let Some(hashes) = table.remove(number)?.map(|hashes| hashes.value().to_vec()) else {
        return Ok(());
    };
    transaction.open_table(CONTENTS)?.remove(number)?;
    let mut hashes: Vec<_> = hashes.chunks(32).collect();
    if let Some(origin) = hashes.pop() {
        transaction.open_table(ORIGINS)?.remove(origin)?;
    }
    let mut table = transaction.open_table(TRANSACTIONS)?;
    for hash in hashes {
        table.remove(hash)?;
    }
    Ok(())
}

/// The content of a block, `None` if none is kept.
pub(super) fn content(
    transaction: &ReadTransaction,
    number: u64,
) -> Result<Option<Vec<u8>>, StoreError> {
    let Some(table) = absent(transaction.open_table(CONTENTS))? else { return Ok(None) };
    Ok(table.get(number)?.map(|bytes| bytes.value().to_vec()))
}

/// The block with this origin, `None` if no content of it is kept.
pub(super) fn number_of(
    transaction: &ReadTransaction,
    origin: &Word,
) -> Result<Option<u64>, StoreError> {
    let Some(table) = absent(transaction.open_table(ORIGINS))? else { return Ok(None) };
    Ok(table.get(origin.as_slice())?.map(|number| number.value()))
}

/// The block that holds a transaction, and its position there.
pub(super) fn transaction(
    transaction: &ReadTransaction,
    hash: &Word,
) -> Result<Option<(u64, usize)>, StoreError> {
    let Some(table) = absent(transaction.open_table(TRANSACTIONS))? else { return Ok(None) };
    let Some(number) = table.get(hash.as_slice())?.map(|number| number.value()) else {
        return Ok(None);
    };
    let hashes = transaction.open_table(HASHES)?.get(number)?;
    let hashes = hashes.ok_or(StoreError::Corrupt("a block's hashes are missing"))?;
    let position = hashes.value().chunks(32).position(|one| one == hash);
    Ok(position.map(|position| (number, position)))
}

/// Chains that follow no other have no such tables.
fn absent<T>(table: Result<T, TableError>) -> Result<Option<T>, StoreError> {
    match table {
        Ok(table) => Ok(Some(table)),
        Err(TableError::TableDoesNotExist(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
