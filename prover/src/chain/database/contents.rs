//! What the blocks of a followed chain are made of: kept within the window, found by number, origin
//! and transaction.

use crate::chain::source::Content;
use crate::error::StoreError;
use crate::hash::Word;
use crate::store::{self, Read, Table, Write};

const CONTENTS: Table = Table("contents");
/// Origins of the blocks in `CONTENTS`.
const ORIGINS: Table = Table("origins");
/// Hashes of a block's transactions, one after the other, and behind them the block's origin.
const HASHES: Table = Table("content hashes");
/// Which block holds a transaction.
const TRANSACTIONS: Table = Table("transactions");

/// Keeps the content of block `number`, and drops that of the block which leaves the window.
pub(super) fn keep(
    batch: &mut dyn Write,
    number: u64,
    origin: &Word,
    content: &Content,
    window: u64,
) -> Result<(), StoreError> {
    if let Some(old) = number.checked_sub(window) {
        drop_one(batch, old)?;
    }
    let (key, Content { bytes, transactions }) = (number.to_be_bytes(), content);
    batch.put(CONTENTS, &key, bytes)?;
    batch.put(ORIGINS, origin, &key)?;
    let mut hashes = transactions.concat();
    hashes.extend_from_slice(origin);
    batch.put(HASHES, &key, &hashes)?;
    transactions.iter().try_for_each(|hash| batch.put(TRANSACTIONS, hash, &key))
}

fn drop_one(batch: &mut dyn Write, number: u64) -> Result<(), StoreError> {
    let key = number.to_be_bytes();
    let Some(hashes) = batch.get(HASHES, &key)?.map(|hashes| hashes.to_vec()) else {
        return Ok(());
    };
    batch.remove(HASHES, &key)?;
    batch.remove(CONTENTS, &key)?;
    let mut hashes: Vec<_> = hashes.chunks(32).collect();
    if let Some(origin) = hashes.pop() {
        batch.remove(ORIGINS, origin)?;
    }
    hashes.into_iter().try_for_each(|hash| batch.remove(TRANSACTIONS, hash))
}

/// The content of a block, `None` if none is kept.
pub(super) fn content(store: &dyn Read, number: u64) -> Result<Option<Vec<u8>>, StoreError> {
    Ok(store.get(CONTENTS, &number.to_be_bytes())?.map(|bytes| bytes.to_vec()))
}

/// The block with this origin, `None` if no content of it is kept.
pub(super) fn number_of(store: &dyn Read, origin: &Word) -> Result<Option<u64>, StoreError> {
    store.get(ORIGINS, origin)?.map(|number| store::number(&number)).transpose()
}

/// The block that holds a transaction, and its position there.
pub(super) fn transaction(
    store: &dyn Read,
    hash: &Word,
) -> Result<Option<(u64, usize)>, StoreError> {
    let Some(number) = store.get(TRANSACTIONS, hash)? else { return Ok(None) };
    let hashes = store.get(HASHES, &number)?;
    let hashes = hashes.ok_or(StoreError::Corrupt("a block's hashes are missing"))?;
    let Some(position) = hashes.chunks(32).position(|one| one == hash) else { return Ok(None) };
    Ok(Some((store::number(&number)?, position)))
}
