//! Honest proofs of every variant.

use super::scene::{Result, Scene};
use crate::case::Case;
use crate::scene::Scene as _;
use lightproof_prover::system::balanceproofs::Variant;

/// Every honest case of a scene.
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    let sets: &[(&str, Vec<u64>)] = &if scene.is_ethereum() {
        vec![
            ("the last position", vec![4_095]),
            ("sixteen positions", (0..16).map(|place| place * 255).collect()),
            ("64 positions, all that 65 powers reach", (100..164).collect()),
            ("1,024 positions", (0..1_024).map(|place| place * 4 + 1).collect()),
            ("every position", (0..4_096).collect()),
        ]
    } else {
        vec![
            ("the first position", vec![0]),
            ("a position whose value is zero", vec![2]),
            ("the last position", vec![15]),
            ("two positions next to each other", vec![4, 5]),
            ("five positions", vec![1, 3, 6, 9, 14]),
            ("a whole bucket", vec![4, 5, 6, 7]),
            ("one of every bucket", vec![3, 6, 9, 12]),
            ("every position: a quotient is zero, its commitment infinity", (0..16).collect()),
        ]
    };
    for variant in scene.variants() {
        for (comment, positions) in sets {
            let many = positions.len() > 64;
            let reaches = scene.setup.reaches(positions, *variant);
            if reaches && !(many && *variant != Variant::Hinted) {
                cases.push(scene.valid(
                    "Honest",
                    comment,
                    Scene::HEAD,
                    positions,
                    variant.name(),
                )?);
            }
        }
    }
    Ok(cases)
}
