//! Wrong values, and right ones of other positions or times.

use std::sync::Arc;

use lightproof_core::system::balanceproofs::Scheme;

use super::scene::{
    BEFORE, Result, Scene, compressed, in_points, in_values, pinned, points_of, query,
};
use crate::case::{Case, Claim};
use crate::scene::Scene as _;
use lightproof_prover::system::balanceproofs::{Setup, Variant};

/// Positions of most attacks: over all buckets, two in one of them.
pub(super) const ASKED: [u64; 5] = [1, 3, 6, 9, 14];

const OPENING: &str = "verify.opening";

/// Every case of a variant.
pub(super) fn cases(scene: &Scene, variant: Variant) -> Result<Vec<Case>> {
    let honest = scene.opened(&ASKED, variant)?;
    let mut cases = Vec::new();
    for (place, position) in ASKED.iter().enumerate() {
        for (up, word) in [(true, "up"), (false, "down")] {
            let comment = format!("the value at {position} one {word}");
            let claim = honest.edited(in_values(|it| shift(it, place, up)));
            cases.push(claim.refused("Value", &comment, OPENING));
        }
    }
    let pair = |values: &mut [u8], other: usize| {
        shift(values, 0, true);
        shift(values, other, false);
    };
    cases.extend(honest.lies_of(
        "Value",
        OPENING,
        &[
            ("one up and one down in one bucket", &in_values(|it| pair(it, 1))),
            ("one up and one down far apart", &in_values(|it| pair(it, 4))),
            ("two values exchanged", &in_values(|it| it.as_chunks_mut::<32>().0.swap(0, 1))),
            ("two values exchanged", &in_values(|it| it.as_chunks_mut::<32>().0.swap(0, 4))),
        ],
    ));
    cases.extend(positions(scene, variant, &honest)?);
    cases.extend(times(scene, variant, &honest)?);
    Ok(cases)
}

/// Adds one to a value, or takes it off.
fn shift(values: &mut [u8], place: usize, up: bool) {
    let value = &mut values[place * 32..place * 32 + 32];
    for byte in value.iter_mut().rev() {
        *byte = if up { byte.wrapping_add(1) } else { byte.wrapping_sub(1) };
        if *byte != if up { 0 } else { 0xff } {
            break;
        }
    }
    // Zero less one is the order less one.
    if value[0] == 0xff {
        value.copy_from_slice(&lightproof_prover::system::balanceproofs::opening::scalar(
            -ark_bls12_381::Fr::from(1_u64),
        ));
    }
}

/// The proof of other positions. Each set has the same number in every bucket, so that the proof
/// has its form.
fn positions(scene: &Scene, variant: Variant, honest: &Claim) -> Result<Vec<Case>> {
    let flag = "OtherPosition";
    let asked_for = |asked: &[u64]| honest.with_query(query(asked));
    let with_values = |asked: &[u64]| {
        let values = scene.vector.values(asked);
        asked_for(asked).edited(in_values(|it| it.clone_from(&values)))
    };
    let mut cases = Vec::new();
    for (comment, asked) in [
        ("a position one up", [1, 3, 6, 9, 15]),
        ("a position one down", [0, 3, 6, 9, 14]),
        ("positions mirrored in their buckets", [0, 2, 5, 10, 13]),
    ] {
        cases.push(asked_for(&asked).refused(flag, comment, OPENING));
        let comment = format!("{comment}, with their own values");
        cases.push(with_values(&asked).refused(flag, &comment, OPENING));
    }
    // Bits reversed: 1 is 8 of sixteen.
    let one = scene.opened(&[1], variant)?.with_query(query(&[8]));
    cases.push(one.refused(flag, "bits of the position reversed", OPENING));
    if matches!(variant, Variant::Plain | Variant::Hinted) && scene.config.scheme == Scheme::Basic {
        let others =
            [("fewer positions", &[1_u64, 3, 6, 9][..]), ("more positions", &[1, 3, 6, 9, 11, 14])];
        cases.extend(others.map(|(comment, asked)| {
            let comment = format!("{comment} than the proof is of");
            with_values(asked).refused(flag, &comment, OPENING)
        }));
    }
    let bad = [
        ("the length of the vector", vec![16]),
        ("a position and the length", vec![1, 17]),
        ("2^32 and a position", vec![(1 << 32) + 1]),
        ("2^53 and a position", vec![(1 << 53) + 1]),
        ("2^63 and a position", vec![(1 << 63) + 1]),
        ("no position", vec![]),
        ("a position twice", vec![1, 1]),
        ("a position twice, not in a row", vec![1, 3, 1]),
        ("positions that descend", vec![3, 1]),
    ];
    cases.extend(bad.map(|(comment, asked)| {
        let known: Vec<u64> = asked.iter().map(|position| position % 16).collect();
        let values = scene.vector.values(&known);
        let claim = asked_for(&asked).edited(in_values(|it| it.clone_from(&values)));
        claim.refused("BadQuery", comment, "input.query")
    }));
    Ok(cases)
}

/// Proofs of another time or setup.
fn times(scene: &Scene, variant: Variant, honest: &Claim) -> Result<Vec<Case>> {
    let before = |asked: &[u64]| scene.claim(BEFORE, asked, variant.name());
    let under = |claim: &Claim, root: &Claim| claim.with_source(root.source.clone());
    let under_root = |root: Vec<u8>| honest.with_source(pinned(root));
    let (older, unchanged) = (before(&ASKED)?, [6, 9]);
    let (new, old) = (scene.opened(&unchanged, variant)?, before(&unchanged)?);
    let other = Scene::on(scene.config, Arc::new(Setup::insecure(&scene.config, 77, 64)));
    let foreign = other.opened(&ASKED, variant)?;
    let mut infinity = vec![0; 48];
    infinity[0] = 0xc0;
    let rows = [
        ("Stale", "a proof of before", under(&older, honest)),
        ("Stale", "a proof of afterwards", under(honest, &older)),
        (
            "Stale",
            "the value of now, the points of before",
            honest.edited(in_points(|it| *it = points_of(&older))),
        ),
        ("Stale", "a proof of before, of values that stayed", under(&old, &new)),
        ("Stale", "a proof of afterwards, of values that stayed", under(&new, &old)),
        ("OtherSetup", "everything under other secrets", foreign.clone()),
        ("OtherSetup", "the proof under other secrets", under(&foreign, honest)),
        ("Stale", "the commitment of zeros", under_root(infinity)),
        ("Stale", "the commitment to one everywhere", under_root(compressed(&scene.setup.g1()[0]))),
    ];
    Ok(rows.map(|(flag, comment, claim)| claim.refused(flag, comment, OPENING)).into())
}
