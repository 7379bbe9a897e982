//! Honest proofs.

use super::scene::{HEAD, Result, Scene, VARIANTS, key};
use crate::case::Case;
use crate::scene::Scene as _;

/// Every honest case of a scene.
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for variant in VARIANTS {
        for (index, comment) in [
            (1, "present"),
            (5, "written again"),
            (7, "present with an empty value"),
            (9, "deleted"),
            (45, "written again and deleted"),
            (1_000, "never written"),
        ] {
            cases.push(scene.valid("Role", comment, HEAD, &[key(index)], variant)?);
        }
        for (terminal, comment) in [
            (0, "present below another node"),
            (1, "absent by an empty slot below another node"),
            (2, "absent by another leaf below another node"),
        ] {
            if let Ok(key) = scene.find(terminal) {
                cases.push(scene.valid("Role", comment, HEAD, &[key], variant)?);
            }
        }
        for block in 0..HEAD {
            let comment = format!("after block {block}");
            for index in [5, 9] {
                cases.push(scene.valid("Past", &comment, block, &[key(index)], variant)?);
            }
        }
        let keys: Vec<_> = (0..12).map(|index| key(index * 37)).collect();
        cases.push(scene.valid("ManyKeys", "twelve keys", HEAD, &keys, variant)?);
        if let Ok(found) = scene.all(0) {
            let keys: Vec<_> = found.into_iter().rev().take(6).collect();
            cases.push(scene.valid(
                "ManyKeys",
                "six keys below the top node",
                HEAD,
                &keys,
                variant,
            )?);
        }
    }
    Ok(cases)
}
