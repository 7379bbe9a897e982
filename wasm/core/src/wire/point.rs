//! Points of BLS12-381 in the form of `ZCash`: 48 bytes in G1, 96 in G2, compressed, flags in the first
//! byte. One byte string per point; infinity is refused, since no field of ours may hold it.
//!
//! Nobody else calls arkworks' decoders: they do not say whether all bytes were read.

use ark_bls12_381::{Fq, G1Affine, G2Affine};
use ark_ec::AffineRepr;
use ark_ff::{BigInteger384, PrimeField};
use ark_serialize::{CanonicalSerialize, Compress, Validate};

use super::Bytes;
use crate::error::{DecodeError, Malformed};

/// Bytes of a compressed point of G1.
pub const G1_BYTES: usize = 48;

/// Bytes of a compressed point of G2.
pub const G2_BYTES: usize = 96;

/// A point on G1's curve, not infinity. Its subgroup is *not* checked: for keys whose set is bound by
/// a root of a chain that checked them before (headers.md: validated at deposit).
///
/// # Errors
/// `decode.point` unless the bytes are the canonical compressed form of one.
pub fn g1_on_curve(from: Bytes<'_>, field: &'static str) -> Result<G1Affine, DecodeError> {
    decode(from, field)
}

/// A point of G1, not infinity.
///
/// # Errors
/// As [`g1_on_curve`], and if it lies outside the subgroup of order r.
pub fn g1(from: Bytes<'_>, field: &'static str) -> Result<G1Affine, DecodeError> {
    let point = g1_on_curve(from, field)?;
    if !point.is_in_correct_subgroup_assuming_on_curve() {
        return Err(malformed(from, field, "outside the subgroup"));
    }
    Ok(point)
}

/// A point of G2, not infinity, in the subgroup of order r.
///
/// # Errors
/// `decode.point` unless the bytes are the canonical compressed form of one.
pub fn g2(from: Bytes<'_>, field: &'static str) -> Result<G2Affine, DecodeError> {
    let point: G2Affine = decode(from, field)?;
    if !point.is_in_correct_subgroup_assuming_on_curve() {
        return Err(malformed(from, field, "outside the subgroup"));
    }
    Ok(point)
}

/// The compressed form of a point of G1.
pub fn compress(point: &G1Affine) -> [u8; G1_BYTES] {
    let mut out = [0; G1_BYTES];
    // The buffer has the form's length, so this cannot fail; if it did, zeros are no point's form.
    let _ = point.serialize_with_mode(out.as_mut_slice(), Compress::Yes);
    out
}

/// A point of G1 that was cached with its y coordinate, x ‖ y big-endian, if it is the point that
/// `compressed` stands for: on the curve, and compressed again to the same bytes.
pub fn g1_cached(affine: &[u8; 96], compressed: &[u8; G1_BYTES]) -> Option<G1Affine> {
    let point = G1Affine::new_unchecked(coordinate(affine, 0)?, coordinate(affine, 48)?);
    (point.is_on_curve() && compress(&point) == *compressed).then_some(point)
}

/// A point of G1 as x ‖ y, big-endian.
pub fn affine(point: &G1Affine) -> [u8; 96] {
    let mut out = [0; 96];
    // As in `compress`; a finite point's uncompressed form sets no flag bits.
    let _ = point.serialize_with_mode(out.as_mut_slice(), Compress::No);
    out
}

/// A coordinate below the field's modulus.
fn coordinate(affine: &[u8; 96], at: usize) -> Option<Fq> {
    let (words, _) = affine.get(at..)?.as_chunks::<8>();
    let mut limbs = [0; 6];
    for (limb, word) in limbs.iter_mut().rev().zip(words) {
        *limb = u64::from_be_bytes(*word);
    }
    Fq::from_bigint(BigInteger384::new(limbs))
}

fn decode<P: AffineRepr>(from: Bytes<'_>, field: &'static str) -> Result<P, DecodeError> {
    let wrong = |reason| malformed(from, field, reason);
    let point = P::deserialize_with_mode(from.bytes, Compress::Yes, Validate::No)
        .map_err(|_| wrong("not a point on the curve"))?;
    if point.is_zero() {
        return Err(wrong("infinity"));
    }
    let mut again = [0; G2_BYTES];
    let same = again.get_mut(..point.compressed_size()).is_some_and(|again| {
        point.serialize_with_mode(&mut *again, Compress::Yes).is_ok() && again == from.bytes
    });
    if same { Ok(point) } else { Err(wrong("not the canonical form of the point")) }
}

const fn malformed(from: Bytes<'_>, field: &'static str, reason: &'static str) -> DecodeError {
    DecodeError { malformed: Malformed::Point, field, reason, span: from.span }
}
