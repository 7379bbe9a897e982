//! The store: committees, the finalized header and the head, and the rules by which they move.
//!
//! Source: consensus-specs, `altair/light-client/sync-protocol.md` (validate, process, apply and
//! force); the devnet moves by the same rules, its headers being final at once.

use alloc::vec::Vec;

use super::update::{Outline, Update, Valid};
use super::{Changed, Signed};
use crate::chain::Consensus;
use crate::error::{Rejection, VerifyError};
use crate::hash::Hash;
use crate::hash::merkle::Work;
use crate::header::committee::{Committee, two_thirds};
use crate::trace::{Trace, note};

/// Everything a client holds.
#[derive(Clone, Debug)]
pub(super) struct Store {
    pub(super) consensus: Consensus,
    /// Proves `current`.
    pub(super) anchor: Anchor,
    /// The period of `current`, which is that of the finalized header.
    pub(super) period: u64,
    pub(super) current: Committee,
    pub(super) next: Option<Committee>,
    /// `None` while a saved store is replayed.
    pub(super) finalized: Option<Signed>,
    pub(super) head: Option<Signed>,
    best: Option<Valid>,
    previous_max: usize,
    current_max: usize,
    pub(super) evidence: Evidence,
}

/// A header that the caller pinned or that was signed, and the branch from its state to a committee.
#[derive(Clone, Debug)]
pub(super) struct Anchor {
    pub(super) root: Hash,
    pub(super) slot: u64,
    /// Whether the committee is the header's own period's, or the next.
    pub(super) of_next: bool,
    pub(super) header: Vec<u8>,
    pub(super) branch: Vec<u8>,
}

/// Signed updates that prove the rest of the store again.
#[derive(Clone, Debug, Default)]
pub(super) struct Evidence {
    /// Of the next committee, with the anchor that it becomes.
    pub(super) next: Option<(Vec<u8>, Anchor)>,
    /// Of the finalized header, if it is newer than that of `next`.
    pub(super) finalized: Option<Vec<u8>>,
    /// The store moved without two thirds of a committee; nothing proves it again.
    pub(super) forced: bool,
}

impl Store {
    pub(super) fn new(
        consensus: Consensus,
        anchor: Anchor,
        current: Committee,
        finalized: Option<Signed>,
    ) -> Self {
        let of_anchor = consensus.period(anchor.slot);
        Self {
            period: if anchor.of_next { of_anchor.saturating_add(1) } else { of_anchor },
            consensus,
            anchor,
            current,
            next: None,
            head: finalized.clone(),
            finalized,
            best: None,
            previous_max: 0,
            current_max: 0,
            evidence: Evidence::default(),
        }
    }

    /// Checks an update and takes what it proves.
    ///
    /// * `raw`: its bytes, kept if the store moves by it. * `now`: Unix time, seconds.
    pub(super) fn process(
        &mut self,
        update: &dyn Update,
        raw: &[u8],
        now: u64,
        work: &mut Work,
        trace: &mut dyn Trace,
    ) -> Result<(usize, Changed), Rejection> {
        let valid = self.validate(update, now, work, trace)?;
        let signers = valid.signers;
        let better = match &self.best {
            Some(best) => valid.is_better(best, &self.consensus),
            None => true,
        };
        if better {
            self.best = Some(valid.clone());
        }
        self.current_max = self.current_max.max(signers);
        let mut changed = Changed::default();
        if signers > self.previous_max.max(self.current_max) >> 1
            && valid.attested.slot > self.head.as_ref().map_or(0, |head| head.slot)
        {
            self.head = Some(valid.attested.clone());
            changed.head = true;
        }
        let supplies_next = self.next.is_none()
            && valid.next.is_some()
            && valid.finalizes_its_period(&self.consensus);
        let moves = valid.finalized_slot() > self.finalized_slot() || supplies_next;
        if signers >= two_thirds(self.current.size()) && moves {
            let anchor = valid.next.is_some().then(|| handover(update, &valid));
            let kept = Kept { next: anchor.map(|anchor| (raw, anchor)), update };
            changed = self.apply(valid, Some(kept)).joined(changed);
            self.best = None;
        }
        note!(trace, Compared "rules", None, finalized: changed.finalized, head: changed.head,
            next: changed.next, period: self.period);
        Ok((signers, changed))
    }

    /// `process_light_client_store_force_update`: after a whole period without finality, the best
    /// update is taken as if its attested header were final. `now`: Unix time, seconds.
    pub(super) fn force(&mut self, now: u64) -> Changed {
        let Consensus::Beacon(beacon) = &self.consensus else {
            return Changed::default();
        };
        let timeout = self.finalized_slot().saturating_add(beacon.slots_per_period());
        if beacon.slot(now) <= timeout {
            return Changed::default();
        }
        let Some(mut best) = self.best.take() else {
            return Changed::default();
        };
        if best.finalized_slot() <= self.finalized_slot() {
            best.finalized = Some(best.attested.clone());
        }
        self.apply(best, None)
    }

    /// Slot of the finalized header; of a store that is being replayed, just before its period.
    pub(super) fn finalized_slot(&self) -> u64 {
        match &self.finalized {
            Some(header) => header.slot,
            None => self.consensus.first_slot(self.period).saturating_sub(1),
        }
    }

    /// `validate_light_client_update`, in the order of headers.md §2.
    fn validate(
        &mut self,
        update: &dyn Update,
        now: u64,
        work: &mut Work,
        trace: &mut dyn Trace,
    ) -> Result<Valid, Rejection> {
        let outline = update.outline();
        let Outline { header, attested_slot, signature_slot, aggregate, .. } = outline;
        aggregate.require(update.fewest_signers(self.current.size()))?;
        note!(trace, Compared "participation", aggregate.bits.span, signed: aggregate.count(),
            of: self.current.size());
        update.check_time(now)?;
        let signed_by_next = self.signed_by_next(signature_slot)?;
        note!(trace, Compared "period", None, slot: signature_slot,
            period: self.consensus.period(signature_slot));
        self.check_relevance(&outline)?;

        let before = work.pairs;
        let mut attested = update.attested(work)?;
        note!(trace, Hashed "signed header", header, number: attested_slot, digest: &attested.root,
            hashes: work.pairs.saturating_sub(before).max(1));
        let mut finalized = update.finalized(work)?;
        if let Some(finalized) = finalized.as_ref().filter(|header| header.root != attested.root) {
            note!(trace, Compared "finalized header", None, number: finalized.slot,
                root: &finalized.root);
        }
        let before = *work;
        let (next, is_known) = self.next_committee(&outline, work)?;
        if let (Some(next), Some(listed)) = (&next, &outline.next) {
            listed.note_root(next.root(), before, work, trace);
        }
        let (signer, after) = match (&mut self.next, signed_by_next) {
            (Some(next), true) => (next, None),
            (next, _) => (&mut self.current, next.as_ref().map(Committee::root)),
        };
        let names = next.as_ref().map(Committee::root).or(after);
        update.check_committees(signer.root(), names, work)?;
        if outline.next.is_some() {
            note!(trace, Compared "committee root", None);
        }

        let before = *work;
        let message = update.message(attested.root, work)?;
        signer.verify(&aggregate, message, work)?;
        note!(trace, Settled "signature", aggregate.signature.span, committee: &signer.root(),
            terms: work.added.saturating_sub(before.added),
            loops: work.loops.saturating_sub(before.loops),
            exponentiations: work.exponentiations.saturating_sub(before.exponentiations));
        let mut next = next;
        if let (Some(next), Some(listed)) = (&mut next, outline.next)
            && update.keys_need_checks()
            && !is_known
        {
            next.check_keys(listed.keys.span, work)?;
            note!(trace, Compared "committee keys", listed.keys.span, keys: next.size());
        }

        let signers = aggregate.count();
        attested.signers = Some(signers);
        if let Some(header) = &mut finalized {
            header.signers = Some(signers);
        }
        Ok(Valid { attested, finalized, next, signers, signature_slot })
    }

    /// Which of the two committees signs in the period of a slot.
    fn signed_by_next(&self, signature_slot: u64) -> Result<bool, VerifyError> {
        let got = self.consensus.period(signature_slot);
        let known = self.period;
        if got == known {
            return Ok(false);
        }
        if self.next.is_some() && Some(got) == known.checked_add(1) {
            return Ok(true);
        }
        Err(VerifyError::Period { got, known })
    }

    /// The update is newer than what is finalized, or brings the committee that is missing.
    fn check_relevance(&self, outline: &Outline<'_>) -> Result<(), VerifyError> {
        let supplies_next = self.next.is_none()
            && outline.next.is_some()
            && self.consensus.period(outline.attested_slot) == self.period;
        let known = self.finalized_slot();
        if outline.attested_slot > known || supplies_next {
            return Ok(());
        }
        Err(VerifyError::Relevance { got: outline.attested_slot, known })
    }

    /// The committee that the update brings, its root not yet proven, and whether it is the known one.
    fn next_committee(
        &self,
        outline: &Outline<'_>,
        work: &mut Work,
    ) -> Result<(Option<Committee>, bool), VerifyError> {
        let Some(listed) = outline.next else {
            return Ok((None, false));
        };
        let known = self.next.as_ref().filter(|known| known.holds(&listed));
        let same_period = self.consensus.period(outline.attested_slot) == self.period;
        if same_period && self.next.is_some() && known.is_none() {
            let reason = "another next committee than the known one";
            return Err(VerifyError::Committee { reason, span: listed.keys.span });
        }
        match known {
            Some(known) => Ok((Some(known.clone()), true)),
            None => Ok((Some(Committee::proven(&listed, listed.root(work))), false)),
        }
    }

    /// `apply_light_client_update`.
    fn apply(&mut self, update: Valid, kept: Option<Kept<'_>>) -> Changed {
        let mut changed = Changed::default();
        self.evidence.forced |= kept.is_none();
        let finalized_period = self.consensus.period(update.finalized_slot());
        let brings_next = update.next.is_some();
        let mut takes_next = false;
        if self.next.is_none() {
            changed.next = brings_next;
            takes_next = true;
            self.next = update.next;
        } else if Some(finalized_period) == self.period.checked_add(1) {
            if let Some(next) = core::mem::replace(&mut self.next, update.next) {
                self.current = next;
            }
            if let Some((_, anchor)) = self.evidence.next.take() {
                self.anchor = anchor;
            }
            self.period = finalized_period;
            self.previous_max = core::mem::take(&mut self.current_max);
            changed.period = true;
            changed.next = brings_next;
            takes_next = true;
        }
        let brought = update.finalized.as_ref().map(|header| header.root);
        if let Some(finalized) = update.finalized
            && finalized.slot > self.finalized_slot()
        {
            if self.head.as_ref().is_none_or(|head| finalized.slot > head.slot) {
                self.head = Some(finalized.clone());
                changed.head = true;
            }
            self.finalized = Some(finalized);
            changed.finalized = true;
        }
        if let Some(kept) = kept {
            let held = self.finalized.as_ref().map(|header| header.root);
            self.keep(kept, takes_next, changed.finalized, held == brought);
        }
        changed
    }

    /// Keeps the signed bytes that prove what has just been taken.
    ///
    /// * `proves_finalized`: the finalized header that is held now is the update's own, whether or not it was held
    ///   before.
    fn keep(
        &mut self,
        kept: Kept<'_>,
        takes_next: bool,
        takes_finalized: bool,
        proves_finalized: bool,
    ) {
        match kept.next {
            Some((raw, anchor)) if takes_next => {
                self.evidence.next = Some((raw.to_vec(), anchor));
                // Another finalized header that was there before keeps its own evidence. The same one must not: it
                // would be no news beside the update.
                if proves_finalized {
                    self.evidence.finalized = None;
                }
            }
            _ if takes_finalized => {
                self.evidence.finalized = Some(kept.update.without_committee());
            }
            _ => {}
        }
    }
}

/// What an update leaves behind if the store moves by it.
struct Kept<'a> {
    /// Its bytes, and the anchor that its committee will have, if it brings one.
    next: Option<(&'a [u8], Anchor)>,
    update: &'a dyn Update,
}

/// The attested header of an update as the anchor of the committee after it.
fn handover(update: &dyn Update, valid: &Valid) -> Anchor {
    let (header, branch) = update.handover();
    let (root, slot) = (valid.attested.root, valid.attested.slot);
    Anchor { root, slot, of_next: true, header, branch }
}
