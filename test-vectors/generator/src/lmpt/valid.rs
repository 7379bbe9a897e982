//! Honest proofs of both formats.

use super::scene::{HEAD, INTERVAL, ROLES, Result, Scene, crowd, key};
use crate::case::Case;
use crate::scene::Scene as _;
use lightproof_prover::system::System as _;
use lightproof_prover::system::lmpt::{Format, Lmpt};

/// Every honest case of a scene.
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>> {
    let variants = Lmpt::new(scene.config).spec().variants;
    let mut cases = Vec::new();
    for variant in variants {
        let adjacent = |flag| if *variant == "adjacent" { "Adjacent" } else { flag };
        for (role, comment) in ROLES {
            cases.push(scene.valid(adjacent("Role"), comment, HEAD, &[key(role)], variant)?);
        }
        cases.push(scene.valid(
            adjacent("Role"),
            "never written",
            HEAD,
            &[key("never")],
            variant,
        )?);
        for (block, comment) in [
            (0, "genesis: the snapshot alone"),
            (1, "a first delta, no intermediate layer"),
            (INTERVAL, "the first delta has just become the intermediate layer"),
            (INTERVAL * 2, "the first merge is over"),
            (INTERVAL * 3, "the delta is empty"),
        ] {
            for role in ["hot", "old", "merged", "phantom", "never"] {
                let comment = format!("{comment}: {role}");
                let keys = [key(role)];
                cases.push(scene.valid(adjacent("Past"), &comment, block, &keys, variant)?);
            }
        }
        let all: Vec<_> = ROLES.iter().map(|(role, _)| key(role)).collect();
        cases.push(scene.valid(adjacent("ManyKeys"), "every role at once", HEAD, &all, variant)?);
        let crowd: Vec<_> = (0..12).map(crowd).collect();
        cases.push(scene.valid(adjacent("ManyKeys"), "twelve keys", HEAD, &crowd, variant)?);
    }
    if scene.config.format == Format::Layered {
        let keys = [key("old"), key("hot")];
        cases.push(scene.valid("ManyKeys", "keys in no order", HEAD, &keys, "plain")?);
    }
    Ok(cases)
}
