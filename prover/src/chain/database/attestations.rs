//! Signatures of two thirds of a committee: the newest block's, and the newest of each period,
//! which leads clients to the committee after it.

use redb::{ReadTransaction, ReadableTable as _, TableDefinition, TableError, WriteTransaction};

use crate::chain::committee::operators::Signature;
use crate::error::StoreError;
use crate::store::Bytes;

const ATTESTATIONS: TableDefinition<'static, u64, Bytes> = TableDefinition::new("attestations");

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
    transaction: &WriteTransaction,
    first: u64,
    number: u64,
    attestation: &Attestation,
) -> Result<(), StoreError> {
    let mut table = transaction.open_table(ATTESTATIONS)?;
    if table.last()?.is_some_and(|(newest, _)| newest.value() >= number) {
        return Ok(());
    }
    table.retain_in(first..number, |_, _| false)?;
    let Attestation { bits, signature } = attestation;
    let bytes = [bits.as_slice(), signature].concat();
    table.insert(number, bytes.as_slice())?;
    Ok(())
}

/// The newest one of these blocks, and its block.
pub(super) fn newest(
    transaction: &ReadTransaction,
    from: u64,
    to: u64,
) -> Result<Option<(u64, Attestation)>, StoreError> {
    let table = match transaction.open_table(ATTESTATIONS) {
        Err(TableError::TableDoesNotExist(_)) => return Ok(None),
        table => table?,
    };
    let Some(entry) = table.range(from..=to)?.next_back() else { return Ok(None) };
    let (number, bytes) = entry?;
    let (bits, signature) = bytes
        .value()
        .split_last_chunk()
        .map(|(bits, signature)| (bits.to_vec(), *signature))
        .ok_or(StoreError::Corrupt("an attestation is too short"))?;
    Ok(Some((number.value(), Attestation { bits, signature })))
}
