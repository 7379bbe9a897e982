//! Committees whose keys nobody proves to possess, though a trusted header names them.

use super::case::{Case, NO_CLOCK};
use super::committees::{both, signed_for, whole};
use super::follow::Scene as _;
use super::points;
use super::scene::Scene;
use crate::edit::{Edit as _, changed};
use lightproof_core::header::{possession, signing};
use lightproof_prover::chain::committee::forms::{Bootstrap, Listed, Update};
use lightproof_prover::chain::committee::{
    Committee, KEY_BYTES, SIGNATURE_BYTES, devnet_message, signed_by_small,
};
use lightproof_prover::hash::Word;

const FLAG: &str = "Possession";

/// What a rogue key's owner knows.
const OWN: i64 = 4711;

pub(super) fn cases(scene: &Scene) -> Vec<Case> {
    let mut cases = proofs(scene);
    cases.extend(rogue(scene));
    cases.extend(forms(scene));
    cases
}

/// A committee of small secrets with other proofs, and its root, which binds the keys alone.
fn with(secrets: &[i64], change: &dyn Fn(&mut [[u8; SIGNATURE_BYTES]])) -> (Listed, Word) {
    let committee = Committee::of_small(secrets);
    let mut listed = whole(&committee);
    change(listed.proofs.as_chunks_mut().0);
    (listed, committee.root())
}

const SECRETS: [i64; 8] = [1, 2, 3, 4, 5, 6, 7, 8];

fn key(at: usize) -> [u8; KEY_BYTES] {
    let keys = Committee::of_small(&SECRETS).keys();
    keys.as_chunks().0[at]
}

/// A change of a committee's proofs.
type Change<'a> = &'a dyn Fn(&mut [[u8; SIGNATURE_BYTES]]);

fn proofs(scene: &Scene) -> Vec<Case> {
    let suite = possession::CIPHERSUITE;
    let point = |bytes: Vec<u8>| move |all: &mut [[u8; 96]]| all[3].copy_from_slice(&bytes);
    let (committee, decode) = ("verify.committee", "decode.point");
    let changes: [(&str, Change<'_>, &str); 9] = [
        ("two proofs exchanged", &|all| all.swap(2, 3), committee),
        (
            "the last proof is that of another secret",
            &|all| all[7] = signed_by_small(9, &key(7), suite),
            committee,
        ),
        (
            "a proof for another key of the same secret",
            &|all| all[0] = signed_by_small(1, &key(1), suite),
            committee,
        ),
        (
            "a signature of the key is no proof: its ciphersuite is another",
            &|all| all[0] = signed_by_small(1, &key(0), signing::CIPHERSUITE),
            committee,
        ),
        (
            // The sum of all proofs stays: only what each is weighted with tells.
            "two false proofs that cancel",
            &|all| (all[0], all[1]) = (signed_by_small(5, &key(0), suite), cancelled(suite)),
            committee,
        ),
        ("a proof's negative", &|all| all[5][0] ^= 0x20, committee),
        ("a proof at infinity", &point(points::infinity::<SIGNATURE_BYTES>()), decode),
        ("a proof not on the curve", &point(points::off_curve_g2()), decode),
        ("a proof not in the subgroup", &point(points::off_subgroup_g2()), decode),
    ];
    let refused =
        |(comment, change, code)| both(scene, FLAG, comment, with(&SECRETS, change), code);
    let mut cases: Vec<Case> = changes.into_iter().flat_map(refused).collect();
    cases.push(taken(scene));
    cases.push(known(scene));
    cases
}

/// What must stand beside 5·H(key 0) in place of 1·H(key 0), for the sum of both proofs to stay:
/// 2·H(key 1) − 4·H(key 0).
fn cancelled(suite: &[u8]) -> [u8; SIGNATURE_BYTES] {
    points::sum_g2(&[signed_by_small(2, &key(1), suite), signed_by_small(-4, &key(0), suite)])
}

/// Keys from elsewhere, one of them twice: whoever knows the secrets may do so.
fn taken(scene: &Scene) -> Case {
    let secrets = [1, 1, 2, 3, 4, 5, 6, 7];
    let committee = Committee::of_small(&secrets);
    let update = signed_for(scene, 3, (whole(&committee), committee.root()));
    let mut state = scene.state(3, true);
    state.finalized.hash = lightproof_prover::hash::keccak256(&update.header);
    scene.at(FLAG, "every key's possession is proven, that of one key twice", 2).with(
        "update",
        update.encode(),
        Some(NO_CLOCK),
        Ok(state),
    )
}

/// A committee that is known is known with its proofs.
fn known(scene: &Scene) -> Case {
    let mut again = scene.update(3);
    again.next.iter_mut().for_each(|it| it.proofs.fill(0));
    scene
        .at(FLAG, "the known next committee again, with other proofs", 2)
        .with("update", scene.update(1).encode(), Some(NO_CLOCK), Ok(scene.state(2, true)))
        .refuse("update", again.encode(), "verify.committee")
}

/// A key made from the others': its owner signs for everyone.
fn rogue(scene: &Scene) -> Vec<Case> {
    let committee = scene.committees.of(1).with_rogue_key(OWN);
    let last = committee.keys()[7 * KEY_BYTES..].to_vec();
    let with = |proof: [u8; SIGNATURE_BYTES]| {
        let mut listed = whole(&committee);
        listed.proofs[7 * SIGNATURE_BYTES..].copy_from_slice(&proof);
        (listed, committee.root())
    };
    let suite = possession::CIPHERSUITE;
    let own = with(signed_by_small(OWN, &last, suite));
    let sum = with(signed_by_small(OWN, &committee.aggregate(), suite));
    let code = "verify.committee";
    let mut cases = Vec::new();
    cases.extend(both(scene, FLAG, "a rogue key under what its owner can sign", own.clone(), code));
    cases.extend(both(scene, FLAG, "a rogue key under the proof of the sum", sum, code));
    // The committee after it: the rogue alone signs as 8 of 8, and is no committee that is known.
    let update = signed_for(scene, 3, own);
    let message = devnet_message(&scene.genesis_hash(), &scene.header(4).hash());
    let signature = signed_by_small(OWN, &message, signing::CIPHERSUITE).to_vec();
    let alone = Update { bits: vec![0xff], signature, ..scene.finality(4) };
    cases.push(
        scene
            .at(FLAG, "a rogue key signs alone for everyone", 2)
            .refuse("update", update.encode(), code)
            .refuse("finality", alone.encode(), "verify.period"),
    );
    cases
}

fn forms(scene: &Scene) -> Vec<Case> {
    let shape = "decode.shape";
    let change = |comment, change: &dyn Fn(&mut Vec<u8>)| {
        let mut update = scene.update(3);
        update.next.iter_mut().for_each(|it| change(&mut it.proofs));
        let mut bootstrap: Bootstrap = scene.bootstrap(2);
        change(&mut bootstrap.committee.proofs);
        [
            scene.at("BadShape", comment, 2).refuse("update", update.encode(), shape),
            scene.before("BadShape", comment, 2).refuse("bootstrap", bootstrap.encode(), shape),
        ]
    };
    // As committees were sent before they proved anything.
    let without = |bytes: Vec<u8>| {
        changed(&bytes, |item| item.items(|items| drop(items.remove(items.len() - 2))))
    };
    let mut cases = vec![
        scene.at("BadShape", "an update without proofs of possession", 2).refuse(
            "update",
            without(scene.update(3).encode()),
            shape,
        ),
        scene.before("BadShape", "a bootstrap without proofs of possession", 2).refuse(
            "bootstrap",
            without(scene.bootstrap(2).encode()),
            shape,
        ),
    ];
    cases.extend(change("proofs of 7 keys", &|it| it.truncate(7 * SIGNATURE_BYTES)));
    cases.extend(change("proofs of 9 keys", &|it| it.extend([0; SIGNATURE_BYTES])));
    cases.extend(change("no proofs", &Vec::clear));
    cases
}
