//! Changes of a tree: commitments move by the differences of their slots.
//!
//! Invariant: a node other than the top one has at least two leaves below it, so a subtree with one
//! leaf is that leaf.

use std::collections::BTreeMap;

use ark_bls12_381::{Fr, G1Affine, G1Projective};
use ark_ec::{AffineRepr as _, CurveGroup as _};

use super::commitment::{Committer, digit};
use super::slots::{Held, Place, Slot, View};
use crate::error::StoreError;
use crate::hash::Word;

/// Writes by hash of the key: hash of the value, or `None` to delete.
pub type Writes = BTreeMap<Word, Option<Word>>;

/// What writes change: slots by place and digit, `None` for those that became empty.
pub type Changes = BTreeMap<(Place, usize), Option<Slot>>;

/// Writes with their hashes, ascending.
type Group = [(Word, Option<Word>)];

/// Applies the writes of one block.
#[derive(Debug)]
pub struct Batch<'a> {
    committer: &'a dyn Committer,
    before: View<'a>,
    changes: Changes,
}

/// A node after its slots have changed, before it is committed to.
#[derive(Debug)]
struct Pending {
    leaves: u64,
    deltas: Vec<(usize, Fr)>,
}

impl<'a> Batch<'a> {
    /// Begins on the tree as it was.
    pub fn new(committer: &'a dyn Committer, before: View<'a>) -> Self {
        Self { committer, before, changes: Changes::new() }
    }

    /// The top node's new commitment, and what changes in the database.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails, or two keys have the same hash.
    pub fn apply(mut self, writes: &Writes) -> Result<(G1Affine, Changes), StoreError> {
        let group: Vec<_> = writes.iter().map(|(key, value)| (*key, *value)).collect();
        let before = self.before.top()?;
        let Some((first, _)) = group.first() else {
            return Ok((before.map_or_else(G1Affine::zero, |(top, _)| top), Changes::new()));
        };
        let place = self.place(first, 0);
        let pending = self.node(&place, 0, before, &group)?;
        let top = self.commit(before, &pending.deltas);
        let kept = (pending.leaves > 0).then(|| Slot::node(self.committer, top, pending.leaves));
        self.changes.insert((Place::top(), 0), kept);
        Ok((top, self.changes))
    }

    fn place(&self, hash: &Word, level: usize) -> Place {
        Place::on_way(hash, level, self.committer.bits())
    }

    fn commit(&self, before: Option<(G1Affine, u64)>, deltas: &[(usize, Fr)]) -> G1Affine {
        let start = before.map_or_else(G1Projective::default, |(point, _)| point.into_group());
        (start + self.committer.combine(deltas)).into_affine()
    }

    /// Changes the slots of one node. `before`: as it was, `None` for a node that is new.
    fn node(
        &mut self,
        place: &Place,
        level: usize,
        before: Option<(G1Affine, u64)>,
        group: &Group,
    ) -> Result<Pending, StoreError> {
        let bits = self.committer.bits();
        if (level + 1) * bits > 256 {
            return Err(StoreError::Corrupt("two keys of verkle have the same hash"));
        }
        let mut leaves = before.map_or(0, |(_, leaves)| leaves);
        let mut deltas = Vec::new();
        for members in
            group.chunk_by(|(a, _), (b, _)| digit(a, level, bits) == digit(b, level, bits))
        {
            let Some((first, _)) = members.first() else { continue };
            let at = digit(first, level, bits);
            let old = if before.is_some() { self.before.slot(place, at)? } else { None };
            let new = self.below(level + 1, old, members)?;
            if old == new {
                continue;
            }
            let scalar = |slot: Option<Slot>| slot.map_or_else(Fr::default, |slot| slot.scalar);
            deltas.push((at, scalar(new) - scalar(old)));
            leaves += new.map_or(0, |slot| slot.leaves());
            leaves -= old.map_or(0, |slot| slot.leaves());
            self.changes.insert((place.clone(), at), new);
        }
        Ok(Pending { leaves, deltas })
    }

    /// What a slot holds after writes below it.
    fn below(
        &mut self,
        level: usize,
        old: Option<Slot>,
        group: &Group,
    ) -> Result<Option<Slot>, StoreError> {
        match old.map(|slot| slot.held) {
            Some(Held::Node(commitment, leaves)) => {
                let Some((first, _)) = group.first() else { return Ok(old) };
                let place = self.place(first, level);
                let before = Some((commitment, leaves));
                let pending = self.node(&place, level, before, group)?;
                if pending.leaves == 1 {
                    return self.only_leaf(&place).map(Some);
                }
                let node = |top| Slot::node(self.committer, top, pending.leaves);
                Ok((pending.leaves > 1).then(|| node(self.commit(before, &pending.deltas))))
            }
            Some(Held::Leaf(key, value)) => {
                let mut all: Writes = [(key, Some(value))].into();
                all.extend(group.iter().copied());
                self.fresh(level, &all)
            }
            None => self.fresh(level, &group.iter().copied().collect()),
        }
    }

    /// A subtree of these leaves, where there was no node.
    fn fresh(&mut self, level: usize, all: &Writes) -> Result<Option<Slot>, StoreError> {
        let leaves: Vec<_> = all.iter().map(|(key, value)| (*key, *value)).collect();
        let leaves: Vec<_> = leaves.into_iter().filter(|(_, value)| value.is_some()).collect();
        match leaves.as_slice() {
            [] => Ok(None),
            [(key, value)] => Ok(Some(Slot::leaf(self.committer, *key, value.unwrap_or_default()))),
            [(first, _), ..] => {
                let place = self.place(first, level);
                let pending = self.node(&place, level, None, &leaves)?;
                let top = self.commit(None, &pending.deltas);
                Ok(Some(Slot::node(self.committer, top, pending.leaves)))
            }
        }
    }

    /// Takes the leaf that a node is left with out of it.
    fn only_leaf(&mut self, place: &Place) -> Result<Slot, StoreError> {
        let mut slots: BTreeMap<usize, Option<Slot>> =
            self.before.all(place)?.into_iter().map(|(at, slot)| (at, Some(slot))).collect();
        let first = (place.clone(), 0);
        let last = (place.clone(), usize::MAX);
        for ((_, at), slot) in self.changes.range(first..=last) {
            slots.insert(*at, *slot);
        }
        let left = slots.into_iter().find_map(|(at, slot)| slot.map(|slot| (at, slot)));
        let (at, slot) = left.ok_or(StoreError::Corrupt("a node of verkle lost its leaf"))?;
        self.changes.insert((place.clone(), at), None);
        Ok(slot)
    }
}
