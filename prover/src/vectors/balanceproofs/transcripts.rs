//! Hints at points that a transcript gives which leaves something out: what is left out could be chosen afterwards.

use ark_bls12_381::Fr;
use lightproof_core::system::balanceproofs::Scheme;
use lightproof_core::transcript::Transcript;

use super::scene::{Claim, Scene};
use super::values::ASKED;
use crate::system::balanceproofs::Variant;
use crate::system::balanceproofs::setup::bytes;
use crate::vectors::case::Case;

const TAG: &str = "balanceproofs/basic/eval-hint/v1";

/// Every case of a scene.
pub(super) fn cases(scene: &Scene) -> Vec<Case> {
    if scene.config.scheme != Scheme::Basic {
        return Vec::new();
    }
    let honest = scene.claim(&ASKED, Variant::Hinted);
    let count = ASKED.len() as u64;
    let positions: Vec<u8> = ASKED.iter().flat_map(|position| position.to_be_bytes()).collect();
    let parts: [(&str, Vec<u8>); 7] = [
        ("the key", scene.setup.key.to_vec()),
        ("the length of the vector", 16_u64.to_be_bytes().to_vec()),
        ("the commitment", honest.root.clone()),
        ("the number of positions", count.to_be_bytes().to_vec()),
        ("the positions", positions),
        ("the values", honest.values.clone()),
        ("the quotient", honest.points[..48].to_vec()),
    ];
    let draw = |tag: &str, leave: Option<usize>| -> Fr {
        let mut transcript = Transcript::new(tag);
        for (place, (_, part)) in parts.iter().enumerate() {
            if Some(place) != leave {
                transcript.absorb(part);
            }
        }
        transcript.challenge()
    };
    let at =
        |z: Fr| Claim { points: bytes(&scene.vector.hinted_at(&ASKED, |_| z)), ..honest.clone() };
    let mut cases =
        vec![scene.accepted("Honest", "made step by step", at(draw(TAG, None)), &ASKED)];
    for (place, (comment, _)) in parts.iter().enumerate() {
        let comment = format!("a transcript without {comment}");
        let claim = at(draw(TAG, Some(place)));
        cases.push(claim.refused("Transcript", &comment, "verify.opening"));
    }
    let other = at(draw("balanceproofs/basic/eval-hint/v2", None));
    cases.push(other.refused("Transcript", "another version of the transcript", "verify.opening"));
    let fixed = at(Fr::from(2_u64));
    cases.push(fixed.refused("Transcript", "a point of the prover's choice", "verify.opening"));
    cases
}
