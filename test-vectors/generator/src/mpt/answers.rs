//! Claims that differ from the proof, and replies to another question.

use super::forged::of;
use super::reply::{Query, Reply};
use super::scene::{self, End, Scene};
use crate::case::{Case, invalid};
use lightproof_prover::chain::workload::population::low_slot;

/// Every case of this file.
pub(super) fn cases(scene: &Scene) -> Vec<Case> {
    let mut cases = claims(scene);
    cases.extend(slots(scene));
    cases.extend(storage(scene));
    cases.extend(code(scene));
    cases
}

fn claims(scene: &Scene) -> Vec<Case> {
    let query = Query::slots(scene::contract(), &[low_slot(3)]);
    let claim = |comment, change: &dyn Fn(&mut Reply)| {
        invalid("ClaimChanged", comment, of(scene, &query, |reply| change(reply)), "verify.claim")
    };
    let other = scene.world.reply(&Query::account(scene::other_contract()));
    let renamed = of(scene, &query, |reply| reply.address = scene::eoa().to_vec());
    let foreign = of(scene, &Query::account(scene::eoa()), |reply| *reply = other.clone());
    vec![
        claim("the nonce", &|reply| reply.nonce = vec![2]),
        claim("the balance", &|reply| reply.balance = vec![201]),
        claim("the storage hash", &|reply| reply.storage_hash[0] ^= 1),
        claim("the code hash", &|reply| reply.code_hash[31] ^= 1),
        claim("the slot's value", &|reply| reply.slots[0].value = vec![5]),
        invalid("OtherAddress", "a valid reply for another account", foreign, "verify.query"),
        invalid("OtherAddress", "the right proof under another address", renamed, "verify.query"),
    ]
}

fn slots(scene: &Scene) -> Vec<Case> {
    let two = Query::slots(scene::contract(), &[low_slot(3), low_slot(4)]);
    let with = |change: &dyn Fn(&mut Reply)| of(scene, &two, |reply| change(reply));
    let unasked = scene.world.reply(&Query::slots(scene::contract(), &[low_slot(5)])).slots;
    let flag = "SlotSet";
    vec![
        invalid(
            flag,
            "the slots in another order",
            with(&|reply| reply.slots.reverse()),
            "verify.query",
        ),
        invalid(
            flag,
            "values and proofs exchanged between the slots",
            with(&|reply| {
                reply.slots.reverse();
                (reply.slots[0].key, reply.slots[1].key) =
                    (low_slot(3).to_vec(), low_slot(4).to_vec());
            }),
            "verify.merkle",
        ),
        invalid(
            flag,
            "a slot missing",
            with(&|reply| {
                reply.slots.pop();
            }),
            "verify.query",
        ),
        invalid(
            flag,
            "a slot that nobody asked for",
            with(&|reply| reply.slots.extend(unasked.clone())),
            "verify.query",
        ),
        invalid(
            flag,
            "one slot twice in place of two",
            with(&|reply| reply.slots[1] = reply.slots[0].clone()),
            "verify.query",
        ),
        invalid(
            flag,
            "one slot twice beside the other",
            with(&|reply| reply.slots.extend(reply.slots.first().cloned())),
            "verify.query",
        ),
        invalid(
            flag,
            "a slot key of 33 bytes",
            with(&|reply| reply.slots[0].key.insert(0, 0)),
            "decode.shape",
        ),
        invalid(
            flag,
            "a slot key of 31 bytes",
            with(&|reply| {
                reply.slots[0].key.remove(0);
            }),
            "decode.shape",
        ),
    ]
}

fn storage(scene: &Scene) -> Vec<Case> {
    let query = Query::slots(scene::contract(), &[low_slot(3)]);
    let foreign = scene.world.reply(&Query::slots(scene::other_contract(), &[low_slot(3)]));
    let nobody = Query::slots(Scene::absent(&scene.world, End::Branch), &[low_slot(3)]);
    let flag = "ForeignStorage";
    vec![
        invalid(
            flag,
            "the same slot of another contract",
            of(scene, &query, |reply| reply.slots.clone_from(&foreign.slots)),
            "verify.root",
        ),
        invalid(
            flag,
            "the same slot of another contract, its storage hash claimed too",
            of(scene, &query, |reply| {
                reply.slots.clone_from(&foreign.slots);
                reply.storage_hash.clone_from(&foreign.storage_hash);
            }),
            "verify.claim",
        ),
        invalid(
            flag,
            "a contract's storage under an absent account",
            of(scene, &nobody, |reply| reply.slots.clone_from(&foreign.slots)),
            "verify.surplus",
        ),
        invalid(
            flag,
            "a value claimed under an absent account, without nodes",
            of(scene, &nobody, |reply| reply.slots[0].value = vec![7]),
            "verify.claim",
        ),
        invalid(
            flag,
            "a contract's storage under an account without storage",
            of(scene, &Query::slots(scene::eoa(), &[low_slot(3)]), |reply| {
                reply.slots.clone_from(&foreign.slots);
            }),
            "verify.surplus",
        ),
    ]
}

fn code(scene: &Scene) -> Vec<Case> {
    let wanted = Query::code(scene::contract());
    let nobody = Query::code(Scene::absent(&scene.world, End::Branch));
    let flag = "BadCode";
    vec![
        invalid(
            flag,
            "a byte of the code",
            of(scene, &wanted, |reply| {
                reply.code.iter_mut().for_each(|code| code[9] ^= 1);
            }),
            "verify.code",
        ),
        invalid(
            flag,
            "no code for a contract",
            of(scene, &wanted, |reply| reply.code = Some(vec![])),
            "verify.code",
        ),
        invalid(
            flag,
            "code for an account without code",
            of(scene, &Query::code(scene::eoa()), |reply| reply.code = Some(scene::code())),
            "verify.code",
        ),
        invalid(
            flag,
            "code for an absent account",
            of(scene, &nobody, |reply| reply.code = Some(scene::code())),
            "verify.code",
        ),
        invalid(
            flag,
            "code wanted and left out",
            of(scene, &wanted, |reply| reply.code = None),
            "decode.shape",
        ),
        invalid(
            flag,
            "code sent unasked",
            of(scene, &Query::account(scene::contract()), |reply| reply.code = Some(scene::code())),
            "decode.shape",
        ),
    ]
}
