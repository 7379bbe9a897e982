//! Absence where something is present, presence where nothing is, and the two forms of an empty
//! trie.

use super::forged::lies;
use super::nodes;
use super::reply::{Query, Reply};
use super::scene::{self, End, Scene, root_source};
use super::world;
use crate::case::{Case, invalid};
use lightproof_prover::chain::workload::population::low_slot;
use lightproof_prover::hash::{EMPTY_CODE_HASH, EMPTY_ROOT};

/// Every case of this file.
pub(super) fn cases(scene: &Scene) -> Vec<Case> {
    let mut cases = absence(scene);
    cases.extend(presence(scene));
    cases.extend(zero_root());
    cases
}

/// Claims what nodes claim of an absent account.
fn claim_absent(reply: &mut Reply) {
    (reply.nonce, reply.balance) = (vec![], vec![]);
    (reply.storage_hash, reply.code_hash) = (EMPTY_ROOT.to_vec(), EMPTY_CODE_HASH.to_vec());
}

/// The account said to be absent, and its nodes edited.
fn absent(edit: impl Fn(&mut Vec<Vec<u8>>)) -> impl Fn(&mut Reply) {
    move |reply| {
        edit(&mut reply.nodes);
        claim_absent(reply);
    }
}

/// The slot said to be absent, and its nodes edited.
fn slot_absent(edit: impl Fn(&mut Vec<Vec<u8>>)) -> impl Fn(&mut Reply) {
    move |reply| {
        edit(&mut reply.slots[0].nodes);
        reply.slots[0].value = vec![];
    }
}

fn absence(scene: &Scene) -> Vec<Case> {
    let account = Query::account(scene::eoa());
    let slot = Query::slots(scene::contract(), &[low_slot(3)]);
    let flag = "AbsenceClaimed";
    let mut cases = lies(
        scene,
        &account,
        &[
            (flag, "the leaf dropped", "verify.incomplete", &absent(|nodes| drop(nodes.pop()))),
            (
                flag,
                "only the root node left",
                "verify.incomplete",
                &absent(|nodes| nodes.truncate(1)),
            ),
            (
                flag,
                "no node under a root that is not empty",
                "verify.incomplete",
                &absent(Vec::clear),
            ),
            (
                flag,
                "the empty trie's node under a root that is not empty",
                "decode.shape",
                &absent(|nodes| *nodes = vec![vec![0x80]]),
            ),
            (flag, "the whole proof of a present account", "verify.claim", &absent(|_| ())),
        ],
    );
    cases.extend(lies(
        scene,
        &slot,
        &[
            (
                flag,
                "the leaf of a slot dropped",
                "verify.incomplete",
                &slot_absent(|nodes| drop(nodes.pop())),
            ),
            (
                flag,
                "only the storage root's node left",
                "verify.incomplete",
                &slot_absent(|nodes| nodes.truncate(1)),
            ),
            (
                flag,
                "no node for a slot of a contract with storage",
                "verify.incomplete",
                &slot_absent(Vec::clear),
            ),
            (flag, "the whole proof of a present slot", "verify.claim", &slot_absent(|_| ())),
        ],
    ));
    cases
}

fn presence(scene: &Scene) -> Vec<Case> {
    let nobody = Query::account(Scene::absent(&scene.world, End::Branch));
    let stranger = Query::account(Scene::absent(&scene.world, End::Leaf));
    let mut cases = lies(
        scene,
        &nobody,
        &[
            (
                "PresenceClaimed",
                "a balance claimed beside a proof of absence",
                "verify.claim",
                &|reply| reply.balance = vec![1],
            ),
            (
                "PresenceClaimed",
                "a nonce claimed beside a proof of absence",
                "verify.claim",
                &|reply| reply.nonce = vec![1],
            ),
            (
                "PresenceClaimed",
                "a code hash claimed beside a proof of absence",
                "verify.claim",
                &|reply| reply.code_hash = vec![1; 32],
            ),
        ],
    );
    cases.extend(lies(
        scene,
        &stranger,
        &[(
            "PresenceClaimed",
            "the fields of the leaf in which the exclusion ends",
            "verify.claim",
            &|reply| reply.balance = vec![200, 5, 7],
        )],
    ));
    cases.push(invalid(
        "EmptyTrie",
        "a node under the empty root",
        (root_source(EMPTY_ROOT), nobody.encode(), {
            let empty = Reply {
                nodes: vec![nodes::leaf_node(&nodes::account_path(), &nodes::account_leaf())],
                ..scene.world.reply(&nobody)
            };
            empty.encode()
        }),
        "verify.surplus",
    ));
    cases.push(invalid(
        "EmptyTrie",
        "the empty trie's node under the empty root: the only form is no node",
        (
            root_source(EMPTY_ROOT),
            nobody.encode(),
            Reply { nodes: vec![vec![0x80]], ..scene.world.reply(&nobody) }.encode(),
        ),
        "decode.shape",
    ));
    cases
}

fn zero_root() -> Vec<Case> {
    // A zero storage root in the leaf is no empty trie: nothing hashes to it.
    let (zero, zero_query, zero_reply) = nodes::storage_case(&[0; 32], &[], &[]);
    let entry = nodes::account();
    let (plain, plain_query, mut claimed) = nodes::account_case(&[nodes::leaf_node(
        &nodes::account_path(),
        &world::leaf(&entry, &EMPTY_ROOT),
    )]);
    claimed.storage_hash = vec![0; 32];
    vec![
        invalid(
            "ZeroStorageHash",
            "a committed storage root of zero taken for empty storage",
            (zero, zero_query.encode(), zero_reply.encode()),
            "verify.incomplete",
        ),
        invalid(
            "ZeroStorageHash",
            "a storage root of zero claimed for a present account without storage",
            (plain, plain_query.encode(), claimed.encode()),
            "verify.claim",
        ),
    ]
}
