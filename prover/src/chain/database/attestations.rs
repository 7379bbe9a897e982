//! Signatures of two thirds of a committee: the newest block's, and the newest of each period,
//! which leads clients to the committee after it.

use std::ops::Bound;

use crate::chain::committee::operators::Signature;
use crate::error::StoreError;
use crate::store::{self, Order, Read, Table, Write};

const ATTESTATIONS: Table = Table("attestations");

/// Who signed a header, and their signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attestation {
    /// A bit for each member of the block's committee.
    pub bits: Vec<u8>,
    /// One signature for all of them.
    pub signature: Signature,
}

/// Keeps a block's, and drops those of earlier blocks of its period.
///
/// * `first`: first block of the period.
pub(super) fn keep(
    batch: &mut dyn Write,
    first: u64,
    number: u64,
    attestation: &Attestation,
) -> Result<(), StoreError> {
    let newest = batch.last(ATTESTATIONS)?.map(|(newest, _)| store::number(&newest)).transpose()?;
    if newest.is_some_and(|newest| newest >= number) {
        return Ok(());
    }
    let (first, key) = (first.to_be_bytes(), number.to_be_bytes());
    batch.remove_range(ATTESTATIONS, (Bound::Included(&first), Bound::Excluded(&key)))?;
    let Attestation { bits, signature } = attestation;
    batch.put(ATTESTATIONS, &key, &[bits.as_slice(), signature].concat())
}

/// The newest one of these blocks, and its block.
pub(super) fn newest(
    store: &dyn Read,
    from: u64,
    to: u64,
) -> Result<Option<(u64, Attestation)>, StoreError> {
    let (from, to) = (from.to_be_bytes(), to.to_be_bytes());
    let range = store::between(&from, &to);
    let newest = store.range(ATTESTATIONS, range, Order::Descending)?.next().transpose()?;
    let Some((number, bytes)) = newest else { return Ok(None) };
    let (bits, signature) = bytes
        .split_last_chunk()
        .map(|(bits, signature)| (bits.to_vec(), *signature))
        .ok_or(StoreError::Corrupt("an attestation is too short"))?;
    Ok(Some((store::number(&number)?, Attestation { bits, signature })))
}
