//! A committee of BLS12-381 keys, whose root a trusted header names.

use alloc::vec::Vec;

use ark_bls12_381::G1Affine;

use super::signing;
use crate::algebra::Sum;
use crate::error::{DecodeError, InputError, Malformed, Rejection, Span, VerifyError};
use crate::hash::Hash;
use crate::hash::merkle::{Work, leaf_of};
use crate::trace::{Trace, note};
use crate::wire::Bytes;
use crate::wire::point::{self, G1_BYTES, G2_BYTES};

/// A committee's bytes, before its root is compared with a header's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Listed<'a> {
    /// N keys, 48 bytes each.
    pub(super) keys: Bytes<'a>,
    /// Their sum, 48 bytes.
    pub(super) aggregate: Bytes<'a>,
}

impl<'a> Listed<'a> {
    /// Splits `keys ‖ aggregate`, `size` keys.
    pub(super) fn split(bytes: Bytes<'a>, size: usize) -> Option<Self> {
        let Bytes { bytes, span } = bytes;
        let (keys, aggregate) = bytes.split_at_checked(size.saturating_mul(G1_BYTES))?;
        let middle = span.start.saturating_add(keys.len());
        (aggregate.len() == G1_BYTES).then_some(Self {
            keys: Bytes { bytes: keys, span: Span { start: span.start, end: middle } },
            aggregate: Bytes { bytes: aggregate, span: Span { start: middle, end: span.end } },
        })
    }

    /// `hash_tree_root(SyncCommittee)`.
    pub(super) fn root(&self, work: &mut Work) -> Hash {
        let leaf = |work: &mut Work, key: &[u8]| {
            let (left, right) = key.split_at_checked(32).unwrap_or((key, &[]));
            work.pair(&leaf_of(left), &leaf_of(right))
        };
        let (keys, _) = self.keys.bytes.as_chunks::<G1_BYTES>();
        let leaves: Vec<Hash> = keys.iter().map(|key| leaf(work, key)).collect();
        let depth = leaves.len().checked_ilog2().unwrap_or(0);
        let keys = work.root(leaves, usize::try_from(depth).unwrap_or(0));
        let aggregate = leaf(work, self.aggregate.bytes);
        work.pair(&keys, &aggregate)
    }

    /// Reports that the keys hash to `root`, by the work since `before`.
    pub(super) fn note_root(&self, root: Hash, before: Work, work: &Work, trace: &mut dyn Trace) {
        let span = Span { start: self.keys.span.start, end: self.aggregate.span.end };
        note!(trace, Hashed "committee", span, digest: &root,
            keys: self.keys.bytes.len().checked_div(G1_BYTES).unwrap_or(0),
            hashes: work.pairs.saturating_sub(before.pairs));
    }

    /// Whether every byte is zero: a container's "no committee".
    pub(super) fn is_zero(&self) -> bool {
        self.keys.bytes.iter().chain(self.aggregate.bytes).all(|byte| *byte == 0)
    }
}

/// A committee whose root was proven. Keys are decompressed when a signature first needs them.
#[derive(Clone, Debug)]
pub struct Committee {
    root: Hash,
    /// Keys, then the aggregate.
    bytes: Vec<u8>,
    /// The same, decompressed. Invariant: each is on the curve and compresses to its bytes.
    points: Vec<Option<G1Affine>>,
}

impl Committee {
    /// A committee that the caller trusts: `keys ‖ aggregate`, `size` keys.
    ///
    /// # Errors
    /// [`InputError::Request`] if the length is another.
    pub fn trusted(bytes: &[u8], size: usize) -> Result<Self, InputError> {
        let whole = Bytes { bytes, span: Span { start: 0, end: bytes.len() } };
        let listed = Listed::split(whole, size)
            .ok_or(InputError::Request("a committee is its keys and their sum"))?;
        Ok(Self::proven(&listed, listed.root(&mut Work::default())))
    }

    /// A committee whose `root` was proven.
    pub(super) fn proven(listed: &Listed<'_>, root: Hash) -> Self {
        let bytes = [listed.keys.bytes, listed.aggregate.bytes].concat();
        let points = alloc::vec![None; bytes.len().checked_div(G1_BYTES).unwrap_or(0)];
        Self { root, bytes, points }
    }

    /// `hash_tree_root(SyncCommittee)`.
    pub const fn root(&self) -> Hash {
        self.root
    }

    /// `keys ‖ aggregate`.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether these are its keys and its aggregate.
    pub(super) fn holds(&self, listed: &Listed<'_>) -> bool {
        let (keys, aggregate) =
            self.bytes.split_at_checked(listed.keys.bytes.len()).unwrap_or_default();
        keys == listed.keys.bytes && aggregate == listed.aggregate.bytes
    }

    /// Number of keys.
    pub const fn size(&self) -> usize {
        self.points.len().saturating_sub(1)
    }

    /// Checks what a chain without deposit checks must: every key in the subgroup and not infinity,
    /// and their sum the aggregate.
    ///
    /// # Errors
    /// `decode.point`, [`VerifyError::Committee`].
    pub(super) fn check_keys(&mut self, keys: Span, work: &mut Work) -> Result<(), Rejection> {
        let size = self.size();
        let mut sum = Sum::default();
        for index in 0..size {
            let bytes = self.compressed(index);
            let key = point::g1(Bytes { bytes: &bytes, span: keys }, "committee key")?;
            work.decompressed = work.decompressed.saturating_add(1);
            sum.add(&key, work);
            if let Some(slot) = self.points.get_mut(index) {
                *slot = Some(key);
            }
        }
        if sum.total() != self.point(size, work)? {
            let reason = "the aggregate is not the sum of the keys";
            return Err(VerifyError::Committee { reason, span: keys }.into());
        }
        Ok(())
    }

    /// Checks the participants' signature of `message`.
    ///
    /// # Errors
    /// `decode.point` for a key or the signature, [`VerifyError::Signature`].
    pub(super) fn verify(
        &mut self,
        aggregate: &Aggregate<'_>,
        message: Hash,
        work: &mut Work,
    ) -> Result<(), Rejection> {
        let sum = self.sum(aggregate, work)?;
        signing::verify(sum, message, aggregate.signature, work)
    }

    /// Sum of the participants' keys: from the absent ones and the aggregate if those are fewer.
    fn sum(&mut self, aggregate: &Aggregate<'_>, work: &mut Work) -> Result<G1Affine, DecodeError> {
        let size = self.size();
        let few_absent = aggregate.count().saturating_mul(2) > size;
        let listed = |index: &usize| aggregate.bit(*index) != few_absent;
        let mut sum = Sum::default();
        for index in (0..size).filter(listed) {
            sum.add(&self.point(index, work)?, work);
        }
        Ok(if few_absent {
            sum.subtracted_from(&self.point(size, work)?, work)
        } else {
            sum.total()
        })
    }

    /// The key at `index`, or the aggregate after the last one.
    fn point(&mut self, index: usize, work: &mut Work) -> Result<G1Affine, DecodeError> {
        if let Some(point) = self.points.get(index).copied().flatten() {
            return Ok(point);
        }
        let bytes = self.compressed(index);
        let key =
            point::g1_on_curve(Bytes { bytes: &bytes, span: Span::default() }, "committee key")?;
        work.decompressed = work.decompressed.saturating_add(1);
        if let Some(slot) = self.points.get_mut(index) {
            *slot = Some(key);
        }
        Ok(key)
    }

    fn compressed(&self, index: usize) -> [u8; G1_BYTES] {
        let (keys, _) = self.bytes.as_chunks::<G1_BYTES>();
        keys.get(index).copied().unwrap_or([0; G1_BYTES])
    }

    /// Decompressed points: two bytes of index and 96 of the point, each.
    pub(super) fn cached(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for (index, point) in (0_u16..).zip(&self.points) {
            if let Some(point) = point {
                out.extend_from_slice(&index.to_be_bytes());
                out.extend_from_slice(&point::affine(point));
            }
        }
        out
    }

    /// Takes points that [`Committee::cached`] gave, from wherever they were kept since.
    ///
    /// # Errors
    /// `decode.point` if one is not on the curve or not the committee's key.
    pub(super) fn load(&mut self, cached: Bytes<'_>) -> Result<(), DecodeError> {
        let wrong = |reason| {
            let (field, span) = ("cached points", cached.span);
            DecodeError { malformed: Malformed::Point, field, reason, span }
        };
        let (entries, []) = cached.bytes.as_chunks::<98>() else {
            return Err(wrong("wrong length"));
        };
        for entry in entries {
            let [high, low, affine @ ..] = entry;
            let index = usize::from(u16::from_be_bytes([*high, *low]));
            let compressed = self.compressed(index);
            let point = point::g1_cached(affine, &compressed).ok_or(wrong("not the key"))?;
            match self.points.get_mut(index) {
                Some(slot) => *slot = Some(point),
                None => return Err(wrong("no such key")),
            }
        }
        Ok(())
    }
}

/// Who signed, and the signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Aggregate<'a> {
    /// N bits, least significant first.
    pub(super) bits: Bytes<'a>,
    /// 96 bytes.
    pub(super) signature: Bytes<'a>,
}

impl<'a> Aggregate<'a> {
    /// Splits `bits ‖ signature` for `size` keys.
    pub(super) fn split(bytes: Bytes<'a>, size: usize) -> Option<Self> {
        let Bytes { bytes, span } = bytes;
        let (bits, signature) = bytes.split_at_checked(size >> 3)?;
        let middle = span.start.saturating_add(bits.len());
        (signature.len() == G2_BYTES).then_some(Self {
            bits: Bytes { bytes: bits, span: Span { start: span.start, end: middle } },
            signature: Bytes { bytes: signature, span: Span { start: middle, end: span.end } },
        })
    }

    /// Number of signers.
    pub(super) fn count(&self) -> usize {
        self.bits.bytes.iter().fold(0, |count: usize, byte| {
            count.saturating_add(usize::try_from(byte.count_ones()).unwrap_or(0))
        })
    }

    /// At least `needed` of the committee signed.
    pub(super) fn require(&self, needed: usize) -> Result<(), VerifyError> {
        let got = self.count();
        if got >= needed {
            return Ok(());
        }
        Err(VerifyError::Participation { got, needed, span: self.bits.span })
    }

    fn bit(&self, index: usize) -> bool {
        self.bits.bytes.get(index >> 3).is_some_and(|byte| byte >> (index & 7) & 1 == 1)
    }
}

/// The fewest signers that are two thirds of a committee of `size`.
pub(super) const fn two_thirds(size: usize) -> usize {
    size.saturating_mul(2).div_ceil(3)
}
