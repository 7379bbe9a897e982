//! Execution payload headers, Capella to Fulu.

use alloc::vec::Vec;

use crate::chain::Shape;
use crate::error::{DecodeError, Malformed, VerifyError};
use crate::hash::Hash;
use crate::hash::merkle::{self, leaf_of, leaf_of_u64, leaves_of};
use crate::observer::Observer;
use crate::wire::Bytes;
use crate::wire::ssz::{Container, OFFSET_BYTES};

/// Most bytes of extra data.
const MAX_EXTRA: usize = 32;

/// An `ExecutionPayloadHeader`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Payload<'a> {
    /// The fixed part with its offset, in the order of the container.
    fixed: Bytes<'a>,
    extra: &'a [u8],
    pub(super) number: u64,
    pub(super) block_hash: Hash,
    /// Blob gas used, excess blob gas; zero before Deneb.
    blobs: [u64; 2],
}

impl<'a> Payload<'a> {
    pub(super) fn read(bytes: Bytes<'a>, shape: Shape) -> Result<Self, DecodeError> {
        let with_blobs = shape != Shape::Capella;
        let size = if with_blobs { 584 } else { 568 };
        let mut fields = Container::new(bytes, size)?;
        let mut all = fields;
        let fixed = all.fixed(size, "execution")?;
        for (size, field) in HEAD {
            fields.fixed(size, field)?;
        }
        let number = fields.u64("block_number")?;
        for field in ["gas_limit", "gas_used", "timestamp"] {
            fields.u64(field)?;
        }
        fields.offset("extra_data")?;
        fields.hash("base_fee_per_gas")?;
        let block_hash = fields.hash("block_hash")?;
        fields.hash("transactions_root")?;
        fields.hash("withdrawals_root")?;
        let blobs = if with_blobs {
            [fields.u64("blob_gas_used")?, fields.u64("excess_blob_gas")?]
        } else {
            [0; 2]
        };
        let Bytes { bytes: extra, span } = fields.finish_one()?;
        if extra.len() > MAX_EXTRA {
            return Err(Malformed::Ssz.at("extra_data", "longer than 32 bytes", span));
        }
        Ok(Self { fixed, extra, number, block_hash, blobs })
    }

    pub(super) fn is_default(&self) -> bool {
        // The offset is the only byte string of a default payload that is not zero.
        let size = self.fixed.bytes.len();
        let offset = u32::try_from(size).unwrap_or(0).to_le_bytes();
        let (head, rest) = self.fixed.bytes.split_at_checked(OFFSET_AT).unwrap_or_default();
        let tail = rest.strip_prefix(&offset).unwrap_or(&[1]);
        self.extra.is_empty() && head.iter().chain(tail).all(|byte| *byte == 0)
    }

    /// `hash_tree_root`, of the fields that a block of shape `own` has.
    pub(super) fn root(
        &self,
        own: Shape,
        observer: &mut impl Observer,
    ) -> Result<Hash, VerifyError> {
        let with_blobs = own != Shape::Capella;
        if !with_blobs && self.blobs != [0; 2] {
            let reason = "blob gas before blocks had blobs";
            return Err(VerifyError::Execution { reason, span: self.fixed.span });
        }
        let mut rest = self.fixed.bytes;
        let mut take = |size: usize| {
            let (head, tail) = rest.split_at_checked(size).unwrap_or_default();
            rest = tail;
            head
        };
        let mut leaves: Vec<Hash> = Vec::with_capacity(17);
        for (size, _) in HEAD {
            let field = take(size);
            leaves.push(match size {
                0..=32 => leaf_of(field),
                _ => merkle::root(leaves_of(field), 3, observer),
            });
        }
        for _ in ["block_number", "gas_limit", "gas_used", "timestamp"] {
            leaves.push(leaf_of(take(8)));
        }
        take(OFFSET_BYTES);
        let length = u64::try_from(self.extra.len()).unwrap_or(0);
        leaves.push(merkle::pair(&leaf_of(self.extra), &leaf_of_u64(length), observer));
        for _ in ["base_fee_per_gas", "block_hash", "transactions_root", "withdrawals_root"] {
            leaves.push(leaf_of(take(32)));
        }
        if with_blobs {
            leaves.extend(self.blobs.map(leaf_of_u64));
        }
        Ok(merkle::root(leaves, if with_blobs { 5 } else { 4 }, observer))
    }
}

/// Fields of a payload before its number.
const HEAD: [(usize, &str); 6] = [
    (32, "parent_hash"),
    (20, "fee_recipient"),
    (32, "state_root"),
    (32, "receipts_root"),
    (256, "logs_bloom"),
    (32, "prev_randao"),
];

/// Where the offset of the extra data stands in a payload: after `HEAD` and four integers.
const OFFSET_AT: usize = 32 + 20 + 32 + 32 + 256 + 32 + 4 * 8;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Span;

    #[test]
    fn extra_data_has_32_bytes_at_most() {
        for (length, is_read) in [(0, true), (32, true), (33, false)] {
            let mut bytes = alloc::vec![0; 584 + length];
            bytes[OFFSET_AT..OFFSET_AT + 4].copy_from_slice(&584_u32.to_le_bytes());
            let span = Span { start: 0, end: bytes.len() };
            let payload = Payload::read(Bytes { bytes: &bytes, span }, Shape::Electra);
            assert_eq!(payload.is_ok(), is_read);
            assert!(payload.is_err() || payload.unwrap().is_default() == (length == 0));
        }
    }
}
