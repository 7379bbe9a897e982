//! Honest proofs of both formats.

use super::scene::{HEAD, Result, Scene, VARIANTS};
use crate::case::Case;
use crate::scene::Scene as _;

/// Every honest case of a scene.
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for variant in VARIANTS {
        for (role, index, comment) in [
            ("crowd", 1, "written in the newest block"),
            ("crowd", 0, "last written in a block of one tuple"),
            ("crowd", 2, "written once"),
            ("crowd", 12, "an empty value"),
            ("full", 4, "the last slot of a leaf"),
            ("deep", 0, "under a leaf with a sub-AMT, or in it"),
            ("deep", 3, "under a leaf with a sub-AMT, or in it"),
            ("deep", 11, "written three times below a full leaf"),
            ("crowd", 30, "absent"),
            ("pair", 2, "absent at a leaf with free slots"),
            ("full", 5, "absent at a full leaf without a sub-AMT"),
            ("beside", 0, "absent at level 1, at a leaf without owners"),
            ("deep", 12, "absent at level 2"),
        ] {
            cases.push(scene.valid("Single", comment, HEAD, &[scene.key(role, index)], variant)?);
        }
        let every: Vec<_> = (0..13).map(|index| scene.key("deep", index)).collect();
        cases.push(scene.valid("ManyKeys", "thirteen on one path", HEAD, &every, variant)?);
        let mixed =
            [("crowd", 1), ("full", 5), ("beside", 0), ("deep", 11), ("deep", 12), ("full", 0)];
        let mixed: Vec<_> = mixed.iter().map(|(role, index)| scene.key(role, *index)).collect();
        cases.push(scene.valid("ManyKeys", "present and absent ones", HEAD, &mixed, variant)?);
    }
    for (block, comment) in [
        (0, "genesis"),
        (1, "an empty block"),
        (3, "a block of one tuple"),
        (6, "before there is a level 2"),
        (9, "an empty block"),
    ] {
        for (role, index) in [("crowd", 0), ("crowd", 1), ("full", 5), ("deep", 0), ("deep", 11)] {
            let keys = [scene.key(role, index)];
            cases.push(scene.valid("Past", comment, block, &keys, "hybrid")?);
        }
    }
    Ok(cases)
}
