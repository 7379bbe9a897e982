//! Claims that differ from the proof, and replies to another question.

use super::forged::lies;
use super::reply::Query;
use super::scene::{self, End, Scene};
use crate::case::Case;
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
    let other = scene.world.reply(&Query::account(scene::other_contract()));
    let (flag, code) = ("ClaimChanged", "verify.claim");
    let mut cases = lies(
        scene,
        &query,
        &[
            (flag, "the nonce", code, &|reply| reply.nonce = vec![2]),
            (flag, "the balance", code, &|reply| reply.balance = vec![201]),
            (flag, "the storage hash", code, &|reply| reply.storage_hash[0] ^= 1),
            (flag, "the code hash", code, &|reply| reply.code_hash[31] ^= 1),
            (flag, "the slot's value", code, &|reply| reply.slots[0].value = vec![5]),
        ],
    );
    let (flag, code) = ("OtherAddress", "verify.query");
    cases.extend(lies(
        scene,
        &Query::account(scene::eoa()),
        &[(flag, "a valid reply for another account", code, &|reply| *reply = other.clone())],
    ));
    cases.extend(lies(
        scene,
        &query,
        &[(flag, "the right proof under another address", code, &|reply| {
            reply.address = scene::eoa().to_vec();
        })],
    ));
    cases
}

fn slots(scene: &Scene) -> Vec<Case> {
    let two = Query::slots(scene::contract(), &[low_slot(3), low_slot(4)]);
    let unasked = scene.world.reply(&Query::slots(scene::contract(), &[low_slot(5)])).slots;
    let flag = "SlotSet";
    lies(
        scene,
        &two,
        &[
            (flag, "the slots in another order", "verify.query", &|reply| reply.slots.reverse()),
            (flag, "values and proofs exchanged between the slots", "verify.merkle", &|reply| {
                reply.slots.reverse();
                (reply.slots[0].key, reply.slots[1].key) =
                    (low_slot(3).to_vec(), low_slot(4).to_vec());
            }),
            (flag, "a slot missing", "verify.query", &|reply| {
                reply.slots.pop();
            }),
            (flag, "a slot that nobody asked for", "verify.query", &|reply| {
                reply.slots.extend(unasked.clone());
            }),
            (flag, "one slot twice in place of two", "verify.query", &|reply| {
                reply.slots[1] = reply.slots[0].clone();
            }),
            (flag, "one slot twice beside the other", "verify.query", &|reply| {
                reply.slots.extend(reply.slots.first().cloned());
            }),
            (flag, "a slot key of 33 bytes", "decode.shape", &|reply| {
                reply.slots[0].key.insert(0, 0);
            }),
            (flag, "a slot key of 31 bytes", "decode.shape", &|reply| {
                reply.slots[0].key.remove(0);
            }),
        ],
    )
}

fn storage(scene: &Scene) -> Vec<Case> {
    let query = Query::slots(scene::contract(), &[low_slot(3)]);
    let foreign = scene.world.reply(&Query::slots(scene::other_contract(), &[low_slot(3)]));
    let nobody = Query::slots(Scene::absent(&scene.world, End::Branch), &[low_slot(3)]);
    let flag = "ForeignStorage";
    let mut cases = lies(
        scene,
        &query,
        &[
            (flag, "the same slot of another contract", "verify.root", &|reply| {
                reply.slots.clone_from(&foreign.slots);
            }),
            (
                flag,
                "the same slot of another contract, its storage hash claimed too",
                "verify.claim",
                &|reply| {
                    reply.slots.clone_from(&foreign.slots);
                    reply.storage_hash.clone_from(&foreign.storage_hash);
                },
            ),
        ],
    );
    cases.extend(lies(
        scene,
        &nobody,
        &[
            (flag, "a contract's storage under an absent account", "verify.surplus", &|reply| {
                reply.slots.clone_from(&foreign.slots);
            }),
            (
                flag,
                "a value claimed under an absent account, without nodes",
                "verify.claim",
                &|reply| reply.slots[0].value = vec![7],
            ),
        ],
    ));
    cases.extend(lies(
        scene,
        &Query::slots(scene::eoa(), &[low_slot(3)]),
        &[(
            flag,
            "a contract's storage under an account without storage",
            "verify.surplus",
            &|reply| {
                reply.slots.clone_from(&foreign.slots);
            },
        )],
    ));
    cases
}

fn code(scene: &Scene) -> Vec<Case> {
    let wanted = Query::code(scene::contract());
    let nobody = Query::code(Scene::absent(&scene.world, End::Branch));
    let flag = "BadCode";
    let mut cases = lies(
        scene,
        &wanted,
        &[
            (flag, "a byte of the code", "verify.code", &|reply| {
                reply.code.iter_mut().for_each(|code| code[9] ^= 1);
            }),
            (flag, "no code for a contract", "verify.code", &|reply| reply.code = Some(vec![])),
        ],
    );
    cases.extend(lies(
        scene,
        &Query::code(scene::eoa()),
        &[(flag, "code for an account without code", "verify.code", &|reply| {
            reply.code = Some(scene::code());
        })],
    ));
    cases.extend(lies(
        scene,
        &nobody,
        &[(flag, "code for an absent account", "verify.code", &|reply| {
            reply.code = Some(scene::code());
        })],
    ));
    cases.extend(lies(
        scene,
        &wanted,
        &[(flag, "code wanted and left out", "decode.shape", &|reply| reply.code = None)],
    ));
    cases.extend(lies(
        scene,
        &Query::account(scene::contract()),
        &[(flag, "code sent unasked", "decode.shape", &|reply| reply.code = Some(scene::code()))],
    ));
    cases
}
