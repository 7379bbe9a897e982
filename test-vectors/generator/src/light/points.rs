//! Bytes that are no keys and no signatures, though they look like some.

use ark_bls12_381::{Fq, Fq2, G1Affine, G2Affine, G2Projective};
use ark_ec::CurveGroup as _;
use ark_serialize::{CanonicalDeserialize as _, CanonicalSerialize as _};

/// The point at infinity, compressed, in `BYTES` bytes.
pub(super) fn infinity<const BYTES: usize>() -> Vec<u8> {
    let mut bytes = vec![0; BYTES];
    bytes[0] = 0xc0;
    bytes
}

/// A compressed key of no point.
pub(super) fn off_curve_g1() -> Vec<u8> {
    g1(Option::is_none)
}

/// A compressed point of G1's curve outside its subgroup.
pub(super) fn off_subgroup_g1() -> Vec<u8> {
    g1(Option::is_some)
}

/// A compressed signature of no point.
pub(super) fn off_curve_g2() -> Vec<u8> {
    g2(Option::is_none)
}

/// A compressed point of G2's curve outside its subgroup.
pub(super) fn off_subgroup_g2() -> Vec<u8> {
    g2(Option::is_some)
}

/// A compressed point x = small of G1, or of no point, as wanted. One of a small x is as good as
/// never in the subgroup.
fn g1(wanted: impl Fn(&Option<G1Affine>) -> bool) -> Vec<u8> {
    let point = |small: u8| G1Affine::get_point_from_x_unchecked(Fq::from(small), false);
    let mut bytes = vec![0; 48];
    bytes[0] = 0x80;
    bytes[47] = (1..64).find(|small| wanted(&point(*small))).unwrap_or(0);
    bytes
}

/// A compressed point x = i + small of G2, or of no point, as wanted. One of a small x is as good
/// as never in the subgroup.
fn g2(wanted: impl Fn(&Option<G2Affine>) -> bool) -> Vec<u8> {
    let point = |small: u8| {
        G2Affine::get_point_from_x_unchecked(Fq2::new(Fq::from(small), Fq::from(1)), false)
    };
    let small = (1..64).find(|small| wanted(&point(*small))).unwrap_or(0);
    // The imaginary part first; the top bit says that the form is compressed.
    let mut bytes = vec![0; 96];
    (bytes[0], bytes[47], bytes[95]) = (0x80, 1, small);
    bytes
}

/// The sum of compressed points of G2, compressed.
pub(super) fn sum_g2(points: &[[u8; 96]]) -> [u8; 96] {
    let read =
        |bytes: &[u8; 96]| G2Affine::deserialize_compressed(bytes.as_slice()).unwrap_or_default();
    let sum: G2Projective = points.iter().map(read).sum();
    let mut bytes = Vec::with_capacity(96);
    // Writing to a Vec cannot fail.
    let _ = sum.into_affine().serialize_compressed(&mut bytes);
    bytes.try_into().unwrap_or([0; 96])
}
