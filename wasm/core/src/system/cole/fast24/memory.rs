//! The in-memory tree, from the root down: separators say which children must be opened.

use alloc::vec::Vec;

use lightproof_hash::Blake2b256;

use super::blake2b;
use super::proof::{Body, Memory, Node, Tree};
use crate::error::{Span, VerifyError};
use crate::hash::Hash;
use crate::observer::{Observer, note};
use crate::system::cole::key::{Entry, Key};

/// What an opened tree shows.
pub(super) struct Shown<'a> {
    pub(super) root: Hash,
    /// Every entry of the opened leaves, in order.
    pub(super) entries: Vec<Entry<'a>>,
    /// The first opened leaf is the tree's first one: nothing precedes its entries.
    pub(super) leftmost: bool,
}

/// Checks a tree against the range `low..=high`.
///
/// # Errors
/// The check that failed, see the module.
pub(super) fn check<'a>(
    memory: &Memory<'a>,
    fanout: u16,
    low: &Key,
    high: &Key,
    observer: &mut impl Observer,
) -> Result<Shown<'a>, VerifyError> {
    let Some(Tree { results, depths }) = &memory.tree else {
        return Ok(Shown { root: Hash::ZERO, entries: Vec::new(), leftmost: true });
    };
    let span = memory.span;
    let mut walk = Walk { fanout: fanout.into(), low, high, root: None, next: Vec::new() };
    walk.next.push(Slot { word: None, from: None, below: None });
    let mut shown = Shown { root: Hash::ZERO, entries: Vec::new(), leftmost: true };
    let mut claimed = results.iter();
    for (index, nodes) in depths.iter().copied().enumerate() {
        let slots = core::mem::take(&mut walk.next);
        if nodes.len() < slots.len() {
            return Err(VerifyError::Incomplete { span });
        }
        if let Some(surplus) = { nodes }.nth(slots.len()) {
            return Err(VerifyError::Surplus { span: surplus.span });
        }
        let last = index.saturating_add(1) == depths.len();
        for (position, (node, slot)) in nodes.zip(&slots).enumerate() {
            let leaf = matches!(node.body, Body::Leaf(_));
            match &node.body {
                Body::Inner { .. } if last => return Err(VerifyError::Incomplete { span }),
                Body::Inner { separators, children } => {
                    let start = walk.inner(&node, slot, separators, children)?;
                    shown.leftmost &= position > 0 || start == 0;
                }
                Body::Leaf(_) if !last => return Err(path("a leaf above the last depth", &node)),
                Body::Leaf(entries) => {
                    let in_range = walk.leaf(&node, slot, entries)?;
                    if !in_range.iter().all(|entry| same(claimed.next(), entry)) {
                        return Err(VerifyError::Claim { field: "results", span });
                    }
                    shown.entries.extend(entries);
                }
            }
            note!(observer, Hashed "tree node", node.span, depth: index, position: position, leaf: leaf);
        }
    }
    // Without a depth there is no root.
    shown.root = walk.root.ok_or(VerifyError::Incomplete { span })?;
    if claimed.next().is_some() {
        return Err(VerifyError::Claim { field: "results", span });
    }
    Ok(shown)
}

/// Where a node must stand: what its parent says of it.
#[derive(Clone, Copy)]
struct Slot<'a> {
    /// Its digest in the parent; the root has none.
    word: Option<&'a [u8; 32]>,
    /// Its keys are not below this one.
    from: Option<&'a Key>,
    /// Its keys are below this one.
    below: Option<&'a Key>,
}

struct Walk<'k, 'a> {
    fanout: usize,
    low: &'k Key,
    high: &'k Key,
    root: Option<Hash>,
    /// The nodes that the next depth must hold.
    next: Vec<Slot<'a>>,
}

impl<'a> Walk<'_, 'a> {
    /// Queues the children that overlap the range; index of the first one.
    fn inner(
        &mut self,
        node: &Node<'_>,
        slot: &Slot<'a>,
        keys: &'a [Key],
        children: &'a [[u8; 32]],
    ) -> Result<usize, VerifyError> {
        if keys.is_empty() || keys.len() > self.fanout {
            return Err(path("an inner node has 1 to m separators", node));
        }
        if children.len() != keys.len().saturating_add(1) {
            return Err(path("an inner node has one child more than separators", node));
        }
        let inside = slot.from.is_none_or(|from| keys.first().is_some_and(|first| from < first));
        let ascend = keys.is_sorted_by(|one, next| one < next);
        ordered(inside && ascend, keys.last(), slot, node)?;
        let mut hasher = Blake2b256::new();
        for key in keys {
            hasher.update(&blake2b(key).0);
        }
        for child in children {
            hasher.update(child);
        }
        self.matches(&Hash(hasher.finish()), slot, node.span)?;
        let start = keys.partition_point(|key| key <= self.low);
        let end = keys.partition_point(|key| key <= self.high);
        claims(node, start, end)?;
        for (index, child) in children.iter().enumerate().take(end.saturating_add(1)).skip(start) {
            let from = index.checked_sub(1).map_or(slot.from, |before| keys.get(before));
            let below = keys.get(index).or(slot.below);
            self.next.push(Slot { word: Some(child), from, below });
        }
        Ok(start)
    }

    /// The entries that the authors' prover returns: from the last one not above `low` to the last
    /// one not above `high`.
    fn leaf<'e>(
        &mut self,
        node: &Node<'_>,
        slot: &Slot<'a>,
        entries: &'e [Entry<'a>],
    ) -> Result<&'e [Entry<'a>], VerifyError> {
        if entries.is_empty() || entries.len() > self.fanout {
            return Err(path("a leaf has 1 to m entries", node));
        }
        let first = entries.first().map(Entry::key);
        let inside = slot.from.is_none_or(|from| first.is_some_and(|first| from <= first));
        let ascend = entries.is_sorted_by(|one, next| one.key() < next.key());
        ordered(inside && ascend, entries.last().map(Entry::key), slot, node)?;
        let mut hasher = Blake2b256::new();
        for entry in entries {
            hasher.update(&blake2b(entry.key()).0);
            hasher.update(&blake2b(entry.value()).0);
        }
        self.matches(&Hash(hasher.finish()), slot, node.span)?;
        let start = entries.partition_point(|entry| entry.key() <= self.low).saturating_sub(1);
        let end = entries.partition_point(|entry| entry.key() <= self.high).saturating_sub(1);
        claims(node, start, end)?;
        Ok(entries.get(start..=end).unwrap_or_default())
    }

    fn matches(&mut self, got: &Hash, slot: &Slot<'_>, span: Span) -> Result<(), VerifyError> {
        match slot.word {
            None => self.root = Some(*got),
            Some(expected) if *expected != got.0 => {
                return Err(VerifyError::Merkle { expected: Hash(*expected), got: *got, span });
            }
            Some(_) => {}
        }
        Ok(())
    }
}

/// Keys ascend strictly, inside what the parent's separators allow.
fn ordered(
    ascend: bool,
    last: Option<&Key>,
    slot: &Slot<'_>,
    node: &Node<'_>,
) -> Result<(), VerifyError> {
    if ascend && slot.below.is_none_or(|below| last.is_some_and(|last| last < below)) {
        return Ok(());
    }
    let reason = "keys do not ascend inside their parent's separators";
    Err(VerifyError::Order { reason, span: node.span })
}

fn claims(node: &Node<'_>, start: usize, end: usize) -> Result<(), VerifyError> {
    if (node.start, node.end) == (start as u64, end as u64) {
        return Ok(());
    }
    Err(VerifyError::Claim { field: "opened children", span: node.span })
}

fn same(claimed: Option<&Entry<'_>>, entry: &Entry<'_>) -> bool {
    claimed.is_some_and(|claimed| claimed.encoded == entry.encoded)
}

fn path(reason: &'static str, node: &Node<'_>) -> VerifyError {
    VerifyError::Path { reason, span: node.span }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::cole::key::{entries, key};
    use crate::wire::Bytes;

    const TOP: Slot<'static> = Slot { word: None, from: None, below: None };

    fn of(block: u32) -> Key {
        key(&[5; 52], block)
    }

    const NODE: Node<'static> =
        Node { start: 0, end: 0, body: Body::Leaf(Vec::new()), span: Span { start: 0, end: 0 } };

    /// Asks for what stands before all keys.
    fn walk<'a>(low: &Key) -> Walk<'_, 'a> {
        Walk { fanout: 4, low, high: low, root: None, next: Vec::new() }
    }

    fn code<T>(taken: Result<T, VerifyError>) -> &'static str {
        taken.err().map_or("", |error| error.code())
    }

    #[test]
    fn separators_ascend_inside_their_parents() {
        let inner = |keys: [u32; 2], from: Option<u32>, below: Option<u32>| {
            let (keys, from, below) = (keys.map(of), from.map(of), below.map(of));
            let slot = Slot { from: from.as_ref(), below: below.as_ref(), ..TOP };
            code(walk(&of(0)).inner(&NODE, &slot, &keys, &[[0; 32]; 3]))
        };
        assert_eq!(inner([1, 2], None, None), "");
        assert_eq!(inner([2, 1], None, None), "verify.order");
        assert_eq!(inner([2, 2], None, None), "verify.order");
        assert_eq!(inner([1, 2], Some(0), Some(3)), "");
        assert_eq!(inner([1, 2], Some(0), Some(2)), "verify.order");
        assert_eq!(inner([1, 2], Some(1), Some(3)), "verify.order");
        assert_eq!(inner([1, 2], Some(2), None), "verify.order");
    }

    #[test]
    fn entries_of_a_leaf_ascend() {
        for (blocks, expected) in [([1, 2], ""), ([2, 1], "verify.order"), ([2, 2], "verify.order")]
        {
            let packed: Vec<u8> =
                blocks.iter().flat_map(|block| of(*block).into_iter().chain([1; 32])).collect();
            let bytes = Bytes { bytes: &packed, span: Span { start: 0, end: packed.len() } };
            let entries = entries(bytes, "entries").unwrap();
            assert_eq!(code(walk(&of(0)).leaf(&NODE, &TOP, &entries)), expected);
        }
    }
}
