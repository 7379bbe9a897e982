//! A committee of BLS12-381 keys, whose root a trusted header names.

use alloc::vec::Vec;

use ark_bls12_381::G1Affine;

use super::{possession, signing};
use crate::algebra::Sum;
use crate::error::{DecodeError, InputError, Malformed, Rejection, Span, VerifyError};
use crate::hash::Hash;
use crate::hash::merkle::{self, leaf_of};
use crate::observer::{Cost, Observer, note};
use crate::wire::Bytes;
use crate::wire::point::{self, G1_BYTES, G2_BYTES};

/// Keys of a committee whose size no configuration says.
pub(super) const SIZES: core::ops::RangeInclusive<usize> = 1..=512;

/// A committee's bytes, before its root is compared with a header's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Listed<'a> {
    /// N keys, 48 bytes each.
    pub(super) keys: Bytes<'a>,
    /// Their sum, 48 bytes.
    pub(super) aggregate: Bytes<'a>,
    /// N proofs that the keys' owners possess them, 96 bytes each; none on a chain that checked
    /// them before.
    pub(super) proofs: Bytes<'a>,
}

impl<'a> Listed<'a> {
    /// Splits `keys ‖ aggregate ‖ proofs`: `size` keys, and so many proofs.
    pub(super) fn split(bytes: Bytes<'a>, size: usize, proofs: usize) -> Option<Self> {
        let (keys, rest) = split(bytes, size.saturating_mul(G1_BYTES))?;
        let (aggregate, rest) = split(rest, G1_BYTES)?;
        let is_whole = rest.bytes.len() == proofs.saturating_mul(G2_BYTES);
        is_whole.then_some(Self { keys, aggregate, proofs: rest })
    }

    /// Splits the same where the size is the committee's own: as many keys as there are bytes for.
    pub(super) fn of_any_size(bytes: Bytes<'a>, has_proofs: bool) -> Option<Self> {
        let each = if has_proofs { G1_BYTES.saturating_add(G2_BYTES) } else { G1_BYTES };
        let size = bytes.bytes.len().saturating_sub(G1_BYTES).checked_div(each)?;
        let proofs = if has_proofs { size } else { 0 };
        SIZES.contains(&size).then(|| Self::split(bytes, size, proofs)).flatten()
    }

    /// `hash_tree_root(SyncCommittee)`, the tree of keys filled up with zeros to a power of two.
    pub(super) fn root(&self, observer: &mut impl Observer) -> Hash {
        let (keys, _) = self.keys.bytes.as_chunks::<G1_BYTES>();
        let leaves: Vec<Hash> = keys.iter().map(|key| key_root(key, observer)).collect();
        let depth = leaves.len().next_power_of_two().checked_ilog2().unwrap_or(0);
        let root = merkle::root(leaves, usize::try_from(depth).unwrap_or(0), observer);
        let aggregate = key_root(self.aggregate.bytes, observer);
        let root = merkle::pair(&root, &aggregate, observer);
        let span = Span { start: self.keys.span.start, end: self.aggregate.span.end };
        note!(observer, Hashed "committee", span, digest: &root, keys: keys.len());
        root
    }

    /// Operators are counted by their keys: whoever is listed twice would count as two.
    ///
    /// # Errors
    /// [`VerifyError::Committee`].
    pub(super) fn check_distinct(&self) -> Result<(), VerifyError> {
        let (keys, _) = self.keys.bytes.as_chunks::<G1_BYTES>();
        let mut sorted: Vec<_> = keys.iter().collect();
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| matches!(pair, [one, other] if one == other)) {
            let (reason, span) = ("a key is listed twice", self.keys.span);
            return Err(VerifyError::Committee { reason, span });
        }
        Ok(())
    }

    /// Whether every byte is zero: a container's "no committee".
    pub(super) fn is_zero(&self) -> bool {
        self.keys.bytes.iter().chain(self.aggregate.bytes).all(|byte| *byte == 0)
    }
}

/// `hash_tree_root(BLSPubkey)`.
fn key_root(key: &[u8], observer: &mut impl Observer) -> Hash {
    let (left, right) = key.split_at_checked(32).unwrap_or((key, &[]));
    merkle::pair(&leaf_of(left), &leaf_of(right), observer)
}

/// A committee whose root was proven. Keys are decompressed when a signature first needs them.
#[derive(Clone, Debug)]
pub struct Committee {
    root: Hash,
    /// Keys, then the aggregate.
    bytes: Vec<u8>,
    /// What came with the keys to prove their possession.
    proofs: Vec<u8>,
    /// The same, decompressed. Invariant: each is on the curve and compresses to its bytes.
    points: Vec<Option<G1Affine>>,
}

impl Committee {
    /// A committee that the caller trusts: `keys ‖ aggregate`, `size` keys; as many as there are,
    /// if no size is given.
    ///
    /// # Errors
    /// [`InputError::Request`] if the length is another.
    pub fn trusted(bytes: &[u8], size: impl Into<Option<usize>>) -> Result<Self, InputError> {
        let whole = Bytes { bytes, span: Span { start: 0, end: bytes.len() } };
        let listed = match size.into() {
            Some(size) => Listed::split(whole, size, 0),
            None => Listed::of_any_size(whole, false),
        };
        let listed = listed.ok_or(InputError::Request("a committee is its keys and their sum"))?;
        Ok(Self::proven(&listed, listed.root(&mut ())))
    }

    /// A committee of 1 to 512 keys whose members nobody has checked yet: `keys ‖ aggregate ‖
    /// proofs`.
    ///
    /// # Errors
    /// [`InputError::Request`] for another length; `decode.point`; [`VerifyError::Committee`] for a
    /// wrong sum, a key that is listed twice, or one without a true proof of possession.
    pub fn checked(bytes: &[u8]) -> Result<Self, Rejection> {
        let whole = Bytes { bytes, span: Span { start: 0, end: bytes.len() } };
        let listed = Listed::of_any_size(whole, true)
            .ok_or(InputError::Request("a committee is its keys, their sum and their proofs"))?;
        let mut committee = Self::proven(&listed, listed.root(&mut ()));
        committee.check_keys(&listed, &mut ())?;
        listed.check_distinct()?;
        Ok(committee)
    }

    /// Whether those of the committee whose bits are set signed `message`, however few they are.
    ///
    /// * `aggregate`: bits ‖ signature.
    ///
    /// # Errors
    /// `decode.shape` for another length or a bit that is nobody's; `decode.point`;
    /// [`VerifyError::Signature`].
    pub fn signed(&mut self, aggregate: &[u8], message: Hash) -> Result<(), Rejection> {
        let aggregate = Aggregate::read(aggregate, self.size())?;
        self.verify(&aggregate, message, &mut ())
    }

    /// A committee whose `root` was proven.
    pub(super) fn proven(listed: &Listed<'_>, root: Hash) -> Self {
        let bytes = [listed.keys.bytes, listed.aggregate.bytes].concat();
        let points = alloc::vec![None; bytes.len().checked_div(G1_BYTES).unwrap_or(0)];
        Self { root, bytes, proofs: listed.proofs.bytes.to_vec(), points }
    }

    /// `hash_tree_root(SyncCommittee)`.
    pub const fn root(&self) -> Hash {
        self.root
    }

    /// `keys ‖ aggregate`.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The proofs of possession that came with the keys; none on a chain that checked them before.
    pub(super) fn proofs(&self) -> &[u8] {
        &self.proofs
    }

    /// Whether these are its keys, its aggregate and the proofs that it came with.
    pub(super) fn holds(&self, listed: &Listed<'_>) -> bool {
        let (keys, aggregate) =
            self.bytes.split_at_checked(listed.keys.bytes.len()).unwrap_or_default();
        keys == listed.keys.bytes
            && aggregate == listed.aggregate.bytes
            && self.proofs == listed.proofs.bytes
    }

    /// Number of keys.
    pub const fn size(&self) -> usize {
        self.points.len().saturating_sub(1)
    }

    /// Checks what a chain without deposit checks must: every key in the subgroup and not infinity,
    /// their sum the aggregate, and the possession of each proven. `listed`: where the
    /// committee came from.
    ///
    /// # Errors
    /// `decode.point`, [`VerifyError::Committee`].
    pub(super) fn check_keys(
        &mut self,
        listed: &Listed<'_>,
        observer: &mut impl Observer,
    ) -> Result<(), Rejection> {
        let size = self.size();
        let span = listed.keys.span;
        let (mut keys, mut sum) = (Vec::with_capacity(size), Sum::default());
        for index in 0..size {
            let bytes = self.compressed(index);
            let key = point::g1(Bytes { bytes: &bytes, span }, "committee key")?;
            observer.cost(Cost::Decompressed(1));
            sum.add(&key, observer);
            keys.push(key);
            if let Some(slot) = self.points.get_mut(index) {
                *slot = Some(key);
            }
        }
        if sum.total() != self.point(size, observer)? {
            let reason = "the aggregate is not the sum of the keys";
            return Err(VerifyError::Committee { reason, span }.into());
        }
        let (compressed, _) = listed.keys.bytes.as_chunks();
        possession::check(compressed, &keys, listed.proofs, observer)
    }

    /// Checks the participants' signature of `message`.
    ///
    /// # Errors
    /// `decode.point` for a key or the signature, [`VerifyError::Signature`].
    pub(super) fn verify(
        &mut self,
        aggregate: &Aggregate<'_>,
        message: Hash,
        observer: &mut impl Observer,
    ) -> Result<(), Rejection> {
        let sum = self.sum(aggregate, observer)?;
        signing::verify(sum, message, aggregate.signature, observer)
    }

    /// Sum of the participants' keys: from the absent ones and the aggregate if those are fewer.
    fn sum(
        &mut self,
        aggregate: &Aggregate<'_>,
        observer: &mut impl Observer,
    ) -> Result<G1Affine, DecodeError> {
        let size = self.size();
        let few_absent = aggregate.count().saturating_mul(2) > size;
        let listed = |index: &usize| aggregate.bit(*index) != few_absent;
        let mut sum = Sum::default();
        for index in (0..size).filter(listed) {
            sum.add(&self.point(index, observer)?, observer);
        }
        Ok(if few_absent {
            sum.subtracted_from(&self.point(size, observer)?, observer)
        } else {
            sum.total()
        })
    }

    /// The key at `index`, or the aggregate after the last one.
    fn point(
        &mut self,
        index: usize,
        observer: &mut impl Observer,
    ) -> Result<G1Affine, DecodeError> {
        if let Some(point) = self.points.get(index).copied().flatten() {
            return Ok(point);
        }
        let bytes = self.compressed(index);
        let key =
            point::g1_on_curve(Bytes { bytes: &bytes, span: Span::default() }, "committee key")?;
        observer.cost(Cost::Decompressed(1));
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
            Malformed::Point.at(field, reason, span)
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
        let (bits, signature) = split(bytes, size.div_ceil(8))?;
        (signature.bytes.len() == G2_BYTES).then_some(Self { bits, signature })
    }

    /// Splits `bits ‖ signature` of a committee of `size`, and checks the bits.
    ///
    /// # Errors
    /// `decode.shape`.
    pub(super) fn read(bytes: &'a [u8], size: usize) -> Result<Self, DecodeError> {
        let span = Span { start: 0, end: bytes.len() };
        let aggregate = Self::split(Bytes { bytes, span }, size).ok_or(Malformed::Shape.at(
            "signature",
            "wrong length",
            span,
        ))?;
        aggregate.check_bits(size)?;
        Ok(aggregate)
    }

    /// There is a bit for each of `size` members, and those after the last are zero: they would
    /// count as signers that nobody is.
    ///
    /// # Errors
    /// `decode.shape`.
    pub(super) fn check_bits(&self, size: usize) -> Result<(), DecodeError> {
        let wrong = |reason| Err(Malformed::Shape.at("bits", reason, self.bits.span));
        if self.bits.bytes.len() != size.div_ceil(8) {
            return wrong("expected one bit for each member of the committee");
        }
        let spare = self.bits.bytes.len().saturating_mul(8);
        if (size..spare).any(|index| self.bit(index)) {
            return wrong("a bit is set that is no member's");
        }
        Ok(())
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

/// The first `middle` bytes, and the rest.
fn split(Bytes { bytes, span }: Bytes<'_>, middle: usize) -> Option<(Bytes<'_>, Bytes<'_>)> {
    let (head, tail) = bytes.split_at_checked(middle)?;
    let middle = span.start.saturating_add(middle);
    let head = Bytes { bytes: head, span: Span { start: span.start, end: middle } };
    Some((head, Bytes { bytes: tail, span: Span { start: middle, end: span.end } }))
}

/// The fewest signers that are two thirds of a committee of `size`.
pub(super) const fn two_thirds(size: usize) -> usize {
    size.saturating_mul(2).div_ceil(3)
}
