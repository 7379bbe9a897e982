//! False openings behind honest ones: in the second leaf of an AMT, and in sub-AMTs.
//!
//! A point that is moved falsifies every equation that it is in. A liar does better: from a false
//! value upwards, he chooses points that make all equations true but one, whichever he likes. No
//! challenge depends on points of an opening, so none is drawn again.

use ark_bn254::{Fr, G1Affine};
use ark_ec::{AffineRepr as _, CurveGroup as _};
use ark_ff::{Field as _, PrimeField as _};
use lightproof_core::wire::bn254;

use super::binding::add;
use super::openings::shift;
use super::scene::{HEAD, K, Key, Result, Scene, VARIANTS};
use crate::case::{Case, invalid};
use crate::edit::Edit as _;
use crate::scene::Scene as _;
use lightproof_prover::error::StoreError;
use lightproof_prover::hash::keccak256;
use lightproof_prover::system::lvmt::keys;
use lightproof_prover::system::lvmt::setup::Place;

const FLAG: &str = "BadOpening";
const CODE: &str = "verify.opening";

/// Every case.
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for variant in VARIANTS {
        cases.extend(moved(scene, variant)?);
        cases.extend(below(scene, variant)?);
        for number in [0, 1] {
            cases.extend(match variant {
                "pairs" => made_good(scene, number)?,
                _ => climbed(scene, variant, number)?,
            });
        }
    }
    Ok(cases)
}

/// The same AMT's leaves are opened for both.
fn asked(scene: &Scene) -> [Key; 2] {
    [scene.key("full", 0), scene.key("pair", 0)]
}

/// Where the points and the value of an answer's leaf on level 0 stand.
const fn points_of(number: usize) -> [usize; 5] {
    [2, number, 2, 0, 1]
}

const fn value_of(number: usize) -> [usize; 5] {
    [2, number, 2, 0, 0]
}

/// A later leaf with another value, or one of its points moved.
fn moved(scene: &Scene, variant: &'static str) -> Result<Vec<Case>> {
    let (keys, generator) = (asked(scene), G1Affine::generator());
    let mut cases = Vec::new();
    for more in [1, -1] {
        let forged =
            scene.honest(&keys, variant)?.edited(|proof| add(proof.at(&value_of(1)), 5, more));
        let comment = format!("{variant}: a later leaf's value off by {more}");
        cases.push(invalid(FLAG, &comment, forged, CODE));
    }
    let mut honest = scene.proof(HEAD, &keys, variant)?;
    let count = honest.at(&points_of(1)).as_bytes().map_or(0, <[u8]>::len) / 32;
    for index in 0..count {
        let forged = scene.honest(&keys, variant)?.edited(|proof| {
            proof.at(&points_of(1)).bytes(|bytes| shift(bytes, index, generator));
        });
        let comment = format!("{variant}: point {index} of a later leaf moved");
        cases.push(invalid(FLAG, &comment, forged, CODE));
    }
    // Commitments C_d and C_{d+1}, of which only the sum is in the last equation.
    for index in (0..count / 2).skip(1).filter(|_| variant == "pairs") {
        let forged = scene.honest(&keys, variant)?.edited(|proof| {
            proof.at(&points_of(1)).bytes(|bytes| {
                shift(bytes, 2 * index - 2, generator);
                shift(bytes, 2 * index, -generator);
            });
        });
        let comment = format!("{variant}: commitments {index} and the one above moved apart");
        cases.push(invalid(FLAG, &comment, forged, CODE));
    }
    Ok(cases)
}

/// Leaves of sub-AMTs, on levels 1 and 2.
fn below(scene: &Scene, variant: &'static str) -> Result<Vec<Case>> {
    let keys = [scene.key("deep", 11)];
    let mut cases = Vec::new();
    for (level, leaf) in [(1, 2), (2, 4)] {
        // The key's own slot, and that of the sub-AMT, say the truth.
        let forged =
            scene.honest(&keys, variant)?.edited(|proof| add(proof.at(&[2, 0, 2, leaf, 0]), 5, 1));
        let comment = format!("{variant}: another value on level {level}");
        cases.push(invalid(FLAG, &comment, forged, CODE));
        let forged = scene.honest(&keys, variant)?.edited(|proof| {
            proof.at(&[2, 0, 2, leaf, 1]).bytes(|bytes| {
                let last = bytes.len() / 32 - 1;
                shift(bytes, last, G1Affine::generator());
            });
        });
        let comment = format!("{variant}: the last point on level {level} moved");
        cases.push(invalid(FLAG, &comment, forged, CODE));
    }
    Ok(cases)
}

/// Index of an answer's leaf, and depths of nodes that the answer before it brings: above the one
/// where they part, and in a fold that one, too.
fn shared(scene: &Scene, variant: &str, number: usize) -> (u32, usize) {
    let [first, second] = asked(scene).map(|key| keys::index(K, &keccak256(&key), 0));
    let above = (first ^ second).trailing_zeros() as usize;
    match (number, variant) {
        (0, _) => (first, 0),
        (_, "pairs") => (second, above),
        _ => (second, above + 1),
    }
}

/// `pairs`: one more in slot 5, and as much less in a sibling. All equations hold but that of the
/// sibling's node.
fn made_good(scene: &Scene, number: usize) -> Result<Vec<Case>> {
    let (index, above) = shared(scene, "pairs", number);
    let points = scene.lvmt.setup()?.points(&[Place::Shifted(0, 5, index)]);
    let [shifted] = points[..] else { return Err(StoreError::Corrupt("no such point")) };
    (above + 1..=usize::from(K))
        .map(|depth| {
            let forged = scene.honest(&asked(scene), "pairs")?.edited(|proof| {
                add(proof.at(&value_of(number)), 5, 1);
                let at = 2 * (depth - above - 1);
                proof.at(&points_of(number)).bytes(|bytes| shift(bytes, at, -shifted));
            });
            let comment =
                format!("pairs: leaf {number}, made good in the sibling of depth {depth}");
            Ok(invalid(FLAG, &comment, forged, CODE))
        })
        .collect()
}

/// The other forms: one more in slot 5, and points that follow from it from below up to a depth:
/// `q` = 0 and `H_D` = y·g1, then `h_d = −H_d` and `H_{d−1} = 2·X_d·H_d`. All equations hold but
/// the one that leads to the node above.
fn climbed(scene: &Scene, variant: &'static str, number: usize) -> Result<Vec<Case>> {
    let keys = asked(scene);
    let (index, above) = shared(scene, variant, number);
    let k = usize::from(K);
    let mut honest = scene.proof(HEAD, &keys, variant)?;
    let to = usize::try_from(honest.at(&[0]).number()).unwrap_or(0);
    let x = scene.lvmt.setup()?.x(index);
    let power = |depth: usize| x.pow([1 << (k - depth)]);
    let half = Fr::from(2_u64).inverse().unwrap_or_default();
    let mut cases = Vec::new();
    for until in above + 1..=to {
        let forged = scene.honest(&keys, variant)?.edited(|proof| {
            add(proof.at(&value_of(number)), 5, 1);
            let value = proof.at(&value_of(number)).as_bytes().unwrap_or_default();
            let value = Fr::from_be_bytes_mod_order(value);
            proof.at(&points_of(number)).bytes(|bytes| {
                let mut set = |place: usize, logarithm: Fr| {
                    let point = (G1Affine::generator() * logarithm).into_affine();
                    bytes[32 * place..][..32].copy_from_slice(&bn254::compress(&point));
                };
                // The batch proof of the node of depth `to`: that of a leaf follows from its value.
                let mut node = value * power(to) * half.pow([to as u64]);
                if to < k {
                    set(2 * (to - above), Fr::from(0_u64));
                }
                for depth in (until..=to).rev() {
                    let place = 2 * (depth - above - 1);
                    if depth < k {
                        set(place, node);
                    }
                    set(place + usize::from(depth < k), -node);
                    node *= power(depth) * Fr::from(2_u64);
                }
            });
        });
        let comment = format!("{variant}: leaf {number}, false from below up to depth {until}");
        cases.push(invalid(FLAG, &comment, forged, CODE));
    }
    Ok(cases)
}
