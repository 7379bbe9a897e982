//! Configurations of their own: parameters that do not fit, headers, small trees.

use ark_bls12_381::{Fr, G2Affine};
use ark_ec::AffineRepr as _;
use ark_serialize::CanonicalSerialize as _;

use super::encoding::bad_points;
use super::scene::{HEAD, Result, Scene, VARIANTS, key, named};
use crate::case::{Group, Setting};
use crate::scene::Scene as _;
use lightproof_prover::hash::{Word, sha256};
use lightproof_prover::system::PLAIN;
use lightproof_prover::system::verkle::cf::{Cf, Points, insecure_secrets};
use lightproof_prover::system::verkle::commitment::{Committer as _, identity};

/// All of them.
pub(super) fn groups(kzg: &Scene, cf: &Scene) -> Result<Vec<Group>> {
    let mut groups = Vec::new();
    let mut group = |scene: &Scene, flag, comment: &str, setting, code| -> Result<()> {
        let case = scene.honest(&[key(1)], PLAIN)?.refused(flag, comment, code);
        groups.push(Group { setting, cases: named(vec![case]) });
        Ok(())
    };
    let with = |scene: &Scene, format| Setting { format, ..scene.setting() };
    for (comment, format) in [
        ("an unknown k", "verkle/kzg-64"),
        ("no k", "verkle/kzg"),
        ("an unknown commitment", "verkle/ipa-256"),
        ("another system's format", "lmpt/1"),
    ] {
        group(kzg, "BadConfig", comment, with(kzg, format), "input.config")?;
    }
    let params = "input.params";
    group(kzg, "BadConfig", "another k", with(kzg, "verkle/kzg-32"), params)?;
    group(kzg, "BadConfig", "another commitment", with(kzg, "verkle/cf-256"), params)?;
    let other = Setting { params: cf.setting().params, ..kzg.setting() };
    group(kzg, "BadConfig", "another setup's points", other, params)?;
    let unpinned = Setting { params_digest: None, ..kzg.setting() };
    group(kzg, "BadConfig", "no digest", unpinned, params)?;
    let wrong = Setting { params_digest: Some([7; 32]), ..kzg.setting() };
    group(kzg, "BadConfig", "a wrong digest", wrong, params)?;
    let missing = Setting { params: vec![], ..kzg.setting() };
    group(kzg, "BadConfig", "no points", missing, params)?;

    let pinned = |scene: &Scene, points: Vec<u8>| {
        let digest = digest(scene, &points);
        Setting { params_digest: Some(digest), params: points, ..scene.setting() }
    };
    let mut bad = |scene: &Scene, comment: &str, points: Vec<u8>| {
        group(scene, "BadParams", comment, pinned(scene, points), params)
    };
    for (scene, end) in [(kzg, 144), (cf, 32 * 48)] {
        let honest = scene.setting().params;
        bad(scene, "a byte too many", [&honest[..], &[0]].concat())?;
        bad(scene, "a byte too few", honest[..honest.len() - 1].to_vec())?;
        for (why, point) in bad_points(&honest[..48]) {
            bad(scene, &format!("a point of G1: {why}"), [&point[..], &honest[48..]].concat())?;
        }
        let mut points = honest.clone();
        points.splice(0..48, identity());
        bad(scene, "a point of G1: the identity", points)?;
        let mut infinity = Vec::new();
        // Writing to a vector cannot fail.
        let _ = G2Affine::zero().serialize_compressed(&mut infinity);
        let mut points = honest.clone();
        points.splice(end..end + 96, infinity);
        bad(scene, "a point of G2: the identity", points)?;
        let mut points = honest.clone();
        points[end] &= 0x7f;
        bad(scene, "a point of G2: without the flag of compression", points)?;
    }
    let mut moved = kzg.setting().params;
    let node = kzg.root(HEAD)?;
    moved.splice(0..48, node);
    bad(kzg, "another generator", moved)?;
    let secrets = insecure_secrets(5, 7);
    let replaced = |at: usize, secret: Fr| {
        let mut secrets = secrets.clone();
        secrets[at] = secret;
        Cf::new(Points::of(&secrets)).params()
    };
    bad(cf, "two slots with one secret", replaced(3, secrets[9]))?;
    bad(cf, "two slots with one secret, up to its sign", replaced(3, -secrets[9]))?;
    let honest = cf.setting().params;
    let other = replaced(3, Fr::from(5_u64));
    let mut mixed = honest.clone();
    mixed[3 * 48..4 * 48].copy_from_slice(&other[3 * 48..4 * 48]);
    bad(cf, "a slot whose point of G1 hides another secret", mixed)?;
    let start = 32 * 48 + 3 * 96;
    let mut mixed = honest;
    mixed[start..start + 96].copy_from_slice(&other[start..start + 96]);
    bad(cf, "a slot whose point of G2 hides another secret", mixed)?;

    for scene in [kzg, cf] {
        groups.push(headers(scene)?);
        groups.push(small(scene)?);
    }
    Ok(groups)
}

fn digest(scene: &Scene, points: &[u8]) -> Word {
    let committer = scene.committer();
    let k = u32::try_from(committer.k()).unwrap_or_default().to_be_bytes();
    sha256(&[committer.tag().as_bytes(), &k, points])
}

/// Roots from headers.
fn headers(scene: &Scene) -> Result<Group> {
    let old = scene.root(0)?;
    let lie = ("a commitment to an older state", old.as_slice(), "verify.opening");
    let forged = ("not the header of the trusted hash", old.as_slice());
    let mut group = scene.headers(&[key(1)], PLAIN, 47, lie, Some(forged))?;
    let lies = group.cases.split_off(1);
    group.cases.extend(named(lies));
    Ok(group)
}

/// The empty tree.
fn small(scene: &Scene) -> Result<Group> {
    let keys = [key(1), key(2)];
    let empty = Scene::empty(scene.config)?;
    let mut cases = Vec::new();
    for variant in VARIANTS {
        cases.push(empty.valid("Empty", "nothing at all", 0, &keys[..1], variant)?);
        cases.push(empty.valid("Empty", "two keys of nothing at all", 0, &keys, variant)?);
        for key in [&keys[0], &keys[1]] {
            let keys = std::slice::from_ref(key);
            cases.push(empty.valid("Empty", "beside a single leaf", 1, keys, variant)?);
        }
    }
    Ok(Group { setting: scene.setting(), cases: named(cases) })
}
