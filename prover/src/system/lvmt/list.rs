//! The list of blocks: an RFC 9162 tree that grows by a leaf a block, of which whole subtrees are
//! kept.

use super::merkle::{inner, split};
use crate::error::StoreError;
use crate::hash::{Word, keccak256};
use crate::rlp::Item;
use crate::store::{Read, Table, Write};

/// Height ‖ index → root of a whole subtree.
pub(super) const LIST: Table = Table("lvmt/list");

/// keccak(02 ‖ RLP\[epoch, count, mroot\]).
pub fn leaf(block: u64, count: u64, root: &Word) -> Word {
    let rlp = Item::List(vec![Item::uint(block), Item::uint(count), Item::bytes(root)]).encode();
    keccak256(&[&[2], rlp.as_slice()].concat())
}

/// Appends the leaf of a block, whose predecessors are all there.
///
/// # Errors
/// [`StoreError`] if the database fails.
pub(super) fn append(batch: &mut dyn Write, block: u64, leaf: Word) -> Result<(), StoreError> {
    let mut node = leaf;
    batch.put(LIST, &key(0, block), &node)?;
    for height in 0..block.trailing_ones() {
        let left = read(&*batch, height, (block >> height) - 1)?;
        node = inner(&left, &node);
        batch.put(LIST, &key(height + 1, block >> (height + 1)), &node)?;
    }
    Ok(())
}

/// Begins an empty list behind `count` blocks that wrote nothing: keeps the roots of the whole
/// subtrees that hold them, next to which later blocks are put.
///
/// # Errors
/// [`StoreError`] if the database fails.
pub(super) fn start(batch: &mut dyn Write, count: u64) -> Result<(), StoreError> {
    let nothing = keccak256(&[]);
    // The root of height h stands at place h of those that are there, the highest first.
    let mut roots: Vec<Word> = Vec::new();
    for block in 0..count {
        let mut node = leaf(block, 0, &nothing);
        for _ in 0..block.trailing_ones() {
            node = roots.pop().map_or(node, |left| inner(&left, &node));
        }
        roots.push(node);
    }
    let heights = (0..u64::BITS).rev().filter(|height| count >> height & 1 == 1);
    for (height, root) in heights.zip(roots) {
        batch.put(LIST, &key(height, (count >> height) - 1), &root)?;
    }
    Ok(())
}

/// The tree's root after `count` blocks, at least one.
///
/// # Errors
/// [`StoreError`] if the database fails.
pub(super) fn root(store: &dyn Read, count: u64) -> Result<Word, StoreError> {
    range(store, 0, count)
}

/// Siblings of a block's leaf after `count` blocks, bottom-up.
///
/// # Errors
/// [`StoreError`] if the database fails.
pub(super) fn path(store: &dyn Read, block: u64, count: u64) -> Result<Vec<Word>, StoreError> {
    let (mut start, mut size, mut path) = (0, count, Vec::new());
    while size > 1 {
        let left = left(size);
        if block < start + left {
            path.push(range(store, start + left, size - left)?);
            size = left;
        } else {
            path.push(range(store, start, left)?);
            (start, size) = (start + left, size - left);
        }
    }
    path.reverse();
    Ok(path)
}

/// Root over some blocks; `start` is a multiple of a power of two that is at least `size`.
fn range(store: &dyn Read, start: u64, size: u64) -> Result<Word, StoreError> {
    if size.is_power_of_two() {
        let height = size.trailing_zeros();
        return read(store, height, start >> height);
    }
    let left = left(size);
    Ok(inner(&range(store, start, left)?, &range(store, start + left, size - left)?))
}

fn left(size: u64) -> u64 {
    usize::try_from(size).map_or(0, |size| split(size) as u64)
}

fn key(height: u32, index: u64) -> [u8; 9] {
    let mut key = [0; 9];
    key[0] = u8::try_from(height).unwrap_or(u8::MAX);
    key[1..].copy_from_slice(&index.to_be_bytes());
    key
}

fn read(store: &dyn Read, height: u32, index: u64) -> Result<Word, StoreError> {
    let node = store.get(LIST, &key(height, index))?;
    node.and_then(|node| (*node).try_into().ok())
        .ok_or(StoreError::Corrupt("the list of blocks of lvmt has a gap"))
}
