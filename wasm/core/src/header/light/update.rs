//! What the store's rules see of an update, whichever chain wrote it.

use alloc::vec::Vec;

use crate::chain::Consensus;
use crate::error::{Rejection, Span, VerifyError};
use crate::hash::Hash;
use crate::header::committee::{Aggregate, Committee, Listed, two_thirds};
use crate::observer::Observer;

use super::{Execution, Signed};

/// The shape of an update, by the methods that take it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// With the next committee.
    Update,
    /// With a finalized header.
    Finality,
    /// A signed header alone.
    Optimistic,
}

impl Form {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Update => "update",
            Self::Finality => "finality",
            Self::Optimistic => "optimistic",
        }
    }
}

/// What an update claims, decoded and not yet proven. Slots are block numbers on the devnet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outline<'a> {
    /// Where the attested header stands.
    pub(super) header: Span,
    pub(super) attested_slot: u64,
    pub(super) signature_slot: u64,
    /// The next committee, if a branch stands beside it.
    pub(super) next: Option<Listed<'a>>,
    pub(super) aggregate: Aggregate<'a>,
}

/// A decoded update and the proofs in it; [`super::store`] calls them in the order of
/// `spec/headers.md`, section 6.
pub(super) trait Update<O> {
    fn outline(&self) -> Outline<'_>;

    /// Signers without which the update is not even looked at.
    fn fewest_signers(&self, size: usize) -> usize;

    /// Slots are in order and not in the future. `now`: Unix time, seconds.
    fn check_time(&self, now: u64) -> Result<(), VerifyError>;

    /// The attested header, its execution payload proven.
    fn attested(&self, observer: &mut O) -> Result<Signed, VerifyError>;

    /// The finalized header, proven under the attested one; `None` if the update has none.
    fn finalized(&self, observer: &mut O) -> Result<Option<Signed>, VerifyError>;

    /// The committees that the attested header names.
    ///
    /// * `signer`: root of the committee that signs.
    /// * `next`: root of the committee that the update brings, else of the known one after
    ///   `signer`.
    fn check_committees(
        &self,
        signer: Hash,
        next: Option<Hash>,
        observer: &mut O,
    ) -> Result<(), VerifyError>;

    /// What the committee signed. `root`: of the attested header.
    fn message(&self, root: Hash, observer: &mut O) -> Result<Hash, VerifyError>;

    /// What the committee would have signed for a fork that follows the last one that is known,
    /// where that may be.
    fn message_beyond(&self, _root: Hash, _observer: &mut O) -> Option<Hash> {
        None
    }

    /// Whether the keys of a committee must be checked one by one.
    fn keys_need_checks(&self) -> bool;

    /// Whether no key of a committee may be listed twice.
    fn keys_differ(&self) -> bool {
        false
    }

    /// What proves the next committee later, without the signature: the attested header, the
    /// branch.
    fn handover(&self) -> (Vec<u8>, Vec<u8>);

    /// The update without its committee, in the form [`Form::Finality`].
    fn without_committee(&self) -> Vec<u8>;
}

/// An update whose every proof holds.
#[derive(Clone, Debug)]
pub(super) struct Valid {
    pub(super) attested: Signed,
    pub(super) finalized: Option<Signed>,
    pub(super) next: Option<Committee>,
    pub(super) signers: usize,
    /// Keys of the committee that signed.
    pub(super) of: usize,
    pub(super) signature_slot: u64,
}

impl Valid {
    /// Slot of the finalized header; 0 without one.
    pub(super) fn finalized_slot(&self) -> u64 {
        self.finalized.as_ref().map_or(0, |header| header.slot)
    }

    /// Whether it finalizes a header of the period that it was signed in.
    pub(super) fn finalizes_its_period(&self, consensus: &Consensus) -> bool {
        self.finalized.as_ref().is_some_and(|finalized| {
            consensus.period(finalized.slot) == consensus.period(self.attested.slot)
        })
    }

    /// `is_better_update` of the Altair spec: which of two updates to keep for a forced one.
    pub(super) fn is_better(&self, old: &Self, consensus: &Consensus) -> bool {
        let many = |update: &Self| update.signers >= two_thirds(update.of);
        let relevant = |update: &Self| {
            update.next.is_some()
                && consensus.period(update.attested.slot) == consensus.period(update.signature_slot)
        };
        if many(self) != many(old) {
            return many(self);
        }
        if !many(self) && self.signers != old.signers {
            return self.signers > old.signers;
        }
        if relevant(self) != relevant(old) {
            return relevant(self);
        }
        if self.finalized.is_some() != old.finalized.is_some() {
            return self.finalized.is_some();
        }
        let (own, others) =
            (self.finalizes_its_period(consensus), old.finalizes_its_period(consensus));
        if own != others {
            return own;
        }
        if self.signers != old.signers {
            return self.signers > old.signers;
        }
        (self.attested.slot, self.signature_slot) < (old.attested.slot, old.signature_slot)
    }
}

/// Checks a signature made in `slot`. One that is false for every known fork, but true for the one
/// that would follow, shows that the chain has forked: nobody can make that up without the
/// committee.
///
/// # Errors
/// As [`Committee::verify`]; [`Rejection::Fork`].
pub(super) fn check_signature<O: Observer>(
    signer: &mut Committee,
    aggregate: &Aggregate<'_>,
    slot: u64,
    message: Hash,
    beyond: impl FnOnce(&mut O) -> Option<Hash>,
    observer: &mut O,
) -> Result<(), Rejection> {
    let verdict = signer.verify(aggregate, message, observer);
    if matches!(verdict, Err(Rejection::Verify(VerifyError::Signature { .. })))
        && let Some(message) = beyond(observer)
        && signer.verify(aggregate, message, observer).is_ok()
    {
        return Err(Rejection::Fork { slot });
    }
    verdict
}

/// A header without an execution payload, or a genesis that stands for one.
pub(super) const fn bare(slot: u64, root: Hash, timestamp: u64) -> Signed {
    Signed { slot, root, timestamp, execution: None::<Execution>, signers: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::DevnetCommittee;

    /// Signers of 32, whether it brings the next committee, the finalized slot, and the slots of
    /// header and signature.
    type Parts = (usize, bool, Option<u64>, u64, u64);

    fn valid((signers, brings_next, finalized, slot, signature_slot): Parts) -> Valid {
        let header = |slot| bare(slot, Hash::ZERO, 0);
        let next = brings_next.then(|| Committee::trusted(&[7; 33 * 48], 32).unwrap());
        let (attested, finalized) = (header(slot), finalized.map(header));
        Valid { attested, finalized, next, signers, of: 32, signature_slot }
    }

    /// The rules of the Altair specification in their order; each first update is worse by every
    /// later rule.
    #[test]
    fn one_of_two_updates_is_better() {
        let pairs: [(Parts, Parts); 10] = [
            // Two thirds signed it.
            ((22, false, None, 9, 9), (21, true, Some(5), 5, 6)),
            // More signed it, where neither has two thirds.
            ((6, false, None, 9, 9), (5, true, Some(5), 5, 6)),
            // It brings the next committee, in the period of its signature.
            ((30, true, None, 5, 6), (31, false, Some(5), 5, 6)),
            ((30, true, None, 5, 6), (31, true, Some(5), 9, 10)),
            ((5, true, None, 5, 6), (5, false, Some(5), 5, 6)),
            // It finalizes a header.
            ((30, true, Some(5), 8, 9), (31, true, None, 5, 6)),
            // One of its own period.
            ((30, true, Some(15), 16, 17), (31, true, Some(5), 12, 13)),
            // More signed it.
            ((31, true, Some(15), 16, 17), (30, true, Some(15), 15, 16)),
            // It is older, its header or then its signature.
            ((30, true, Some(15), 15, 18), (30, true, Some(15), 16, 17)),
            ((30, true, Some(15), 15, 16), (30, true, Some(15), 15, 17)),
        ];
        let devnet = DevnetCommittee { committee_size: Some(32), period_length: 10 };
        let consensus = Consensus::Devnet(devnet);
        for (better, worse) in pairs {
            let [better, worse] = [better, worse].map(valid);
            assert!(better.is_better(&worse, &consensus));
            assert!(!worse.is_better(&better, &consensus));
            assert!(!better.is_better(&better, &consensus));
        }
    }
}
