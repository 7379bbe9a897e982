//! `LightClientUpdate`, `LightClientFinalityUpdate` and `LightClientOptimisticUpdate`.

use alloc::vec::Vec;

use super::container::{
    LightHeader, StateIndices, branch_bytes, header_slot, is_variable, is_zero, state_indices,
};
use super::{committee, message, read_header, shape_of, signed, update_bytes, whole};
use crate::chain::{Beacon, Shape};
use crate::error::{Malformed, Rejection, VerifyError};
use crate::hash::Hash;
use crate::hash::merkle;
use crate::header::committee::{Aggregate, Listed};
use crate::header::light::Signed;
use crate::header::light::update::{Form, Outline, Update, bare};
use crate::header::signing;
use crate::observer::{Observer, note};
use crate::wire::Bytes;
use crate::wire::ssz::Container;

/// An update of the beacon chain, decoded.
#[derive(Clone, Copy, Debug)]
pub(in crate::header::light) struct BeaconUpdate<'a> {
    beacon: &'a Beacon,
    shape: Shape,
    attested: LightHeader<'a>,
    next: Option<(Listed<'a>, Bytes<'a>)>,
    finality: Option<(LightHeader<'a>, Bytes<'a>)>,
    aggregate: Aggregate<'a>,
    signature_slot: u64,
}

impl<'a> BeaconUpdate<'a> {
    /// Decodes an update of the given form.
    ///
    /// # Errors
    /// `decode.ssz` if the bytes are not the container of the attested slot's fork;
    /// [`Rejection::Fork`].
    pub(in crate::header::light) fn decode(
        beacon: &'a Beacon,
        form: Form,
        bytes: &'a [u8],
    ) -> Result<Self, Rejection> {
        let size = beacon.committee_size;
        let whole = whole(bytes);
        let shape = shape_of(beacon, bytes, |shape| update_bytes(form, shape, size))?;
        let StateIndices { finalized: finalized_index, next: next_index, .. } =
            state_indices(shape);
        let mut fields = Container::new(whole, update_bytes(form, shape, size))?;
        let mut attested = header_slot(&mut fields, shape, "attested_header")?;
        let mut next = None;
        if form == Form::Update {
            let listed = committee(&mut fields, size, "next_sync_committee")?;
            let branch = fields.fixed(branch_bytes(next_index), "next_sync_committee_branch")?;
            next = Some((listed, branch));
        }
        let mut finalized = None;
        let mut branch = None;
        if form != Form::Optimistic {
            finalized = header_slot(&mut fields, shape, "finalized_header")?;
            branch = Some(fields.fixed(branch_bytes(finalized_index), "finality_branch")?);
        }
        let aggregate = fields.fixed((size >> 3).saturating_add(96), "sync_aggregate")?;
        let aggregate = Aggregate::split(aggregate, size).ok_or(Malformed::Ssz.at(
            "sync_aggregate",
            "wrong length",
            aggregate.span,
        ))?;
        let signature_slot = fields.u64("signature_slot")?;
        if !is_variable(shape) {
            fields.finish()?;
        } else if form == Form::Optimistic {
            attested = Some(fields.finish_one()?);
        } else {
            let [first, second] = fields.finish_two()?;
            attested = Some(first);
            finalized = Some(second);
        }
        let missing = Malformed::Ssz.at("container", "truncated", whole.span);
        let attested = read_header(beacon, attested.ok_or(missing)?, shape)?;
        let finality = match (finalized, branch) {
            (Some(header), Some(branch)) => Some((read_header(beacon, header, shape)?, branch)),
            _ => None,
        };
        Ok(Self { beacon, shape, attested, next, finality, aggregate, signature_slot })
    }

    /// The finality part, if its branch is there: an absent one is all zero.
    fn present_finality(&self) -> Option<&(LightHeader<'a>, Bytes<'a>)> {
        self.finality.as_ref().filter(|(_, branch)| !is_zero(branch))
    }

    fn present_next(&self) -> Option<&(Listed<'a>, Bytes<'a>)> {
        self.next.as_ref().filter(|(_, branch)| !is_zero(branch))
    }

    fn finalized_slot(&self) -> u64 {
        self.finality.as_ref().map_or(0, |(header, _)| header.slot)
    }
}

impl<O: Observer> Update<O> for BeaconUpdate<'_> {
    fn outline(&self) -> Outline<'_> {
        Outline {
            header: self.attested.bytes.span,
            attested_slot: self.attested.slot,
            signature_slot: self.signature_slot,
            next: self.present_next().map(|(listed, _)| *listed),
            aggregate: self.aggregate,
        }
    }

    fn fewest_signers(&self, _size: usize) -> usize {
        1
    }

    fn check_time(&self, now: u64) -> Result<(), VerifyError> {
        let reason = if self.signature_slot > self.beacon.slot(now) {
            "signature slot is in the future"
        } else if self.attested.slot >= self.signature_slot {
            "signature slot is not after the attested slot"
        } else if self.finalized_slot() > self.attested.slot {
            "finalized slot is after the attested slot"
        } else {
            return Ok(());
        };
        Err(VerifyError::Time { reason })
    }

    fn attested(&self, observer: &mut O) -> Result<Signed, VerifyError> {
        signed(self.beacon, &self.attested, observer)
    }

    fn finalized(&self, observer: &mut O) -> Result<Option<Signed>, VerifyError> {
        let Some((header, branch)) = self.present_finality() else {
            return match &self.finality {
                Some((header, branch)) if !header.is_default() => {
                    let reason = "finalized header without a finality branch";
                    Err(VerifyError::Finality { reason, span: branch.span })
                }
                _ => Ok(None),
            };
        };
        let wrong = |reason| VerifyError::Finality { reason, span: branch.span };
        // The state at genesis holds a zero root for its finalized block.
        let is_genesis = header.slot == 0;
        if is_genesis && !header.is_default() {
            return Err(wrong("a header at slot 0 that is not the default one"));
        }
        let root = if is_genesis { Hash::ZERO } else { header.root(observer) };
        let gindex = state_indices(self.shape).finalized;
        if merkle::climb(root, gindex, branch.bytes, observer) != Some(self.attested.state_root) {
            return Err(wrong("its branch does not lead to the state's root"));
        }
        let mut finalized = bare(header.slot, root, self.beacon.time(header.slot));
        if !is_genesis {
            finalized.execution = header.execution(self.beacon, observer)?;
        }
        note!(observer, Compared "finalized header", None, number: header.slot, root: &root);
        Ok(Some(finalized))
    }

    fn check_committees(
        &self,
        _signer: Hash,
        next: Option<Hash>,
        observer: &mut O,
    ) -> Result<(), VerifyError> {
        let Some((_, branch)) = self.present_next() else {
            return match &self.next {
                Some((listed, branch)) if !listed.is_zero() => {
                    let reason = "next committee without a branch";
                    Err(VerifyError::Committee { reason, span: branch.span })
                }
                _ => Ok(()),
            };
        };
        let gindex = state_indices(self.shape).next;
        let root = next.and_then(|next| merkle::climb(next, gindex, branch.bytes, observer));
        if root != Some(self.attested.state_root) {
            let reason = "its branch does not lead to the state's root";
            return Err(VerifyError::Committee { reason, span: branch.span });
        }
        note!(observer, Compared "committee root", None);
        Ok(())
    }

    fn message(&self, root: Hash, observer: &mut O) -> Result<Hash, VerifyError> {
        message(self.beacon, root, self.signature_slot, observer)
    }

    fn message_beyond(&self, root: Hash, observer: &mut O) -> Option<Hash> {
        signing::message_beyond(self.beacon, root, self.signature_slot, observer)
    }

    fn keys_need_checks(&self) -> bool {
        false
    }

    fn handover(&self) -> (Vec<u8>, Vec<u8>) {
        let branch = self.next.as_ref().map(|(_, branch)| branch.bytes.to_vec());
        (self.attested.bytes.bytes.to_vec(), branch.unwrap_or_default())
    }

    fn without_committee(&self) -> Vec<u8> {
        let attested = self.attested.bytes.bytes;
        let (finalized, branch) = match &self.finality {
            Some((header, branch)) => (header.bytes.bytes, branch.bytes),
            None => (&[][..], &[][..]),
        };
        let fixed = update_bytes(Form::Finality, self.shape, self.beacon.committee_size);
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX).to_le_bytes();
        let (first, second) = (offset(fixed), offset(fixed.saturating_add(attested.len())));
        let signed = [self.aggregate.bits.bytes, self.aggregate.signature.bytes].concat();
        let slot = self.signature_slot.to_le_bytes();
        if is_variable(self.shape) {
            [&first, &second, branch, &signed, &slot, attested, finalized].concat()
        } else {
            [attested, finalized, branch, &signed, &slot].concat()
        }
    }
}
