//! The state's tables.
//!
//! Leaves, commitments and values stand as the newest block left them, the last changes in
//! [`recent`](super::recent), and a [`record`](super::record) has what stood before, for every
//! block of the window; what no block of the window can see any more is dropped: tuples that were
//! superseded before the oldest provable block (the paper's garbage collection). A key's newest
//! tuple, with its place, and the first one, which shows that its slot is taken, stay.
//!
//! What a write changes stands together: a key and the leaves of its sub-AMTs are rows below its
//! leaf of the root AMT, in a page or two of the database, and a commitment is a part of the leaf
//! that counts its versions.

use std::cell::RefCell;
use std::collections::BTreeMap;

use ark_bn254::G1Affine;

use lightproof_core::error::Span;
use lightproof_core::wire::{Bytes as Wire, bn254};

use super::amt::{Node, Versions};
use super::keys;
use super::recent::{ROWS, Recent, Seen};
use super::record::{RECORDS, Record};
use super::slices::{self, VERSIONS, below};
use crate::error::StoreError;
use crate::hash::Word;
use crate::store::{Order, Read, Table, Value, above, between};

/// Leaf ‖ slot → the first tuple of the key that has it.
pub(super) const OWNERS: Table = Table("lvmt/owners");
/// Nodes of each block's tree.
pub(super) const BLOCKS: Table = Table("lvmt/blocks");
/// Digest of the parameters, and what is kept of the proof tree.
pub(super) const SETUP: Table = Table("lvmt/setup");

/// Indices that lead to an AMT.
pub(super) type Path = Vec<u32>;

/// Level and slot of a key.
pub(super) type Place = (usize, usize);

/// A tuple of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) block: u64,
    pub(super) position: u64,
    pub(super) value: Vec<u8>,
}

/// The key that has a slot, and its first tuple.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Owner {
    pub(super) key: Vec<u8>,
    pub(super) written: Written,
}

/// A commitment, and where its tuple stands. The root AMT has no tuple.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Committed {
    pub(super) block: u64,
    pub(super) position: u64,
    pub(super) point: G1Affine,
}

/// The root AMT's commitment.
pub(super) const ROOT_ROW: &[u8] = &[0];

/// A leaf, and the commitment of the AMT below it.
pub(super) fn leaf_row(path: &[u32], index: u32) -> Vec<u8> {
    if path.is_empty() {
        return below(index, 0).to_vec();
    }
    let mut row = row(path);
    row.extend(two(index));
    row
}

/// A node of the root AMT's proof tree.
pub(super) fn node_row((depth, residue, is_proof): Node) -> Vec<u8> {
    let [high, low] = two(residue);
    vec![1, depth, high, low, u8::from(is_proof)]
}

/// A key, below its leaf of the root AMT.
pub(super) fn value_row(leaf: u32, hash: &[u8]) -> Vec<u8> {
    [below(leaf, 1).as_slice(), hash].concat()
}

/// What is read first of a key: itself, and its leaf of the root AMT.
///
/// * `hash`: of the key.
pub(super) fn first_rows(k: u8, hash: &[u8]) -> [Vec<u8>; 2] {
    let leaf = keys::index(k, hash, 0);
    [value_row(leaf, hash), leaf_row(&[], leaf)]
}

pub(super) fn owner_row(path: &[u32], index: u32, slot: usize) -> Vec<u8> {
    let mut row = leaf_row(path, index);
    row.push(u8::try_from(slot).unwrap_or(u8::MAX));
    row
}

/// Prefix of the leaves of a sub-AMT.
fn row(path: &[u32]) -> Vec<u8> {
    let (leaf, rest) = path.split_first().unwrap_or((&0, &[]));
    // The level comes first, so that no row of one AMT stands among those of another.
    let level = u8::try_from(path.len()).unwrap_or(u8::MAX);
    let rest = rest.iter().flat_map(|index| two(*index));
    below(*leaf, level.saturating_add(1)).into_iter().chain(rest).collect()
}

fn two(index: u32) -> [u8; 2] {
    u16::try_from(index).unwrap_or(u16::MAX).to_be_bytes()
}

pub(super) fn encode_written(block: u64, position: u64, value: &[u8]) -> Vec<u8> {
    [&block.to_be_bytes(), position.to_be_bytes().as_slice(), value].concat()
}

fn written(bytes: &[u8]) -> Option<Written> {
    let (block, rest) = bytes.split_first_chunk()?;
    let (position, value) = rest.split_first_chunk()?;
    let (block, position) = (u64::from_be_bytes(*block), u64::from_be_bytes(*position));
    Some(Written { block, position, value: value.to_vec() })
}

/// The state after a block.
pub(super) struct View<'r> {
    store: &'r dyn Read,
    /// What the rows do not have yet.
    recent: &'r Recent,
    /// Of all blocks since, the oldest first.
    later: Vec<Record<'r>>,
    /// What has been read, where it is remembered.
    seen: Option<RefCell<Seen>>,
}

impl<'r> View<'r> {
    /// After the newest block.
    pub(super) fn newest(store: &'r dyn Read, recent: &'r Recent) -> Self {
        Self { store, recent, later: Vec::new(), seen: None }
    }

    /// The same for one who reads most rows more than once.
    pub(super) fn remembering(store: &'r dyn Read, recent: &'r Recent) -> Self {
        Self { seen: Some(RefCell::default()), ..Self::newest(store, recent) }
    }

    /// What has been read.
    pub(super) fn seen(self) -> Seen {
        self.seen.map(RefCell::into_inner).unwrap_or_default()
    }

    /// After a block of the window.
    pub(super) fn after(
        block: u64,
        store: &'r dyn Read,
        recent: &'r Recent,
    ) -> Result<Self, StoreError> {
        let later = store.range(RECORDS, above(&block.to_be_bytes()), Order::Ascending)?;
        let later = later.map(|row| Ok(Record(row?.1))).collect::<Result<_, StoreError>>()?;
        // What is expected of a store that is far away has to be remembered.
        let seen = store.is_far().then(RefCell::default);
        Ok(Self { store, recent, later, seen })
    }

    /// Reads rows that will be asked for, from a store that is far away: all at once.
    pub(super) fn expect(&self, rows: impl Iterator<Item = Vec<u8>>) -> Result<(), StoreError> {
        let Some(seen) = self.seen.as_ref().filter(|_| self.store.is_far()) else { return Ok(()) };
        let mut seen = seen.borrow_mut();
        let mut unknown = Vec::new();
        for row in rows {
            if self.recent.get(&row).is_none() && !seen.contains_key(&row) {
                unknown.push(row);
            }
        }
        let keys: Vec<&[u8]> = unknown.iter().map(Vec::as_slice).collect();
        let found = self.store.get_many(ROWS, &keys)?;
        let found: Vec<_> = found.into_iter().map(|row| row.map(|row| row.to_vec())).collect();
        seen.extend(unknown.into_iter().zip(found));
        Ok(())
    }

    fn get<R>(
        &self,
        row: &[u8],
        read: impl FnOnce(&[u8]) -> Result<R, StoreError>,
    ) -> Result<Option<R>, StoreError> {
        for record in &self.later {
            if let Some(before) = record.before(row)? {
                return Some(before).filter(|before| !before.is_empty()).map(read).transpose();
            }
        }
        let Some(seen) = &self.seen else { return self.look_up(row, read) };
        let mut seen = seen.borrow_mut();
        if let Some(known) = seen.get(row) {
            return known.as_deref().map(read).transpose();
        }
        let found = self.look_up(row, |bytes| Ok(bytes.to_vec()))?;
        let known = seen.entry(row.to_vec()).or_insert(found);
        known.as_deref().map(read).transpose()
    }

    fn look_up<R>(
        &self,
        row: &[u8],
        read: impl FnOnce(&[u8]) -> Result<R, StoreError>,
    ) -> Result<Option<R>, StoreError> {
        if let Some(waiting) = self.recent.get(row) {
            return read(waiting).map(Some);
        }
        self.store.get(ROWS, row)?.map(|bytes| read(&bytes)).transpose()
    }

    /// A leaf.
    pub(super) fn leaf(&self, path: &[u32], index: u32) -> Result<Versions, StoreError> {
        let found = self.get(&leaf_row(path, index), |bytes| Ok(slices::decode(bytes)))?;
        Ok(found.unwrap_or_default())
    }

    /// Leaves of a node of the root AMT that are not zero.
    pub(super) fn root_leaves(
        &self,
        node: (u8, u32),
    ) -> Result<BTreeMap<u32, Versions>, StoreError> {
        let slices: Vec<u8> = slices::under(node).collect();
        let mut leaves = slices::leaves(self.store, &slices)?;
        for slice in slices {
            let [first, last] = slices::bounds(slice);
            self.overlay(&mut leaves, [&first, &last], slices::leaf)?;
        }
        let (depth, residue) = node;
        leaves.retain(|leaf, _| leaf & ((1 << depth) - 1) == residue);
        Ok(leaves)
    }

    /// Leaves of a sub-AMT that are not zero.
    pub(super) fn leaves(&self, path: &[u32]) -> Result<BTreeMap<u32, Versions>, StoreError> {
        let prefix = row(path);
        let [first, last] = [0, u32::MAX].map(|index| [prefix.as_slice(), &two(index)].concat());
        let index =
            |row: &[u8]| row.last_chunk().map(|index| u32::from(u16::from_be_bytes(*index)));
        let mut leaves = BTreeMap::new();
        for entry in self.store.range(ROWS, between(&first, &last), Order::Ascending)? {
            let (row, value) = entry?;
            leaves.extend(index(&row).map(|index| (index, slices::decode(&value))));
        }
        self.overlay(&mut leaves, [&first, &last], index)?;
        Ok(leaves)
    }

    /// Changes leaves, as the tables have them, into those after the block.
    ///
    /// * `bounds`: first and last row of them, in one slice.
    /// * `index`: of the leaf that a row is, if it is one of them.
    fn overlay(
        &self,
        leaves: &mut BTreeMap<u32, Versions>,
        [first, last]: [&[u8]; 2],
        index: impl Fn(&[u8]) -> Option<u32>,
    ) -> Result<(), StoreError> {
        let waiting = self.recent.between(first, last);
        leaves
            .extend(waiting.filter_map(|(row, value)| Some((index(row)?, slices::decode(value)))));
        // Back from block to block: what stood before the oldest of them is what counts.
        for record in self.later.iter().rev() {
            for (row, before, _) in record.between(first, last)? {
                let Some(index) = index(row) else { continue };
                if before.is_empty() {
                    leaves.remove(&index);
                } else {
                    leaves.insert(index, slices::decode(before));
                }
            }
        }
        Ok(())
    }

    /// The commitment of an AMT, `None` before its first key.
    pub(super) fn tree(&self, path: &[u32]) -> Result<Option<Committed>, StoreError> {
        let Some(bytes) = self.encoded_tree(path)? else { return Ok(None) };
        let corrupt = || StoreError::Corrupt("a commitment of lvmt is none");
        let Written { block, position, value } = written(&bytes).ok_or_else(corrupt)?;
        Ok(Some(Committed { block, position, point: point(&value)? }))
    }

    /// The same as it is stored.
    pub(super) fn encoded_tree(&self, path: &[u32]) -> Result<Option<Vec<u8>>, StoreError> {
        let (row, start) = match path.split_last() {
            Some((index, path)) => (leaf_row(path, *index), VERSIONS),
            None => (ROOT_ROW.to_vec(), 0),
        };
        let found = self.get(&row, |bytes| Ok(bytes.get(start..).unwrap_or_default().to_vec()))?;
        Ok(found.filter(|bytes| !bytes.is_empty()))
    }

    /// What is kept of a node of the root AMT's proof tree.
    pub(super) fn node(&self, node: Node) -> Result<Option<G1Affine>, StoreError> {
        self.get(&node_row(node), point)
    }

    /// Where a key stands, and its newest tuple.
    ///
    /// * `leaf`: of the root AMT, the first index of the key's path.
    pub(super) fn value(
        &self,
        leaf: u32,
        hash: &[u8],
    ) -> Result<Option<(Place, Written)>, StoreError> {
        self.get(&value_row(leaf, hash), |bytes| {
            let corrupt = StoreError::Corrupt("a value of lvmt is none");
            let [level, slot, tuple @ ..] = bytes else { return Err(corrupt) };
            let place = (usize::from(*level), usize::from(*slot));
            written(tuple).map(|tuple| (place, tuple)).ok_or(corrupt)
        })
    }
}

fn point(bytes: &[u8]) -> Result<G1Affine, StoreError> {
    let from = Wire { bytes, span: Span::default() };
    let corrupt = |_| StoreError::Corrupt("a point of lvmt is none");
    bn254::g1_affine(from, "point").map_err(corrupt)
}

/// The key that has a slot.
pub(super) fn owner(
    store: &dyn Read,
    path: &[u32],
    index: u32,
    slot: usize,
) -> Result<Owner, StoreError> {
    let corrupt = || StoreError::Corrupt("an owner of lvmt is missing");
    let bytes = store.get(OWNERS, &owner_row(path, index, slot))?.ok_or_else(corrupt)?;
    let (length, rest) = bytes.split_first_chunk().ok_or_else(corrupt)?;
    let length = usize::from(u16::from_be_bytes(*length));
    let (key, tuple) = rest.split_at_checked(length).ok_or_else(corrupt)?;
    Ok(Owner { key: key.to_vec(), written: written(tuple).ok_or_else(corrupt)? })
}

pub(super) fn encode_owner(key: &[u8], tuple: &[u8]) -> Vec<u8> {
    let length = u16::try_from(key.len()).unwrap_or(u16::MAX);
    [&length.to_be_bytes(), key, tuple].concat()
}

/// Nodes of a block's tree: its leaves, and in `lvmt/1` all above.
pub(super) fn nodes(store: &dyn Read, block: u64) -> Result<Nodes<'_>, StoreError> {
    let nodes = store
        .get(BLOCKS, &block.to_be_bytes())?
        .ok_or(StoreError::Corrupt("a block of lvmt is missing"))?;
    Ok(Nodes(nodes))
}

/// Nodes of a block's tree, as they are stored: the number of leaves, and the nodes.
pub(super) struct Nodes<'r>(Value<'r>);

impl Nodes<'_> {
    /// Number of leaves.
    pub(super) fn count(&self) -> Result<usize, StoreError> {
        let count = self.0.first_chunk().map(|count| u64::from_be_bytes(*count));
        count.and_then(|count| usize::try_from(count).ok()).ok_or(CORRUPT_NODES)
    }

    /// Its nodes.
    pub(super) fn words(&self) -> Result<&[Word], StoreError> {
        match self.0.get(8..).map(<[u8]>::as_chunks) {
            Some((words, [])) => Ok(words),
            _ => Err(CORRUPT_NODES),
        }
    }
}

const CORRUPT_NODES: StoreError = StoreError::Corrupt("the tree of a block of lvmt is none");

pub(super) fn encode_nodes(count: usize, nodes: &[Word]) -> Vec<u8> {
    [&(count as u64).to_be_bytes(), nodes.as_flattened()].concat()
}

pub(super) fn encode_value((level, slot): Place, tuple: &[u8]) -> Vec<u8> {
    // Neither is over 255: a key has 256 levels at most.
    let places = [level, slot].map(|number| u8::try_from(number).unwrap_or(u8::MAX));
    [&places, tuple].concat()
}
