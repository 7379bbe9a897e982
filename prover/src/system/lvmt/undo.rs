//! The state's rows are changed in place; what stood there before is one record a block, as long as a block of the window sees it.
//!
//! A record holds its number of entries, where each one ends, and the entries by ascending row: length of the row, row, and what
//! stood there, which is empty where nothing did. One insertion a block makes it and one removal drops it, however many rows the
//! block wrote; a state of the past is read through the records of all blocks since.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use redb::{AccessGuard, Table};

use crate::error::StoreError;
use crate::trie::store::Bytes;

/// Writes rows, none of them empty. Returns the record of what stood there.
pub(super) fn replace(
    rows: &mut Table<'_, Bytes, Bytes>,
    written: &BTreeMap<Vec<u8>, Vec<u8>>,
) -> Result<Vec<u8>, StoreError> {
    let mut record = (written.len() as u64).to_be_bytes().to_vec();
    let mut entries: Vec<u8> = Vec::new();
    for (row, value) in written {
        let before = rows.insert(row.as_slice(), value.as_slice())?;
        entries.extend(u16::try_from(row.len()).unwrap_or(u16::MAX).to_be_bytes());
        entries.extend(row);
        entries.extend(before.iter().flat_map(AccessGuard::value));
        record.extend((entries.len() as u64).to_be_bytes());
    }
    record.extend(entries);
    Ok(record)
}

/// A row, and what stood there.
type Entry<'a> = (&'a [u8], &'a [u8]);

/// A block's record.
pub(super) struct Undo<'t>(pub(super) AccessGuard<'t, Bytes>);

const CORRUPT: StoreError = StoreError::Corrupt("what stood before a block of lvmt is cut off");

impl Undo<'_> {
    /// What stood in a row; `None` if the block did not write it.
    pub(super) fn before(&self, row: &[u8]) -> Result<Option<&[u8]>, StoreError> {
        let at = self.position(row)?;
        let entry = if at < self.count()? { Some(self.entry(at)?) } else { None };
        Ok(entry.filter(|(found, _)| *found == row).map(|(_, before)| before))
    }

    /// What stood in the rows from one to another.
    pub(super) fn between(&self, first: &[u8], last: &[u8]) -> Result<Vec<Entry<'_>>, StoreError> {
        let mut found = Vec::new();
        for at in self.position(first)?..self.count()? {
            let entry = self.entry(at)?;
            if entry.0 > last {
                break;
            }
            found.push(entry);
        }
        Ok(found)
    }

    /// Number of the first entry whose row is not below `row`.
    fn position(&self, row: &[u8]) -> Result<usize, StoreError> {
        let (mut low, mut high) = (0, self.count()?);
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.entry(middle)?.0.cmp(row) {
                Ordering::Less => low = middle + 1,
                _ => high = middle,
            }
        }
        Ok(low)
    }

    fn count(&self) -> Result<usize, StoreError> {
        number(self.0.value(), 0).ok_or(CORRUPT)
    }

    fn entry(&self, at: usize) -> Result<Entry<'_>, StoreError> {
        let entry = || {
            let record = self.0.value();
            let entries = record.get(8 * (number(record, 0)? + 1)..)?;
            // The number before the first end is the count.
            let start = if at == 0 { 0 } else { number(record, at)? };
            let (length, rest) =
                entries.get(start..number(record, at + 1)?)?.split_first_chunk::<2>()?;
            rest.split_at_checked(usize::from(u16::from_be_bytes(*length)))
        };
        entry().ok_or(CORRUPT)
    }
}

fn number(record: &[u8], at: usize) -> Option<usize> {
    let bytes = record.get(8 * at..)?.first_chunk()?;
    usize::try_from(u64::from_be_bytes(*bytes)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trie::store::{JournalTable, NodeTable};
    use redb::backends::InMemoryBackend;
    use redb::{Database, ReadableTable as _};

    const ROWS: NodeTable = NodeTable::new("rows");
    const UNDO: JournalTable = JournalTable::new("undo");

    fn written(rows: &[(&[u8], &[u8])]) -> BTreeMap<Vec<u8>, Vec<u8>> {
        rows.iter().map(|(row, value)| (row.to_vec(), value.to_vec())).collect()
    }

    #[test]
    fn a_record_has_what_stood_in_the_rows_of_its_block_and_in_no_other() {
        let database = Database::builder().create_with_backend(InMemoryBackend::new()).unwrap();
        let transaction = database.begin_write().unwrap();
        let mut rows = transaction.open_table(ROWS).unwrap();
        let mut undo = transaction.open_table(UNDO).unwrap();
        for (block, written) in [
            written(&[(b"a", b"1"), (b"cc", b"2"), (b"e", b"3")]),
            written(&[(b"b", b"4"), (b"cc", b"55"), (b"e", b"6")]),
            written(&[]),
        ]
        .iter()
        .enumerate()
        {
            let record = replace(&mut rows, written).unwrap();
            undo.insert(block as u64, record.as_slice()).unwrap();
        }
        let of = |block: u64| Undo(undo.get(block).unwrap().unwrap());
        let second = of(1);
        let before = |row: &[u8]| second.before(row).unwrap();
        assert_eq!(
            ["a", "b", "c", "cc", "d", "e", "f"].map(|row| before(row.as_bytes())),
            [None, Some(b"".as_slice()), None, Some(b"2"), None, Some(b"3"), None]
        );
        let between = second.between(b"c", b"e").unwrap();
        assert_eq!(between, [(b"cc".as_slice(), b"2".as_slice()), (b"e", b"3")]);
        assert!(second.between(b"cd", b"d").unwrap().is_empty());
        assert_eq!(of(0).before(b"a").unwrap(), Some(b"".as_slice()));
        assert_eq!(of(2).before(b"a").unwrap(), None);
    }

    #[test]
    fn a_record_that_is_cut_off_is_corrupt() {
        let database = Database::builder().create_with_backend(InMemoryBackend::new()).unwrap();
        let transaction = database.begin_write().unwrap();
        let mut rows = transaction.open_table(ROWS).unwrap();
        let record = replace(&mut rows, &written(&[(b"a", b"1")])).unwrap();
        let mut undo = transaction.open_table(UNDO).unwrap();
        for length in 0..record.len() {
            undo.insert(0, &record[..length]).unwrap();
            let cut = Undo(undo.get(0).unwrap().unwrap());
            assert!(cut.before(b"a").is_err(), "{length}");
            drop(cut);
        }
    }
}
