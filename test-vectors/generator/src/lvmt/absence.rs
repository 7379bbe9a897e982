//! Absence that is not shown.

use super::binding::stale;
use super::scene::{HEAD, Key, Result, Scene};
use crate::case::Case;
use crate::edit::{Edit as _, flip};
use crate::scene::Scene as _;
use lightproof_prover::rlp::Item;

const FLAG: &str = "NotAbsent";
const CODE: &str = "verify.absence";
/// Owners of the leaf on level 0.
const OWNERS: &[usize] = &[2, 0, 3, 0];

/// Every case.
// A table: one case after the other.
#[allow(clippy::too_many_lines)]
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>> {
    let (vacant, full) = (scene.key("pair", 2), scene.key("full", 5));
    let honest = |key: &Key| scene.honest(std::slice::from_ref(key), "hybrid");
    let (vacant, full) = (honest(&vacant)?, honest(&full)?);
    // An existing key, by the owners that its leaf has.
    let owner = scene.query(&[scene.key("pair", 0)]);
    let exists = vacant.with_query(owner);
    let mut cases = vec![exists.refused(FLAG, "the key is one of the owners", CODE)];
    let present = full.edited(|proof| {
        let owner = proof.at(OWNERS).at(&[0]).clone();
        let field = |index: usize| owner.as_list().and_then(|items| items.get(index)).cloned();
        let answer = proof.at(&[2, 0]);
        answer.set(&[0], Item::uint(1_u8));
        answer.set(&[3], Item::uint(1_u8));
        answer.items(|items| items.extend([field(2), field(3)].into_iter().flatten()));
    });
    let comment = "an absent key by an owner's tuple";
    cases.push(present.refused("OtherTuple", comment, "verify.merkle"));
    for slot in 0..5 {
        let comment = format!("owner {} left out", slot + 1);
        cases.extend(full.lies(&[(FLAG, &comment, CODE, &|proof| proof.at(OWNERS).remove(slot))]));
    }
    let stranger = vacant.item().at(OWNERS).at(&[0, 0]).clone();
    cases.extend(full.lies(&[
        ("BadShape", "no owners", "decode.shape", &|proof| proof.at(OWNERS).items(Vec::clear)),
        (FLAG, "an owner of another leaf", CODE, &|proof| {
            proof.at(OWNERS).set(&[2, 0], stranger.clone());
        }),
        (FLAG, "an owner without a version", CODE, &|proof| {
            proof.at(OWNERS).set(&[2, 1], Item::uint(0_u8));
        }),
        (FLAG, "an owner that is no key", CODE, &|proof| {
            proof.at(OWNERS).set(&[2, 0], Item::bytes([]));
        }),
        ("OtherTuple", "one owner for two slots", "verify.merkle", &|proof| {
            proof.at(OWNERS).copy(&[0], &[1]);
        }),
        ("OtherTuple", "two owners exchanged", "verify.merkle", &|proof| {
            proof.at(OWNERS).swap(0, 1);
        }),
        ("OtherTuple", "an owner's other version", "verify.merkle", &|proof| {
            proof.at(OWNERS).set(&[2, 1], Item::uint(2_u8));
        }),
        ("OtherTuple", "an owner's other value", "verify.merkle", &|proof| {
            proof.at(OWNERS).set(&[2, 2], Item::bytes([7; 32]));
        }),
        ("BadShape", "an owner's value of 31 bytes", "decode.shape", &|proof| {
            proof.at(OWNERS).set(&[2, 2], Item::bytes([7; 31]));
        }),
        ("BadShape", "six owners", "decode.shape", &|proof| {
            proof.at(OWNERS).items(|owners| owners.extend(owners.first().cloned()));
        }),
        ("BadShape", "no list of owners", "decode.shape", &|proof| {
            proof.set(&[2, 0, 3], Item::List(vec![]));
        }),
        ("BadShape", "owners of a leaf too many", "decode.shape", &|proof| {
            proof.at(&[2, 0, 3]).push(Item::List(vec![]));
        }),
    ]));
    // On level 1, from there up: the block of the sub-AMT's tuple goes too.
    let first = |block: &Item| Some(block.as_list()?.first()?.number());
    cases.extend(honest(&scene.key("beside", 0))?.lies(&[
        (FLAG, "stopped at a leaf with a sub-AMT", CODE, &|proof| {
            proof.set(&[2, 0, 1], Item::uint(0_u8));
            proof.at(&[2, 0, 2]).items(|leaves| leaves.truncate(1));
            proof.at(&[2, 0, 3]).items(|owners| owners.truncate(1));
            proof.at(&[1]).items(|blocks| blocks.retain(|block| first(block) == Some(0)));
            for slot in 0..5 {
                proof.at(OWNERS).set(&[slot, 3, 0], Item::uint(0_u8));
            }
        }),
        ("BadShape", "no owners of the last leaf", "decode.shape", &|proof| {
            proof.at(&[2, 0, 3]).remove(1);
        }),
    ]));
    // Five keys share the path on level 0 and five on level 1; none may stand in for one of the
    // others.
    let (flag, code) = ("OtherTuple", "verify.merkle");
    let (above, below) = (&[2, 0, 3, 0, 0], &[2, 0, 3, 1, 0]);
    cases.extend(honest(&scene.key("deep", 12))?.lies(&[
        (flag, "an owner of the level below", code, &|proof| proof.copy(below, above)),
        (flag, "an owner of the level above", code, &|proof| proof.copy(above, below)),
    ]));
    // Absent then, present now.
    let claim = stale(scene, &scene.key("crowd", 13), 10)?;
    let comment = "a stale absence, its paths renewed";
    cases.push(claim.refused("OtherBlock", comment, "verify.opening"));
    cases.extend(slots(scene)?);
    cases.extend(later(scene)?);
    Ok(cases)
}

/// Which of a leaf's owners a key is.
fn place(owners: &mut Item, key: &Key) -> usize {
    let owners = owners.as_list().unwrap_or_default();
    let key_of = |owner: &Item| owner.as_list()?.first()?.as_bytes().map(<[u8]>::to_vec);
    owners.iter().position(|owner| key_of(owner).as_ref() == Some(key)).unwrap_or(usize::MAX)
}

/// Each slot of a full leaf: its key denied, and its owner another one.
fn slots(scene: &Scene) -> Result<Vec<Case>> {
    let honest = scene.honest(&[scene.key("full", 5)], "hybrid")?;
    let mut foreign = scene.proof(HEAD, &[scene.key("pair", 2)], "hybrid")?;
    let stranger = foreign.at(OWNERS).at(&[0, 0]).clone();
    let mut cases = Vec::new();
    for key in (0..5).map(|index| scene.key("full", index)) {
        let slot = place(honest.item().at(OWNERS), &key);
        let denied = honest.with_query(scene.query(&[key]));
        let number = slot + 1;
        cases.push(denied.clone().refused(FLAG, &format!("the key of slot {number}"), CODE));
        let comment = format!("the key of slot {number}, another owner in its place");
        cases.extend(denied.lies(&[("OtherTuple", &comment, "verify.merkle", &|proof| {
            proof.at(OWNERS).copy(&[(slot + 1) % 5], &[slot]);
        })]));
        let other = format!("an owner of another leaf in slot {number}");
        let value = format!("another value of the owner of slot {number}");
        cases.extend(honest.lies(&[
            (FLAG, &other, CODE, &|proof| proof.at(OWNERS).set(&[slot, 0], stranger.clone())),
            ("OtherTuple", &value, "verify.merkle", &|proof| {
                proof.at(OWNERS).at(&[slot, 2]).bytes(flip(1));
            }),
        ]));
    }
    Ok(cases)
}

/// Owners of the second leaf of an AMT, behind a first one that is honest.
fn later(scene: &Scene) -> Result<Vec<Case>> {
    const SECOND: &[usize] = &[2, 1, 3, 0];
    let absent = [scene.key("full", 5), scene.key("pair", 2)];
    let [present, other] = [0, 1].map(|index| scene.key("pair", index));
    let honest = scene.honest(&absent, "hybrid")?;
    let mut proof = honest.item();
    let [slot, next] = [&present, &other].map(|key| place(proof.at(SECOND), key));
    let stranger = proof.at(OWNERS).at(&[0, 0]).clone();
    let denied = honest.with_query(scene.query(&[absent[0].clone(), present]));
    let mut cases =
        vec![denied.clone().refused(FLAG, "a later leaf: the key is one of the owners", CODE)];
    let (tuple, merkle) = ("OtherTuple", "verify.merkle");
    cases.extend(denied.lies(&[
        (tuple, "a later leaf: the key's owner replaced by another", merkle, &|proof| {
            proof.at(SECOND).copy(&[next], &[slot]);
        }),
        (FLAG, "a later leaf: an owner left out", CODE, &|proof| proof.at(SECOND).remove(slot)),
        (FLAG, "a later leaf: an owner of another leaf", CODE, &|proof| {
            proof.at(SECOND).set(&[slot, 0], stranger.clone());
        }),
    ]));
    cases.extend(honest.lies(&[
        (FLAG, "a later leaf: an owner without a version", CODE, &|proof| {
            proof.at(SECOND).set(&[next, 1], Item::uint(0_u8));
        }),
        (tuple, "a later leaf: an owner's other value", merkle, &|proof| {
            proof.at(SECOND).at(&[next, 2]).bytes(flip(1));
        }),
    ]));
    Ok(cases)
}
