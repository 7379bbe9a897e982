//! The store: committees, the finalized header and the head, and the rules by which they move.
//!
//! Source: consensus-specs, `altair/light-client/sync-protocol.md` (process, apply and force); the
//! devnet moves by the same rules, its headers being final at once.

use alloc::vec::Vec;

use super::committees::{Anchor, Committees};
use super::update::{Update, Valid};
use super::{Applied, Changed, Signed};
use crate::chain::Consensus;
use crate::error::{Rejection, Span, VerifyError};
use crate::header::committee::two_thirds;
use crate::observer::{Observer, note};

/// Everything a client holds.
#[derive(Clone, Debug)]
pub(super) struct Store {
    pub(super) committees: Committees,
    pub(super) finalized: Signed,
    /// The specification's optimistic header: a single signer can move it.
    pub(super) head: Signed,
    /// The newest header that two thirds signed, at least the finalized one. It alone is for use;
    /// one that it displaces is kept nowhere.
    pub(super) safe: Signed,
    best: Option<Valid>,
    previous_max: usize,
    current_max: usize,
    pub(super) evidence: Evidence,
}

/// Signed updates that prove the rest of the store again.
#[derive(Clone, Debug, Default)]
pub(super) struct Evidence {
    /// Of the next committee, with the anchor that it becomes.
    pub(super) next: Option<(Vec<u8>, Anchor)>,
    /// Of the finalized header, if it is newer than that of `next`.
    pub(super) finalized: Option<Vec<u8>>,
    /// The store moved without finality. Nothing proves it again, and nothing that is signed later
    /// mends it.
    pub(super) forced: bool,
}

impl Store {
    pub(super) fn new(committees: Committees, finalized: Signed) -> Self {
        Self {
            committees,
            head: finalized.clone(),
            safe: finalized.clone(),
            finalized,
            best: None,
            previous_max: 0,
            current_max: 0,
            evidence: Evidence::default(),
        }
    }

    /// The store as its first update leaves it. `most`: signers of the updates so far.
    pub(super) fn replayed<O>(
        committees: Committees,
        finalized: Signed,
        most: usize,
        kept: Kept<'_, O>,
    ) -> Self {
        let mut store = Self { current_max: most, ..Self::new(committees, finalized) };
        store.keep(kept, true, true);
        store
    }

    /// The store, nothing newer than the finalized header in it.
    pub(super) fn without_head(self) -> Self {
        Self { head: self.finalized.clone(), safe: self.finalized.clone(), ..self }
    }

    /// Checks an update and takes what it proves.
    ///
    /// * `raw`: its bytes, kept if the store moves by it. * `now`: Unix time, seconds.
    pub(super) fn process<O: Observer>(
        &mut self,
        update: &dyn Update<O>,
        raw: &[u8],
        now: u64,
        observer: &mut O,
    ) -> Result<Applied, Rejection> {
        let valid = self.committees.validate(update, self.finalized.slot, now, observer)?;
        let (signers, of) = (valid.signers, valid.of);
        let is_safe = signers >= two_thirds(of);
        let moves =
            valid.finalized_slot() > self.finalized.slot || self.committees.lack_next_of(&valid);
        if is_safe && moves {
            self.committees.check_finalized_period(valid.finalized_slot())?;
        }
        let better = match &self.best {
            Some(best) => valid.is_better(best, &self.committees.consensus),
            None => true,
        };
        if better {
            self.best = Some(valid.clone());
        }
        self.current_max = self.current_max.max(signers);
        let mut changed = Changed::default();
        if signers > self.previous_max.max(self.current_max) >> 1
            && valid.attested.slot > self.head.slot
        {
            self.head = valid.attested.clone();
            changed.head = true;
        }
        if is_safe && valid.attested.slot > self.safe.slot {
            self.safe = valid.attested.clone();
            changed.safe = true;
        }
        if is_safe && moves {
            let kept = Kept::of(update, raw, &valid);
            changed = self.apply(valid, Some(kept)).joined(changed);
            self.best = None;
        }
        note!(observer, Compared "rules", None, finalized: changed.finalized, head: changed.head,
            safe: changed.safe, next: changed.next, period: self.committees.period);
        Ok(Applied { changed, signers, of })
    }

    /// `process_light_client_store_force_update`: after a whole period without finality, the best
    /// update is taken as if its attested header were final. `now`: Unix time, seconds.
    ///
    /// # Deviation
    /// The specification takes an update that a single member signed, and with it a next committee
    /// of that member's choice. Here two thirds must have signed.
    pub(super) fn force(&mut self, now: u64) -> Result<Changed, VerifyError> {
        let Consensus::Beacon(beacon) = &self.committees.consensus else {
            return Ok(Changed::default());
        };
        let timeout = self.finalized.slot.saturating_add(beacon.slots_per_period());
        if beacon.slot(now) <= timeout {
            return Ok(Changed::default());
        }
        let Some(best) = &self.best else {
            return Ok(Changed::default());
        };
        let (got, needed) = (best.signers, two_thirds(best.of));
        if got < needed {
            let span = Span::default();
            return Err(VerifyError::Participation { got, needed, span });
        }
        let mut best = best.clone();
        if best.finalized_slot() <= self.finalized.slot {
            best.finalized = Some(best.attested.clone());
        }
        self.committees.check_finalized_period(best.finalized_slot())?;
        self.best = None;
        Ok(self.apply(best, None::<Kept<'_, ()>>))
    }

    /// `apply_light_client_update`.
    fn apply<O>(&mut self, update: Valid, kept: Option<Kept<'_, O>>) -> Changed {
        let mut changed = Changed::default();
        self.evidence.forced |= kept.is_none();
        let committees = &mut self.committees;
        let finalized_period = committees.consensus.period(update.finalized_slot());
        let brings_next = update.next.is_some();
        let mut takes_next = false;
        if committees.next.is_none() {
            changed.next = brings_next;
            takes_next = true;
            committees.next = update.next;
        } else if Some(finalized_period) == committees.period.checked_add(1) {
            if let Some(next) = core::mem::replace(&mut committees.next, update.next) {
                committees.current = next;
            }
            if let Some((_, anchor)) = self.evidence.next.take() {
                committees.anchor = anchor;
            }
            committees.period = finalized_period;
            self.previous_max = core::mem::take(&mut self.current_max);
            changed.period = true;
            changed.next = brings_next;
            takes_next = true;
        }
        let brought = update.finalized.as_ref().map(|header| header.root);
        if let Some(finalized) = update.finalized
            && finalized.slot > self.finalized.slot
        {
            if finalized.slot > self.head.slot {
                self.head = finalized.clone();
                changed.head = true;
            }
            // Of two headers of one slot the final one stays.
            if finalized.slot >= self.safe.slot {
                changed.safe |= self.safe != finalized;
                self.safe = finalized.clone();
            }
            self.finalized = finalized;
            changed.finalized = true;
        }
        if let Some(kept) = kept {
            let proves_finalized = brought == Some(self.finalized.root);
            self.keep(kept, takes_next, proves_finalized);
        }
        changed
    }

    /// Keeps the signed bytes that prove what has just been taken: a next committee, or a finalized
    /// header alone.
    ///
    /// * `proves_finalized`: the finalized header that is held now is the update's own, whether or
    ///   not it was held before.
    fn keep<O>(&mut self, kept: Kept<'_, O>, takes_next: bool, proves_finalized: bool) {
        match kept.next {
            Some((raw, anchor)) if takes_next => {
                self.evidence.next = Some((raw.to_vec(), anchor));
                // Another finalized header that was there before keeps its own evidence. The same
                // one must not: it would be no news beside the update.
                if proves_finalized {
                    self.evidence.finalized = None;
                }
            }
            _ => self.evidence.finalized = Some(kept.update.without_committee()),
        }
    }
}

/// What an update leaves behind if the store moves by it.
pub(super) struct Kept<'a, O> {
    /// Its bytes, and the anchor that its committee will have, if it brings one.
    next: Option<(&'a [u8], Anchor)>,
    update: &'a dyn Update<O>,
}

impl<'a, O> Kept<'a, O> {
    /// `raw`: the update's bytes.
    pub(super) fn of(update: &'a dyn Update<O>, raw: &'a [u8], valid: &Valid) -> Self {
        let handover = || {
            let (header, branch) = update.handover();
            let (root, slot) = (valid.attested.root, valid.attested.slot);
            (raw, Anchor { root, slot, of_next: true, header, branch })
        };
        Self { next: valid.next.is_some().then(handover), update }
    }
}
