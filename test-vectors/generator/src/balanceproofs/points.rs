//! Proofs whose points are changed, moved or borrowed.

use ark_bls12_381::{G1Affine, G1Projective, G2Affine, G2Projective};
use ark_ec::{AffineRepr, CurveGroup};
use ark_serialize::CanonicalDeserialize;
use lightproof_core::system::balanceproofs::Scheme;

use super::scene::{Result, Scene, compressed, in_points, points_of};
use super::values::ASKED;
use crate::case::{Case, Claim};
use lightproof_prover::system::balanceproofs::Variant;
use lightproof_prover::system::balanceproofs::encoding::bytes;

/// Two positions of one bucket: nothing that is divided vanishes.
pub(super) const PAIR: [u64; 2] = [1, 3];

/// Every case of a variant.
pub(super) fn cases(scene: &Scene, variant: Variant) -> Result<Vec<Case>> {
    let mut cases = changed(scene, &scene.opened(&PAIR, variant)?, variant);
    cases.extend(moved(scene, &scene.opened(&ASKED, variant)?, variant));
    Ok(cases)
}

/// Those of one scheme alone.
pub(super) fn basic(scene: &Scene) -> Result<Vec<Case>> {
    if scene.config.scheme != Scheme::Basic {
        return Ok(Vec::new());
    }
    let mut cases = weights(scene)?;
    let singles = points_of(&scene.opened(&ASKED, Variant::Singles)?);
    let singles = offsets(&singles, Variant::Singles).into_iter().map(|at| read(&singles, at));
    let sum = singles.fold(G1Projective::default(), |sum, single| sum + single);
    let claim = scene.opened(&ASKED, Variant::Plain)?;
    let claim = claim.edited(in_points(|it| *it = compressed(&sum.into_affine())));
    cases.push(refused(claim, "the sum of single proofs, without weights"));
    Ok(cases)
}

fn refused(claim: Claim, comment: &str) -> Case {
    claim.refused("PointChanged", comment, "verify.opening")
}

/// Where points of G1 start.
pub(super) fn offsets(points: &[u8], variant: Variant) -> Vec<usize> {
    if variant == Variant::CommitHinted {
        return vec![0, 48 + 96, points.len() - 48];
    }
    (0..points.len()).step_by(48).collect()
}

pub(super) fn read(points: &[u8], at: usize) -> G1Affine {
    G1Affine::deserialize_compressed_unchecked(&points[at..at + 48]).unwrap_or_default()
}

pub(super) fn write(points: &mut [u8], at: usize, point: &G1Affine) {
    points[at..at + 48].copy_from_slice(&compressed(point));
}

/// One point another one.
fn changed(scene: &Scene, honest: &Claim, variant: Variant) -> Vec<Case> {
    let g = scene.setup.g1()[0];
    let points = points_of(honest);
    let mut cases = Vec::new();
    for (number, at) in offsets(&points, variant).into_iter().enumerate() {
        let point = read(&points, at);
        let changes = [
            ("more by the generator", (point + g).into_affine()),
            ("negated", -point),
            ("infinity", G1Affine::identity()),
        ];
        for (comment, other) in changes.into_iter().filter(|(_, other)| *other != point) {
            let claim = honest.edited(in_points(|it| write(it, at, &other)));
            cases.push(refused(claim, &format!("point {number} {comment}")));
        }
    }
    cases
}

/// Two points in a row that keep their sum.
fn moved(scene: &Scene, honest: &Claim, variant: Variant) -> Vec<Case> {
    let g = scene.setup.g1()[0];
    let points = points_of(honest);
    let mut cases = Vec::new();
    for (number, pair) in offsets(&points, variant).windows(2).enumerate() {
        let (left, right) = (read(&points, pair[0]), read(&points, pair[1]));
        if left == right {
            continue;
        }
        let shifted = ((left + g).into_affine(), (right.into_group() - g).into_affine());
        for (comment, (first, second)) in
            [("exchanged", (right, left)), ("shifted against each other", shifted)]
        {
            let claim = honest.edited(in_points(|it| {
                write(it, pair[0], &first);
                write(it, pair[1], &second);
            }));
            cases.push(refused(claim, &format!("points {number} and {} {comment}", number + 1)));
        }
    }
    cases
}

/// `commit-hinted`: the set's commitment and the weights.
fn weights(scene: &Scene) -> Result<Vec<Case>> {
    let variant = Variant::CommitHinted;
    let honest = scene.opened(&ASKED, variant)?;
    let other = points_of(&scene.opened(&[1, 3, 6, 9, 15], variant)?);
    let set = G2Affine::deserialize_compressed_unchecked(&points_of(&honest)[48..48 + 96]);
    let shifted = (G2Projective::from(set.unwrap_or_default()) + scene.setup.g2[0]).into_affine();
    let mut cases: Vec<Case> = (0..ASKED.len())
        .map(|place| {
            let claim = honest.edited(in_points(|it| it[48 + 96 + 48 + place * 32 + 31] ^= 1));
            refused(claim, &format!("weight {place} another one"))
        })
        .collect();
    let with_set = |set: G2Affine| {
        move |points: &mut Vec<u8>| {
            points[48..48 + 96].copy_from_slice(&bytes(&[set]));
        }
    };
    cases.extend(honest.lies_of(
        "PointChanged",
        "verify.opening",
        &[
            (
                "the commitment to another set",
                &in_points(|it| {
                    it[48..48 + 96].copy_from_slice(&other[48..48 + 96]);
                }),
            ),
            ("the set's commitment more by the generator", &in_points(with_set(shifted))),
            ("the set's commitment negated", &in_points(with_set(-shifted))),
            (
                "aggregate and commitments of another set",
                &in_points(|it| {
                    it[..192].copy_from_slice(&other[..192]);
                }),
            ),
        ],
    ));
    Ok(cases)
}
