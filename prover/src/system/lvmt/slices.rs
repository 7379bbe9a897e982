//! The 64 slices of the rows below the root AMT's leaves: of leaves whose numbers have the same
//! six low bits, and so lie below one node of the proof tree.
//!
//! The rows of a slice stand together in their table. An opening sums the leaves of a node, and
//! theirs lie far apart among the rows of keys; so the versions of a slice's leaves are kept once
//! more, in one row of their own.

use std::collections::BTreeMap;

use super::amt::Versions;
use crate::error::StoreError;
use crate::store::{Read, Table, Write};

/// Slice → versions of its leaves that were brought up to date, up to the last one that is not
/// zero.
const LEAVES: Table = Table("lvmt/leaves");

/// How many slices there are.
pub(super) const SLICES: usize = 64;

/// log2 of [`SLICES`].
const BITS: u8 = 6;

/// First byte of the rows that stand in slices; the slice and the leaf's number in it follow.
const SLICED: u8 = 2;

/// Bytes of a leaf's versions.
pub(super) const VERSIONS: usize = 30;

/// Prefix of rows of one kind below a leaf of the root AMT: 0 is the leaf, 1 a key, more a level.
pub(super) fn below(leaf: u32, kind: u8) -> [u8; 4] {
    let number = (leaf % 64) << 10 | leaf >> BITS;
    let [high, low] = u16::try_from(number).unwrap_or(u16::MAX).to_be_bytes();
    [SLICED, high, low, kind]
}

/// Which slice a row is in; `None` if it is in none.
pub(super) fn of(row: &[u8]) -> Option<usize> {
    let [SLICED, high, _, _, ..] = row else { return None };
    Some(usize::from(high >> 2))
}

/// The leaf of the root AMT that a row is.
pub(super) fn leaf(row: &[u8]) -> Option<u32> {
    let [SLICED, high, low, 0] = *row else { return None };
    let number = u32::from(u16::from_be_bytes([high, low]));
    Some((number & 1023) << BITS | number >> 10)
}

/// The slices that have leaves of a node of the proof tree.
pub(super) fn under((depth, residue): (u8, u32)) -> impl Iterator<Item = u8> {
    let mask = (1 << depth.min(BITS)) - 1;
    (0..64).filter(move |slice| (u32::from(*slice) ^ residue) & mask == 0)
}

/// Two rows between which all leaves of a slice stand.
pub(super) fn bounds(slice: u8) -> [[u8; 4]; 2] {
    let leaf = u32::from(slice);
    [below(leaf, 0), below(1023 << BITS | leaf, u8::MAX)]
}

/// Leaves of slices that are not zero, as they are in the table.
pub(super) fn leaves(
    store: &dyn Read,
    slices: &[u8],
) -> Result<BTreeMap<u32, Versions>, StoreError> {
    let keys: Vec<&[u8]> = slices.chunks(1).collect();
    let mut leaves = BTreeMap::new();
    for (slice, row) in slices.iter().zip(store.get_many(LEAVES, &keys)?) {
        let row = row.as_deref().unwrap_or_default();
        let numbers = (u32::from(*slice)..).step_by(SLICES);
        let versions = row.chunks(VERSIONS).map(decode);
        leaves.extend(numbers.zip(versions).filter(|(_, versions)| *versions != [0; 6]));
    }
    Ok(leaves)
}

/// Brings the leaves of a slice up to date.
///
/// * `rows`: of the slice, and what stands there.
pub(super) fn update<'r>(
    batch: &mut dyn Write,
    slice: usize,
    rows: impl Iterator<Item = (&'r Vec<u8>, &'r Vec<u8>)>,
) -> Result<(), StoreError> {
    let leaves = rows.filter_map(|(row, value)| Some((leaf(row)?, value.get(..VERSIONS)?)));
    let mut leaves = leaves.peekable();
    if leaves.peek().is_none() {
        return Ok(());
    }
    let key = [u8::try_from(slice).unwrap_or(u8::MAX)];
    let mut all = batch.get(LEAVES, &key)?.map(|row| row.to_vec()).unwrap_or_default();
    for (leaf, versions) in leaves {
        let start = (leaf >> BITS) as usize * VERSIONS;
        let end = start + VERSIONS;
        all.resize(all.len().max(end), 0);
        all[start..end].copy_from_slice(versions);
    }
    batch.put(LEAVES, &key, &all)
}

/// A leaf's versions as they are stored.
pub(super) fn encode(versions: &Versions) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(VERSIONS);
    for version in versions.iter().rev() {
        bytes.extend_from_slice(&version.to_be_bytes()[3..]);
    }
    bytes
}

/// The versions at the start of a leaf's row.
pub(super) fn decode(bytes: &[u8]) -> Versions {
    let mut versions = Versions::default();
    for (version, digits) in versions.iter_mut().rev().zip(bytes.chunks(5)) {
        *version = digits.iter().fold(0, |sum, digit| sum << 8 | u64::from(*digit));
    }
    versions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::embedded::Embedded;
    use crate::store::{self, Store as _};

    #[test]
    fn a_row_tells_its_slice_and_its_leaf() {
        for number in [0, 1, 63, 64, 65, 0x1234, 0xffff] {
            let row = below(number, 0);
            assert_eq!((of(&row), leaf(&row)), (Some(number as usize % SLICES), Some(number)));
            let [first, last] = bounds(u8::try_from(number % 64).unwrap());
            for kind in [0, 1, 7, 255] {
                assert!((first..=last).contains(&below(number, kind)), "{number}");
            }
        }
        // A key below a leaf, a node of the proof tree.
        assert_eq!(
            (leaf(&below(9, 1)), leaf(&[1, 0, 0, 0]), of(&[1, 0, 0, 0])),
            (None, None, None)
        );
    }

    #[test]
    fn a_node_has_the_slices_of_its_residue() {
        let under = |depth, residue| under((depth, residue)).collect::<Vec<_>>();
        assert_eq!(under(0, 0).len(), SLICES);
        assert_eq!(under(4, 3), [3, 19, 35, 51]);
        assert_eq!((under(6, 63), under(9, 64 + 5)), (vec![63], vec![5]));
    }

    #[test]
    fn leaves_of_a_slice_stand_in_one_row() {
        let database = Embedded::in_memory().unwrap();
        let row = |number, version: u64| (below(number, 0).to_vec(), encode(&[version; 6]));
        let of = |rows: [(Vec<u8>, Vec<u8>); 2]| {
            store::write(&database, |batch| {
                update(batch, 5, rows.iter().map(|(row, value)| (row, value)))
            })
        };
        of([row(64 + 5, 1), row(64 * 3 + 5, 2)]).unwrap();
        let key = (below(64 * 900 + 5, 1).to_vec(), vec![1; VERSIONS]);
        of([row(64 + 5, (1 << 40) - 1), key]).unwrap();
        let reader = database.reader().unwrap();
        let expected = [(64 + 5, [(1 << 40) - 1; 6]), (64 * 3 + 5, [2; 6])];
        assert_eq!(leaves(&*reader, &[4, 5]).unwrap(), expected.into());
        let row = reader.get(LEAVES, &[5]).unwrap().unwrap();
        assert_eq!(row.len(), 4 * VERSIONS);
    }
}
