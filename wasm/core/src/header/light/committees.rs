//! The committees that a light client holds, and the checks of an update that they sign.
//!
//! Source: consensus-specs, `altair/light-client/sync-protocol.md`
//! (`validate_light_client_update`).

use alloc::vec::Vec;

use super::update::{Outline, Update, Valid, check_signature};
use crate::chain::Consensus;
use crate::error::{Rejection, VerifyError};
use crate::hash::Hash;
use crate::header::committee::Committee;
use crate::observer::{Observer, note};

/// The committee of the store's period, what proves it, and the one after it.
#[derive(Clone, Debug)]
pub(super) struct Committees {
    pub(super) consensus: Consensus,
    /// Proves `current`.
    pub(super) anchor: Anchor,
    /// The period of `current`, which is that of the finalized header.
    pub(super) period: u64,
    pub(super) current: Committee,
    pub(super) next: Option<Committee>,
}

/// A header that the caller pinned or that was signed, and the branch from its state to a
/// committee.
#[derive(Clone, Debug)]
pub(super) struct Anchor {
    pub(super) root: Hash,
    pub(super) slot: u64,
    /// Whether the committee is the header's own period's, or the next.
    pub(super) of_next: bool,
    pub(super) header: Vec<u8>,
    pub(super) branch: Vec<u8>,
}

impl Committees {
    pub(super) fn new(consensus: Consensus, anchor: Anchor, current: Committee) -> Self {
        let of_anchor = consensus.period(anchor.slot);
        let period = if anchor.of_next { of_anchor.saturating_add(1) } else { of_anchor };
        Self { consensus, anchor, period, current, next: None }
    }

    /// `validate_light_client_update`, in the order of `spec/headers.md`, section 6.
    ///
    /// * `known`: slot of the finalized header. * `now`: Unix time, seconds.
    pub(super) fn validate<O: Observer>(
        &mut self,
        update: &dyn Update<O>,
        known: u64,
        now: u64,
        observer: &mut O,
    ) -> Result<Valid, Rejection> {
        let outline = update.outline();
        let Outline { header, attested_slot, signature_slot, aggregate, .. } = outline;
        let of = self.signing(signature_slot)?;
        aggregate.check_bits(of)?;
        aggregate.require(update.fewest_signers(of))?;
        note!(observer, Compared "participation", aggregate.bits.span, signed: aggregate.count(), of: of);
        update.check_time(now)?;
        let signed_by_next = self.signed_by_next(signature_slot)?;
        note!(observer, Compared "period", None, slot: signature_slot,
            period: self.consensus.period(signature_slot));
        self.check_relevance(&outline, known)?;

        let mut attested = update.attested(observer)?;
        note!(observer, Hashed "signed header", header, number: attested_slot, digest: &attested.root);
        let mut finalized = update.finalized(observer)?;
        let (next, is_known) = self.next_committee(&outline, observer)?;
        let (signer, after) = match (&mut self.next, signed_by_next) {
            (Some(next), true) => (next, None),
            (next, _) => (&mut self.current, next.as_ref().map(Committee::root)),
        };
        let names = next.as_ref().map(Committee::root).or(after);
        update.check_committees(signer.root(), names, observer)?;

        let message = update.message(attested.root, observer)?;
        let beyond = |observer: &mut O| update.message_beyond(attested.root, observer);
        check_signature(signer, &aggregate, signature_slot, message, beyond, observer)?;
        note!(observer, Settled "signature", aggregate.signature.span, committee: &signer.root());
        let mut next = next;
        if let (Some(next), Some(listed)) = (&mut next, outline.next)
            && update.keys_need_checks()
            && !is_known
        {
            next.check_keys(&listed, observer)?;
            if update.keys_differ() {
                listed.check_distinct()?;
            }
            note!(observer, Compared "committee keys", listed.keys.span, keys: next.size());
        }

        let signers = aggregate.count();
        attested.signers = Some((signers, of));
        if let Some(header) = &mut finalized {
            header.signers = Some((signers, of));
        }
        Ok(Valid { attested, finalized, next, signers, of, signature_slot })
    }

    /// Whether the next committee is missing and an update brings it, with a final header of its
    /// period.
    pub(super) fn lack_next_of(&self, update: &Valid) -> bool {
        self.next.is_none() && update.next.is_some() && update.finalizes_its_period(&self.consensus)
    }

    /// What an update finalizes lies in the store's period, or, where the next committee is known,
    /// in the one after it. The specification asserts it; of a valid update it follows from the
    /// period that it was signed in.
    pub(super) fn check_finalized_period(&self, slot: u64) -> Result<(), VerifyError> {
        self.signed_by_next(slot).map(|_| ())
    }

    /// Keys of the committee that signs in the period of a slot. Where all committees have one
    /// size, a period that neither of the two signs in is refused later.
    fn signing(&self, slot: u64) -> Result<usize, VerifyError> {
        match (self.signed_by_next(slot), &self.next) {
            (Ok(true), Some(next)) => Ok(next.size()),
            (Err(error), _) if self.consensus.committee_size().is_none() => Err(error),
            _ => Ok(self.current.size()),
        }
    }

    /// Which of the two committees signs in the period of a slot.
    fn signed_by_next(&self, slot: u64) -> Result<bool, VerifyError> {
        let (got, known) = (self.consensus.period(slot), self.period);
        if got == known {
            return Ok(false);
        }
        if self.next.is_some() && Some(got) == known.checked_add(1) {
            return Ok(true);
        }
        Err(VerifyError::Period { got, known })
    }

    /// The update is newer than what is finalized, or brings the committee that is missing.
    fn check_relevance(&self, outline: &Outline<'_>, known: u64) -> Result<(), VerifyError> {
        let supplies_next = self.next.is_none()
            && outline.next.is_some()
            && self.consensus.period(outline.attested_slot) == self.period;
        if outline.attested_slot > known || supplies_next {
            return Ok(());
        }
        Err(VerifyError::Relevance { got: outline.attested_slot, known })
    }

    /// The committee that the update brings, its root not yet proven, and whether it is the known
    /// one.
    fn next_committee(
        &self,
        outline: &Outline<'_>,
        observer: &mut impl Observer,
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
            Some(known) => {
                note!(observer, Compared "known committee", listed.keys.span);
                Ok((Some(known.clone()), true))
            }
            None => Ok((Some(Committee::proven(&listed, listed.root(observer))), false)),
        }
    }
}
