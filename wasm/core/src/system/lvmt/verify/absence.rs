//! Absence of a key: everything that shows it.
//!
//! A key takes the first free slot on its path, from the root AMT down, and keeps it. So it was
//! never written if, and only if, the path ends, and none of the slots on it are the key's:
//!
//! 1. Every leaf above the last has five used slots ([`Check::absent`]): a key is never below a
//!    free slot. That the path leads through these leaves, and no others, is the decoder's doing:
//!    indices come from the key.
//! 2. The last leaf has no sub-AMT ([`Check::absent`]): there is nothing below where the key could
//!    be.
//! 3. Used slots come first in a leaf, so that their number says which they are ([`used`]).
//! 4. Every used slot of every leaf has an owner ([`Check::owners`]): a key of this leaf, by its
//!    own bits, with a tuple of this level and slot in some block. Of which version, does not
//!    matter: slots never change hands.
//! 5. No owner on the path is the key ([`not_owned`]). There is one tuple for each version of a
//!    key, so a slot has but one owner that can be shown, and 4. and 5. leave no slot to the key.
//!
//! 3 and 4 are checked once for each leaf, however many answers visit it; 1, 2 and 5 for each
//! answer.

use super::super::fact::Value;
use super::super::proof::{Answer, Leaf, SLOTS, Tree};
use super::super::query::Key;
use super::super::tuple::KeyTuple;
use super::Check;
use crate::error::{Span, VerifyError};
use crate::observer::{Observer, note};
use crate::system::Presence;

impl<O: Observer> Check<'_, O> {
    /// Every used slot of a leaf is another key's, and the slots are used in order. If the leaf's
    /// owners are not needed, nothing is to be checked.
    pub(super) fn owners(&mut self, tree: &Tree<'_>, leaf: &Leaf<'_>) -> Result<(), VerifyError> {
        let Some(owners) = &leaf.owners else { return Ok(()) };
        let used = used(leaf).ok_or(wrong("a free slot before a used one", leaf.span))?;
        if owners.len() != used {
            return Err(wrong("not one owner for each used slot", leaf.span));
        }
        let level = tree.path.len();
        for (owner, slot) in owners.iter().zip(1..) {
            let Ok(key) = Key::new(self.params.format, owner.key.bytes) else {
                return Err(wrong("owner is not a valid key", owner.key.span));
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
                self.observer,
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

    /// The key has no slot on its path, and the path ends.
    pub(super) fn absent(
        &mut self,
        key: &Key,
        answer: &Answer<'_>,
    ) -> Result<Presence<Value>, VerifyError> {
        let (last, above) = self.path(answer)?;
        for step in above {
            let incomplete = VerifyError::Incomplete { span: answer.span };
            let leaf = self.proof.leaf(*step).ok_or(incomplete)?;
            if used(leaf) != Some(SLOTS.saturating_sub(1)) {
                return Err(wrong("a leaf above the last one has a free slot", leaf.span));
            }
            not_owned(leaf, key)?;
        }
        let [below, ..] = last.versions;
        if below != 0 {
            return Err(wrong("the last leaf has a sub-AMT, which may hold the key", last.span));
        }
        not_owned(last, key)?;
        note!(self.observer, Compared "absent", last.span, level: above.len());
        Ok(Presence::Absent)
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
    let owners = leaf.owners.as_ref().ok_or(wrong("no owners", leaf.span))?;
    match owners.iter().find(|owner| owner.key.bytes == key.bytes) {
        Some(owner) => Err(wrong("the key itself has a slot", owner.key.span)),
        None => Ok(()),
    }
}

const fn wrong(reason: &'static str, span: Span) -> VerifyError {
    VerifyError::Absence { reason, span }
}
