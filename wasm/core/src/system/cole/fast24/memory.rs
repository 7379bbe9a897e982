//! The in-memory tree, from the root down: separators say which children must be opened.

use alloc::vec::Vec;

use super::proof::{Body, Memory, Node, Tree};
use super::{blake2b, concatenated};
use crate::error::{Span, VerifyError};
use crate::hash::Hash;
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
) -> Result<Shown<'a>, VerifyError> {
    let Some(Tree { results, depths }) = &memory.tree else {
        return Ok(Shown { root: Hash::ZERO, entries: Vec::new(), leftmost: true });
    };
    let span = memory.span;
    let mut walk = Walk { fanout: fanout.into(), low, high, root: None, next: Vec::new() };
    walk.next.push(Slot { word: None, from: None, below: None });
    let mut shown = Shown { root: Hash::ZERO, entries: Vec::new(), leftmost: true };
    let mut claimed = results.iter();
    for (index, nodes) in depths.iter().enumerate() {
        let slots = core::mem::take(&mut walk.next);
        match nodes.get(slots.len()..) {
            None => return Err(VerifyError::Incomplete { span }),
            Some([surplus, ..]) => return Err(VerifyError::Surplus { span: surplus.span }),
            Some([]) => {}
        }
        let last = index.saturating_add(1) == depths.len();
        for (position, (node, slot)) in nodes.iter().zip(&slots).enumerate() {
            match &node.body {
                Body::Inner { .. } if last => return Err(VerifyError::Incomplete { span }),
                Body::Inner { separators, children } => {
                    let start = walk.inner(node, slot, separators, children)?;
                    shown.leftmost &= position > 0 || start == 0;
                }
                Body::Leaf(_) if !last => return Err(path("a leaf above the last depth", node)),
                Body::Leaf(entries) => {
                    let in_range = walk.leaf(node, slot, entries)?;
                    if !in_range.iter().all(|entry| same(claimed.next(), entry)) {
                        return Err(VerifyError::Claim { field: "results", span });
                    }
                    shown.entries.extend(entries);
                }
            }
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
struct Slot {
    /// Its digest in the parent; the root has none.
    word: Option<Hash>,
    /// Its keys are not below this one.
    from: Option<Key>,
    /// Its keys are below this one.
    below: Option<Key>,
}

struct Walk<'k> {
    fanout: usize,
    low: &'k Key,
    high: &'k Key,
    root: Option<Hash>,
    /// The nodes that the next depth must hold.
    next: Vec<Slot>,
}

impl Walk<'_> {
    /// Queues the children that overlap the range; index of the first one.
    fn inner(
        &mut self,
        node: &Node<'_>,
        slot: &Slot,
        separators: &[[u8; 56]],
        children: &[[u8; 32]],
    ) -> Result<usize, VerifyError> {
        let keys: Vec<Key> = separators.iter().map(Key::from_bytes).collect();
        if keys.is_empty() || keys.len() > self.fanout {
            return Err(path("an inner node has 1 to m separators", node));
        }
        if children.len() != keys.len().saturating_add(1) {
            return Err(path("an inner node has one child more than separators", node));
        }
        let inside = slot.from.is_none_or(|from| keys.first().is_some_and(|first| from < *first));
        ordered(&keys, inside, slot, node)?;
        let words = separators.iter().map(|key| blake2b(key));
        let words: Vec<Hash> = words.chain(children.iter().map(|child| Hash(*child))).collect();
        self.matches(&concatenated(&words), slot, node.span)?;
        let start = keys.partition_point(|key| key <= self.low);
        let end = keys.partition_point(|key| key <= self.high);
        claims(node, start, end)?;
        let froms = core::iter::once(slot.from).chain(keys.iter().copied().map(Some));
        let belows = keys.iter().copied().map(Some).chain(core::iter::once(slot.below));
        let slots = children.iter().zip(froms).zip(belows);
        let opened = slots.take(end.saturating_add(1)).skip(start);
        self.next.extend(opened.map(|((child, from), below)| Slot {
            word: Some(Hash(*child)),
            from,
            below,
        }));
        Ok(start)
    }

    /// The entries that the authors' prover returns: from the last one not above `low` to the last one
    /// not above `high`.
    fn leaf<'e, 'a>(
        &mut self,
        node: &Node<'_>,
        slot: &Slot,
        entries: &'e [Entry<'a>],
    ) -> Result<&'e [Entry<'a>], VerifyError> {
        let keys: Vec<Key> = entries.iter().map(|entry| entry.key).collect();
        if keys.is_empty() || keys.len() > self.fanout {
            return Err(path("a leaf has 1 to m entries", node));
        }
        let inside = slot.from.is_none_or(|from| keys.first().is_some_and(|first| from <= *first));
        ordered(&keys, inside, slot, node)?;
        let words = entries.iter().flat_map(|one| [blake2b(one.key_bytes()), blake2b(one.value)]);
        let words: Vec<Hash> = words.collect();
        self.matches(&concatenated(&words), slot, node.span)?;
        let start = keys.partition_point(|key| key <= self.low).saturating_sub(1);
        let end = keys.partition_point(|key| key <= self.high).saturating_sub(1);
        claims(node, start, end)?;
        Ok(entries.get(start..=end).unwrap_or_default())
    }

    fn matches(&mut self, got: &Hash, slot: &Slot, span: Span) -> Result<(), VerifyError> {
        match slot.word {
            None => self.root = Some(*got),
            Some(expected) if expected != *got => {
                return Err(VerifyError::Merkle { expected, got: *got, span });
            }
            Some(_) => {}
        }
        Ok(())
    }
}

/// Keys ascend strictly, inside what the parent's separators allow.
fn ordered(keys: &[Key], inside: bool, slot: &Slot, node: &Node<'_>) -> Result<(), VerifyError> {
    let below = slot.below.is_none_or(|below| keys.last().is_some_and(|last| *last < below));
    if inside && below && keys.is_sorted_by(|one, next| one < next) {
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
