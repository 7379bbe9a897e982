//! Points with a component outside the subgroup: a pairing does not see it, so decoders must, or it
//! must not matter.

use ark_bls12_381::{Fr, G1Affine, G2Affine};
use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, BigInteger, PrimeField, Zero};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};

use super::points::{PAIR, offsets, read, write};
use super::scene::{Claim, Scene, compressed};
use crate::case::Case;
use lightproof_prover::system::balanceproofs::Variant;
use lightproof_prover::system::balanceproofs::encoding::bytes;

/// A point of cofactor order.
fn torsion() -> G1Affine {
    (4_u64..100)
        .filter_map(|x| G1Affine::get_point_from_x_unchecked(x.into(), false))
        .map(|point| times_order(point).into_affine())
        .find(|point| !point.is_zero())
        .unwrap_or_default()
}

/// The same in G2.
fn torsion_g2() -> G2Affine {
    (4_u64..100)
        .filter_map(|x| G2Affine::get_point_from_x_unchecked(x.into(), false))
        .map(|point| times_order(point).into_affine())
        .find(|point| !point.is_zero())
        .unwrap_or_default()
}

/// \[r\]P, bit by bit: arkworks' multiplication is for points of the subgroup.
fn times_order<C: SWCurveConfig>(point: Affine<C>) -> Projective<C> {
    let bits = (0..255).rev().map(|bit| Fr::MODULUS.get_bit(bit));
    bits.fold(Projective::zero(), |product, bit| {
        let twice = product.double();
        if bit { twice + point } else { twice }
    })
}

/// Every case of a scene.
pub(super) fn cases(scene: &Scene) -> Vec<Case> {
    let t = torsion();
    let mut cases = Vec::new();
    for variant in scene.variants() {
        let honest = scene.claim(&PAIR, *variant);
        for (number, at) in offsets(&honest, *variant).into_iter().enumerate() {
            let mut claim = honest.clone();
            let point = (read(&honest, at) + t).into_affine();
            write(&mut claim, at, &point);
            let comment = format!("point {number} outside the subgroup");
            cases.push(claim.refused("Torsion", &comment, "decode.point"));
        }
    }
    if scene.variants().contains(&Variant::CommitHinted) {
        cases.extend(sets(scene));
    }
    let honest = scene.claim(&PAIR, scene.variants()[0]);
    let root = (*scene.vector.commitment() + t).into_affine();
    let claim = Claim { root: compressed(&root), ..honest };
    cases.push(claim.refused("Torsion", "a commitment outside the subgroup", "input.request"));
    for (variant, unhashed) in [(Variant::T1, 1), (Variant::T3, 3)] {
        if scene.variants().contains(&variant) {
            cases.extend(uncompressed(scene, variant, unhashed, t));
        }
    }
    cases
}

/// `commit-hinted`: commitments to the set that are no points of G2 but its curve's, or none.
fn sets(scene: &Scene) -> Vec<Case> {
    let honest = scene.claim(&PAIR, Variant::CommitHinted);
    let set = G2Affine::deserialize_compressed_unchecked(&honest.points[48..144]);
    let torsion = torsion_g2();
    let outside = (set.unwrap_or_default() + torsion).into_affine();
    let all = [
        ("outside the subgroup", outside),
        ("of another order", torsion),
        ("infinity", G2Affine::identity()),
    ];
    let case = |(comment, set): (&str, G2Affine)| {
        let mut claim = honest.clone();
        claim.points[48..144].copy_from_slice(&bytes(&[set]));
        claim.refused("Torsion", &format!("the set's commitment {comment}"), "decode.point")
    };
    all.map(case).into()
}

/// The encoding without subgroup checks: the points that transcripts take are bound by their bytes;
/// the others' component changes nothing, of true claims and of false ones.
fn uncompressed(scene: &Scene, variant: Variant, unhashed: usize, t: G1Affine) -> Vec<Case> {
    let honest = scene.claim(&PAIR, variant);
    let points: Vec<G1Affine> =
        offsets(&honest, variant).into_iter().map(|at| read(&honest, at)).collect();
    let claim = |points: &[G1Affine]| Claim { points: written(points), ..honest.clone() };
    let mut cases = vec![scene.accepted("Honest", "uncompressed", claim(&points), &PAIR)];
    let first = points.len() - unhashed;
    for place in 0..points.len() {
        let mut moved = points.clone();
        moved[place] = (moved[place] + t).into_affine();
        let comment = format!("uncompressed point {place} outside the subgroup");
        let changed = claim(&moved);
        cases.push(if place < first {
            changed.clone().refused("Torsion", &comment, "verify.opening")
        } else {
            scene.accepted("Torsion", &comment, changed.clone(), &PAIR)
        });
        let mut false_claim = changed;
        false_claim.values[31] ^= 1;
        let comment = format!("{comment}, and a wrong value");
        cases.push(false_claim.refused("Torsion", &comment, "verify.opening"));
    }
    let mut bytes = written(&points);
    let length = bytes.len();
    bytes[length - 1] ^= 1;
    let off = Claim { points: bytes.clone(), ..honest.clone() };
    cases.push(off.refused("BadPoint", "uncompressed, not on the curve", "decode.point"));
    bytes[length - 1] ^= 1;
    bytes[length - 96] |= 0x20;
    let flagged = Claim { points: bytes, ..honest.clone() };
    cases.push(flagged.refused("BadPoint", "uncompressed, with a sign", "decode.point"));
    let mut mixed = written(&points);
    mixed.truncate(length - 96);
    mixed.extend(compressed(&points[points.len() - 1]));
    let mixed = Claim { points: mixed, ..honest };
    cases.push(mixed.refused("BadPoint", "some points uncompressed", "decode.point"));
    cases
}

/// The uncompressed form of points.
pub(super) fn written(points: &[G1Affine]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for point in points {
        // Writing to memory cannot fail.
        let _ = point.serialize_uncompressed(&mut bytes);
    }
    bytes
}
