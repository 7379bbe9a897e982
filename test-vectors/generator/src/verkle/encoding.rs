//! Malformed bytes, points and questions.

use ark_bls12_381::{Fq, G1Affine};

use super::scene::{HEAD, Result, Scene, VARIANTS, key};
use crate::case::{Case, Change, Source};
use crate::edit::Edit as _;
use crate::scene::{Scene as _, bad_lists, nested};
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
        let honest = scene.honest(keys, variant)?;
        cases.extend(honest.not_rlp());
        let string = honest.with_proof(vec![0x83, 1, 2, 3]);
        let (flag, code) = ("BadShape", "decode.shape");
        cases.push(string.refused(flag, "a string in place of the proof", code));
        cases.extend(honest.lies_of(
            flag,
            code,
            &[
                ("no fields", &|proof| proof.items(Vec::clear)),
                ("a field too many", &|proof| proof.push(Item::bytes([]))),
                ("a list in place of the value", &|proof| proof.set(&[0], Item::List(vec![]))),
                ("a list in place of the path", &|proof| proof.set(&[1], Item::List(vec![]))),
            ],
        ));
        let bytes = |at: usize, table: &[Change<'_, Vec<u8>>]| {
            let case = |(comment, edit): &Change<'_, Vec<u8>>| {
                let lie = honest.edited(|proof| proof.at(&[at]).bytes(|bytes| edit(bytes)));
                lie.refused(flag, comment, code)
            };
            table.iter().map(case).collect::<Vec<_>>()
        };
        cases.extend(bytes(
            1,
            &[
                ("an empty path", &Vec::clear),
                ("a path of one byte", &|path| path.truncate(1)),
                ("a byte after the path", &|path| path.push(0)),
                ("a path a byte short", &|path| path.truncate(path.len() - 1)),
                ("an unknown terminal", &|path| path[1] = 3),
                ("another leaf without hashes", &|path| path[1] = 2),
            ],
        ));
        if variant == PLAIN {
            let left_out = honest.edited(|proof| proof.remove(1));
            cases.push(left_out.refused(flag, "the path left out", code));
        }
        if variant == AGGREGATED {
            cases.extend(bytes(
                2,
                &[
                    ("no opening", &Vec::clear),
                    ("a byte after the opening", &|opening| opening.push(0)),
                    ("an opening a byte short", &|opening| opening.truncate(opening.len() - 1)),
                ],
            ));
            // A node that a path before has shown is not shown again.
            let shown = scene.shown(&asked)?;
            let sibling = scene.all(0)?.into_iter().find(|other| {
                *other != asked && scene.shown(other).is_ok_and(|one| one.nodes == shown.nodes)
            });
            let keys = [asked.clone(), sibling.ok_or(StoreError::Corrupt("no sibling"))?];
            let node = shown.nodes[0].iter().copied();
            let twice = |path: &mut Vec<u8>| drop(path.splice(2..2, node));
            let both = scene.honest(&keys, variant)?.edited(|proof| proof.at(&[3]).bytes(twice));
            cases.push(both.refused(flag, "a node shown twice", code));
        }
        let stray = scene.find(2)?;
        for (absent, comment) in [(scene.find(1)?, "an empty slot"), (stray, "another leaf")] {
            let mut shown = scene.shown(&absent)?;
            shown.path.value = vec![1];
            let proof = scene.encode(&[shown], variant)?;
            let claim = scene.says(&[absent], variant, proof)?;
            cases.push(claim.refused(flag, &format!("a value beside {comment}"), code));
        }
        let other = if variant == PLAIN { AGGREGATED } else { PLAIN };
        for (comment, name, code) in [
            ("a proof of the other variant", other, code),
            ("an unknown variant", "hinted", "decode.variant"),
        ] {
            cases.push(honest.with_variant(name).refused("Variant", comment, code));
        }
    }
    let asked = key(1);
    let many: Vec<_> = (0..1_025).map(key).collect();
    let mut questions = bad_lists(&asked, &[1; 1_025], &many);
    questions.insert(6, nested(&asked));
    cases.extend(scene.honest(&[asked], PLAIN)?.questions(&questions));
    Ok(cases)
}

/// Points, wherever one stands.
fn points(scene: &Scene) -> Result<Vec<Case>> {
    let asked = scene.find(0)?;
    let keys = std::slice::from_ref(&asked);
    let mut cases = Vec::new();
    for variant in VARIANTS {
        let honest = scene.honest(keys, variant)?;
        let mut places = vec![("the node", 1, 2)];
        if variant == PLAIN {
            places.extend([("the first opening", 1, 50), ("the second opening", 1, 98)]);
        } else {
            places.push(("the opening", 2, 0));
        }
        let node = scene.shown(&asked)?.nodes[0].clone();
        for (what, field, start) in places {
            let mut points = bad_points(&node);
            if what == "the node" {
                points.push(("the identity", identity().to_vec()));
            }
            for (why, point) in points {
                let lie = honest.edited(|proof| {
                    proof.at(&[field]).bytes(|bytes| drop(bytes.splice(start..start + 48, point)));
                });
                cases.push(lie.refused("BadPoint", &format!("{what}: {why}"), "decode.point"));
            }
        }
        for (why, bytes) in bad_points(&scene.root(HEAD)?) {
            let claim = honest.with_source(Source::Root { number: HEAD, bytes });
            cases.push(claim.refused("BadRoot", why, "input.request"));
        }
    }
    Ok(cases)
}
