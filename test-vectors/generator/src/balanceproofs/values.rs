//! Wrong values, and right ones of other positions or times.

use super::scene::{Claim, Scene, compressed, query};
use crate::case::Case;
use lightproof_prover::system::balanceproofs::Variant;

/// Positions of most attacks: over all buckets, two in one of them.
pub(super) const ASKED: [u64; 5] = [1, 3, 6, 9, 14];

/// Every case of a scene.
pub(super) fn cases(scene: &Scene) -> Vec<Case> {
    scene.variants().iter().flat_map(|variant| of(scene, *variant)).collect()
}

fn of(scene: &Scene, variant: Variant) -> Vec<Case> {
    let mut cases = Vec::new();
    let honest = scene.claim(&ASKED, variant);
    for (place, position) in ASKED.iter().enumerate() {
        for up in [true, false] {
            let mut claim = honest.clone();
            shift(&mut claim.values, place, up);
            let comment = format!("the value at {position} one {}", if up { "up" } else { "down" });
            cases.push(claim.refused("Value", &comment, "verify.opening"));
        }
    }
    let mut claim = honest.clone();
    shift(&mut claim.values, 0, true);
    shift(&mut claim.values, 1, false);
    cases.push(claim.refused("Value", "one up and one down in one bucket", "verify.opening"));
    let mut claim = honest.clone();
    shift(&mut claim.values, 0, true);
    shift(&mut claim.values, 4, false);
    cases.push(claim.refused("Value", "one up and one down far apart", "verify.opening"));
    for (a, b) in [(0, 1), (0, 4)] {
        let mut claim = honest.clone();
        for byte in 0..32 {
            claim.values.swap(a * 32 + byte, b * 32 + byte);
        }
        cases.push(claim.refused("Value", "two values exchanged", "verify.opening"));
    }
    cases.extend(positions(scene, variant, &honest));
    cases.extend(times(scene, variant, &honest));
    cases
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
fn positions(scene: &Scene, variant: Variant, honest: &Claim) -> Vec<Case> {
    let mut cases = Vec::new();
    for (comment, asked) in [
        ("a position one up", [1, 3, 6, 9, 15]),
        ("a position one down", [0, 3, 6, 9, 14]),
        ("positions mirrored in their buckets", [0, 2, 5, 10, 13]),
    ] {
        let claim = Claim { query: query(&asked), ..honest.clone() };
        cases.push(claim.clone().refused("OtherPosition", comment, "verify.opening"));
        let claim = Claim { values: scene.vector.values(&asked), ..claim };
        let comment = format!("{comment}, with their own values");
        cases.push(claim.refused("OtherPosition", &comment, "verify.opening"));
    }
    // Bits reversed: 1 is 8 of sixteen.
    let one = scene.claim(&[1], variant);
    let claim = Claim { query: query(&[8]), ..one };
    cases.push(claim.refused("OtherPosition", "bits of the position reversed", "verify.opening"));
    if matches!(variant, Variant::Plain | Variant::Hinted)
        && scene.config.scheme == lightproof_core::system::balanceproofs::Scheme::Basic
    {
        for (comment, asked) in
            [("fewer positions", &[1_u64, 3, 6, 9][..]), ("more positions", &[1, 3, 6, 9, 11, 14])]
        {
            let values = scene.vector.values(asked);
            let claim = Claim { query: query(asked), values, ..honest.clone() };
            let comment = format!("{comment} than the proof is of");
            cases.push(claim.refused("OtherPosition", &comment, "verify.opening"));
        }
    }
    for (comment, asked) in [
        ("the length of the vector", vec![16]),
        ("a position and the length", vec![1, 17]),
        ("2^32 and a position", vec![(1 << 32) + 1]),
        ("2^53 and a position", vec![(1 << 53) + 1]),
        ("2^63 and a position", vec![(1 << 63) + 1]),
        ("no position", vec![]),
        ("a position twice", vec![1, 1]),
        ("a position twice, not in a row", vec![1, 3, 1]),
        ("positions that descend", vec![3, 1]),
    ] {
        let known: Vec<u64> = asked.iter().map(|position| position % 16).collect();
        let values = scene.vector.values(&known);
        let claim = Claim { query: query(&asked), values, ..honest.clone() };
        cases.push(claim.refused("BadQuery", comment, "input.query"));
    }
    cases
}

/// Proofs of another time or setup.
fn times(scene: &Scene, variant: Variant, honest: &Claim) -> Vec<Case> {
    let older = Scene::claim_of(&scene.older, &ASKED, variant);
    let with_root =
        |claim: &Claim, root: &Claim| Claim { root: root.root.clone(), ..claim.clone() };
    let unchanged = [6, 9];
    let (new, old) =
        (scene.claim(&unchanged, variant), Scene::claim_of(&scene.older, &unchanged, variant));
    let other = Scene::on(
        scene.config,
        std::sync::Arc::new(lightproof_prover::system::balanceproofs::Setup::insecure(
            &scene.config,
            77,
            64,
        )),
    );
    let foreign = other.claim(&ASKED, variant);
    let mut infinity = vec![0; 48];
    infinity[0] = 0xc0;
    let g = compressed(&scene.setup.g1()[0]);
    vec![
        with_root(&older, honest).refused("Stale", "a proof of before", "verify.opening"),
        with_root(honest, &older).refused("Stale", "a proof of afterwards", "verify.opening"),
        Claim { points: older.points.clone(), ..honest.clone() }.refused(
            "Stale",
            "the value of now, the points of before",
            "verify.opening",
        ),
        with_root(&old, &new).refused(
            "Stale",
            "a proof of before, of values that stayed",
            "verify.opening",
        ),
        with_root(&new, &old).refused(
            "Stale",
            "a proof of afterwards, of values that stayed",
            "verify.opening",
        ),
        foreign.clone().refused("OtherSetup", "everything under other secrets", "verify.opening"),
        with_root(&foreign, honest).refused(
            "OtherSetup",
            "the proof under other secrets",
            "verify.opening",
        ),
        Claim { root: infinity, ..honest.clone() }.refused(
            "Stale",
            "the commitment of zeros",
            "verify.opening",
        ),
        Claim { root: g, ..honest.clone() }.refused(
            "Stale",
            "the commitment to one everywhere",
            "verify.opening",
        ),
    ]
}
