//! Hints at points that a transcript gives which leaves something out: what is left out could be
//! chosen afterwards.

use ark_bls12_381::Fr;
use lightproof_core::system::balanceproofs::Scheme;

use super::scene::{Result, Scene, in_points, proof_of};
use super::values::ASKED;
use crate::case::{Case, Claim};
use lightproof_prover::system::balanceproofs::Variant;
use lightproof_prover::system::balanceproofs::encoding::bytes;
use lightproof_prover::system::balanceproofs::opening::Part;

/// Parts, in the order in which transcripts take them.
const PARTS: [(Part, &str); 7] = [
    (Part::Tag, "name and version"),
    (Part::Key, "the key"),
    (Part::Sides, "the length of the vector"),
    (Part::Commitment, "the commitment"),
    (Part::Positions, "the positions"),
    (Part::Values, "the values"),
    (Part::Points, "the proof's points"),
];

/// Every case of a scene.
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>> {
    let refused =
        |claim: Claim, comment: &str| claim.refused("Transcript", comment, "verify.opening");
    let mut cases = Vec::new();
    let hinted = [Variant::Hinted, Variant::CommitHinted, Variant::T1, Variant::T3];
    for variant in scene.variants().iter().filter(|variant| hinted.contains(variant)) {
        let honest = scene.opened(&ASKED, *variant)?;
        for (part, comment) in PARTS {
            let proof = proof_of(&scene.vector.omitting(part), &ASKED, *variant);
            let comment = format!("a transcript without {comment}");
            cases.push(refused(honest.with_proof(proof), &comment));
        }
    }
    if scene.config.scheme == Scheme::Basic {
        let points = bytes(&scene.vector.hinted_at(&ASKED, |_| Fr::from(2_u64)));
        let claim =
            scene.opened(&ASKED, Variant::Hinted)?.edited(in_points(|it| it.clone_from(&points)));
        cases.push(refused(claim, "a point of the prover's choice"));
    }
    Ok(cases)
}
