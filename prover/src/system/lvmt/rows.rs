//! The state's tables.
//!
//! Leaves, commitments and values are versioned by block, so that every block of the window is there; what no block
//! of the window can see any more is dropped: tuples that were superseded before the oldest provable block (the paper's
//! garbage collection). A key's place, and the first tuple of a key, which shows that its slot is taken, stay.

use std::collections::BTreeMap;

use ark_bn254::G1Affine;
use redb::{ReadableTable, TableDefinition};

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
/// keccak(key) → level ‖ slot.
pub(super) const KEYS: NodeTable = TableDefinition::new("lvmt/keys");
/// Leaf ‖ slot → the first tuple of the key that has it.
pub(super) const OWNERS: NodeTable = TableDefinition::new("lvmt/owners");
/// Leaves of each block's tree.
pub(super) const BLOCKS: JournalTable = TableDefinition::new("lvmt/blocks");
/// Height ‖ index → root of a whole subtree of the list of blocks.
pub(super) const LIST: NodeTable = TableDefinition::new("lvmt/list");

/// Digest of the parameters.
pub(super) const SETUP: JournalTable = TableDefinition::new("lvmt/setup");

/// Indices that lead to an AMT.
pub(super) type Path = Vec<u32>;

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

pub(super) fn tree_row(path: &[u32]) -> Vec<u8> {
    row(1, path)
}

pub(super) fn leaf_row(path: &[u32], index: u32) -> Vec<u8> {
    let mut row = row(0, path);
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

fn row(kind: u8, path: &[u32]) -> Vec<u8> {
    // The length comes first, so that no row is a prefix of another.
    let level = u8::try_from(path.len()).unwrap_or(u8::MAX);
    [kind, level].into_iter().chain(path.iter().flat_map(|index| two(*index))).collect()
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
        let prefix = row(0, path);
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

    /// The newest tuple of a key.
    pub(super) fn value(&self, key: &[u8]) -> Result<Option<Written>, StoreError> {
        let Some(bytes) = newest(self.rows, &value_row(key), self.block)? else { return Ok(None) };
        written(&bytes).map(Some).ok_or(StoreError::Corrupt("a value of lvmt is none"))
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

/// Level and slot of a key, once it has one.
pub(super) fn place(
    keys: &impl ReadableTable<Bytes, Bytes>,
    key: &[u8],
) -> Result<Option<(usize, usize)>, StoreError> {
    let bytes = keys.get(keccak256(key).as_slice())?;
    Ok(bytes.and_then(|bytes| match bytes.value() {
        [level, slot] => Some((usize::from(*level), usize::from(*slot))),
        _ => None,
    }))
}

/// Leaves of a block's tree.
pub(super) fn tuples(
    blocks: &impl ReadableTable<u64, Bytes>,
    block: u64,
) -> Result<Vec<Word>, StoreError> {
    let corrupt = || StoreError::Corrupt("tuples of a block of lvmt are missing");
    let bytes = blocks.get(block)?.ok_or_else(corrupt)?;
    match bytes.value().as_chunks::<32>() {
        (words, []) => Ok(words.to_vec()),
        _ => Err(corrupt()),
    }
}
