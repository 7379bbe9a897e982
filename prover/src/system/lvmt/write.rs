//! Writing what a block made of the rows, and its record.

use std::collections::BTreeMap;

use super::recent::{ROWS, Recent, Seen};
use super::slices;
use crate::error::StoreError;
use crate::store::Write;

/// Bytes of an entry's lengths.
const LENGTHS: usize = 6;

/// Writes rows, none of them empty: late ones to `recent`. Returns the record.
///
/// * `seen`: what stood in some of the late ones.
pub(super) fn write(
    batch: &mut dyn Write,
    recent: &mut Recent,
    written: BTreeMap<Vec<u8>, Vec<u8>>,
    seen: &Seen,
) -> Result<Vec<u8>, StoreError> {
    let count = written.len();
    // Nearly all rows are as long as they were: the record is made where it stays, and never moved.
    let lengths = written.iter().map(|(row, after)| LENGTHS + row.len() + 2 * after.len());
    let start = 8 * (2 + count);
    let mut record = Vec::with_capacity(start + lengths.sum::<usize>());
    record.extend([recent.folded(), count as u64].map(u64::to_be_bytes).concat());
    record.resize(start, 0);
    let mut at = 2;
    let mut push = |row: &[u8], before: &[u8], after: &[u8]| {
        record.extend(u16::try_from(row.len()).unwrap_or(u16::MAX).to_be_bytes());
        record.extend(u32::try_from(before.len()).unwrap_or(u32::MAX).to_be_bytes());
        for part in [row, before, after] {
            record.extend_from_slice(part);
        }
        let end = (record.len() - start) as u64;
        record[8 * at..8 * (at + 1)].copy_from_slice(&end.to_be_bytes());
        at += 1;
    };
    for (row, after) in written {
        let Some(slice) = slices::of(&row) else {
            let before = batch.replace(ROWS, &row, &after)?;
            push(&row, before.as_deref().unwrap_or_default(), &after);
            continue;
        };
        if let Some(seen) = seen.get(&row) {
            push(&row, seen.as_deref().unwrap_or_default(), &after);
        } else if let Some(waiting) = recent.get(&row) {
            push(&row, waiting, &after);
        } else {
            let before = batch.get(ROWS, &row)?;
            push(&row, before.as_deref().unwrap_or_default(), &after);
        }
        recent.replace(slice, row, after);
    }
    Ok(record)
}
