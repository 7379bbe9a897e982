//! One record a block: the rows that it wrote, what stood there before, and what stood there then.
//!
//! A state of the past is read through the records of all blocks since, as long as a block of the
//! window sees it. The newest state is read through what [`recent`](super::recent) makes of the
//! last ones.
//!
//! Three kinds of numbers of 8 bytes come first: how many slices were up to date when the block
//! began to write, how many entries there are, and where each one ends. Entries ascend by row:
//! lengths of the row (2 bytes) and of what stood there before (4 bytes), the row, what stood
//! there, which is empty where nothing did, and what stood there then. One insertion a block makes
//! a record and one removal drops it, however many rows the block wrote.

use std::cmp::Ordering;

use redb::AccessGuard;

use crate::error::StoreError;
use crate::store::Bytes;

/// A row, what stood there before, and what stood there then.
type Entry<'a> = (&'a [u8], &'a [u8], &'a [u8]);

/// A block's record.
pub(super) struct Record<'t>(pub(super) AccessGuard<'t, Bytes>);

const CORRUPT: StoreError =
    StoreError::Corrupt("a record of what a block of lvmt wrote is cut off");

impl Record<'_> {
    /// Slices that were up to date when the block began to write.
    pub(super) fn folded(&self) -> Result<u64, StoreError> {
        number(self.0.value(), 0).map(|folded| folded as u64).ok_or(CORRUPT)
    }

    /// All that the block wrote, by ascending row.
    pub(super) fn entries(&self) -> Result<Vec<Entry<'_>>, StoreError> {
        (0..self.count()?).map(|at| self.entry(at)).collect()
    }

    /// What stood in a row; `None` if the block did not write it.
    pub(super) fn before(&self, row: &[u8]) -> Result<Option<&[u8]>, StoreError> {
        let at = self.position(row)?;
        let entry = if at < self.count()? { Some(self.entry(at)?) } else { None };
        Ok(entry.filter(|(found, _, _)| *found == row).map(|(_, before, _)| before))
    }

    /// What the block made of the rows from one to another.
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
        number(self.0.value(), 1).ok_or(CORRUPT)
    }

    fn entry(&self, at: usize) -> Result<Entry<'_>, StoreError> {
        let entry = || {
            let record = self.0.value();
            let entries = record.get(8 * (number(record, 1)? + 2)..)?;
            // The number before the first end is the count.
            let start = if at == 0 { 0 } else { number(record, at + 1)? };
            let entry = entries.get(start..number(record, at + 2)?)?;
            let (row, rest) = entry.split_first_chunk()?;
            let (before, rest) = rest.split_first_chunk()?;
            let before = usize::try_from(u32::from_be_bytes(*before)).ok()?;
            let (row, rest) = rest.split_at_checked(usize::from(u16::from_be_bytes(*row)))?;
            let (before, after) = rest.split_at_checked(before)?;
            Some((row, before, after))
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
    use std::collections::BTreeMap;

    use super::super::recent::{Recent, Seen};
    use super::super::write::write;
    use super::*;
    use crate::store::{JournalTable, NodeTable};
    use redb::backends::InMemoryBackend;
    use redb::{Database, ReadableTable as _};

    const ROWS: NodeTable = NodeTable::new("rows");
    const RECORDS: JournalTable = JournalTable::new("records");

    fn written(rows: &[(&[u8], &[u8])]) -> BTreeMap<Vec<u8>, Vec<u8>> {
        rows.iter().map(|(row, value)| (row.to_vec(), value.to_vec())).collect()
    }

    #[test]
    fn a_record_has_what_its_block_made_of_rows_late_or_not() {
        let database = Database::builder().create_with_backend(InMemoryBackend::new()).unwrap();
        let transaction = database.begin_write().unwrap();
        let mut rows = transaction.open_table(ROWS).unwrap();
        let mut records = transaction.open_table(RECORDS).unwrap();
        let mut recent = Recent::of((16, 0), None, &records).unwrap();
        // Late ones begin with 2.
        let (late, later) = ([2, 0, 9, 1].as_slice(), [2, 0, 9, 1, 0].as_slice());
        for (block, written) in [
            written(&[(&[1], b"1"), (late, b"2"), (&[3], b"3")]),
            written(&[(&[1, 1], b"4"), (late, b"55"), (later, b"6"), (&[3], b"7")]),
            written(&[]),
        ]
        .into_iter()
        .enumerate()
        {
            let record = write(&mut rows, &mut recent, written, &Seen::new()).unwrap();
            records.insert(block as u64, record.as_slice()).unwrap();
        }
        let of = |block: u64| Record(records.get(block).unwrap().unwrap());
        let second = of(1);
        let none = b"".as_slice();
        let before = |row| second.before(row).unwrap();
        assert_eq!(
            [&[0][..], &[1], &[1, 1], late, later, &[2, 9], &[3], &[4]].map(before),
            [None, None, Some(none), Some(b"2"), Some(none), None, Some(b"3"), None]
        );
        let between: [(&[u8], &[u8], &[u8]); 2] = [(late, b"2", b"55"), (later, b"", b"6")];
        assert_eq!(second.between(&[2], &[2, 9]).unwrap(), between);
        assert!(second.between(&[2, 9], &[2, 10]).unwrap().is_empty());
        let after = second.entries().unwrap().into_iter().map(|(row, _, after)| (row, after));
        let expected: [(&[u8], &[u8]); 4] =
            [(&[1, 1], b"4"), (late, b"55"), (later, b"6"), (&[3], b"7")];
        assert!(after.eq(expected));
        assert_eq!(of(0).before(&[1]).unwrap(), Some(none));
        assert_eq!(of(2).before(&[1]).unwrap(), None);
        // What comes late is not in the table.
        assert!(rows.get(late).unwrap().is_none() && rows.get([3].as_slice()).unwrap().is_some());
    }

    #[test]
    fn a_record_that_is_cut_off_is_corrupt() {
        let database = Database::builder().create_with_backend(InMemoryBackend::new()).unwrap();
        let transaction = database.begin_write().unwrap();
        let mut rows = transaction.open_table(ROWS).unwrap();
        let mut records = transaction.open_table(RECORDS).unwrap();
        let mut recent = Recent::of((16, 0), None, &records).unwrap();
        let record = write(&mut rows, &mut recent, written(&[(b"a", b"")]), &Seen::new()).unwrap();
        for length in 0..record.len() {
            records.insert(0, &record[..length]).unwrap();
            let cut = Record(records.get(0).unwrap().unwrap());
            assert!(cut.before(b"a").is_err() && cut.entries().is_err(), "{length}");
            drop(cut);
        }
    }
}
