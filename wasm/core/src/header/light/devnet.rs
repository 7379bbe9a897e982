//! Committees of the devnet and of attested chains: RLP bootstraps and updates, in the same rules
//! as Ethereum's.
//!
//! A header is signed as soon as it is made, so it is final at once: attested and finalized header
//! are one, and the slot of the signature is the block's number.

use alloc::vec::Vec;

use super::committees::Anchor;
use super::update::{Form, Outline, Update};
use super::{Execution, Signed};
use crate::chain::{Chain, ChainKind};
use crate::error::{DecodeError, Malformed, Rejection, Span, VerifyError};
use crate::hash::{Hash, keccak256, sha256};
use crate::header::committee::{Aggregate, Committee, Listed, SIZES, two_thirds};
use crate::header::{ParsedHeader, TrustedHeader, signing};
use crate::observer::{Observer, note};
use crate::wire::{Bytes, ListWriter, Reader};

/// A bootstrap's header and committee: RLP `[header, keys, aggregate, proofs, sibling]`.
///
/// # Errors
/// `decode.*` for the form; `verify.checkpoint`, `verify.committee`; `decode.point` for a key.
pub(super) fn bootstrap(
    chain: &Chain,
    size: Option<usize>,
    checkpoint: Hash,
    bytes: &[u8],
    observer: &mut impl Observer,
) -> Result<(Anchor, Committee, Signed), Rejection> {
    let mut items = Reader::whole_list(bytes, 0, "bootstrap")?;
    let header = items.string("header")?;
    let listed = listed(&mut items, size)?;
    let sibling = sized(&mut items, 32, "sibling")?;
    items.finish("bootstrap")?;
    reopen(chain, checkpoint, false, [header, sibling], &listed, observer)
}

/// A committee, proven by a header that the caller pins.
///
/// # Errors
/// As [`bootstrap`].
pub(super) fn reopen(
    chain: &Chain,
    checkpoint: Hash,
    of_next: bool,
    [header, sibling]: [Bytes<'_>; 2],
    listed: &Listed<'_>,
    observer: &mut impl Observer,
) -> Result<(Anchor, Committee, Signed), Rejection> {
    let got = keccak256(header.bytes);
    if got != checkpoint {
        return Err(VerifyError::Checkpoint { expected: checkpoint, got }.into());
    }
    let trusted = TrustedHeader::pinned(chain, checkpoint, header.bytes)?;
    note!(observer, Hashed "checkpoint", header.span, number: trusted.number(), digest: &got);
    let root = listed.root(observer);
    let pair = if of_next { [sibling.bytes, &root.0] } else { [&root.0, sibling.bytes] };
    if trusted.committee_root() != Some(sha256(&pair)) {
        let reason = "the committee does not hash to the header's committee root";
        return Err(VerifyError::Committee { reason, span: listed.keys.span }.into());
    }
    note!(observer, Compared "committee root", sibling.span);
    let mut committee = Committee::proven(listed, root);
    committee.check_keys(listed, observer)?;
    if chain.kind == ChainKind::Attested {
        listed.check_distinct()?;
    }
    let signed = signed(trusted.parsed());
    let (header, branch) = (header.bytes.to_vec(), sibling.bytes.to_vec());
    Ok((Anchor { root: got, slot: signed.slot, of_next, header, branch }, committee, signed))
}

/// A header that two thirds of a trusted committee signed; `number` is its own.
///
/// # Errors
/// `decode.*`; `verify.participation`, `.time`, `.signature`.
pub(super) fn attested(
    chain: &Chain,
    committee: &mut Committee,
    header: &[u8],
    aggregate: &[u8],
    number: u64,
    observer: &mut impl Observer,
) -> Result<Signed, Rejection> {
    let aggregate = Aggregate::read(aggregate, committee.size())?;
    let header = ParsedHeader::read(chain, header)?;
    aggregate.require(two_thirds(committee.size()))?;
    if header.number() != number {
        return Err(VerifyError::Time { reason: "the header has another number" }.into());
    }
    let message = signing::devnet_message(chain, header.hash());
    committee.verify(&aggregate, message, observer)?;
    let signers = Some((aggregate.count(), committee.size()));
    Ok(Signed { signers, ..signed(&header) })
}

/// An update of the devnet, decoded: RLP `[header, bits, signature, keys, aggregate, proofs,
/// sibling]`, or the first three of it.
#[derive(Clone, Debug)]
pub(super) struct DevnetUpdate<'a> {
    chain: &'a Chain,
    header: ParsedHeader,
    rlp: &'a [u8],
    aggregate: Aggregate<'a>,
    next: Option<(Listed<'a>, Bytes<'a>)>,
    span: Span,
}

impl<'a> DevnetUpdate<'a> {
    /// Decodes an update of the given form.
    ///
    /// # Errors
    /// `decode.*` for the form, `verify.chain` for a header of another chain.
    pub(super) fn decode(
        chain: &'a Chain,
        size: Option<usize>,
        form: Form,
        bytes: &'a [u8],
    ) -> Result<Self, Rejection> {
        let mut items = Reader::whole_list(bytes, 0, "update")?;
        let Bytes { bytes: rlp, span } = items.string("header")?;
        // Of a committee of any size, whoever knows it checks them: `Aggregate::check_bits`.
        let bits = match size {
            Some(size) => sized(&mut items, size >> 3, "bits")?,
            None => items.string("bits")?,
        };
        let aggregate = Aggregate { bits, signature: sized(&mut items, 96, "signature")? };
        let next = match form {
            Form::Update => Some((listed(&mut items, size)?, sized(&mut items, 32, "sibling")?)),
            Form::Finality | Form::Optimistic => None,
        };
        items.finish("update")?;
        let header = ParsedHeader::read(chain, rlp)?;
        Ok(Self { chain, header, rlp, aggregate, next, span })
    }
}

impl<O: Observer> Update<O> for DevnetUpdate<'_> {
    fn outline(&self) -> Outline<'_> {
        let number = self.header.number();
        Outline {
            header: self.span,
            attested_slot: number,
            signature_slot: number,
            next: self.next.map(|(listed, _)| listed),
            aggregate: self.aggregate,
        }
    }

    fn fewest_signers(&self, size: usize) -> usize {
        two_thirds(size)
    }

    fn check_time(&self, now: u64) -> Result<(), VerifyError> {
        if self.header.timestamp() <= now {
            return Ok(());
        }
        Err(VerifyError::Time { reason: "header timestamp is in the future" })
    }

    fn attested(&self, _observer: &mut O) -> Result<Signed, VerifyError> {
        Ok(signed(&self.header))
    }

    fn finalized(&self, _observer: &mut O) -> Result<Option<Signed>, VerifyError> {
        Ok(Some(signed(&self.header)))
    }

    fn check_committees(
        &self,
        signer: Hash,
        next: Option<Hash>,
        observer: &mut O,
    ) -> Result<(), VerifyError> {
        let Some(next) = next else {
            return Ok(());
        };
        let wrong = |reason, span| Err(VerifyError::Committee { reason, span });
        if let Some((_, sibling)) = &self.next
            && sibling.bytes != signer.0
        {
            return wrong("the sibling is not the signing committee", sibling.span);
        }
        if self.header.committee_root() != Some(sha256(&[&signer.0, &next.0])) {
            return wrong("the committee does not hash to the header's committee root", self.span);
        }
        note!(observer, Compared "committee root", None);
        Ok(())
    }

    fn message(&self, root: Hash, _observer: &mut O) -> Result<Hash, VerifyError> {
        Ok(signing::devnet_message(self.chain, root))
    }

    fn keys_need_checks(&self) -> bool {
        true
    }

    fn keys_differ(&self) -> bool {
        self.chain.kind == ChainKind::Attested
    }

    fn handover(&self) -> (Vec<u8>, Vec<u8>) {
        let sibling = self.next.map(|(_, sibling)| sibling.bytes.to_vec());
        (self.rlp.to_vec(), sibling.unwrap_or_default())
    }

    fn without_committee(&self) -> Vec<u8> {
        let Aggregate { bits, signature } = self.aggregate;
        ListWriter::default().string(self.rlp).string(bits.bytes).string(signature.bytes).finish()
    }
}

fn signed(header: &ParsedHeader) -> Signed {
    Signed {
        slot: header.number(),
        root: header.hash(),
        timestamp: header.timestamp(),
        execution: Some(Execution { hash: header.hash(), number: Some(header.number()) }),
        signers: None,
    }
}

fn listed<'a>(items: &mut Reader<'a>, size: Option<usize>) -> Result<Listed<'a>, DecodeError> {
    let keys = items.string("keys")?;
    let size = match size {
        Some(size) => size,
        None => keys.bytes.len().checked_div(48).filter(|size| SIZES.contains(size)).unwrap_or(0),
    };
    if size == 0 || keys.bytes.len() != size.saturating_mul(48) {
        return Err(Malformed::Shape.at("keys", "wrong length", keys.span));
    }
    Ok(Listed {
        keys,
        aggregate: sized(items, 48, "aggregate")?,
        proofs: sized(items, size.saturating_mul(96), "proofs")?,
    })
}

fn sized<'a>(
    items: &mut Reader<'a>,
    size: usize,
    field: &'static str,
) -> Result<Bytes<'a>, DecodeError> {
    let string = items.string(field)?;
    if string.bytes.len() == size {
        Ok(string)
    } else {
        Err(Malformed::Shape.at(field, "wrong length", string.span))
    }
}
