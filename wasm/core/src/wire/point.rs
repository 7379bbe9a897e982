//! Points of BLS12-381 in the form of `ZCash`, flags in the first byte: 48 bytes in G1 and 96 in G2
//! if compressed, 96 in G1 if not. Each reader takes one form, and one byte string for each point
//! in it.
//!
//! Infinity is refused, except by [`g1_or_identity`] (`c0 00 …`) and [`g1_uncompressed`] (`40 00
//! …`). arkworks keeps it as (0, 0), which it finds on every curve: coordinates of zero become a
//! point nowhere.
//!
//! Nobody else calls arkworks' decoders: they do not say whether all bytes were read.

// Operators on field and group elements reduce modulo a prime; they cannot overflow.
#![allow(clippy::arithmetic_side_effects)]

use alloc::boxed::Box;
use alloc::vec::Vec;
use ark_bls12_381::{Fq, Fq2, G1Affine, G1Projective, G2Affine, g1, g2};

use ark_ec::scalar_mul::glv::GLVConfig;
use ark_ec::short_weierstrass::SWCurveConfig;
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, BigInteger384, Field, PrimeField};

use super::Bytes;
use crate::algebra::{Base, LOWER, X, real_square_root, square_root};
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

/// A point on G1's curve, not infinity. Its subgroup is *not* checked: for keys whose set is bound
/// by a root of a chain that checked them before (`spec/headers.md`, section 5).
///
/// # Errors
/// `decode.point` unless the bytes are the canonical compressed form of one.
pub fn g1_on_curve(from: Bytes<'_>, field: &'static str) -> Result<G1Affine, DecodeError> {
    let wrong = |reason| Malformed::Point.at(field, reason, from.span);
    let (bytes, is_largest) = unflagged::<G1_BYTES>(from, field)?;
    let x = coordinate(&bytes).ok_or(wrong("a coordinate over the modulus"))?;
    let y = real_square_root(g1::Config::add_b(x.square() * x));
    let y = y.ok_or(wrong("not a point on the curve"))?;
    Ok(G1Affine::new_unchecked(x, if (y > -y) == is_largest { y } else { -y }))
}

/// A point of G1, not infinity.
///
/// # Errors
/// As [`g1_on_curve`], and if it lies outside the subgroup of order r.
pub fn g1(from: Bytes<'_>, field: &'static str) -> Result<G1Affine, DecodeError> {
    let point = g1_on_curve(from, field)?;
    if tested(&point).is_none() {
        return Err(outside(from, field));
    }
    Ok(point)
}

/// Points of G1, not infinity, with the multiples by y, x and yx that the test of their subgroup
/// comes by.
///
/// # Errors
/// As [`g1`], for the first that is none.
pub fn g1_with_multiples(
    all: &[Bytes<'_>],
    field: &'static str,
) -> Result<Vec<Base<G1Affine>>, DecodeError> {
    let mut points = Vec::with_capacity(all.len());
    let mut multiples = Vec::new();
    for from in all {
        let point = g1_on_curve(*from, field)?;
        points.push(point);
        multiples.extend(tested(&point).ok_or(outside(*from, field))?);
    }
    let multiples = G1Projective::normalize_batch(&multiples);
    let multiples = multiples.as_chunks().0.iter().map(|multiples| Some(Box::new(*multiples)));
    let all = points.into_iter().zip(multiples);
    Ok(all.map(|(point, multiples)| Base { point, multiples }).collect())
}

/// A point of G1 that may be infinity: `c0 00 …`, and no other form of it.
///
/// # Errors
/// As [`g1`], except for infinity.
pub fn g1_or_identity(from: Bytes<'_>, field: &'static str) -> Result<G1Affine, DecodeError> {
    let identity = G1Affine::identity();
    if from.bytes == compress(&identity) { Ok(identity) } else { g1(from, field) }
}

/// A point on G1's curve, uncompressed: x ‖ y, no flags, or infinity's flag and zeros. Its subgroup
/// is *not* checked: for points that meet nothing but pairings, where a component of another order
/// is worth one.
///
/// # Errors
/// `decode.point` unless the bytes are the canonical uncompressed form of one.
pub fn g1_uncompressed(from: Bytes<'_>, field: &'static str) -> Result<G1Affine, DecodeError> {
    let wrong = |reason| Malformed::Point.at(field, reason, from.span);
    let Some((x, y)) = from.bytes.split_at_checked(G1_BYTES).filter(|(_, y)| y.len() == G1_BYTES)
    else {
        return Err(wrong("wrong length"));
    };
    if matches!(from.bytes, [INFINITY, rest @ ..] if rest.iter().all(|byte| *byte == 0)) {
        return Ok(G1Affine::identity());
    }
    // A flag makes the coordinate too large.
    let (Some(x), Some(y)) = (coordinate(x), coordinate(y)) else {
        return Err(wrong("a coordinate over the modulus"));
    };
    finite(x, y).ok_or(wrong("not a point on the curve"))
}

/// The point of these coordinates, if there is one on the curve.
pub(crate) fn finite(x: Fq, y: Fq) -> Option<G1Affine> {
    let point = G1Affine::new_unchecked(x, y);
    (!point.is_zero() && point.is_on_curve()).then_some(point)
}

/// Whether a point on G1's curve is in the subgroup of order r.
pub(crate) fn is_in_g1(point: &G1Affine) -> bool {
    tested(point).is_some()
}

/// yP, xP and yxP, if a point P of G1's curve has order r: φ(P) = −x²P for φ(x, y) = (βx, y), β a
/// cube root of 1. Any such P has order r, since φ² + φ + 1 = 0 and x⁴ − x² + 1 = r.
///
/// arkworks' own test decomposes scalars by a library of big integers: a fifth of the module.
fn tested(point: &G1Affine) -> Option<[G1Projective; 3]> {
    let mut image = g1::Config::endomorphism_affine(point);
    image.y = -image.y;
    let [upper, whole] = times_x(point.into_group());
    let [upper_again, square] = times_x(whole);
    (square == image).then_some([upper, whole, upper_again])
}

/// \[y\]P, and \[x\]P for the curve's parameter up to its sign.
fn times_x(point: G1Projective) -> [G1Projective; 2] {
    let (mut product, mut by_y) = (point, point);
    for bit in (0..63).rev() {
        product.double_in_place();
        if (X >> bit) & 1 == 1 {
            product += point;
        }
        if bit == LOWER {
            by_y = product;
        }
    }
    [by_y, product]
}

/// A point of G2, not infinity, in the subgroup of order r.
///
/// # Errors
/// `decode.point` unless the bytes are the canonical compressed form of one.
pub fn g2(from: Bytes<'_>, field: &'static str) -> Result<G2Affine, DecodeError> {
    let point = g2_on_curve(from, field)?;
    if point.is_in_correct_subgroup_assuming_on_curve() {
        Ok(point)
    } else {
        Err(outside(from, field))
    }
}

/// A point on G2's curve, not infinity. Its subgroup is *not* checked: the loop of a pairing does.
///
/// # Errors
/// `decode.point` unless the bytes are the canonical compressed form of one.
pub(crate) fn g2_on_curve(from: Bytes<'_>, field: &'static str) -> Result<G2Affine, DecodeError> {
    let wrong = |reason| Malformed::Point.at(field, reason, from.span);
    let (bytes, is_largest) = unflagged::<G2_BYTES>(from, field)?;
    let (c1, c0) = bytes.split_at(G1_BYTES);
    let (Some(c1), Some(c0)) = (coordinate(c1), coordinate(c0)) else {
        return Err(wrong("a coordinate over the modulus"));
    };
    let x = Fq2::new(c0, c1);
    let y = square_root(g2::Config::add_b(x.square() * x));
    let y = y.ok_or(wrong("not a point on the curve"))?;
    let y = if (y > -y) == is_largest { y } else { -y };
    Ok(G2Affine::new_unchecked(x, y))
}

/// A point on the curve that is outside the subgroup of order r.
pub(crate) fn outside(from: Bytes<'_>, field: &'static str) -> DecodeError {
    Malformed::Point.at(field, "outside the subgroup", from.span)
}

/// The bytes of a compressed, finite point without its flags, and whether y is the larger root.
fn unflagged<const N: usize>(
    from: Bytes<'_>,
    field: &'static str,
) -> Result<([u8; N], bool), DecodeError> {
    let wrong = |reason| Malformed::Point.at(field, reason, from.span);
    let mut bytes: [u8; N] = from.bytes.try_into().map_err(|_| wrong("wrong length"))?;
    let flags = bytes.first_mut().map_or(0, |first| {
        let flags = *first & FLAGS;
        *first &= !FLAGS;
        flags
    });
    if flags & COMPRESSED == 0 {
        return Err(wrong("not compressed"));
    }
    if flags & INFINITY != 0 {
        return Err(wrong("infinity"));
    }
    Ok((bytes, flags & LARGEST != 0))
}

/// The compressed form of a point of G1.
pub fn compress(point: &G1Affine) -> [u8; G1_BYTES] {
    let mut out = [0; G1_BYTES];
    write(point.x, &mut out);
    let flags = match (point.is_zero(), point.y > -point.y) {
        (true, _) => COMPRESSED | INFINITY,
        (_, true) => COMPRESSED | LARGEST,
        _ => COMPRESSED,
    };
    if let Some(first) = out.first_mut() {
        *first |= flags;
    }
    out
}

/// The compressed form of a point of G2.
pub fn compress_g2(point: &G2Affine) -> [u8; G2_BYTES] {
    let mut out = [0; G2_BYTES];
    let (c1, c0) = out.split_at_mut(G1_BYTES);
    write(point.x.c1, c1);
    write(point.x.c0, c0);
    let flags = match (point.is_zero(), point.y > -point.y) {
        (true, _) => COMPRESSED | INFINITY,
        (_, true) => COMPRESSED | LARGEST,
        _ => COMPRESSED,
    };
    if let Some(first) = out.first_mut() {
        *first |= flags;
    }
    out
}

/// A finite point of G1 that was cached with its y coordinate, x ‖ y big-endian, if it is the point
/// that `compressed` stands for: on the curve, and compressed again to the same bytes.
pub fn g1_cached(affine: &[u8; 96], compressed: &[u8; G1_BYTES]) -> Option<G1Affine> {
    let (x, y) = affine.split_at(G1_BYTES);
    let point = finite(coordinate(x)?, coordinate(y)?)?;
    (compress(&point) == *compressed).then_some(point)
}

/// A finite point of G1 as x ‖ y, big-endian.
pub fn affine(point: &G1Affine) -> [u8; 96] {
    let mut out = [0; 96];
    let (x, y) = out.split_at_mut(G1_BYTES);
    write(point.x, x);
    write(point.y, y);
    out
}

/// A coordinate below the field's modulus, 48 bytes big-endian.
pub(crate) fn coordinate(bytes: &[u8]) -> Option<Fq> {
    let (words, _) = bytes.as_chunks::<8>();
    let mut limbs = [0; 6];
    for (limb, word) in limbs.iter_mut().rev().zip(words) {
        *limb = u64::from_be_bytes(*word);
    }
    Fq::from_bigint(BigInteger384::new(limbs))
}

/// Writes a coordinate to 48 bytes, big-endian.
pub(crate) fn write(coordinate: Fq, out: &mut [u8]) {
    let (words, _) = out.as_chunks_mut::<8>();
    for (limb, word) in coordinate.into_bigint().0.iter().rev().zip(words) {
        *word = limb.to_be_bytes();
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use core::ops::Mul;

    use ark_bls12_381::Fr;
    use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};

    use super::*;
    use crate::error::Span;

    fn own(bytes: &[u8]) -> Bytes<'_> {
        Bytes { bytes, span: Span::default() }
    }

    #[test]
    fn g1_is_what_arkworks_reads_and_writes() {
        let mut outside = 0;
        let generator = compress(&G1Affine::generator());

        for x in 0..120_u8 {
            for flags in [0x80, 0xa0, 0xc0, 0x00, 0xe0, 0x20] {
                let mut bytes = [0; G1_BYTES];
                bytes[0] = flags;
                bytes[47] = x;
                let from = Bytes { bytes: &bytes, span: Span::default() };
                let ours = g1_on_curve(from, "point");
                let theirs = G1Affine::deserialize_compressed_unchecked(bytes.as_slice());
                let theirs = theirs.ok().filter(|point| !point.is_zero());
                assert_eq!(ours.ok(), theirs);
                let Ok(point) = ours else { continue };
                assert_eq!(compress(&point), bytes);
                assert_eq!(g1_cached(&affine(&point), &bytes), Some(point));
                let theirs = G1Affine::deserialize_compressed(bytes.as_slice());
                assert_eq!(g1(from, "point").ok(), theirs.ok());
                let among = g1_with_multiples(&[own(&generator), from], "point");
                assert_eq!(among.map(|all| all[1].point), g1(from, "point"));
                outside += usize::from(g1(from, "point").is_err());
                assert_eq!(is_in_g1(&point), g1(from, "point").is_ok());
            }
        }
        assert!(outside > 50, "{outside}");
        assert!(is_in_g1(&G1Affine::generator()));
        for bytes in [&[0x9a; 48][..], &[0xbf; 48], &[0x80; 47], &[0x80; 49], &[]] {
            assert!(g1(own(bytes), "point").is_err());
            assert!(g1_with_multiples(&[own(&generator), own(bytes)], "point").is_err());
        }
        for scalar in 1..20_u64 {
            let point = G1Affine::generator().mul(Fr::from(scalar)).into_affine();
            let mut bytes = [0; G1_BYTES];
            point.serialize_compressed(bytes.as_mut_slice()).unwrap();
            assert_eq!(compress(&point), bytes);
            assert_eq!(g1(own(&bytes), "point"), Ok(point));
            let by = |factor: u64| point.mul(Fr::from(factor)).into_affine();
            let y = X >> LOWER;
            let multiples = [by(y), by(X), by(X).mul(Fr::from(y)).into_affine()];
            let multiples = Some(Box::new(multiples));
            assert_eq!(
                g1_with_multiples(&[own(&bytes)], "point"),
                Ok(vec![Base { point, multiples }])
            );
        }
        let mut infinity = [0; G1_BYTES];
        G1Affine::zero().serialize_compressed(infinity.as_mut_slice()).unwrap();
        assert_eq!(compress(&G1Affine::zero()), infinity);
        let either = |bytes: &[u8]| g1_or_identity(Bytes { bytes, span: Span::default() }, "point");
        assert_eq!(either(&infinity), Ok(G1Affine::zero()));
        assert!(either(&infinity[..47]).is_err());
        for at in 0..G1_BYTES {
            let mut junk = infinity;
            junk[at] ^= if at == 0 { LARGEST } else { 1 };
            assert!(either(&junk).is_err());
        }
    }

    #[test]
    fn uncompressed_points_have_one_form() {
        let either = |bytes: &[u8]| g1_uncompressed(own(bytes), "point");
        let mut infinity = [0; 2 * G1_BYTES];
        G1Affine::zero().serialize_uncompressed(infinity.as_mut_slice()).unwrap();
        assert_eq!(either(&infinity), Ok(G1Affine::zero()));
        for at in 0..infinity.len() {
            for bit in 0..8 {
                let mut junk = infinity;
                junk[at] ^= 1 << bit;
                assert!(either(&junk).is_err(), "{at} {bit}");
            }
        }
        let zeros = [0; 2 * G1_BYTES];
        assert!(either(&zeros).is_err());
        assert_eq!(g1_cached(&zeros, &compress(&G1Affine::zero())), None);
        for scalar in 1..20_u64 {
            let point = G1Affine::generator().mul(Fr::from(scalar)).into_affine();
            let bytes = affine(&point);
            assert_eq!(either(&bytes), Ok(point));
            assert_eq!(g1_cached(&bytes, &compress(&point)), Some(point));
            assert_eq!(g1_cached(&bytes, &compress(&-point)), None);
            assert_eq!(g1_cached(&affine(&-point), &compress(&point)), None);
            for flag in [COMPRESSED, INFINITY, LARGEST] {
                let mut other = bytes;
                other[0] |= flag;
                assert!(either(&other).is_err());
            }
            for other in [&bytes[..95], &bytes[..48], &[&bytes[..], &[0]].concat(), &[]] {
                assert!(either(other).is_err());
            }
            let mut off = bytes;
            off[95] ^= 1;
            assert!(either(&off).is_err());
        }
        // The component of another order is not looked for.
        let x = (4_u64..).find_map(|x| G1Affine::get_point_from_x_unchecked(x.into(), false));
        let outside = x.unwrap();
        assert!(g1(own(&compress(&outside)), "point").is_err());
        assert_eq!(either(&affine(&outside)), Ok(outside));
    }

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
            assert_eq!(compress_g2(&point), bytes);
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
    fn infinity_of_g2_is_two_flags_and_zeros() {
        let mut infinity = [0; G2_BYTES];
        infinity[0] = 0xc0;
        assert_eq!(compress_g2(&G2Affine::zero()), infinity);
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
