//! The checks of a decoded proof, in the order of the design: sub-AMTs, openings, then each key.
//!
//! What a liar could want, and what stands against it: another leaf (indices come from the key), another version (it is
//! taken from the opened leaf, never from a tuple), an older state (the root AMT is the trusted one, a sub-AMT's
//! commitment is bound by its parent's version), a missing owner (there must be one for every used slot).

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use ark_bn254::Bn254;

use super::fact::{Fact, Value};
use super::params::{Format, Params};
use super::proof::{Answer, Leaf, Member, Origin, Proof, SLOTS, Shown, Tree};
use super::query::{Key, Query};
use super::tuple::{self, KeyTuple, TreeTuple};
use super::{History, StateRoot, merkle};
use crate::algebra::Equations;
use crate::error::{Span, VerifyError};
use crate::hash::{Hash, keccak256};
use crate::system::Presence;
use crate::trace::{Trace, note};

pub(super) fn check(
    params: &Params,
    root: &StateRoot,
    query: &Query,
    proof: &Proof<'_>,
    todo: &mut Equations<Bn254>,
    trace: &mut dyn Trace,
) -> Result<Fact, VerifyError> {
    let mut check = Check { params, root, proof, roots: BTreeMap::new(), trace };
    for (number, tree) in proof.trees.iter().enumerate() {
        let (level, span) =
            (tree.path.len(), tree.origin.as_ref().map(|origin| origin.encoded.span));
        note!(check.trace, Entered "tree", span, tree: number, level: level);
        let commitment = match &tree.origin {
            None => root.commitment,
            Some(origin) => {
                check.origin(tree, origin)?;
                origin.commitment
            }
        };
        let commitment = todo.given(commitment);
        tree.openings.push(params, commitment, todo);
        for leaf in &tree.leaves {
            note!(
                check.trace,
                Opened "leaf",
                leaf.span,
                index: leaf.index,
                size: params.k(),
                folded: tree.openings.folded(params),
                versions: &leaf.versions,
            );
            check.owners(tree, leaf)?;
        }
    }
    let mut answers = Vec::new();
    for (index, (key, answer)) in query.keys.iter().zip(&proof.answers).enumerate() {
        note!(
            check.trace,
            Entered "answer",
            answer.span,
            key: index,
            levels: answer.steps.len(),
        );
        answers.push((key.bytes.clone(), check.answer(key, answer)?));
    }
    Ok(Fact { answers })
}

struct Check<'a> {
    params: &'a Params,
    root: &'a StateRoot,
    proof: &'a Proof<'a>,
    /// Roots of blocks whose place in the list of blocks is checked, by number.
    roots: BTreeMap<usize, Hash>,
    trace: &'a mut dyn Trace,
}

impl Check<'_> {
    /// The sub-AMT is the one that its parent's leaf counts the versions of.
    fn origin(&mut self, tree: &Tree<'_>, origin: &Origin<'_>) -> Result<(), VerifyError> {
        let span = origin.encoded.span;
        let reason = "a sub-AMT under a leaf that has none";
        let leaf = self.proof.leaf(origin.parent).ok_or(VerifyError::Path { reason, span })?;
        let [version, ..] = leaf.versions;
        if version == 0 {
            return Err(VerifyError::Path { reason, span });
        }
        let commitment = origin.encoded.bytes;
        let tuple = TreeTuple { path: &tree.path, version, commitment };
        self.member("sub-AMT tuple", tuple.hash(self.params.format), &origin.member)?;
        note!(self.trace, Compared "sub-AMT", span, version: version, commitment: commitment);
        Ok(())
    }

    /// Every used slot of a leaf is another key's, and the slots are used in order. If the leaf's owners are not
    /// needed, nothing is to be checked.
    fn owners(&mut self, tree: &Tree<'_>, leaf: &Leaf<'_>) -> Result<(), VerifyError> {
        let Some(owners) = &leaf.owners else { return Ok(()) };
        let wrong = |reason, span| VerifyError::Absence { reason, span };
        let used = used(leaf).ok_or(wrong("a free slot before a used one", leaf.span))?;
        if owners.len() != used {
            return Err(wrong("not one owner for each used slot", leaf.span));
        }
        let level = tree.path.len();
        for (owner, slot) in owners.iter().zip(1..) {
            let Ok(key) = Key::new(self.params.format, owner.key.bytes) else {
                return Err(wrong("an owner that is no key", owner.key.span));
            };
            let path = tree.path.iter().chain([&leaf.index]).zip(0..);
            let mut indices =
                path.map(|(index, level)| key.index(self.params.k(), level) == *index);
            if !indices.all(|is_same| is_same) {
                return Err(wrong("an owner of another leaf", owner.key.span));
            }
            if owner.version == 0 {
                return Err(wrong("an owner without a version", owner.key.span));
            }
            let tuple = KeyTuple {
                key: owner.key.bytes,
                version: owner.version,
                level,
                slot,
                value: owner.value,
            };
            self.member("owner tuple", tuple.hash(self.params.format), &owner.member)?;
            note!(
                self.trace,
                Compared "owner",
                owner.key.span,
                leaf: leaf.index,
                slot: slot,
                version: owner.version,
                owner: owner.key.bytes,
            );
        }
        Ok(())
    }

    fn answer(&mut self, key: &Key, answer: &Answer<'_>) -> Result<Presence<Value>, VerifyError> {
        let incomplete = VerifyError::Incomplete { span: answer.span };
        let (last, above) = answer.steps.split_last().ok_or(incomplete)?;
        let last = self.proof.leaf(*last).ok_or(incomplete)?;
        match &answer.shown {
            Shown::Present { slot, value, member } => {
                let (slot, level) = (*slot, above.len());
                let version = last.versions.get(slot).copied().unwrap_or(0);
                if version == 0 {
                    let reason = "a slot that nobody has";
                    return Err(VerifyError::Path { reason, span: answer.span });
                }
                let digest = keccak256(value);
                let hashed = match self.params.format {
                    Format::One => &digest.0,
                    Format::Osdi23 => *value,
                };
                let tuple = KeyTuple { key: &key.bytes, version, level, slot, value: hashed };
                let block = self.member("key tuple", tuple.hash(self.params.format), member)?;
                note!(
                    self.trace,
                    Compared "present",
                    answer.span,
                    level: level,
                    slot: slot,
                    version: version,
                    block: block,
                );
                Ok(Presence::Present(Value { value: value.to_vec(), version, block, level, slot }))
            }
            Shown::Absent => {
                for step in above {
                    let leaf = self.proof.leaf(*step).ok_or(incomplete)?;
                    if used(leaf) != Some(SLOTS.saturating_sub(1)) {
                        let reason = "a level above has a free slot";
                        return Err(VerifyError::Absence { reason, span: leaf.span });
                    }
                    not_owned(leaf, key)?;
                }
                let [below, ..] = last.versions;
                if below != 0 {
                    let reason = "the key may be in the sub-AMT";
                    return Err(VerifyError::Absence { reason, span: last.span });
                }
                not_owned(last, key)?;
                note!(self.trace, Compared "absent", last.span, level: above.len());
                Ok(Presence::Absent)
            }
        }
    }

    /// Holds a tuple against the list of blocks; the block that it stands in.
    fn member(
        &mut self,
        what: &'static str,
        tuple: Hash,
        member: &Member<'_>,
    ) -> Result<u64, VerifyError> {
        let Member { position, path, span, .. } = *member;
        let number = member.block;
        let incomplete = VerifyError::Incomplete { span };
        let block = self.proof.blocks.get(number).ok_or(incomplete)?;
        let length = VerifyError::Path { reason: "no such tuple in the block", span };
        let (got, expected) = match &self.root.history {
            History::Osdi23(roots) => {
                let future = VerifyError::Order { reason: "a later block", span: block.span };
                let epoch = usize::try_from(block.epoch).unwrap_or(usize::MAX);
                let (root, depth) = roots.get(epoch).ok_or(future)?;
                let got = merkle::climb_osdi23(tuple, position, *depth, path).ok_or(length)?;
                // An empty block: zero is no hash of anything.
                if *root == Hash::ZERO {
                    return Err(length);
                }
                (got, *root)
            }
            History::One { hroot, number: last } => {
                if block.epoch > *last {
                    let reason = "a later block";
                    return Err(VerifyError::Order { reason, span: block.span });
                }
                let root = merkle::climb(tuple, position, block.count, path).ok_or(length)?;
                if let Some(known) = self.roots.get(&number) {
                    (root, *known)
                } else {
                    self.roots.insert(number, root);
                    let leaf = tuple::block(block.epoch, block.count, &root);
                    let reason = "no such block in the list";
                    let length = VerifyError::Path { reason, span: block.span };
                    let count = last.saturating_add(1);
                    let got = merkle::climb(leaf, block.epoch, count, block.path).ok_or(length)?;
                    if got == *hroot {
                        note!(
                            self.trace,
                            Hashed "block path",
                            block.span,
                            block: block.epoch,
                            tuples: block.count,
                            siblings: block.path.len(),
                            hashes: block.path.len().saturating_add(1),
                            digest: &got,
                        );
                    }
                    (got, *hroot)
                }
            }
        };
        if got != expected {
            return Err(VerifyError::Merkle { expected, got, span });
        }
        note!(
            self.trace,
            Hashed what,
            span,
            block: block.epoch,
            position: position,
            siblings: path.len(),
            hashes: path.len().saturating_add(1),
            digest: &tuple,
        );
        Ok(block.epoch)
    }
}

/// How many slots keys have; `None` if a free one stands before a used one.
fn used(leaf: &Leaf<'_>) -> Option<usize> {
    let [_, slots @ ..] = &leaf.versions;
    let used = slots.iter().take_while(|version| **version > 0).count();
    slots.iter().skip(used).all(|version| *version == 0).then_some(used)
}

/// No slot of a leaf is the key's. Its owners were checked with the leaf.
fn not_owned(leaf: &Leaf<'_>, key: &Key) -> Result<(), VerifyError> {
    let wrong = |reason, span: Span| VerifyError::Absence { reason, span };
    let owners = leaf.owners.as_ref().ok_or(wrong("no owners", leaf.span))?;
    match owners.iter().find(|owner| owner.key.bytes == key.bytes) {
        Some(owner) => Err(wrong("the key itself has a slot", owner.key.span)),
        None => Ok(()),
    }
}
