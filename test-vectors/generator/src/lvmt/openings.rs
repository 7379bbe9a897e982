//! False openings: everything else in these proofs is true.

use ark_bn254::G1Affine;
use ark_ec::{AffineRepr, CurveGroup};
use lightproof_core::error::Span;
use lightproof_core::wire::{Bytes, bn254};

use super::binding::add;
use super::scene::{HEAD, K, Result, Scene, VARIANTS};
use crate::case::{Case, Claim, Group, Setting, invalid};
use crate::edit::Edit as _;
use crate::scene::Scene as _;
use lightproof_prover::error::StoreError;
use lightproof_prover::rlp::Item;
use lightproof_prover::system::lvmt::setup::Place;

/// A leaf on level 0, whose points stand here.
const LEAF: &[usize] = &[2, 0, 2, 0];
const VALUE: &[usize] = &[2, 0, 2, 0, 0];
const POINTS: &[usize] = &[2, 0, 2, 0, 1];

/// Adds one point to another, both compressed, at a place in a string.
pub(super) fn shift(bytes: &mut [u8], index: usize, by: G1Affine) {
    let place = &mut bytes[32 * index..32 * (index + 1)];
    let from = Bytes { bytes: place, span: Span::default() };
    if let Ok(point) = bn254::g1(from, "point") {
        place.copy_from_slice(&bn254::compress(&(point + by).into_affine()));
    }
}

/// Every case.
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for variant in VARIANTS {
        cases.extend(leaves(scene, variant)?);
    }
    cases.extend(nodes(scene)?);
    cases.extend(batches(scene)?);
    Ok(cases)
}

fn points(
    scene: &Scene,
    variant: &'static str,
    change: impl FnOnce(&mut Vec<u8>),
) -> Result<Claim> {
    let honest = scene.honest(&[scene.key("pair", 0)], variant)?;
    Ok(honest.edited(|proof| proof.at(POINTS).bytes(change)))
}

/// Cases that every form has.
fn leaves(scene: &Scene, variant: &'static str) -> Result<Vec<Case>> {
    let flag = "BadOpening";
    let keys = [scene.key("pair", 0)];
    let generator = G1Affine::generator();
    let opening = |comment: &str, claim| {
        invalid(flag, &format!("{variant}: {comment}"), claim, "verify.opening")
    };
    let mut cases = Vec::new();
    // Slot 5 is free, and the key's slot says the truth.
    for more in [1, -1] {
        let forged = scene.honest(&keys, variant)?.edited(|proof| add(proof.at(VALUE), 5, more));
        cases.push(opening(&format!("a value off by {more}"), forged));
    }
    let identity = |bytes: &mut Vec<u8>| {
        for point in bytes.chunks_mut(32) {
            point.copy_from_slice(&bn254::compress(&G1Affine::identity()));
        }
    };
    cases.push(opening("all points the identity", points(scene, variant, identity)?));
    let mut other = scene.proof(HEAD, &[scene.key("full", 0)], variant)?;
    let other = other.at(POINTS).clone();
    let moved = scene.honest(&keys, variant)?.edited(|proof| proof.set(POINTS, other));
    cases.push(opening("the points of another leaf", moved));
    let count =
        scene.proof(HEAD, &keys, variant)?.at(POINTS).as_bytes().map_or(0, <[u8]>::len) / 32;
    for index in 0..count {
        let forged = points(scene, variant, |bytes| shift(bytes, index, generator))?;
        cases.push(opening(&format!("point {index} moved"), forged));
    }
    let negated = points(scene, variant, |bytes| bytes[0] ^= 0x40)?;
    cases.push(opening("the first point negated", negated));
    Ok(cases)
}

/// Cases about nodes.
fn nodes(scene: &Scene) -> Result<Vec<Case>> {
    let flag = "BadOpening";
    let generator = G1Affine::generator();
    let mut cases = Vec::new();
    for depth in 1..usize::from(K) {
        // C_d and C_{d+1}: their sum stays.
        let forged = points(scene, "pairs", |bytes| {
            shift(bytes, 2 * (depth - 1), generator);
            shift(bytes, 2 * depth, -generator);
        })?;
        cases.push(invalid(
            flag,
            &format!("commitments {depth} and {} moved apart", depth + 1),
            forged,
            "verify.opening",
        ));
        // Deeper siblings are zero.
        if depth > 2 {
            continue;
        }
        let forged = points(scene, "pairs", |bytes| {
            let (left, right) = bytes.split_at_mut(64 * depth);
            left[64 * (depth - 1)..].swap_with_slice(&mut right[..64]);
        })?;
        cases.push(invalid(
            flag,
            &format!("siblings {depth} and {} exchanged", depth + 1),
            forged,
            "verify.opening",
        ));
    }
    // One more in slot 5, and one less in a sibling.
    let leaf = lightproof_prover::system::lvmt::keys::index(
        K,
        &lightproof_prover::hash::keccak256(&scene.key("pair", 0)),
        0,
    );
    let shifted = scene.lvmt.setup()?.points(&[Place::Shifted(0, 5, leaf)]);
    let [shifted] = shifted[..] else { return Err(StoreError::Corrupt("no such point")) };
    for sibling in [0, usize::from(K) - 1] {
        let forged = scene.honest(&[scene.key("pair", 0)], "pairs")?.edited(|proof| {
            add(proof.at(VALUE), 5, 1);
            proof.at(POINTS).bytes(|bytes| shift(bytes, 2 * sibling, -shifted));
        });
        cases.push(invalid(flag, "a value made good in a sibling", forged, "verify.opening"));
    }
    Ok(cases)
}

/// Errors that cancel in a sum with equal coefficients.
fn batches(scene: &Scene) -> Result<Vec<Case>> {
    let generator = G1Affine::generator();
    let mut cases = Vec::new();
    let keys = [scene.key("pair", 0), scene.key("full", 0)];
    for variant in ["pairs", "fold"] {
        let forged = scene.honest(&keys, variant)?.edited(|proof| {
            for (answer, by) in [(0, generator), (1, -generator)] {
                proof.at(&[2, answer, 2, 0, 1]).bytes(|bytes| {
                    let last = bytes.len() / 32 - 1;
                    shift(bytes, last, by);
                });
            }
        });
        let comment = format!("{variant}: errors that cancel in two openings");
        cases.push(invalid("BadOpening", &comment, forged, "verify.opening"));
    }
    // What leaves share is checked although the second one does not bring it.
    let keys = [scene.key("deep", 0), scene.key("crowd", 30)];
    for variant in VARIANTS {
        let forged = scene.honest(&keys, variant)?.edited(|proof| {
            proof.at(POINTS).bytes(|bytes| shift(bytes, 0, generator));
        });
        let comment = format!("{variant}: a node that two keys may share");
        cases.push(invalid("BadOpening", &comment, forged, "verify.opening"));
    }
    Ok(cases)
}

/// Malformed points and values.
pub(super) fn malformed(scene: &Scene) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    let first =
        |change: &dyn Fn(&mut [u8])| points(scene, "hybrid", |bytes| change(&mut bytes[..32]));
    let flag = "BadPoint";
    let set = |bytes: &mut [u8], head: u8, rest: u8| {
        bytes.fill(rest);
        bytes[0] = head;
    };
    for (comment, change) in [
        (
            "a coordinate over the modulus",
            &(|bytes: &mut [u8]| set(bytes, 0xbf, 0xff)) as &dyn Fn(&mut [u8]),
        ),
        // 4^3 + 3 = 67 is no square.
        ("not on the curve", &|bytes| {
            set(bytes, 0x80, 0);
            bytes[31] = 4;
        }),
        ("an identity with other bits", &|bytes| {
            set(bytes, 0x40, 0);
            bytes[31] = 1;
        }),
        ("an identity with the flag of a point", &|bytes| set(bytes, 0x00, 0)),
        ("a point without a flag", &|bytes| bytes[0] &= 0x3f),
    ] {
        cases.push(invalid(flag, comment, first(change)?, "decode.point"));
    }
    let deep = [scene.key("deep", 11)];
    let forged = scene.honest(&deep, "hybrid")?.edited(|proof| {
        proof.set(&[2, 0, 2, 1, 0], Item::bytes(bn254::compress(&G1Affine::identity())));
    });
    cases.push(invalid(flag, "the identity as a sub-AMT's commitment", forged, "decode.point"));
    let keys = [scene.key("pair", 0)];
    let flag = "BadScalar";
    for (comment, value, code) in [
        ("a value of 2^240", [&[1], [0; 30].as_slice()].concat(), "decode.scalar"),
        ("a value of 32 bytes", vec![0xff; 32], "decode.scalar"),
        ("a value of 33 bytes", vec![0xff; 33], "decode.shape"),
        ("a value with a leading zero", vec![0, 1], "decode.rlp"),
    ] {
        let forged =
            scene.honest(&keys, "hybrid")?.edited(|proof| proof.set(VALUE, Item::bytes(value)));
        cases.push(invalid(flag, comment, forged, code));
    }
    let flag = "BadShape";
    for (comment, change) in [
        (
            "a point too few",
            &(|bytes: &mut Vec<u8>| bytes.truncate(bytes.len() - 32)) as &dyn Fn(&mut Vec<u8>),
        ),
        ("a point too many", &|bytes| bytes.extend(bn254::compress(&G1Affine::identity()))),
        ("half a point", &|bytes| bytes.truncate(bytes.len() - 16)),
        ("no points", &Vec::clear),
    ] {
        cases.push(invalid(
            flag,
            comment,
            points(scene, "hybrid", |bytes| change(bytes))?,
            "decode.shape",
        ));
    }
    let leaf = scene.honest(&keys, "hybrid")?.edited(|proof| {
        proof.at(LEAF).push(Item::bytes([]));
    });
    cases.push(invalid(flag, "a field too many in a leaf", leaf, "decode.shape"));
    Ok(cases)
}

/// Honest proofs under other parameters.
pub(super) fn settings(scene: &Scene) -> Result<Vec<Group>> {
    let honest = scene.honest(&[scene.key("pair", 0)], "hybrid")?;
    let altered = |index: usize| {
        let mut params = scene.setting().params;
        // Another power in its place.
        let other = (index + 1) % (usize::from(K) + 1);
        let bytes = params[1 + 128 * other..][..128].to_vec();
        params[1 + 128 * index..][..128].copy_from_slice(&bytes);
        params
    };
    let setting = || scene.setting();
    let group = |setting: Setting, comment: &str, code| {
        Group::of(setting, honest.clone().refused("BadConfig", comment, code))
    };
    let of = |params: Vec<u8>| setting().pinning(params);
    let params = setting().params;
    let (other, unpinned) = (altered(0), Setting { params_digest: None, ..setting() });
    let other = Setting { params: other, ..setting() };
    let format = |format| Setting { format, ..setting() };
    let mut groups = vec![
        group(of(altered(0)), "tau is another point", "verify.opening"),
        group(of(altered(usize::from(K) - 1)), "tau^(n/2) is another point", "verify.opening"),
        group(other, "parameters of another digest", "input.params"),
        group(unpinned, "no digest", "input.params"),
        group(format("lvmt/2"), "an unknown format", "input.config"),
        group(format("lmpt/1"), "another system's format", "input.config"),
        group(of(Vec::new()), "no parameters", "input.params"),
    ];
    for (comment, bytes) in [
        ("k of 0", [&[0], &params[1..]].concat()),
        ("k of 17", [&[17], &params[1..]].concat()),
        ("a power too few", params[..params.len() - 128].to_vec()),
        ("a byte too many", [params.as_slice(), &[0]].concat()),
        ("a power that is no point", [&params[..1], &[1; 128], &params[129..]].concat()),
        ("a power that is the identity", [&params[..1], &[0; 128], &params[129..]].concat()),
    ] {
        groups.push(group(of(bytes), comment, "input.params"));
    }
    Ok(groups)
}
