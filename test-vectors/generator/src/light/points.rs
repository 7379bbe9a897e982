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

/// What is refused in place of a signature: comment, bytes, code.
///
/// * `honest`: a signature that holds. * `length`: the code of a wrong length.
pub(super) fn bad_signatures(
    honest: &[u8],
    length: &'static str,
) -> [(&'static str, Vec<u8>, &'static str); 10] {
    let (false_one, point) = ("verify.signature", "decode.point");
    let with = |mut bytes: Vec<u8>, at: usize, change: fn(u8) -> u8| {
        bytes[at] = change(bytes[at]);
        bytes
    };
    let own = || honest.to_vec();
    let above = [&[0x9f], [0xff; 95].as_slice()].concat();
    [
        ("the signature's negative", with(own(), 0, |byte| byte ^ 0x20), false_one),
        ("infinity", infinity::<96>(), point),
        ("infinity with a byte that is not zero", with(infinity::<96>(), 95, |_| 1), point),
        ("not on the curve", off_curve_g2(), point),
        ("not in the subgroup", off_subgroup_g2(), point),
        ("not marked as compressed", with(own(), 0, |byte| byte & 0x7f), point),
        ("a coordinate that is not below the modulus", above, point),
        ("all zero", vec![0; 96], point),
        ("95 bytes", honest[..95].to_vec(), length),
        ("97 bytes", [honest, &[0]].concat(), length),
    ]
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
