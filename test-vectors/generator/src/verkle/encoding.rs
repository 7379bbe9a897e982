//! Malformed bytes, points and questions.

use ark_bls12_381::{Fq, G1Affine};

use super::scene::{Forged, Result, Scene, VARIANTS, invalid, key};
use crate::case::{Case, Source};
use crate::edit::{Edit as _, changed};
use lightproof_prover::error::StoreError;
use lightproof_prover::rlp::Item;
use lightproof_prover::system::PLAIN;
use lightproof_prover::system::verkle::commitment::{compress, identity};
use lightproof_prover::system::verkle::prove::AGGREGATED;

/// Forty-eight bytes that are no point of the group, and why.
pub(super) fn bad_points(honest: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let with = |at: usize, change: &dyn Fn(u8) -> u8| {
        let mut point = honest.to_vec();
        point[at] = change(point[at]);
        point
    };
    let on_curve = |x: u64| G1Affine::get_point_from_x_unchecked(Fq::from(x), false);
    let outside = (1..256)
        .filter_map(on_curve)
        .find(|point| !point.is_in_correct_subgroup_assuming_on_curve())
        .unwrap_or_default();
    let off = (1..256).find(|x| on_curve(*x).is_none()).unwrap_or_default();
    let mut off_curve = vec![0; 48];
    off_curve[0] = 0x80;
    off_curve[47] = u8::try_from(off).unwrap_or_default();
    let mut junk = identity().to_vec();
    junk[47] = 1;
    vec![
        ("without the flag of compression", with(0, &|byte| byte & 0x7f)),
        ("infinity with a coordinate", with(0, &|byte| byte | 0x40)),
        ("infinity with junk", junk),
        ("a coordinate over the modulus", [&[0x9f][..], &[0xff; 47]].concat()),
        ("off the curve", off_curve),
        ("outside the subgroup", compress(&outside).to_vec()),
    ]
}

/// Cases of one scene.
// A table: one case after the other.
#[allow(clippy::too_many_lines)]
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>> {
    let mut cases = points(scene)?;
    let asked = scene.find(0)?;
    let keys = std::slice::from_ref(&asked);
    for variant in VARIANTS {
        let honest = scene.proof(super::scene::HEAD, keys, variant)?;
        let raw = |bytes: Vec<u8>| scene.claim(keys, variant, bytes);
        let flag = "NotCanonicalRlp";
        cases.extend([
            invalid(
                flag,
                "a byte after the proof",
                raw([&honest[..], &[0]].concat())?,
                "decode.rlp",
            ),
            invalid(
                flag,
                "the last byte cut off",
                raw(honest[..honest.len() - 1].to_vec())?,
                "decode.rlp",
            ),
            invalid(flag, "no bytes at all", raw(vec![])?, "decode.rlp"),
            invalid(flag, "a list of 2^64 - 1 bytes", raw(vec![0xff; 9])?, "decode.rlp"),
            invalid(
                "BadShape",
                "a string in place of the proof",
                raw(vec![0x83, 1, 2, 3])?,
                "decode.shape",
            ),
        ]);
        let with = |change: &dyn Fn(&mut Vec<Item>)| {
            scene.claim(keys, variant, changed(&honest, |proof| proof.items(change)))
        };
        let bytes =
            |at: usize, change: &dyn Fn(&mut Vec<u8>)| with(&|items| items[at].bytes(change));
        let shape = |comment, claim| invalid("BadShape", comment, claim, "decode.shape");
        cases.extend([
            shape("no fields", with(&|items| items.clear())?),
            shape("a field too many", with(&|items| items.push(Item::bytes([])))?),
            shape("a list in place of the value", with(&|items| items[0] = Item::List(vec![]))?),
            shape("a list in place of the path", with(&|items| items[1] = Item::List(vec![]))?),
            shape("an empty path", bytes(1, &|path| path.clear())?),
            shape("a path of one byte", bytes(1, &|path| path.truncate(1))?),
            shape("a byte after the path", bytes(1, &|path| path.push(0))?),
            shape("a path a byte short", bytes(1, &|path| path.truncate(path.len() - 1))?),
            shape("an unknown terminal", bytes(1, &|path| path[1] = 3)?),
            shape("another leaf without hashes", bytes(1, &|path| path[1] = 2)?),
        ]);
        if variant == PLAIN {
            let claim = with(&|items| drop(items.remove(1)))?;
            cases.push(shape("the path left out", claim));
        }
        if variant == AGGREGATED {
            cases.extend([
                shape("no opening", bytes(2, &|opening| opening.clear())?),
                shape("a byte after the opening", bytes(2, &|opening| opening.push(0))?),
                shape(
                    "an opening a byte short",
                    bytes(2, &|opening| opening.truncate(opening.len() - 1))?,
                ),
            ]);
            // A node that a path before has shown is not shown again.
            let shown = scene.shown(&asked)?;
            let sibling = scene.all(0)?.into_iter().find(|other| {
                *other != asked && scene.shown(other).is_ok_and(|one| one.nodes == shown.nodes)
            });
            let keys = [asked.clone(), sibling.ok_or(StoreError::Corrupt("no sibling"))?];
            let both = scene.proof(super::scene::HEAD, &keys, variant)?;
            let node = shown.nodes[0].iter().copied();
            let twice = |path: &mut Vec<u8>| drop(path.splice(2..2, node));
            let proof = changed(&both, |proof| proof.at(&[3]).bytes(twice));
            let claim = scene.claim(&keys, variant, proof)?;
            cases.push(shape("a node shown twice", claim));
        }
        let stray = scene.find(2)?;
        for (absent, comment) in [(scene.find(1)?, "an empty slot"), (stray, "another leaf")] {
            let mut shown = scene.shown(&absent)?;
            shown.path.value = vec![1];
            let proof = scene.encode(&[shown], variant)?;
            let claim = scene.claim(&[absent], variant, proof)?;
            let comment = format!("a value beside {comment}");
            cases.push(invalid("BadShape", &comment, claim, "decode.shape"));
        }
        let other = if variant == PLAIN { AGGREGATED } else { PLAIN };
        let (source, query, _, proof) = raw(honest.clone())?;
        let claim = (source.clone(), query.clone(), other, proof.clone());
        cases.push(invalid("Variant", "a proof of the other variant", claim, "decode.shape"));
        let claim = (source, query, "hinted", proof);
        cases.push(invalid("Variant", "an unknown variant", claim, "decode.variant"));
    }
    cases.extend(questions(scene)?);
    Ok(cases)
}

/// Points, wherever one stands.
fn points(scene: &Scene) -> Result<Vec<Case>> {
    let asked = scene.find(0)?;
    let keys = std::slice::from_ref(&asked);
    let mut cases = Vec::new();
    for variant in VARIANTS {
        let honest = scene.proof(super::scene::HEAD, keys, variant)?;
        let mut places = vec![("the node", 1, 2)];
        if variant == PLAIN {
            places.extend([("the first opening", 1, 50), ("the second opening", 1, 98)]);
        } else {
            places.push(("the opening", 2, 0));
        }
        for (what, field, start) in places {
            let replaced = |point: &[u8]| -> Result<Forged> {
                let splice = |bytes: &mut Vec<u8>| {
                    bytes.splice(start..start + 48, point.iter().copied());
                };
                scene.claim(
                    keys,
                    variant,
                    changed(&honest, |proof| proof.at(&[field]).bytes(splice)),
                )
            };
            let node = scene.shown(&asked)?.nodes[0].clone();
            for (why, point) in bad_points(&node) {
                let comment = format!("{what}: {why}");
                cases.push(invalid("BadPoint", &comment, replaced(&point)?, "decode.point"));
            }
            if what == "the node" {
                let claim = replaced(&identity())?;
                cases.push(invalid("BadPoint", "the node: the identity", claim, "decode.point"));
            }
        }
        let (_, query, _, proof) = scene.claim(keys, variant, honest.clone())?;
        for (why, bytes) in bad_points(&scene.root(super::scene::HEAD)?) {
            let source = Source::Root { number: super::scene::HEAD, bytes };
            let claim = (source, query.clone(), variant, proof.clone());
            cases.push(invalid("BadRoot", why, claim, "input.request"));
        }
    }
    Ok(cases)
}

fn questions(scene: &Scene) -> Result<Vec<Case>> {
    let asked = key(1);
    let (source, _, variant, proof) = {
        let proof = scene.proof(super::scene::HEAD, std::slice::from_ref(&asked), PLAIN)?;
        scene.claim(std::slice::from_ref(&asked), PLAIN, proof)?
    };
    let list =
        |keys: Vec<Vec<u8>>| Item::List(keys.into_iter().map(Item::Bytes).collect()).encode();
    let cases = [
        ("no key", list(vec![])),
        ("an empty key", list(vec![vec![]])),
        ("a key of 1,025 bytes", list(vec![vec![1; 1_025]])),
        ("the same key twice", list(vec![asked.clone(), asked.clone()])),
        ("1,025 keys", list((0..1_025).map(key).collect())),
        ("a string in place of the list", Item::bytes(&asked).encode()),
        (
            "a list in place of a key",
            Item::List(vec![Item::List(vec![Item::bytes(&asked)])]).encode(),
        ),
        ("a byte after the list", [list(vec![asked.clone()]), vec![0]].concat()),
        ("no bytes", vec![]),
    ];
    let case = |(comment, query)| {
        invalid("BadQuery", comment, (source.clone(), query, variant, proof.clone()), "input.query")
    };
    Ok(cases.into_iter().map(case).collect())
}
