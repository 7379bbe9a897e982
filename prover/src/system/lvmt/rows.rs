//! The state's tables.
//!
//! Leaves, commitments and values are versioned by block, so that every block of the window is there; what no block
//! of the window can see any more is dropped: tuples that were superseded before the oldest provable block (the paper's
//! garbage collection). A key's newest tuple, with its place, and the first one, which shows that its slot is taken, stay.

use std::collections::BTreeMap;

use ark_bn254::G1Affine;
use redb::{AccessGuard, ReadableTable, TableDefinition};

use lightproof_core::error::Span;
use lightproof_core::wire::{Bytes as Wire, bn254};

use super::amt::Versions;
use super::tree::Node;
use crate::error::StoreError;
use crate::hash::{Word, keccak256};
use crate::trie::store::{Bytes, JournalTable, NodeTable, newest};

/// Leaves, commitments and values by block.
pub(super) const ROWS: NodeTable = TableDefinition::new("lvmt/rows");
pub(super) const JOURNAL: JournalTable = TableDefinition::new("lvmt/journal");
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

/// The commitment of an AMT. It stands beside its leaves: a write to a small AMT changes both.
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
    vec![3, depth, high, low, u8::from(is_proof)]
}

/// The lowest bit first, so that the leaves of a node stand together.
fn reversed(index: u32) -> [u8; 2] {
    u16::try_from(index).unwrap_or(u16::MAX).reverse_bits().to_be_bytes()
}

pub(super) fn value_row(key: &[u8]) -> Vec<u8> {
    [&[2], keccak256(key).as_slice()].concat()
}

pub(super) fn owner_row(path: &[u32], index: u32, slot: usize) -> Vec<u8> {
    let mut row = leaf_row(path, index);
    row.push(u8::try_from(slot).unwrap_or(u8::MAX));
    row
}

fn row(path: &[u32], kind: u8) -> Vec<u8> {
    // The length comes first, so that no row is a prefix of another.
    let level = u8::try_from(path.len()).unwrap_or(u8::MAX);
    let path = path.iter().flat_map(|index| two(*index));
    [0, level].into_iter().chain(path).chain([kind]).collect()
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
    pub(super) rows: &'t T,
    pub(super) block: u64,
}

impl<T: ReadableTable<Bytes, Bytes>> View<'_, T> {
    /// A leaf.
    pub(super) fn leaf(&self, path: &[u32], index: u32) -> Result<Versions, StoreError> {
        let row = newest(self.rows, &leaf_row(path, index), self.block)?;
        Ok(row.map_or(Versions::default(), |bytes| versions(&bytes)))
    }

    /// Leaves of an AMT's node that are not zero.
    pub(super) fn leaves(
        &self,
        path: &[u32],
        (depth, residue): (u8, u32),
    ) -> Result<BTreeMap<u32, Versions>, StoreError> {
        let prefix = row(path, 1);
        let [low, high] = [residue, residue | (0xffff_u32 << depth & 0xffff)].map(reversed);
        let first = [prefix.as_slice(), &low, &[0; 8]].concat();
        let last = [prefix.as_slice(), &high, &[0xff; 8]].concat();
        let mut leaves = BTreeMap::new();
        for entry in self.rows.range(first.as_slice()..=last.as_slice())? {
            let (key, value) = entry?;
            let rest = key.value().get(prefix.len()..).unwrap_or_default();
            let corrupt = StoreError::Corrupt("a leaf of lvmt is none");
            let Some((index, block)) = rest.split_first_chunk::<2>() else { return Err(corrupt) };
            let Ok(block) = block.try_into() else { return Err(corrupt) };
            // Versions ascend.
            if u64::from_be_bytes(block) <= self.block {
                let index = u16::from_be_bytes(*index).reverse_bits();
                leaves.insert(u32::from(index), versions(value.value()));
            }
        }
        Ok(leaves)
    }

    /// The commitment of an AMT, `None` before its first key.
    pub(super) fn tree(&self, path: &[u32]) -> Result<Option<Committed>, StoreError> {
        let Some(bytes) = newest(self.rows, &tree_row(path), self.block)? else { return Ok(None) };
        let corrupt = || StoreError::Corrupt("a commitment of lvmt is none");
        let Written { block, position, value } = written(&bytes).ok_or_else(corrupt)?;
        Ok(Some(Committed { block, position, point: point(&value)? }))
    }

    /// What is kept of a node of the root AMT's proof tree.
    pub(super) fn node(&self, node: Node) -> Result<Option<G1Affine>, StoreError> {
        newest(self.rows, &node_row(node), self.block)?.map(|bytes| point(&bytes)).transpose()
    }

    /// Where a key stands, and its newest tuple.
    pub(super) fn value(&self, key: &[u8]) -> Result<Option<(Place, Written)>, StoreError> {
        let Some(bytes) = newest(self.rows, &value_row(key), self.block)? else { return Ok(None) };
        let corrupt = StoreError::Corrupt("a value of lvmt is none");
        let [level, slot, tuple @ ..] = bytes.as_slice() else { return Err(corrupt) };
        let place = (usize::from(*level), usize::from(*slot));
        written(tuple).map(|tuple| Some((place, tuple))).ok_or(corrupt)
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
