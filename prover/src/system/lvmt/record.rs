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

use crate::error::StoreError;
use crate::store::{Table, Value};

/// Block → what its rows were before, and what they became.
pub(super) const RECORDS: Table = Table("lvmt/records");

/// A row, what stood there before, and what stood there then.
type Entry<'a> = (&'a [u8], &'a [u8], &'a [u8]);

/// A block's record.
pub(super) struct Record<'r>(pub(super) Value<'r>);

const CORRUPT: StoreError =
    StoreError::Corrupt("a record of what a block of lvmt wrote is cut off");

impl Record<'_> {
    /// Slices that were up to date when the block began to write.
    pub(super) fn folded(&self) -> Result<u64, StoreError> {
        number(&self.0, 0).map(|folded| folded as u64).ok_or(CORRUPT)
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
        number(&self.0, 1).ok_or(CORRUPT)
    }

    fn entry(&self, at: usize) -> Result<Entry<'_>, StoreError> {
        let entry = || {
            let record: &[u8] = &self.0;
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

    use super::super::recent::{ROWS, Recent, Seen};
    use super::super::write::write;
    use super::*;
    use crate::store::embedded::Embedded;
    use crate::store::{self, Store as _};

    fn written(rows: &[(&[u8], &[u8])]) -> BTreeMap<Vec<u8>, Vec<u8>> {
        rows.iter().map(|(row, value)| (row.to_vec(), value.to_vec())).collect()
    }

    #[test]
    fn a_record_has_what_its_block_made_of_rows_late_or_not() {
        let database = Embedded::in_memory().unwrap();
        // Late ones begin with 2.
        let (late, later) = ([2, 0, 9, 1].as_slice(), [2, 0, 9, 1, 0].as_slice());
        let blocks = [
            written(&[(&[1], b"1"), (late, b"2"), (&[3], b"3")]),
            written(&[(&[1, 1], b"4"), (late, b"55"), (later, b"6"), (&[3], b"7")]),
            written(&[]),
        ];
        store::write(&database, |batch| {
            let mut recent = Recent::of(0, None, &*batch)?;
            for (block, written) in (0_u64..).zip(blocks) {
                let record = write(batch, &mut recent, written, &Seen::new())?;
                batch.put(RECORDS, &block.to_be_bytes(), &record)?;
            }
            Ok::<_, StoreError>(())
        })
        .unwrap();
        let reader = database.reader().unwrap();
        let of = |block: u64| Record(reader.get(RECORDS, &block.to_be_bytes()).unwrap().unwrap());
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
        assert!(reader.get(ROWS, late).unwrap().is_none());
        assert!(reader.get(ROWS, &[3]).unwrap().is_some());
    }

    #[test]
    fn a_record_that_is_cut_off_is_corrupt() {
        let database = Embedded::in_memory().unwrap();
        let record = store::write(&database, |batch| {
            let mut recent = Recent::of(0, None, &*batch)?;
            write(batch, &mut recent, written(&[(b"a", b"")]), &Seen::new())
        });
        let record = record.unwrap();
        for length in 0..record.len() {
            let cut = Record(record[..length].to_vec().into());
            assert!(cut.before(b"a").is_err() && cut.entries().is_err(), "{length}");
        }
    }
}
