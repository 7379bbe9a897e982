//! Points of BLS12-381 in the form of `ZCash`: 48 bytes in G1, 96 in G2, compressed, flags in the first
//! byte. One byte string per point; infinity is refused, since no field of ours may hold it.
//!
//! Nobody else calls arkworks' decoders: they do not say whether all bytes were read.

use core::ops::{Mul, Neg};

use ark_bls12_381::{Fq, Fq2, G1Affine, G2Affine, g2};
use ark_ec::AffineRepr;
use ark_ec::short_weierstrass::SWCurveConfig;
use ark_ff::{BigInteger384, Field, PrimeField};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize, Compress, Validate};

use super::Bytes;
use crate::algebra::square_root;
use crate::error::{DecodeError, Malformed};

/// Bytes of a compressed point of G1.
pub const G1_BYTES: usize = 48;

/// Bytes of a compressed point of G2.
pub const G2_BYTES: usize = 96;

/// Flags in the first byte.
const FLAGS: u8 = 0xe0;
const COMPRESSED: u8 = 0x80;
const INFINITY: u8 = 0x40;
const LARGEST: u8 = 0x20;

/// A point on G1's curve, not infinity. Its subgroup is *not* checked: for keys whose set is bound by
/// a root of a chain that checked them before (headers.md: validated at deposit).
///
/// # Errors
/// `decode.point` unless the bytes are the canonical compressed form of one.
pub fn g1_on_curve(from: Bytes<'_>, field: &'static str) -> Result<G1Affine, DecodeError> {
    let wrong = |reason| malformed(from, field, reason);
    let point = G1Affine::deserialize_with_mode(from.bytes, Compress::Yes, Validate::No)
        .map_err(|_| wrong("not a point on the curve"))?;
    if point.is_zero() {
        return Err(wrong("infinity"));
    }
    if compress(&point) != from.bytes {
        return Err(wrong("not the canonical form of the point"));
    }
    Ok(point)
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
    let wrong = |reason| malformed(from, field, reason);
    let mut bytes: [u8; G2_BYTES] = from.bytes.try_into().map_err(|_| wrong("wrong length"))?;
    let [first, ..] = &mut bytes;
    let flags = *first & FLAGS;
    *first &= !FLAGS;
    if flags & COMPRESSED == 0 {
        return Err(wrong("not compressed"));
    }
    if flags & INFINITY != 0 {
        return Err(wrong("infinity"));
    }
    let (Some(c1), Some(c0)) = (coordinate(&bytes, 0), coordinate(&bytes, G1_BYTES)) else {
        return Err(wrong("a coordinate over the modulus"));
    };
    let x = Fq2::new(c0, c1);
    let y = square_root(g2::Config::add_b(x.square().mul(x)));
    let y = y.ok_or(wrong("not a point on the curve"))?;
    let is_largest = y > y.neg();
    let y = if is_largest == (flags & LARGEST != 0) { y } else { y.neg() };
    let point = G2Affine::new_unchecked(x, y);
    if !point.is_in_correct_subgroup_assuming_on_curve() {
        return Err(wrong("outside the subgroup"));
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
fn coordinate(point: &[u8; 96], at: usize) -> Option<Fq> {
    let (words, _) = point.get(at..)?.as_chunks::<8>();
    let mut limbs = [0; 6];
    for (limb, word) in limbs.iter_mut().rev().zip(words) {
        *limb = u64::from_be_bytes(*word);
    }
    Fq::from_bigint(BigInteger384::new(limbs))
}

const fn malformed(from: Bytes<'_>, field: &'static str, reason: &'static str) -> DecodeError {
    DecodeError { malformed: Malformed::Point, field, reason, span: from.span }
}

#[cfg(test)]
mod tests {
    use ark_bls12_381::Fr;
    use ark_ec::CurveGroup;

    use super::*;
    use crate::error::Span;

    fn read(bytes: &[u8]) -> Result<G2Affine, DecodeError> {
        g2(Bytes { bytes, span: Span::default() }, "point")
    }

    #[test]
    fn reads_the_points_that_arkworks_writes_and_no_other_form_of_them() {
        for scalar in 1..20_u64 {
            let point = G2Affine::generator().mul(Fr::from(scalar)).into_affine();
            let mut bytes = [0; G2_BYTES];
            point.serialize_compressed(bytes.as_mut_slice()).unwrap();
            assert_eq!(read(&bytes), Ok(point));
            let mut other = bytes;
            other[0] ^= LARGEST;
            assert_eq!(read(&other), Ok(-point));
            for flag in [COMPRESSED, INFINITY] {
                let mut other = bytes;
                other[0] ^= flag;
                assert!(read(&other).is_err());
            }
            assert!(read(&bytes[..95]).is_err());
            assert!(read(&[&bytes[..], &[0]].concat()).is_err());
        }
    }

    #[test]
    fn refuses_what_arkworks_refuses() {
        for x in 0..60_u8 {
            let mut bytes = [0; G2_BYTES];
            bytes[0] = COMPRESSED;
            bytes[95] = x;
            let theirs = G2Affine::deserialize_compressed(bytes.as_slice());
            assert_eq!(read(&bytes).ok(), theirs.ok());
        }
    }
}
