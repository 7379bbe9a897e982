//! The checks of a decoded proof, in the order of `spec/systems/lvmt.md`, section 8: sub-AMTs,
//! openings, then each key.
//!
//! What a liar could want, and what stands against it: another leaf (indices come from the key),
//! another version (it is taken from the opened leaf, never from a tuple), an older state (the root
//! AMT is the trusted one, a sub-AMT's commitment is bound by its parent's version), a missing
//! owner (there must be one for every used slot: [`absence`]).

mod absence;

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use ark_bn254::Bn254;

use super::fact::{Fact, Value};
use super::params::{Format, Params};
use super::proof::{Answer, Block, Leaf, Listed, Member, Origin, Proof, Shown, Step, Tree};
use super::query::{Key, Query};
use super::tuple::{self, KeyTuple, TreeTuple};
use super::{History, StateRoot, merkle};
use crate::algebra::Equations;
use crate::error::{Span, VerifyError};
use crate::hash::{Hash, keccak256};
use crate::observer::{Observer, note};
use crate::system::Presence;

pub(super) fn check(
    params: &Params,
    root: &StateRoot,
    query: &Query,
    proof: &Proof<'_>,
    todo: &mut Equations<Bn254>,
    observer: &mut impl Observer,
) -> Result<Fact, VerifyError> {
    let mut check = Check { params, root, proof, roots: BTreeMap::new(), observer };
    for (number, tree) in proof.trees.iter().enumerate() {
        let (level, span) =
            (tree.path.len(), tree.origin.as_ref().map(|origin| origin.encoded.span));
        note!(check.observer, Entered "tree", span, tree: number, level: level);
        let commitment = match &tree.origin {
            None => todo.given(root.commitment),
            Some(origin) => {
                check.origin(tree, origin)?;
                todo.of_proof(origin.commitment)
            }
        };
        tree.openings.push(params, commitment, todo);
        for leaf in &tree.leaves {
            note!(
                check.observer,
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
            check.observer,
            Entered "answer",
            answer.span,
            key: index,
            levels: answer.steps.len(),
        );
        answers.push((key.bytes.clone(), check.answer(key, answer)?));
    }
    Ok(Fact { answers })
}

struct Check<'a, O> {
    params: &'a Params,
    root: &'a StateRoot,
    proof: &'a Proof<'a>,
    /// Roots of blocks whose place in the list of blocks is checked, by number.
    roots: BTreeMap<usize, Hash>,
    observer: &'a mut O,
}

impl<'a, O: Observer> Check<'a, O> {
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
        note!(self.observer, Compared "sub-AMT", span, version: version, commitment: commitment);
        Ok(())
    }

    fn answer(&mut self, key: &Key, answer: &Answer<'_>) -> Result<Presence<Value>, VerifyError> {
        match &answer.shown {
            Shown::Present { slot, value, member } => {
                let (last, above) = self.path(answer)?;
                let (slot, level) = (*slot, above.len());
                let version = last.versions.get(slot).copied().unwrap_or(0);
                if version == 0 {
                    let reason = "slot is unused: its version is 0";
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
                    self.observer,
                    Compared "present",
                    answer.span,
                    level: level,
                    slot: slot,
                    version: version,
                    block: block,
                );
                Ok(Presence::Present(Value { value: value.to_vec(), version, block, level, slot }))
            }
            Shown::Absent => self.absent(key, answer),
        }
    }

    /// The last leaf of an answer, and the steps above it.
    fn path<'s>(&self, answer: &'s Answer<'_>) -> Result<(&'a Leaf<'a>, &'s [Step]), VerifyError> {
        let incomplete = VerifyError::Incomplete { span: answer.span };
        let (last, above) = answer.steps.split_last().ok_or(incomplete)?;
        Ok((self.proof.leaf(*last).ok_or(incomplete)?, above))
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
        let length = VerifyError::Path {
            reason: "tuple position or path length does not fit the block",
            span,
        };
        let (got, expected) = match (&self.root.history, block) {
            (History::Osdi23(roots), Block::Bare { epoch, span }) => {
                let future = VerifyError::Order { reason: "a later block", span: *span };
                let epoch = usize::try_from(*epoch).unwrap_or(usize::MAX);
                let (root, depth) = roots.get(epoch).ok_or(future)?;
                let got = merkle::climb_osdi23(tuple, position, *depth, path).ok_or(length)?;
                // An empty block: zero is no hash of anything.
                if *root == Hash::ZERO {
                    return Err(length);
                }
                (got, *root)
            }
            (History::One { hroot, number: last }, Block::Listed(block)) => {
                if block.epoch > *last {
                    let reason = "a later block";
                    return Err(VerifyError::Order { reason, span: block.span });
                }
                let root = merkle::climb(tuple, position, block.count, path).ok_or(length)?;
                if let Some(known) = self.roots.get(&number) {
                    (root, *known)
                } else {
                    self.listed(block, root, (*hroot, *last), span)?;
                    self.roots.insert(number, root);
                    (root, root)
                }
            }
            _ => return Err(incomplete),
        };
        if got != expected {
            return Err(VerifyError::Merkle { expected, got, span });
        }
        note!(
            self.observer,
            Hashed what,
            span,
            block: block.epoch(),
            position: position,
            siblings: path.len(),
            hashes: path.len().saturating_add(1),
            digest: &tuple,
        );
        Ok(block.epoch())
    }

    /// Holds a block against the list of blocks. `span`: of the tuple that is shown in it.
    fn listed(
        &mut self,
        block: &Listed<'_>,
        root: Hash,
        (hroot, last): (Hash, u64),
        span: Span,
    ) -> Result<(), VerifyError> {
        let leaf = tuple::block(block.epoch, block.count, &root);
        let reason = "block position or path length does not fit the block list";
        let length = VerifyError::Path { reason, span: block.span };
        let count = last.saturating_add(1);
        let got = merkle::climb(leaf, block.epoch, count, block.path).ok_or(length)?;
        if got != hroot {
            return Err(VerifyError::Merkle { expected: hroot, got, span });
        }
        note!(
            self.observer,
            Hashed "block path",
            block.span,
            block: block.epoch,
            tuples: block.count,
            siblings: block.path.len(),
            hashes: block.path.len().saturating_add(1),
            digest: &got,
        );
        Ok(())
    }
}
