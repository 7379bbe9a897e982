//! Cases that must be proven.

use super::nodes::{self, account_case, chain, extension, inline, leaf_node, slot_case};
use super::reply::{Query, Reply};
use super::scene::{self, End, Scene, execution_header, root_source, valid};
use super::world::{World, account_fact, slot_fact};
use crate::case::{Case, Expected, Source, header_source};
use lightproof_prover::chain::workload::population::low_slot;
use lightproof_prover::hash::{EMPTY_ROOT, Word, keccak256};
use lightproof_prover::rlp::Item;

/// Presence and absence on the devnet.
pub(super) fn devnet(scene: &Scene) -> Vec<Case> {
    let world = &scene.world;
    let proven = |flags: &[&'static str], comment: &str, query: &Query| {
        valid(flags, comment, scene.source(), world, query)
    };
    let slots =
        |numbers: &[u64]| numbers.iter().map(|number| low_slot(*number)).collect::<Vec<_>>();
    let branch_end = Scene::absent(world, End::Branch);
    let leaf_end = Scene::absent(world, End::Leaf);
    let extension_end = Scene::absent(&scene.sparse, End::Extension);
    let [first, second] = scene::tiny_slots();
    let mut cases = vec![
        proven(&["Present"], "an account without code", &Query::account(scene::eoa())),
        proven(&["Present"], "a contract, no slot asked for", &Query::account(scene::contract())),
        proven(
            &["Present", "Slots"],
            "slots present and absent",
            &Query::slots(scene::contract(), &slots(&[3, 99, 0, 19, 1_000])),
        ),
        proven(&["Absent"], "exclusion ends in a branch", &Query::account(branch_end)),
        proven(&["Absent"], "exclusion ends in another key's leaf", &Query::account(leaf_end)),
        valid(
            &["Absent"],
            "exclusion ends in an extension",
            root_source(scene.sparse.root),
            &scene.sparse,
            &Query::account(extension_end),
        ),
        proven(
            &["Absent", "Slots"],
            "slots of an absent account",
            &Query::slots(branch_end, &slots(&[0, 1])),
        ),
        proven(
            &["Present", "Slots", "EmptyStorage"],
            "a slot of an account without storage",
            &Query::slots(scene::eoa(), &slots(&[0])),
        ),
        proven(
            &["Present", "Slots", "Embedded"],
            "both leaves stand inside their branch; the third slot leaves the extension",
            &Query::slots(scene::tiny(), &[first, second, low_slot(0)]),
        ),
        proven(
            &["Present", "Slots", "Bounds"],
            "largest nonce, balance and slot value; slot values at the edges of RLP's forms",
            &Query::slots(scene::extreme(), &slots(&[0, 1, 2, 3])),
        ),
        proven(
            &["Present", "Slots", "Bounds"],
            "1,024 slots in one query",
            &Query::slots(scene::eoa(), &slots(&(0..1_024).collect::<Vec<_>>())),
        ),
        proven(&["Present", "Code"], "the code of a contract", &Query::code(scene::contract())),
        proven(&["Present", "Code"], "no code: the empty string", &Query::code(scene::eoa())),
        proven(&["Absent", "Code"], "an absent account has no code", &Query::code(branch_end)),
        proven(
            &["Present", "Code"],
            "a delegation (EIP-7702) is code",
            &Query::code(scene::delegated()),
        ),
        proven(
            &["Present", "Slots", "Code"],
            "slots and code together",
            &Query { want_code: true, ..Query::slots(scene::contract(), &slots(&[7])) },
        ),
    ];
    cases.push(zero_hashes(scene));
    cases.extend(sources(scene));
    cases.extend(small_tries());
    cases
}

/// Some nodes write the hashes of an absent account as zero.
fn zero_hashes(scene: &Scene) -> Case {
    let query = Query::account(Scene::absent(&scene.world, End::Branch));
    let zero = vec![0; 32];
    let reply = Reply { storage_hash: zero.clone(), code_hash: zero, ..scene.world.reply(&query) };
    let comment = "the hashes of an absent account claimed as zero";
    Case {
        proof: reply.encode(),
        ..valid(&["Absent"], comment, scene.source(), &scene.world, &query)
    }
}

fn sources(scene: &Scene) -> Vec<Case> {
    let query = Query::account(scene::eoa());
    vec![
        valid(
            &["Present", "PinnedRoot"],
            "a root that the caller pins",
            root_source(scene.world.root),
            &scene.world,
            &query,
        ),
        valid(
            &["Present", "Origin"],
            "a block that follows one of another chain",
            header_source(&[scene.headers[3].clone().with_origin([7; 32]).encode()]),
            &scene.world,
            &query,
        ),
        valid(
            &["Present", "Ancestors"],
            "the parent of the trusted block",
            scene.ancestors(3, 2),
            &scene.world,
            &query,
        ),
        valid(
            &["Present", "Ancestors"],
            "two blocks back, with the balance of then",
            scene.ancestors(3, 1),
            &scene.stale,
            &query,
        ),
        valid(
            &["Absent", "Ancestors", "EmptyTrie"],
            "back to genesis, whose state is empty",
            scene.ancestors(3, 0),
            &World::new(std::collections::BTreeMap::new()),
            &query,
        ),
    ]
}

/// Tries made by hand, at the bounds of what a canonical trie can be.
fn small_tries() -> Vec<Case> {
    let account = account_fact(&nodes::account(), &EMPTY_ROOT);
    let fact = |account| serde_json::json!({ "account": account, "slots": [] });
    let absent = serde_json::json!({ "status": "absent" });
    let path = nodes::account_path();
    let leaf = leaf_node(&path, &nodes::account_leaf());
    let deepest = chain(&path, 64, leaf_node(&[], &nodes::account_leaf()));
    let mut cases = vec![
        by_hand(
            &["Present", "Bounds"],
            "a trie of one leaf",
            account_case(&[leaf]),
            fact(account.clone()),
        ),
        by_hand(
            &["Present", "Bounds"],
            "65 nodes: the deepest trie",
            account_case(&deepest),
            fact(account),
        ),
        by_hand(
            &["Absent", "EmptyTrie"],
            "an empty state",
            (root_source(EMPTY_ROOT), Query::account(scene::eoa()), empty_reply()),
            fact(absent),
        ),
    ];
    cases.extend(embedded());
    cases
}

fn empty_reply() -> Reply {
    World::new(std::collections::BTreeMap::new()).reply(&Query::account(scene::eoa()))
}

/// A branch inside an extension and leaves inside that branch.
fn embedded() -> Vec<Case> {
    let path = nodes::slot_path();
    let (nibble, last) = (path[62], path[63]);
    let tail = |last, value| inline(&leaf_node(&[last], &[value]));
    let under = |children: &[(u8, Item)]| extension(&path[..62], inline(&nodes::branch(children)));
    let elsewhere = [
        (nodes::other(nibble), tail(last, 9)),
        (nodes::other(nodes::other(nibble)), tail(last, 8)),
    ];
    let here = [(nibble, tail(last, 5)), (nodes::other(nibble), tail(last, 9))];
    let beside = [(nibble, tail(nodes::other(last), 5)), (nodes::other(nibble), tail(last, 9))];
    let five = super::reply::word(&[5]);
    [
        ("the value of a leaf in a branch in an extension, all one node", here, Some(five)),
        ("exclusion ends in an embedded branch", elsewhere, None),
        ("exclusion ends in an embedded leaf", beside, None),
    ]
    .into_iter()
    .map(|(comment, children, value)| {
        let node = under(&children);
        let account = account_fact(&nodes::account(), &keccak256(&node));
        let slot = slot_fact(&nodes::SLOT, value.as_ref());
        let claimed = value.map(|value| super::reply::minimal_bytes(&value)).unwrap_or_default();
        let fact = serde_json::json!({ "account": account, "slots": [slot] });
        by_hand(&["Present", "Slots", "Embedded"], comment, slot_case(&[node], &claimed), fact)
    })
    .collect()
}

fn by_hand(
    flags: &[&'static str],
    comment: &str,
    (source, query, reply): (Source, Query, Reply),
    fact: serde_json::Value,
) -> Case {
    Case {
        comment: comment.to_owned(),
        flags: flags.to_vec(),
        source,
        query: query.encode(),
        variant: "plain",
        proof: reply.encode(),
        expected: Expected::Valid(fact),
    }
}

/// Headers of every fork.
pub(super) fn ethereum(scene: &Scene) -> Vec<Case> {
    let query = Query::account(scene::eoa());
    let forks = [
        (15, "before London"),
        (16, "London: baseFeePerGas"),
        (17, "Shanghai: withdrawalsRoot"),
        (20, "Cancun: blobGasUsed, excessBlobGas, parentBeaconBlockRoot"),
        (21, "Prague: requestsHash"),
        (22, "Amsterdam: blockAccessListHash"),
        (23, "Amsterdam: slotNumber"),
        (24, "a field of a later fork"),
    ];
    let state_root = scene.world.root;
    let header = |fields, number, parent: Word| {
        Item::List(execution_header(fields, number, parent, state_root)).encode()
    };
    let mut cases: Vec<Case> = forks
        .into_iter()
        .map(|(fields, comment)| {
            let source = header_source(&[header(fields, 1_000, [0x77; 32])]);
            valid(&["Present", "ExecutionHeader"], comment, source, &scene.world, &query)
        })
        .collect();
    let parent = header(21, 999, [0x77; 32]);
    let walk = header_source(&[header(21, 1_000, keccak256(&parent)), parent]);
    cases.push(valid(
        &["Present", "ExecutionHeader", "Ancestors"],
        "the parent of the trusted block",
        walk,
        &scene.world,
        &query,
    ));
    cases
}
