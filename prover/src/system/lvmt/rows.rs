//! The state's tables.
//!
//! Leaves, commitments and values stand as the newest block left them, and [`undo`](super::undo) has what stood before, for every
//! block of the window; what no block of the window can see any more is dropped: tuples that were superseded before the oldest
//! provable block (the paper's garbage collection). A key's newest tuple, with its place, and the first one, which shows that its
//! slot is taken, stay.
//!
//! What a write changes stands together: a key, its sub-AMT's leaf and commitment are rows below one leaf of the root AMT, in a
//! page or two of the database, and a block's rows are written in their order.

use std::collections::BTreeMap;
use std::ops::Bound;

use ark_bn254::G1Affine;
use redb::{AccessGuard, ReadableTable, TableDefinition};

use lightproof_core::error::Span;
use lightproof_core::wire::{Bytes as Wire, bn254};

use super::amt::Versions;
use super::tree::Node;
use super::undo::Undo;
use crate::error::StoreError;
use crate::hash::Word;
use crate::trie::store::{Bytes, JournalTable, NodeTable};

/// Leaves, commitments and values.
pub(super) const ROWS: NodeTable = TableDefinition::new("lvmt/rows");
/// Block → what its rows were before.
pub(super) const UNDO: JournalTable = TableDefinition::new("lvmt/undo");
/// Leaf ‖ slot → the first tuple of the key that has it.
pub(super) const OWNERS: NodeTable = TableDefinition::new("lvmt/owners");
/// Nodes of each block's tree.
pub(super) const BLOCKS: JournalTable = TableDefinition::new("lvmt/blocks");
/// Height ‖ index → root of a whole subtree of the list of blocks.
pub(super) const LIST: NodeTable = TableDefinition::new("lvmt/list");

/// Digest of the parameters.
pub(super) const SETUP: JournalTable = TableDefinition::new("lvmt/setup");

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

/// The commitment of an AMT.
pub(super) fn tree_row(path: &[u32]) -> Vec<u8> {
    row(path, 0)
}

pub(super) fn leaf_row(path: &[u32], index: u32) -> Vec<u8> {
    let mut row = row(path, 1);
    row.extend(reversed(index));
    row
}

/// A node of the root AMT's proof tree.
pub(super) fn node_row((depth, residue, is_proof): Node) -> Vec<u8> {
    let [high, low] = reversed(residue);
    vec![2, depth, high, low, u8::from(is_proof)]
}

/// A key, below its leaf of the root AMT.
pub(super) fn value_row(leaf: u32, hash: &[u8]) -> Vec<u8> {
    let [high, low] = two(leaf);
    [&[3, high, low, 0], hash].concat()
}

/// The lowest bit first, so that the leaves of a node stand together.
fn reversed(index: u32) -> [u8; 2] {
    u16::try_from(index).unwrap_or(u16::MAX).reverse_bits().to_be_bytes()
}

pub(super) fn owner_row(path: &[u32], index: u32, slot: usize) -> Vec<u8> {
    let mut row = leaf_row(path, index);
    row.push(u8::try_from(slot).unwrap_or(u8::MAX));
    row
}

/// Prefix of an AMT's rows of one kind.
fn row(path: &[u32], kind: u8) -> Vec<u8> {
    let Some((leaf, rest)) = path.split_first() else { return vec![kind] };
    // The length comes first, so that no row is a prefix of another.
    let level = u8::try_from(path.len()).unwrap_or(u8::MAX);
    let rest = rest.iter().flat_map(|index| two(*index));
    [3].into_iter().chain(two(*leaf)).chain([level]).chain(rest).chain([kind]).collect()
}

fn two(index: u32) -> [u8; 2] {
    u16::try_from(index).unwrap_or(u16::MAX).to_be_bytes()
}

pub(super) fn encode_versions(versions: &Versions) -> Vec<u8> {
    versions.iter().rev().flat_map(|version| version.to_be_bytes()[3..].to_vec()).collect()
}

fn versions(bytes: &[u8]) -> Versions {
    let mut versions = Versions::default();
    for (version, digits) in versions.iter_mut().rev().zip(bytes.chunks(5)) {
        *version = digits.iter().fold(0, |sum, digit| sum << 8 | u64::from(*digit));
    }
    versions
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
pub(super) struct View<'t, T> {
    rows: &'t T,
    /// Of all blocks since, the oldest first.
    later: Vec<Undo<'t>>,
}

impl<'t, T: ReadableTable<Bytes, Bytes>> View<'t, T> {
    /// After the newest block.
    pub(super) fn newest(rows: &'t T) -> Self {
        Self { rows, later: Vec::new() }
    }

    /// After a block of the window.
    pub(super) fn after(
        block: u64,
        rows: &'t T,
        undo: &'t impl ReadableTable<u64, Bytes>,
    ) -> Result<Self, StoreError> {
        let later = undo.range((Bound::Excluded(block), Bound::Unbounded))?;
        let later = later.map(|entry| Ok(Undo(entry?.1))).collect::<Result<_, StoreError>>()?;
        Ok(Self { rows, later })
    }

    fn get<R>(
        &self,
        row: &[u8],
        read: impl FnOnce(&[u8]) -> Result<R, StoreError>,
    ) -> Result<Option<R>, StoreError> {
        for undo in &self.later {
            if let Some(before) = undo.before(row)? {
                return Some(before).filter(|before| !before.is_empty()).map(read).transpose();
            }
        }
        self.rows.get(row)?.map(|bytes| read(bytes.value())).transpose()
    }

    /// A leaf.
    pub(super) fn leaf(&self, path: &[u32], index: u32) -> Result<Versions, StoreError> {
        let found = self.get(&leaf_row(path, index), |bytes| Ok(versions(bytes)))?;
        Ok(found.unwrap_or_default())
    }

    /// Leaves of an AMT's node that are not zero.
    pub(super) fn leaves(
        &self,
        path: &[u32],
        (depth, residue): (u8, u32),
    ) -> Result<BTreeMap<u32, Versions>, StoreError> {
        let prefix = row(path, 1);
        let [first, last] = [residue, residue | (0xffff_u32 << depth & 0xffff)]
            .map(|index| [prefix.as_slice(), &reversed(index)].concat());
        let index = |row: &[u8]| {
            let index = row.last_chunk().map(|index| u16::from_be_bytes(*index).reverse_bits());
            index.map(u32::from).ok_or(StoreError::Corrupt("a leaf of lvmt is none"))
        };
        let mut leaves = BTreeMap::new();
        for entry in self.rows.range(first.as_slice()..=last.as_slice())? {
            let (row, value) = entry?;
            leaves.insert(index(row.value())?, versions(value.value()));
        }
        // Back from block to block: what stood before the oldest of them is what counts.
        for undo in self.later.iter().rev() {
            for (row, before) in undo.between(&first, &last)? {
                if before.is_empty() {
                    leaves.remove(&index(row)?);
                } else {
                    leaves.insert(index(row)?, versions(before));
                }
            }
        }
        Ok(leaves)
    }

    /// The commitment of an AMT, `None` before its first key.
    pub(super) fn tree(&self, path: &[u32]) -> Result<Option<Committed>, StoreError> {
        self.get(&tree_row(path), |bytes| {
            let corrupt = StoreError::Corrupt("a commitment of lvmt is none");
            let Written { block, position, value } = written(bytes).ok_or(corrupt)?;
            Ok(Committed { block, position, point: point(&value)? })
        })
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
    owners: &impl ReadableTable<Bytes, Bytes>,
    path: &[u32],
    index: u32,
    slot: usize,
) -> Result<Owner, StoreError> {
    let corrupt = || StoreError::Corrupt("an owner of lvmt is missing");
    let bytes = owners.get(owner_row(path, index, slot).as_slice())?.ok_or_else(corrupt)?;
    let (length, rest) = bytes.value().split_first_chunk().ok_or_else(corrupt)?;
    let length = usize::from(u16::from_be_bytes(*length));
    let (key, tuple) = rest.split_at_checked(length).ok_or_else(corrupt)?;
    Ok(Owner { key: key.to_vec(), written: written(tuple).ok_or_else(corrupt)? })
}

pub(super) fn encode_owner(key: &[u8], tuple: &[u8]) -> Vec<u8> {
    let length = u16::try_from(key.len()).unwrap_or(u16::MAX);
    [&length.to_be_bytes(), key, tuple].concat()
}

/// Nodes of a block's tree: its leaves, and in `lvmt/1` all above.
pub(super) fn nodes(
    blocks: &impl ReadableTable<u64, Bytes>,
    block: u64,
) -> Result<Nodes<'_>, StoreError> {
    let nodes = blocks.get(block)?.ok_or(StoreError::Corrupt("a block of lvmt is missing"))?;
    Ok(Nodes(nodes))
}

/// Nodes of a block's tree, as they are stored: the number of leaves, and the nodes.
pub(super) struct Nodes<'t>(AccessGuard<'t, Bytes>);

impl Nodes<'_> {
    /// Number of leaves.
    pub(super) fn count(&self) -> Result<usize, StoreError> {
        let count = self.0.value().first_chunk().map(|count| u64::from_be_bytes(*count));
        count.and_then(|count| usize::try_from(count).ok()).ok_or(CORRUPT_NODES)
    }

    /// Its nodes.
    pub(super) fn words(&self) -> Result<&[Word], StoreError> {
        match self.0.value().get(8..).map(<[u8]>::as_chunks) {
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
