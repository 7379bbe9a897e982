//! Openings of blobs (EIP-4844), and sums, multiples, pairings and maps on BLS12-381 (EIP-2537):
//! 0x0a to 0x11. Coordinates are 64 bytes, big-endian and below the modulus; infinity is zeros.

// Operators on field and group elements reduce modulo a prime; they cannot overflow.
#![allow(clippy::arithmetic_side_effects)]

use alloc::vec::Vec;

use ark_bls12_381::{Fq, Fq2, Fr, G1Affine, G2Affine, G2Projective};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, BigInteger as _, MontFp, PrimeField};
use sha2::{Digest, Sha256};

use super::{Outcome, word};
use crate::algebra::{Product, map_to_g1, map_to_g2, pairings_cancel, sum};
use crate::error::Span;
use crate::wire::{Bytes, point, reduced, scalar};

/// Bytes of a coordinate, of points and of a factor.
const FIELD: usize = 64;
const G1: usize = 128;
const G2: usize = 256;
const SCALAR: usize = 32;
/// Pairs that one chain of squarings serves.
const CHUNK: usize = 32;

/// Elements of a blob, and the order of the group, 32 bytes each: what an opening returns.
const OPENED: [u8; 64] = {
    let mut bytes = [0; 64];
    (bytes[30], bytes[31]) = (0x10, 0x00);
    bytes
};

/// τ·G2 of the ceremony for blobs (EIP-4844, `trusted_setup_4096.json`).
const TAU: G2Affine = G2Affine::new_unchecked(
    Fq2::new(
        MontFp!(
            "3749701713850085193403383609513386037494151572263731328608276629425322978272408394373143740944003571525027436289778"
        ),
        MontFp!(
            "3347537128081568434923729147580015899756771550835613107520576615563260658656019591232316627827007503930666726825842"
        ),
    ),
    Fq2::new(
        MontFp!(
            "194392958648403190675529552496435226424111592982833162118538452666741235889530674000225873281133418439621742897817"
        ),
        MontFp!(
            "3447898402727835650716129438012169492682148398295533958400255525306573911008434577489634554212211450783070687991119"
        ),
    ),
);

/// Runs precompile `number`.
pub fn run(number: u64, input: &[u8]) -> Outcome {
    match number {
        0x0a => open(input).into(),
        0x0b => add_g1(input).into(),
        0x0c => sum_g1(input).into(),
        0x0d => add_g2(input).into(),
        0x0e => sum_g2(input).into(),
        0x0f => pair(input).into(),
        0x10 => real(input).map(|t| write_g1(&map_to_g1(t))).into(),
        0x11 => complex(input).map(|t| write_g2(&map_to_g2(t))).into(),
        _ => Outcome::Unknown,
    }
}

/// A blob's value at a point: versioned hash, point, value (32 bytes each), commitment, proof (48
/// bytes each).
fn open(input: &[u8]) -> Option<Vec<u8>> {
    let (words, rest) = input.split_first_chunk::<96>()?;
    let (versioned, words) = words.split_first_chunk::<32>()?;
    let (z, y) = words.split_at(SCALAR);
    let (commitment, proof) = rest.split_at_checked(point::G1_BYTES)?;
    let mut hash: [u8; 32] = Sha256::digest(commitment).into();
    hash[0] = 1;
    if *versioned != hash {
        return None;
    }
    let [z, y] = [z, y].map(|bytes| scalar::<Fr>(own(bytes), "scalar").ok());
    let [commitment, proof] =
        [commitment, proof].map(|bytes| point::g1_or_identity(own(bytes), "point").ok());
    let (commitment, proof) = (commitment?, proof?);
    // e(C − y·G + z·π, −G2) · e(π, τ·G2) = 1.
    let left = sum(&[(G1Affine::generator(), -y?), (proof, z?)]) + commitment;
    let right = [-G2Affine::generator(), TAU];
    if !pairings_cancel([left.into_affine(), proof], right, &mut ()) {
        return None;
    }
    let mut opened = OPENED;
    let order = Fr::MODULUS.to_bytes_be();
    opened.iter_mut().skip(SCALAR).zip(order).for_each(|(to, from)| *to = from);
    Some(opened.to_vec())
}

/// Of any points of the curve.
fn add_g1(input: &[u8]) -> Option<Vec<u8>> {
    let (points, []) = input.as_chunks::<G1>() else { return None };
    let [left, right] = points else { return None };
    Some(write_g1(&(g1_on_curve(left)?.into_group() + g1_on_curve(right)?).into_affine()))
}

/// Of any points of the curve.
fn add_g2(input: &[u8]) -> Option<Vec<u8>> {
    let (points, []) = input.as_chunks::<G2>() else { return None };
    let [left, right] = points else { return None };
    Some(write_g2(&(g2_on_curve(left)?.into_group() + g2_on_curve(right)?).into_affine()))
}

/// Of multiples of points of the group by integers of 32 bytes.
fn sum_g1(input: &[u8]) -> Option<Vec<u8>> {
    let (terms, []) = input.as_chunks::<{ G1 + SCALAR }>() else { return None };
    if terms.is_empty() {
        return None;
    }
    let terms = terms.iter().map(|term| {
        let (point, scalar) = term.split_at(G1);
        Some((g1(point)?, reduced(scalar)))
    });
    Some(write_g1(&sum(&terms.collect::<Option<Vec<_>>>()?).into_affine()))
}

/// As [`sum_g1`], by one chain of doublings.
fn sum_g2(input: &[u8]) -> Option<Vec<u8>> {
    let (terms, []) = input.as_chunks::<{ G2 + SCALAR }>() else { return None };
    if terms.is_empty() {
        return None;
    }
    let terms = terms.iter().map(|term| {
        let (point, scalar) = term.split_at(G2);
        Some((g2(point)?, scalar))
    });
    let terms = terms.collect::<Option<Vec<_>>>()?;
    let mut sum = G2Projective::ZERO;
    for byte in 0..SCALAR {
        for bit in (0..8).rev() {
            sum.double_in_place();
            for (point, scalar) in &terms {
                if scalar.get(byte).is_some_and(|byte| (byte >> bit) & 1 == 1) {
                    sum += point;
                }
            }
        }
    }
    Some(write_g2(&sum.into_affine()))
}

/// Whether the product of the pairings of pairs is one.
fn pair(input: &[u8]) -> Option<Vec<u8>> {
    let (pairs, []) = input.as_chunks::<{ G1 + G2 }>() else { return None };
    if pairs.is_empty() {
        return None;
    }
    let mut product = Product::new();
    for pairs in pairs.chunks(CHUNK) {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for pair in pairs {
            let (one, other) = pair.split_at(G1);
            left.push(g1(one)?);
            right.push(g2_on_curve(other)?);
        }
        if !product.times(&left, &right, &mut ()).all(|is_in_group| is_in_group) {
            return None;
        }
    }
    Some(word(product.is_one(&mut ())))
}

fn own(bytes: &[u8]) -> Bytes<'_> {
    Bytes { bytes, span: Span::default() }
}

/// A point of the group of order r.
fn g1(bytes: &[u8]) -> Option<G1Affine> {
    g1_on_curve(bytes).filter(|one| one.is_zero() || point::is_in_g1(one))
}

fn g1_on_curve(bytes: &[u8]) -> Option<G1Affine> {
    if bytes.iter().all(|byte| *byte == 0) {
        return Some(G1Affine::identity());
    }
    let (x, y) = bytes.split_at_checked(FIELD)?;
    point::finite(real(x)?, real(y)?)
}

/// A point of the group of order r.
fn g2(bytes: &[u8]) -> Option<G2Affine> {
    let is_in_group = |one: &G2Affine| one.is_in_correct_subgroup_assuming_on_curve();
    g2_on_curve(bytes).filter(|one| one.is_zero() || is_in_group(one))
}

fn g2_on_curve(bytes: &[u8]) -> Option<G2Affine> {
    if bytes.iter().all(|byte| *byte == 0) {
        return Some(G2Affine::identity());
    }
    let (x, y) = bytes.split_at_checked(FIELD * 2)?;
    let point = G2Affine::new_unchecked(complex(x)?, complex(y)?);
    // arkworks takes (0, 0) for infinity, on any curve.
    (!point.is_zero() && point.is_on_curve()).then_some(point)
}

/// An element of Fq: 16 zeros, and 48 bytes below the modulus.
fn real(bytes: &[u8]) -> Option<Fq> {
    let (zeros, bytes) = bytes.split_first_chunk::<16>()?;
    (*zeros == [0; 16] && bytes.len() == 48).then_some(())?;
    point::coordinate(bytes)
}

/// An element of Fq², the real part first.
fn complex(bytes: &[u8]) -> Option<Fq2> {
    let (real_part, imaginary) = bytes.split_at_checked(FIELD)?;
    Some(Fq2::new(real(real_part)?, real(imaginary)?))
}

fn write_g1(point: &G1Affine) -> Vec<u8> {
    write(point.xy().map(|(x, y)| [x, y]))
}

fn write_g2(point: &G2Affine) -> Vec<u8> {
    write(point.xy().map(|(x, y)| [x.c0, x.c1, y.c0, y.c1]))
}

/// The coordinates of a point, or of infinity.
fn write<const N: usize>(coordinates: Option<[Fq; N]>) -> Vec<u8> {
    let mut out = alloc::vec![0; N.saturating_mul(FIELD)];
    let to = out.as_chunks_mut::<FIELD>().0;
    for (to, coordinate) in to.iter_mut().zip(coordinates.into_iter().flatten()) {
        let (_, to) = to.split_at_mut(16);
        point::write(coordinate, to);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ceremonys_point_is_what_it_says() {
        // Of the file: `g2_monomial[1]`.
        let compressed = "b5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2";
        assert!(TAU.is_on_curve());
        let bytes = point::compress_g2(&TAU);
        let digits = bytes.iter().map(|byte| alloc::format!("{byte:02x}"));
        assert_eq!(digits.collect::<alloc::string::String>(), compressed);
    }

    /// Sums are of any points of the curves, the others of the groups alone.
    #[test]
    fn points_outside_the_groups_are_for_sums_alone() {
        let xs = (0..).map(|number: u64| Fq2::new(number.into(), 1.into()));
        let on_curve = xs.filter_map(|x| G2Affine::get_point_from_x_unchecked(x, true));
        let mut one = alloc::vec![0; SCALAR];
        one[31] = 1;
        for outside in on_curve.take(5) {
            let (g1, g2) = (write_g1(&G1Affine::generator()), write_g2(&outside));
            assert!(add_g2(&[&g2[..], &g2].concat()).is_some());
            assert_eq!(sum_g2(&[&g2[..], &one].concat()), None);
            assert_eq!(pair(&[&g1[..], &g2].concat()), None);
            let cleared = write_g2(&outside.clear_cofactor());
            assert_eq!(sum_g2(&[&cleared[..], &one].concat()), Some(cleared.clone()));
        }
    }
}
