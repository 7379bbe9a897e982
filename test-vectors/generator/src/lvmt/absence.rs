//! Absence that is not shown.

use super::binding::stale;
use super::scene::{HEAD, Key, Result, Scene, query};
use crate::case::{Case, invalid};
use crate::edit::{Edit as _, flip};
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
    let with = |key: &Key, change: &dyn Fn(&mut Item)| {
        scene.forged(std::slice::from_ref(key), "hybrid", |proof| change(proof))
    };
    let mut cases = Vec::new();
    // An existing key, by the owners that its leaf has.
    let owner = scene.key("pair", 0);
    let proof = scene.proof(HEAD, std::slice::from_ref(&vacant), "hybrid")?.encode();
    let exists = (scene.source(HEAD), query(std::slice::from_ref(&owner)), "hybrid", proof);
    cases.push(invalid(FLAG, "the key is one of the owners", exists, CODE));
    let present = with(&full, &|proof| {
        let owner = proof.at(OWNERS).at(&[0]).clone();
        let field = |index: usize| owner.as_list().and_then(|items| items.get(index)).cloned();
        let answer = proof.at(&[2, 0]);
        *answer.at(&[0]) = Item::uint(1_u8);
        *answer.at(&[3]) = Item::uint(1_u8);
        answer.items(|items| items.extend([field(2), field(3)].into_iter().flatten()));
    })?;
    cases.push(invalid(
        "OtherTuple",
        "an absent key by an owner's tuple",
        present,
        "verify.merkle",
    ));
    for slot in 0..5 {
        let forged =
            with(&full, &|proof| proof.at(OWNERS).items(|owners| drop(owners.remove(slot))))?;
        cases.push(invalid(FLAG, &format!("owner {} left out", slot + 1), forged, CODE));
    }
    let mut crowd = scene.proof(HEAD, std::slice::from_ref(&vacant), "hybrid")?;
    let stranger = crowd.at(OWNERS).at(&[0, 0]).clone();
    cases.extend([
        invalid(
            "BadShape",
            "no owners",
            with(&full, &|proof| proof.at(OWNERS).items(Vec::clear))?,
            "decode.shape",
        ),
        invalid(
            FLAG,
            "an owner of another leaf",
            with(&full, &|proof| *proof.at(OWNERS).at(&[2, 0]) = stranger.clone())?,
            CODE,
        ),
        invalid(
            FLAG,
            "an owner without a version",
            with(&full, &|proof| *proof.at(OWNERS).at(&[2, 1]) = Item::uint(0_u8))?,
            CODE,
        ),
        invalid(
            FLAG,
            "an owner that is no key",
            with(&full, &|proof| *proof.at(OWNERS).at(&[2, 0]) = Item::bytes([]))?,
            CODE,
        ),
        invalid(
            "OtherTuple",
            "one owner for two slots",
            with(&full, &|proof| {
                let owner = proof.at(OWNERS).at(&[0]).clone();
                *proof.at(OWNERS).at(&[1]) = owner;
            })?,
            "verify.merkle",
        ),
        invalid(
            "OtherTuple",
            "two owners exchanged",
            with(&full, &|proof| proof.at(OWNERS).items(|owners| owners.swap(0, 1)))?,
            "verify.merkle",
        ),
        invalid(
            "OtherTuple",
            "an owner's other version",
            with(&full, &|proof| *proof.at(OWNERS).at(&[2, 1]) = Item::uint(2_u8))?,
            "verify.merkle",
        ),
        invalid(
            "OtherTuple",
            "an owner's other value",
            with(&full, &|proof| *proof.at(OWNERS).at(&[2, 2]) = Item::bytes([7; 32]))?,
            "verify.merkle",
        ),
        invalid(
            "BadShape",
            "an owner's value of 31 bytes",
            with(&full, &|proof| *proof.at(OWNERS).at(&[2, 2]) = Item::bytes([7; 31]))?,
            "decode.shape",
        ),
        invalid(
            "BadShape",
            "six owners",
            with(&full, &|proof| {
                proof.at(OWNERS).items(|owners| owners.extend(owners.first().cloned()));
            })?,
            "decode.shape",
        ),
        invalid(
            "BadShape",
            "no list of owners",
            with(&full, &|proof| *proof.at(&[2, 0, 3]) = Item::List(vec![]))?,
            "decode.shape",
        ),
        invalid(
            "BadShape",
            "owners of a leaf too many",
            with(&full, &|proof| proof.at(&[2, 0, 3]).items(|all| all.push(Item::List(vec![]))))?,
            "decode.shape",
        ),
    ]);
    // On level 1, from there up: the block of the sub-AMT's tuple goes too.
    let beside = scene.key("beside", 0);
    let stopped = with(&beside, &|proof| {
        *proof.at(&[2, 0, 1]) = Item::uint(0_u8);
        proof.at(&[2, 0, 2]).items(|leaves| leaves.truncate(1));
        proof.at(&[2, 0, 3]).items(|owners| owners.truncate(1));
        proof.at(&[1]).items(|blocks| {
            blocks.retain(|block| {
                block
                    .as_list()
                    .and_then(|items| items.first())
                    .is_some_and(|epoch| epoch.number() == 0)
            });
        });
        for slot in 0..5 {
            *proof.at(OWNERS).at(&[slot, 3, 0]) = Item::uint(0_u8);
        }
    })?;
    cases.push(invalid(FLAG, "stopped at a leaf with a sub-AMT", stopped, CODE));
    let shared =
        with(&beside, &|proof| proof.at(&[2, 0, 3]).items(|owners| drop(owners.remove(1))))?;
    cases.push(invalid("BadShape", "no owners of the last leaf", shared, "decode.shape"));
    // Five keys share the path on level 0 and five on level 1; none may stand in for one of the
    // others.
    let deep = scene.key("deep", 12);
    for (comment, to, from) in [
        ("an owner of the level below", [2, 0, 3, 0, 0], [2, 0, 3, 1, 0]),
        ("an owner of the level above", [2, 0, 3, 1, 0], [2, 0, 3, 0, 0]),
    ] {
        let forged = with(&deep, &|proof| {
            let owner = proof.at(&from).clone();
            *proof.at(&to) = owner;
        })?;
        cases.push(invalid("OtherTuple", comment, forged, "verify.merkle"));
    }
    // Absent then, present now.
    let late = scene.key("crowd", 13);
    let claim = stale(scene, &late, 10)?;
    cases.push(invalid(
        "OtherBlock",
        "a stale absence, its paths renewed",
        claim,
        "verify.opening",
    ));
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
    let absent = [scene.key("full", 5)];
    let mut cases = Vec::new();
    let mut honest = scene.proof(HEAD, &absent, "hybrid")?;
    let mut foreign = scene.proof(HEAD, &[scene.key("pair", 2)], "hybrid")?;
    let stranger = foreign.at(OWNERS).at(&[0, 0]).clone();
    for key in (0..5).map(|index| scene.key("full", index)) {
        let slot = place(honest.at(OWNERS), &key);
        let claim =
            |proof: Item, keys: &[Key]| (scene.source(HEAD), query(keys), "hybrid", proof.encode());
        let with = |change: &dyn Fn(&mut Item)| {
            let mut proof = honest.clone();
            change(proof.at(OWNERS));
            proof
        };
        let denied = [key.clone()];
        let number = slot + 1;
        cases.push(invalid(
            FLAG,
            &format!("the key of slot {number}"),
            claim(honest.clone(), &denied),
            CODE,
        ));
        let replaced = with(&|owners| {
            let other = owners.at(&[(slot + 1) % 5]).clone();
            *owners.at(&[slot]) = other;
        });
        cases.push(invalid(
            "OtherTuple",
            &format!("the key of slot {number}, another owner in its place"),
            claim(replaced, &denied),
            "verify.merkle",
        ));
        let other = with(&|owners| *owners.at(&[slot, 0]) = stranger.clone());
        let comment = format!("an owner of another leaf in slot {number}");
        cases.push(invalid(FLAG, &comment, claim(other, &absent), CODE));
        let other = with(&|owners| owners.at(&[slot, 2]).bytes(flip(1)));
        let comment = format!("another value of the owner of slot {number}");
        cases.push(invalid("OtherTuple", &comment, claim(other, &absent), "verify.merkle"));
    }
    Ok(cases)
}

/// Owners of the second leaf of an AMT, behind a first one that is honest.
fn later(scene: &Scene) -> Result<Vec<Case>> {
    const SECOND: &[usize] = &[2, 1, 3, 0];
    let absent = [scene.key("full", 5), scene.key("pair", 2)];
    let [present, other] = [0, 1].map(|index| scene.key("pair", index));
    let mut honest = scene.proof(HEAD, &absent, "hybrid")?;
    let [slot, next] = [&present, &other].map(|key| place(honest.at(SECOND), key));
    let stranger = honest.at(OWNERS).at(&[0, 0]).clone();
    let claim = |change: &dyn Fn(&mut Item), keys: &[Key]| {
        let mut proof = honest.clone();
        change(proof.at(SECOND));
        (scene.source(HEAD), query(keys), "hybrid", proof.encode())
    };
    let denied = [absent[0].clone(), present];
    let replace = |owners: &mut Item| {
        let owner = owners.at(&[next]).clone();
        *owners.at(&[slot]) = owner;
    };
    Ok(vec![
        invalid(FLAG, "a later leaf: the key is one of the owners", claim(&|_| (), &denied), CODE),
        invalid(
            "OtherTuple",
            "a later leaf: the key's owner replaced by another",
            claim(&replace, &denied),
            "verify.merkle",
        ),
        invalid(
            FLAG,
            "a later leaf: an owner left out",
            claim(&|owners| owners.items(|owners| drop(owners.remove(slot))), &denied),
            CODE,
        ),
        invalid(
            FLAG,
            "a later leaf: an owner of another leaf",
            claim(&|owners| *owners.at(&[slot, 0]) = stranger.clone(), &denied),
            CODE,
        ),
        invalid(
            FLAG,
            "a later leaf: an owner without a version",
            claim(&|owners| *owners.at(&[next, 1]) = Item::uint(0_u8), &absent),
            CODE,
        ),
        invalid(
            "OtherTuple",
            "a later leaf: an owner's other value",
            claim(&|owners| owners.at(&[next, 2]).bytes(flip(1)), &absent),
            "verify.merkle",
        ),
    ])
}
