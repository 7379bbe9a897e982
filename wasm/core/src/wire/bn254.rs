//! Points of BN254, big-endian. G1: 32 bytes compressed, or 64 bytes affine; G2: 128 bytes affine.
//! One byte string per point.
//!
//! The two top bits of a compressed point, which no coordinate uses: 10 if y <= (p − 1)/2, 11 if it
//! is larger, 01 for the identity, all else zero. The affine form of the identity is all zeros. G1
//! has cofactor one, so that every point on the curve is in the group.

// Operators on field and group elements reduce modulo a prime; they cannot overflow.
#![allow(clippy::arithmetic_side_effects)]

use ark_bn254::{Config, Fq, Fq2, G1Affine, G2Affine, G2Projective, g1};
use ark_ec::AffineRepr;
use ark_ec::bn::BnConfig;
use ark_ec::short_weierstrass::SWCurveConfig;
use ark_ff::{AdditiveGroup, BigInteger256, Field, PrimeField};

use super::Bytes;
use crate::error::{DecodeError, Malformed};

/// Bytes of a compressed point of G1.
pub const G1_BYTES: usize = 32;

/// Bytes of an affine point of G1.
pub const G1_AFFINE_BYTES: usize = 64;

/// Bytes of an affine point of G2.
pub const G2_BYTES: usize = 128;

const FLAGS: u8 = 0xc0;
const SMALLEST: u8 = 0x80;
const LARGEST: u8 = 0xc0;
const IDENTITY: u8 = 0x40;

/// (p + 1)/4: a square's root is this power of it, since p ≡ 3 mod 4.
const ROOT: [u64; 4] =
    [0x4f08_2305_b61f_3f52, 0x65e0_5aa4_5a1c_72a3, 0x6e14_116d_a060_5617, 0x0c19_139c_b84c_680a];

/// A point of G1, the identity among them, from its compressed form.
///
/// # Errors
/// `decode.point` unless the bytes are the canonical compressed form of one.
pub fn g1(from: Bytes<'_>, field: &'static str) -> Result<G1Affine, DecodeError> {
    let wrong = |reason| Malformed::Point.at(field, reason, from.span);
    let mut bytes: [u8; G1_BYTES] = from.bytes.try_into().map_err(|_| wrong("wrong length"))?;
    let flags = bytes.first_mut().map_or(0, |first| {
        let flags = *first & FLAGS;
        *first &= !FLAGS;
        flags
    });
    match flags {
        SMALLEST | LARGEST => {}
        IDENTITY if bytes == [0; G1_BYTES] => return Ok(G1Affine::identity()),
        _ => return Err(wrong("neither compressed nor the identity alone")),
    }
    let x = coordinate(&bytes).ok_or(wrong("a coordinate over the modulus"))?;
    let square = g1::Config::add_b(x.square() * x);
    let y = square.pow(ROOT);
    if y.square() != square {
        return Err(wrong("not a point on the curve"));
    }
    let is_largest = flags == LARGEST;
    Ok(G1Affine::new_unchecked(x, if (y > -y) == is_largest { y } else { -y }))
}

/// A point of G1, the identity among them, from its affine form.
///
/// # Errors
/// `decode.point` unless the bytes are the affine form of one.
pub fn g1_affine(from: Bytes<'_>, field: &'static str) -> Result<G1Affine, DecodeError> {
    let wrong = |reason| Malformed::Point.at(field, reason, from.span);
    let (words, []) = from.bytes.as_chunks::<32>() else { return Err(wrong("wrong length")) };
    let [x, y] = words else { return Err(wrong("wrong length")) };
    if from.bytes.iter().all(|byte| *byte == 0) {
        return Ok(G1Affine::identity());
    }
    let (Some(x), Some(y)) = (coordinate(x), coordinate(y)) else {
        return Err(wrong("a coordinate over the modulus"));
    };
    let point = G1Affine::new_unchecked(x, y);
    if point.is_on_curve() { Ok(point) } else { Err(wrong("not a point on the curve")) }
}

/// A point on G2's curve, not the identity, from x.c1 ‖ x.c0 ‖ y.c1 ‖ y.c0. Its subgroup is *not*
/// checked: for parameters, which a digest binds.
///
/// # Errors
/// `decode.point` unless the bytes are of that form.
pub fn g2_on_curve(from: Bytes<'_>, field: &'static str) -> Result<G2Affine, DecodeError> {
    let wrong = |reason| Malformed::Point.at(field, reason, from.span);
    let (words, []) = from.bytes.as_chunks::<32>() else { return Err(wrong("wrong length")) };
    let [x1, x0, y1, y0] = words else { return Err(wrong("wrong length")) };
    let [Some(x1), Some(x0), Some(y1), Some(y0)] = [x1, x0, y1, y0].map(coordinate) else {
        return Err(wrong("a coordinate over the modulus"));
    };
    let point = G2Affine::new_unchecked(Fq2::new(x0, x1), Fq2::new(y0, y1));
    // arkworks takes zeros for the identity, on any curve.
    if point.is_on_curve() && !point.is_zero() {
        Ok(point)
    } else {
        Err(wrong("not a point on the curve"))
    }
}

/// A point of G2, not the identity.
///
/// # Errors
/// As [`g2_on_curve`], and if it lies outside the subgroup of order r.
pub fn g2(from: Bytes<'_>, field: &'static str) -> Result<G2Affine, DecodeError> {
    let point = g2_on_curve(from, field)?;
    if has_order(&point) {
        Ok(point)
    } else {
        Err(Malformed::Point.at(field, "outside the subgroup", from.span))
    }
}

/// The compressed form of a point of G1.
pub fn compress(point: &G1Affine) -> [u8; G1_BYTES] {
    let mut out = [0; G1_BYTES];
    let flags = match point.xy() {
        None => IDENTITY,
        Some((x, y)) => {
            write(x, &mut out);
            if y > -y { LARGEST } else { SMALLEST }
        }
    };
    if let Some(first) = out.first_mut() {
        *first |= flags;
    }
    out
}

/// The affine form of a point of G1.
pub fn affine(point: &G1Affine) -> [u8; G1_AFFINE_BYTES] {
    let mut out = [0; G1_AFFINE_BYTES];
    if let Some((x, y)) = point.xy() {
        let (left, right) = out.split_at_mut(32);
        write(x, left);
        write(y, right);
    }
    out
}

/// Whether a point of G2's curve has order r: ψ³([2x]P) = [x + 1]P + ψ([x]P) + ψ²([x]P), where x is
/// the curve's parameter and ψ the Frobenius endomorphism of the untwisted curve, taken to the twist
/// (Housni, Guillevic and Piellard, eprint 2022/348, section 5.1). It takes half as many doublings
/// as ψ(P) = [6x²]P.
///
/// No other point solves it. The cofactor is a product of four different primes, so the points of
/// each prime order are multiples of one point; both sides are linear, so it is enough that one
/// point of each order fails, which a test shows.
fn has_order(point: &G2Affine) -> bool {
    let multiple = point.mul_bigint(Config::X);
    let once = frobenius(&multiple);
    let twice = frobenius(&once);
    frobenius(&twice).double() == multiple + once + twice + point
}

/// ψ, in Jacobian coordinates.
fn frobenius(point: &G2Projective) -> G2Projective {
    let [mut x, mut y, mut z] = [point.x, point.y, point.z];
    for coordinate in [&mut x, &mut y, &mut z] {
        coordinate.frobenius_map_in_place(1);
    }
    G2Projective::new_unchecked(x * Config::TWIST_MUL_BY_Q_X, y * Config::TWIST_MUL_BY_Q_Y, z)
}

/// A coordinate below the field's modulus, 32 bytes big-endian.
fn coordinate(bytes: &[u8; 32]) -> Option<Fq> {
    let mut limbs = [0; 4];
    for (limb, word) in limbs.iter_mut().rev().zip(bytes.as_chunks().0) {
        *limb = u64::from_be_bytes(*word);
    }
    Fq::from_bigint(BigInteger256::new(limbs))
}

/// Writes a coordinate to 32 bytes, big-endian.
fn write(coordinate: Fq, out: &mut [u8]) {
    for (limb, word) in coordinate.into_bigint().0.iter().rev().zip(out.as_chunks_mut::<8>().0) {
        *word = limb.to_be_bytes();
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use ark_bn254::{Fr, G1Projective};
    use ark_ec::{CurveGroup, PrimeGroup};
    use ark_ff::{BigInteger, Zero};
    use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};

    use super::*;
    use crate::error::Span;

    fn from(bytes: &[u8]) -> Bytes<'_> {
        Bytes { bytes, span: Span::default() }
    }

    /// arkworks writes little-endian, with other flags.
    fn theirs(bytes: &[u8]) -> Option<G1Affine> {
        let mut reversed: Vec<u8> = bytes.iter().rev().copied().collect();
        let last = reversed.last_mut()?;
        let flags = *last & FLAGS;
        *last = (*last & !FLAGS) | [0, IDENTITY, 0, SMALLEST][usize::from(flags >> 6)];
        let point = G1Affine::deserialize_compressed(reversed.as_slice()).ok()?;
        (flags != 0 && (flags != IDENTITY || bytes[1..].iter().all(|byte| *byte == 0)))
            .then_some(point)
    }

    #[test]
    fn g1_is_what_arkworks_reads_and_writes() {
        let mut points = 0;
        for x in 0..120_u8 {
            for flags in [0x00, 0x40, 0x80, 0xc0] {
                let mut bytes = [0; G1_BYTES];
                (bytes[0], bytes[31]) = (flags, x);
                let ours = g1(from(&bytes), "point");
                assert_eq!(ours.ok(), theirs(&bytes), "{bytes:?}");
                let Ok(point) = ours else { continue };
                assert_eq!(compress(&point), bytes);
                assert_eq!(g1_affine(from(&affine(&point)), "point"), Ok(point));
                points += 1;
            }
        }
        assert!(points > 100, "{points}");
        for bytes in [&[0xb1; 32][..], &[0xff; 32], &[0x80; 31], &[0x80; 33], &[]] {
            assert!(g1(from(bytes), "point").is_err());
        }
    }

    #[test]
    fn no_other_form_of_a_point_is_read() {
        let modulus = Fq::MODULUS.to_bytes_be();
        for scalar in 1..20_u64 {
            let point = (G1Projective::generator() * Fr::from(scalar)).into_affine();
            let bytes = affine(&point);
            assert_eq!(g1_affine(from(&bytes), "point"), Ok(point));
            let mut over = bytes;
            over[..32].copy_from_slice(&modulus);
            assert!(g1_affine(from(&over), "point").is_err());
            let mut off = bytes;
            off[63] ^= 1;
            assert!(g1_affine(from(&off), "point").is_err());
            assert!(g1_affine(from(&bytes[..63]), "point").is_err());
            assert!(g1_affine(from(&bytes[..32]), "point").is_err());
            let mut other = compress(&point);
            other[0] ^= 0x40;
            assert_eq!(g1(from(&other), "point"), Ok(-point));
        }
    }

    #[test]
    fn g2_is_on_its_curve() {
        for scalar in 1..8_u64 {
            let point = (G2Projective::generator() * Fr::from(scalar)).into_affine();
            let mut bytes = Vec::new();
            point.serialize_uncompressed(&mut bytes).unwrap();
            // Little-endian c0, c1 of each coordinate.
            let (x, y) = bytes.split_at_mut(64);
            x.reverse();
            y.reverse();
            y[0] &= !FLAGS;
            assert_eq!(g2_on_curve(from(&bytes), "point"), Ok(point));
            assert_eq!(g2(from(&bytes), "point"), Ok(point));
            bytes[127] ^= 1;
            assert!(g2_on_curve(from(&bytes), "point").is_err());
            assert!(g2_on_curve(from(&bytes[..127]), "point").is_err());
        }
        assert!(g2_on_curve(from(&[0; 128]), "point").is_err());
    }

    /// Of each prime order that divides the cofactor, alone and beside a point of the group.
    #[test]
    fn a_point_of_another_order_is_outside_of_g2() {
        let mut xs = (0..).map(|number: u64| Fq2::new(number.into(), 1.into()));
        let point = xs.find_map(|x| G2Affine::get_point_from_x_unchecked(x, true)).unwrap();
        assert!(!has_order(&point) && !point.is_in_correct_subgroup_assuming_on_curve());
        assert!(has_order(&G2Affine::generator()));
        let primes: [&[u64]; 4] = [
            &[10_069],
            &[5_864_401],
            &[1_875_725_156_269],
            &[0x9b6e_0b35_8e0d_894d, 0xe9da_b924_0f0c_6ab8, 0x0002_1031_5729_f570],
        ];
        let times = |point: G2Projective, factors: &[&[u64]]| {
            factors.iter().fold(point, |point, factor| point.mul_bigint(*factor))
        };
        let cofactors = times(point.into(), &[&Fr::MODULUS.0]);
        assert!(times(cofactors, &primes).is_zero());
        for prime in primes {
            let others: Vec<&[u64]> = primes.into_iter().filter(|other| *other != prime).collect();
            let small = times(cofactors, &others);
            assert!(!small.is_zero() && times(small, &[prime]).is_zero());
            for point in [small, small.double(), small + G2Affine::generator()] {
                assert!(!has_order(&point.into_affine()), "{prime:?}");
            }
        }
    }
}
