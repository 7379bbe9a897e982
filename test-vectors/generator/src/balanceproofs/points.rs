//! Proofs whose points are changed, moved or borrowed.

use ark_bls12_381::{G1Affine, G1Projective, G2Affine, G2Projective};
use ark_ec::{AffineRepr, CurveGroup};
use ark_serialize::CanonicalDeserialize;
use lightproof_core::system::balanceproofs::Scheme;

use super::scene::{Claim, Scene, compressed};
use super::values::ASKED;
use crate::case::Case;
use lightproof_prover::system::balanceproofs::Variant;
use lightproof_prover::system::balanceproofs::encoding::bytes;

/// Two positions of one bucket: nothing that is divided vanishes.
pub(super) const PAIR: [u64; 2] = [1, 3];

/// Every case of a scene.
pub(super) fn cases(scene: &Scene) -> Vec<Case> {
    let mut cases: Vec<Case> =
        scene.variants().iter().flat_map(|variant| of(scene, *variant)).collect();
    if scene.config.scheme == Scheme::Basic {
        cases.extend(weights(scene));
        let mut claim = scene.claim(&ASKED, Variant::Plain);
        let singles = scene.claim(&ASKED, Variant::Singles);
        let sum = offsets(&singles, Variant::Singles)
            .into_iter()
            .fold(G1Projective::default(), |sum, at| sum + read(&singles, at));
        claim.points = compressed(&sum.into_affine());
        let comment = "the sum of single proofs, without weights";
        cases.push(claim.refused("PointChanged", comment, "verify.opening"));
    }
    cases
}

/// Where points of G1 start.
pub(super) fn offsets(claim: &Claim, variant: Variant) -> Vec<usize> {
    let length = claim.points.len();
    if variant == Variant::CommitHinted {
        return vec![0, 48 + 96, length - 48];
    }
    (0..length).step_by(48).collect()
}

pub(super) fn read(claim: &Claim, at: usize) -> G1Affine {
    G1Affine::deserialize_compressed_unchecked(&claim.points[at..at + 48]).unwrap_or_default()
}

pub(super) fn write(claim: &mut Claim, at: usize, point: &G1Affine) {
    claim.points[at..at + 48].copy_from_slice(&compressed(point));
}

fn of(scene: &Scene, variant: Variant) -> Vec<Case> {
    let g = scene.setup.g1()[0];
    let mut cases = Vec::new();
    let honest = scene.claim(&PAIR, variant);
    let places = offsets(&honest, variant);
    let mut add = |claim: Claim, comment: String| {
        cases.push(claim.refused("PointChanged", &comment, "verify.opening"));
    };
    for (number, at) in places.iter().enumerate() {
        let point = read(&honest, *at);
        let changes = [
            ("more by the generator", (point + g).into_affine()),
            ("negated", -point),
            ("infinity", G1Affine::identity()),
        ];
        for (comment, other) in changes {
            if other != point {
                let mut claim = honest.clone();
                write(&mut claim, *at, &other);
                add(claim, format!("point {number} {comment}"));
            }
        }
    }
    let honest = scene.claim(&ASKED, variant);
    let places = offsets(&honest, variant);
    for (number, pair) in places.windows(2).enumerate() {
        let (left, right) = (read(&honest, pair[0]), read(&honest, pair[1]));
        if left == right {
            continue;
        }
        let mut claim = honest.clone();
        write(&mut claim, pair[0], &right);
        write(&mut claim, pair[1], &left);
        add(claim, format!("points {number} and {} exchanged", number + 1));
        let mut claim = honest.clone();
        write(&mut claim, pair[0], &(left + g).into_affine());
        write(&mut claim, pair[1], &(right.into_group() - g).into_affine());
        add(claim, format!("points {number} and {} shifted against each other", number + 1));
    }
    cases
}

/// `commit-hinted`: the set's commitment and the weights.
fn weights(scene: &Scene) -> Vec<Case> {
    let variant = Variant::CommitHinted;
    let (honest, other) = (scene.claim(&ASKED, variant), scene.claim(&[1, 3, 6, 9, 15], variant));
    let mut cases = Vec::new();
    let refused =
        |claim: Claim, comment: &str| claim.refused("PointChanged", comment, "verify.opening");
    for place in 0..ASKED.len() {
        let mut claim = honest.clone();
        claim.points[48 + 96 + 48 + place * 32 + 31] ^= 1;
        cases.push(refused(claim, &format!("weight {place} another one")));
    }
    let mut claim = honest.clone();
    claim.points[48..48 + 96].copy_from_slice(&other.points[48..48 + 96]);
    cases.push(refused(claim, "the commitment to another set"));
    let set = G2Affine::deserialize_compressed_unchecked(&honest.points[48..48 + 96]);
    let shifted = (G2Projective::from(set.unwrap_or_default()) + scene.setup.g2[0]).into_affine();
    for (comment, set) in [("more by the generator", shifted), ("negated", -shifted)] {
        let mut claim = honest.clone();
        claim.points[48..48 + 96].copy_from_slice(&bytes(&[set]));
        cases.push(refused(claim, &format!("the set's commitment {comment}")));
    }
    let mut claim = honest.clone();
    claim.points[..192].copy_from_slice(&other.points[..192]);
    cases.push(refused(claim, "aggregate and commitments of another set"));
    cases
}
