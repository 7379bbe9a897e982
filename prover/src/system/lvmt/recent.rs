//! What was written last, and is not in its table yet.
//!
//! A block of random keys changes rows that lie far apart, and each one costs the database a page.
//! So the rows below the root AMT's leaves are written late. A block's [`record`](super::record)
//! holds what it made of them, and every block brings one of their [`slices`] up to date, all of
//! them in turn: a page that is written takes what 64 blocks changed in it.
//!
//! Tables and records are the state, and both change in the block's one transaction; this is a copy
//! of what only records hold, as they were after one block, and made again from them wherever
//! another block is read. It has at most [`LIMIT`] bytes and what one block writes: above that a
//! block brings more slices up to date.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound::Included;
use std::sync::Arc;

use super::record::{RECORDS, Record};
use super::slices::{self, SLICES};
use crate::error::StoreError;
use crate::hash::Word;
use crate::store::{self, ALL, Order, Read, Table, Write};

/// 0 → the newest block's [`Stamp`].
pub(super) const NEWEST: Table = Table("lvmt/newest");
/// The only key of [`NEWEST`].
const NUMBER: [u8; 8] = [0; 8];
/// Leaves, commitments and values.
pub(super) const ROWS: Table = Table("lvmt/rows");

/// Bytes of rows that wait, as [`bytes`] counts them.
pub(super) const LIMIT: usize = 24 * 1024 * 1024;

/// Rows that wait, of one slice. Readers share it.
type Slice = BTreeMap<Vec<u8>, Vec<u8>>;

/// What stood in rows, `None` where nothing did.
pub(super) type Seen = HashMap<Vec<u8>, Option<Vec<u8>>>;

/// Which state a transaction sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Stamp {
    block: u64,
    /// Slices brought up to date so far, all times of each counted.
    folded: u64,
    /// Root of the block's tuples.
    mroot: Word,
}

impl Stamp {
    /// `None` before the first block.
    pub(super) fn read(store: &dyn Read) -> Result<Option<Self>, StoreError> {
        let Some(bytes) = store.get(NEWEST, &NUMBER)? else { return Ok(None) };
        let stamp = || {
            let (block, rest) = bytes.split_first_chunk()?;
            let (folded, mroot) = rest.split_first_chunk()?;
            let [block, folded] = [*block, *folded].map(u64::from_be_bytes);
            Some(Self { block, folded, mroot: mroot.try_into().ok()? })
        };
        stamp().map(Some).ok_or(StoreError::Corrupt("the newest block of lvmt is none"))
    }
}

/// The rows that wait after a block.
#[derive(Clone, Debug)]
pub(super) struct Recent {
    limit: usize,
    /// Of the block; `None` before the first one.
    pub(super) stamp: Option<Stamp>,
    /// Slices brought up to date so far.
    folded: u64,
    bytes: usize,
    slices: Vec<Arc<Slice>>,
}

impl Recent {
    /// Those of the state that a transaction sees.
    ///
    /// * `limit`: of bytes.
    pub(super) fn of(
        limit: usize,
        stamp: Option<Stamp>,
        store: &dyn Read,
    ) -> Result<Self, StoreError> {
        let slices = vec![Arc::default(); SLICES];
        let folded = stamp.map_or(0, |stamp| stamp.folded);
        let mut recent = Self { limit, stamp, folded, bytes: 0, slices };
        for record in store.range(RECORDS, ALL, Order::Descending)? {
            let record = Record(record?.1);
            let since = folded.saturating_sub(record.folded()?);
            if since >= SLICES as u64 {
                break;
            }
            let first = next(record.folded()?);
            for (row, _, after) in record.entries()? {
                let Some(slice) = slices::of(row) else { continue };
                // Slices between that one and the first after the record were brought up to date.
                let between = (slice + SLICES - first) % SLICES;
                // The newest record comes first.
                if between as u64 >= since && !recent.slices[slice].contains_key(row) {
                    recent.replace(slice, row.to_vec(), after.to_vec());
                }
            }
        }
        Ok(recent)
    }

    /// What stands in a row, if it waits.
    pub(super) fn get(&self, row: &[u8]) -> Option<&[u8]> {
        self.slices[slices::of(row)?].get(row).map(Vec::as_slice)
    }

    /// The rows that wait from one to another of a slice.
    pub(super) fn between(
        &self,
        first: &[u8],
        last: &[u8],
    ) -> impl Iterator<Item = (&[u8], &[u8])> {
        let slice = slices::of(first).map(|slice| &self.slices[slice]);
        let rows = slice.map(|slice| slice.range::<[u8], _>((Included(first), Included(last))));
        rows.into_iter().flatten().map(|(row, value)| (row.as_slice(), value.as_slice()))
    }

    /// Lets a row wait. Returns what waited there.
    pub(super) fn replace(
        &mut self,
        slice: usize,
        row: Vec<u8>,
        value: Vec<u8>,
    ) -> Option<Vec<u8>> {
        let (own, value_bytes) = (bytes(&row, &value), value.len());
        let before = Arc::make_mut(&mut self.slices[slice]).insert(row, value);
        match &before {
            Some(before) => self.bytes = self.bytes + value_bytes - before.len(),
            None => self.bytes += own,
        }
        before
    }

    /// Brings the next slice up to date, and more as long as too much waits.
    pub(super) fn fold(&mut self, batch: &mut dyn Write) -> Result<(), StoreError> {
        loop {
            let number = next(self.folded);
            let slice = std::mem::take(&mut self.slices[number]);
            slices::update(batch, number, slice.iter())?;
            for (row, value) in &*slice {
                batch.put(ROWS, row, value)?;
                self.bytes -= bytes(row, value);
            }
            self.folded += 1;
            if self.bytes <= self.limit {
                return Ok(());
            }
        }
    }

    /// Slices brought up to date so far.
    pub(super) fn folded(&self) -> u64 {
        self.folded
    }

    /// Drops records up to the one of a block, as far as all that they hold is in the table.
    pub(super) fn forget(&self, batch: &mut dyn Write, last: u64) -> Result<(), StoreError> {
        while let Some(first) = self.needless(&*batch, last)? {
            batch.remove(RECORDS, &first.to_be_bytes())?;
        }
        Ok(())
    }

    /// The oldest record, if it can be dropped.
    fn needless(&self, store: &dyn Read, last: u64) -> Result<Option<u64>, StoreError> {
        let Some((first, record)) = store.first(RECORDS)? else { return Ok(None) };
        let first = store::number(&first)?;
        let since = self.folded.saturating_sub(Record(record).folded()?);
        Ok((first <= last && since >= SLICES as u64).then_some(first))
    }

    /// These are the rows after a block.
    pub(super) fn stamp(
        &mut self,
        batch: &mut dyn Write,
        block: u64,
        mroot: Word,
    ) -> Result<(), StoreError> {
        let numbers = [block, self.folded].map(u64::to_be_bytes);
        batch.put(NEWEST, &NUMBER, &[numbers.as_flattened(), &mroot].concat())?;
        self.stamp = Some(Stamp { block, folded: self.folded, mroot });
        Ok(())
    }
}

/// The slice that comes next, once so many were brought up to date.
fn next(folded: u64) -> usize {
    usize::try_from(folded % SLICES as u64).unwrap_or(0)
}

/// Bytes of memory that a row takes: its own, two vectors', a map's and an allocator's.
fn bytes(row: &[u8], value: &[u8]) -> usize {
    row.len() + value.len() + 112
}

#[cfg(test)]
mod tests {
    use super::super::write::write;
    use super::*;
    use crate::rng::Rng;
    use crate::store::embedded::Embedded;

    fn random(rng: &mut Rng) -> BTreeMap<Vec<u8>, Vec<u8>> {
        let mut number = |below| u8::try_from(rng.below(below)).unwrap();
        let mut rows = BTreeMap::new();
        for _ in 0..number(12) {
            // A few of them are not late.
            let row = vec![2 - u8::from(number(8) == 0), number(2), number(256), number(3)];
            rows.insert(row, vec![number(256); usize::from(1 + number(5))]);
        }
        rows
    }

    /// Blocks of random rows, held against a plain map. How many rows waited, at most, after a
    /// slice was brought up to date.
    fn run(limit: usize) -> usize {
        let database = Embedded::in_memory().unwrap();
        store::write(&database, |batch| Ok::<_, StoreError>(blocks(batch, limit))).unwrap()
    }

    fn blocks(batch: &mut dyn Write, limit: usize) -> usize {
        let mut recent = Recent::of(limit, None, &*batch).unwrap();
        let (mut rng, mut model, mut most) = (Rng::new(1, "recent", 0), BTreeMap::new(), 0);
        for block in 0..200 {
            recent.fold(batch).unwrap();
            assert!(recent.bytes <= limit);
            most = most.max(recent.slices.iter().map(|slice| slice.len()).sum());
            let written = random(&mut rng);
            model.extend(written.clone());
            let record = write(batch, &mut recent, written, &Seen::new()).unwrap();
            batch.put(RECORDS, &u64::to_be_bytes(block), &record).unwrap();
            recent.stamp(batch, block, [7; 32]).unwrap();
            recent.forget(batch, block).unwrap();
            let again = Recent::of(limit, Stamp::read(&*batch).unwrap(), &*batch).unwrap();
            assert_eq!((&again.slices, again.bytes), (&recent.slices, recent.bytes), "{block}");
            assert_eq!((again.stamp, again.folded), (recent.stamp, recent.folded));
            for (row, value) in &model {
                let stored = batch.get(ROWS, row).unwrap();
                let found = recent.get(row).or(stored.as_deref());
                assert_eq!(found, Some(value.as_slice()));
            }
        }
        let records = batch.range(RECORDS, ALL, Order::Ascending).unwrap();
        assert!(records.count() <= SLICES);
        most
    }

    #[test]
    fn rows_are_found_wherever_they_wait_and_again_from_the_records() {
        assert!(run(LIMIT) > 100);
    }

    #[test]
    fn more_slices_are_brought_up_to_date_where_too_much_waits() {
        assert!((1..20).contains(&run(2_000)));
        assert_eq!(run(0), 0);
    }
}
