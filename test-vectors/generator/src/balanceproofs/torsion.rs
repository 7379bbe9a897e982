//! Points with a component outside the subgroup: a pairing does not see it, so decoders must, or it
//! must not matter.

use ark_bls12_381::{Fr, G1Affine, G2Affine};
use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, BigInteger, PrimeField, Zero};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};

use super::points::{PAIR, offsets, read, write};
use super::scene::{Result, Scene, compressed, in_points, in_values, pinned, points_of};
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
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>> {
    let t = torsion();
    let mut cases = Vec::new();
    for variant in scene.variants() {
        let honest = scene.opened(&PAIR, *variant)?;
        let points = points_of(&honest);
        for (number, at) in offsets(&points, *variant).into_iter().enumerate() {
            let point = (read(&points, at) + t).into_affine();
            let claim = honest.edited(in_points(|it| write(it, at, &point)));
            let comment = format!("point {number} outside the subgroup");
            cases.push(claim.refused("Torsion", &comment, "decode.point"));
        }
    }
    if scene.variants().contains(&Variant::CommitHinted) {
        cases.extend(sets(scene)?);
    }
    let root = compressed(&(*scene.vector.commitment() + t).into_affine());
    let claim = scene.opened(&PAIR, scene.variants()[0])?.with_source(pinned(root));
    cases.push(claim.refused("Torsion", "a commitment outside the subgroup", "input.request"));
    for (variant, unhashed) in [(Variant::T1, 1), (Variant::T3, 3)] {
        if scene.variants().contains(&variant) {
            cases.extend(uncompressed(scene, variant, unhashed, t)?);
        }
    }
    Ok(cases)
}

/// `commit-hinted`: commitments to the set that are no points of G2 but its curve's, or none.
fn sets(scene: &Scene) -> Result<Vec<Case>> {
    let honest = scene.opened(&PAIR, Variant::CommitHinted)?;
    let set = G2Affine::deserialize_compressed_unchecked(&points_of(&honest)[48..144]);
    let torsion = torsion_g2();
    let outside = (set.unwrap_or_default() + torsion).into_affine();
    let all = [
        ("outside the subgroup", outside),
        ("of another order", torsion),
        ("infinity", G2Affine::identity()),
    ];
    let case = |(comment, set): (&str, G2Affine)| {
        let claim = honest.edited(in_points(|it| it[48..144].copy_from_slice(&bytes(&[set]))));
        claim.refused("Torsion", &format!("the set's commitment {comment}"), "decode.point")
    };
    Ok(all.map(case).into())
}

/// The encoding without subgroup checks: the points that transcripts take are bound by their bytes;
/// the others' component changes nothing, of true claims and of false ones.
fn uncompressed(
    scene: &Scene,
    variant: Variant,
    unhashed: usize,
    t: G1Affine,
) -> Result<Vec<Case>> {
    let honest = scene.opened(&PAIR, variant)?;
    let bytes = points_of(&honest);
    let points: Vec<G1Affine> =
        offsets(&bytes, variant).into_iter().map(|at| read(&bytes, at)).collect();
    let claim = |points: &[G1Affine]| honest.edited(in_points(|it| *it = written(points)));
    let mut cases = vec![scene.accepted("Honest", "uncompressed", claim(&points), &PAIR)];
    let first = points.len() - unhashed;
    for place in 0..points.len() {
        let mut moved = points.clone();
        moved[place] = (moved[place] + t).into_affine();
        let comment = format!("uncompressed point {place} outside the subgroup");
        let changed = claim(&moved);
        let false_claim = changed.edited(in_values(|it| it[31] ^= 1));
        cases.push(if place < first {
            changed.refused("Torsion", &comment, "verify.opening")
        } else {
            scene.accepted("Torsion", &comment, changed, &PAIR)
        });
        let comment = format!("{comment}, and a wrong value");
        cases.push(false_claim.refused("Torsion", &comment, "verify.opening"));
    }
    let last = 96 * (points.len() - 1);
    cases.extend(claim(&points).lies_of(
        "BadPoint",
        "decode.point",
        &[
            ("uncompressed, not on the curve", &in_points(|it| it[last + 95] ^= 1)),
            ("uncompressed, with a sign", &in_points(|it| it[last] |= 0x20)),
            (
                "some points uncompressed",
                &in_points(|it| {
                    it.truncate(last);
                    it.extend(compressed(&points[points.len() - 1]));
                }),
            ),
        ],
    ));
    Ok(cases)
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
