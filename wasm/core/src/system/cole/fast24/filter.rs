//! The authors' Bloom filters: a list of partitioned filters that grows as entries come.

use super::{blake2b, xxh3};
use crate::error::{DecodeError, Malformed, Span};
use crate::hash::Hash;
use crate::system::cole::key::{ADDRESS_BYTES, Address};
use crate::wire::Bytes;

/// Most slices of one filter. The authors use 4.
const MAX_SLICES: u64 = 64;

/// A filter in the form in which the authors hash it (bincode): u64 count, then for each partition
/// u64 length, bits, u64 slices; then f64 error rate, u64 estimate, u64 inserts, u64 capacity,
/// little-endian.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Filter<'a> {
    encoded: &'a [u8],
    pub(super) span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Partition<'a> {
    bits: &'a [u8],
    slices: u64,
    /// Bits per slice, at least 1.
    slice: u64,
}

impl<'a> Filter<'a> {
    pub(super) fn read(Bytes { bytes, span }: Bytes<'a>) -> Result<Self, DecodeError> {
        let mut fields = Fields { rest: bytes, span };
        let count = fields.u64()?;
        if count == 0 {
            return Err(Malformed::Shape.at("filter", "no partitions", span));
        }
        for _ in 0..count {
            // Runs out of bytes when the count is false.
            fields.partition()?;
        }
        // Error rate, estimate, inserts, capacity: hashed, and nothing follows from them.
        fields.take(32)?;
        if !fields.rest.is_empty() {
            return Err(Malformed::Shape.at("filter", "trailing bytes", span));
        }
        Ok(Self { encoded: bytes, span })
    }

    /// What runs commit to.
    pub(super) fn digest(&self) -> Hash {
        blake2b(self.encoded)
    }

    /// Whether the address may have been inserted; `false` is certain.
    pub(super) fn may_hold(&self, address: &Address) -> bool {
        let mut longer = [0; ADDRESS_BYTES + 1];
        for (to, from) in longer.iter_mut().zip(address) {
            *to = *from;
        }
        let (first, second) = (xxh3::hash(address), xxh3::hash(&longer).max(1));
        let mut fields = Fields { rest: self.encoded, span: self.span };
        let count = fields.u64().unwrap_or_default();
        // They were read before, so reading them again cannot fail; if it did, nothing would be
        // certain.
        (0..count).any(|_| fields.partition().map_or(true, |one| one.may_hold(first, second)))
    }
}

impl Partition<'_> {
    fn may_hold(&self, mut first: u64, mut second: u64) -> bool {
        (0..self.slices).all(|index| {
            let offset = first.checked_rem(self.slice).unwrap_or_default();
            let bit = index.saturating_mul(self.slice).saturating_add(offset);
            first = first.wrapping_add(second);
            second = second.wrapping_add(index);
            let byte = usize::try_from(bit >> 3).ok().and_then(|at| self.bits.get(at));
            byte.is_some_and(|byte| (byte >> (bit & 7)) & 1 == 1)
        })
    }
}

struct Fields<'a> {
    rest: &'a [u8],
    span: Span,
}

impl<'a> Fields<'a> {
    fn partition(&mut self) -> Result<Partition<'a>, DecodeError> {
        let length = self.u64()?;
        let bits = self.take(length)?;
        let slices = self.u64()?;
        if slices > MAX_SLICES {
            let (malformed, field, reason) = (Malformed::Limit, "filter", "more than 64 slices");
            return Err(malformed.at(field, reason, self.span));
        }
        match length.saturating_mul(8).checked_div(slices) {
            None | Some(0) => Err(Malformed::Shape.at("filter", "empty slices", self.span)),
            Some(slice) => Ok(Partition { bits, slices, slice }),
        }
    }

    fn u64(&mut self) -> Result<u64, DecodeError> {
        let bytes = self.take(8)?;
        Ok(u64::from_le_bytes(bytes.first_chunk().copied().unwrap_or_default()))
    }

    fn take(&mut self, count: u64) -> Result<&'a [u8], DecodeError> {
        let split = usize::try_from(count).ok().and_then(|count| self.rest.split_at_checked(count));
        let (head, rest) = split.ok_or(Malformed::Shape.at("filter", "truncated", self.span))?;
        self.rest = rest;
        Ok(head)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn a_partition_has_64_slices_at_most() {
        for (slices, expected) in [(64_u64, None), (65, Some(Malformed::Limit))] {
            let mut bytes: Vec<u8> = Vec::new();
            bytes.extend(1_u64.to_le_bytes());
            bytes.extend(16_u64.to_le_bytes());
            bytes.extend([0xff; 16]);
            bytes.extend(slices.to_le_bytes());
            bytes.extend([0; 32]);
            let span = Span { start: 0, end: bytes.len() };
            let read = Filter::read(Bytes { bytes: &bytes, span });
            assert_eq!(read.err().map(|error| error.malformed), expected);
        }
    }
}
