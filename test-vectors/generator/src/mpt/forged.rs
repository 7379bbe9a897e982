//! Attacks with well-formed nodes: changed, dropped, moved and borrowed ones.

use super::nodes;
use super::reply::{Query, Reply, SlotReply, minimal_bytes, word};
use super::scene::{self, Scene, root_source};
use super::world::leaf;
use crate::case::{Case, Lie, Source, invalid};
use lightproof_prover::chain::workload::population::low_slot;
use lightproof_prover::hash::{EMPTY_ROOT, keccak256};
use lightproof_prover::rlp::{self, Item};

/// Every case of this file.
pub(super) fn cases(scene: &Scene) -> Vec<Case> {
    let mut cases = bytes_and_roots(scene);
    cases.extend(order(scene));
    cases.extend(pointers());
    cases.extend(embedded(scene));
    cases
}

/// Lies about one query: edits of the honest reply.
pub(super) fn lies(scene: &Scene, query: &Query, table: &[Lie<'_, Reply>]) -> Vec<Case> {
    let case = |(flag, comment, code, edit): &Lie<'_, Reply>| {
        let mut reply = scene.world.reply(query);
        edit(&mut reply);
        invalid(flag, comment, (scene.source(), query.encode(), reply.encode()), code)
    };
    table.iter().map(case).collect()
}

fn flip(bytes: &mut [u8], from_end: usize) {
    let at = bytes.len() - from_end;
    bytes[at] ^= 1;
}

fn bytes_and_roots(scene: &Scene) -> Vec<Case> {
    let query = Query::account(scene::eoa());
    let stale = (scene.source(), query.encode(), scene.stale.reply(&query).encode());
    let other_root =
        (root_source(scene.stale.root), query.encode(), scene.world.reply(&query).encode());
    let mut cases = lies(
        scene,
        &Query::account(scene::eoa()),
        &[
            // The code hash ends the leaf.
            ("BytesChanged", "a byte of the leaf", "verify.merkle", &|reply| {
                reply.nodes.last_mut().into_iter().for_each(|node| flip(node, 1));
            }),
            ("BytesChanged", "a byte of a hash in the root node", "verify.root", &|reply| {
                flip(&mut reply.nodes[0], 40);
            }),
        ],
    );
    cases.push(invalid("OtherRoot", "another state root is trusted", other_root, "verify.root"));
    cases.push(invalid("OtherRoot", "a valid proof of an older block", stale, "verify.root"));
    cases.extend(lies(
        scene,
        &Query::account(scene::eoa()),
        &[(
            "ForgedLeaf",
            "a richer leaf, claimed too, under the real parents",
            "verify.merkle",
            &|reply| {
                let entry =
                    super::world::Entry { nonce: 5, balance: [0x7f; 32], ..Default::default() };
                let path = leaf_path(reply.nodes.last());
                let forged = nodes::pair(path, Item::bytes(leaf(&entry, &EMPTY_ROOT)));
                reply.nodes.pop();
                reply.nodes.push(forged);
                reply.balance = vec![0x7f; 32];
            },
        )],
    ));
    cases.extend(lies(
        scene,
        &Query::slots(scene::contract(), &[low_slot(3)]),
        &[(
            "ForgedLeaf",
            "a richer slot, claimed too, under the real parents",
            "verify.merkle",
            &|reply| {
                let slot = &mut reply.slots[0];
                let forged = nodes::pair(
                    leaf_path(slot.nodes.last()),
                    Item::bytes(Item::uint_bytes(&[0x7f; 32]).encode()),
                );
                slot.nodes.pop();
                slot.nodes.push(forged);
                slot.value = vec![0x7f; 32];
            },
        )],
    ));
    cases
}

/// The encoded path of a leaf node.
fn leaf_path(node: Option<&Vec<u8>>) -> Vec<u8> {
    let item = node.and_then(|node| rlp::decode(node).ok());
    let path = item
        .as_ref()
        .and_then(Item::as_list)
        .and_then(|items| items.first())
        .and_then(Item::as_bytes);
    path.unwrap_or_default().to_vec()
}

fn order(scene: &Scene) -> Vec<Case> {
    let contract = scene.world.reply(&Query::account(scene::contract()));
    let borrowed = contract.nodes.clone();
    let mut cases = lies(
        scene,
        &Query::account(scene::eoa()),
        &[
            ("NodeOrder", "the first two nodes exchanged", "verify.root", &|reply| {
                reply.nodes.swap(0, 1);
            }),
            ("NodeOrder", "the last two nodes exchanged", "verify.merkle", &|reply| {
                let last = reply.nodes.len() - 1;
                reply.nodes.swap(last - 1, last);
            }),
            ("NodeOrder", "a node in the middle left out", "verify.merkle", &|reply| {
                drop(reply.nodes.remove(1));
            }),
            ("DuplicateNode", "the last node twice", "verify.surplus", &|reply| {
                reply.nodes.extend(reply.nodes.last().cloned());
            }),
            ("DuplicateNode", "the root node twice", "verify.merkle", &|reply| {
                let root = reply.nodes[0].clone();
                reply.nodes.insert(0, root);
            }),
            (
                "ForeignNode",
                "a node of another account's proof at the end",
                "verify.surplus",
                &|reply| {
                    reply.nodes.extend(borrowed.last().cloned());
                },
            ),
            (
                "ForeignNode",
                "a node of another account's proof in the middle",
                "verify.merkle",
                &|reply| {
                    reply.nodes.insert(1, borrowed[1].clone());
                },
            ),
        ],
    );
    cases.extend(lies(
        scene,
        &Query::slots(scene::contract(), &[low_slot(3)]),
        &[("ForeignNode", "a surplus node in a slot's proof", "verify.surplus", &|reply| {
            reply.slots[0].nodes.push(borrowed[1].clone());
        })],
    ));
    cases.extend(lies(
        scene,
        &Query::account(scene::eoa()),
        &[("OtherKey", "the nodes and fields of another account", "verify.merkle", &|reply| {
            *reply = Reply { address: reply.address.clone(), ..contract.clone() };
        })],
    ));
    cases.extend(lies(
        scene,
        &Query::slots(scene::contract(), &[low_slot(3)]),
        &[("OtherKey", "the proof and value of another slot", "verify.merkle", &|reply| {
            let other = scene.world.reply(&Query::slots(scene::contract(), &[low_slot(4)]));
            reply.slots = vec![SlotReply { key: low_slot(3).to_vec(), ..other.slots[0].clone() }];
        })],
    ));
    cases
}

/// Values that look like references, and references that look like nodes.
fn pointers() -> Vec<Case> {
    let path = nodes::slot_path();
    // The contract's owner writes a hash into a slot, and offers what the hash commits to as a node
    // below the leaf.
    let forged = nodes::leaf_node(&[1; 40], &Item::uint_bytes(&[0x7f; 32]).encode());
    let pointer = keccak256(&forged);
    let leaf = nodes::leaf_node(&path, &Item::bytes(pointer).encode());
    let below = nodes::slot_case(&[leaf, forged], &[0x7f; 32]);
    // A reference whose 32 bytes are a node themselves: a leaf with the rest of the path and the
    // value 0xa1.
    let rest = nodes::leaf_node(&path[11..], &Item::uint(0xa1_u64).encode());
    let branch = nodes::branch(&[
        (path[10], Item::bytes(&rest)),
        (nodes::other(path[10]), nodes::sibling()),
    ]);
    let root = nodes::extension(&path[..10], nodes::by_hash(&branch));
    let as_inline = nodes::slot_case(&[root.clone(), branch.clone()], &[0xa1]);
    let as_node = nodes::slot_case(&[root, branch, rest], &[0xa1]);
    let case = |comment, (source, query, reply): (Source, Query, Reply), code, flag| {
        invalid(flag, comment, (source, query.encode(), reply.encode()), code)
    };
    vec![
        case(
            "a slot's value taken for the hash of a further node",
            below,
            "verify.surplus",
            "ValueAsPointer",
        ),
        case(
            "a 32-byte child that is itself a node, read as an embedded one",
            as_inline,
            "verify.incomplete",
            "ChildAsNode",
        ),
        case(
            "a 32-byte child that is itself a node, sent again below",
            as_node,
            "verify.merkle",
            "ChildAsNode",
        ),
    ]
}

fn embedded(scene: &Scene) -> Vec<Case> {
    let query = Query::slots(scene::tiny(), &scene::tiny_slots()[..1]);
    let path = nodes::slot_path();
    let small = nodes::leaf_node(&path[12..], &[5]);
    let branch = nodes::branch(&[
        (path[11], nodes::inline(&small)),
        (nodes::other(path[11]), nodes::sibling()),
    ]);
    let root = nodes::extension(&path[..11], nodes::by_hash(&branch));
    let (source, slot_query, repeated) = nodes::slot_case(&[root, branch, small], &[5]);
    let mut cases = lies(
        scene,
        &query,
        &[
            ("Embedded", "another value of an embedded leaf claimed", "verify.claim", &|reply| {
                reply.slots[0].value = vec![0x2b];
            }),
            ("Embedded", "an embedded leaf claimed absent", "verify.claim", &|reply| {
                reply.slots[0].value = vec![];
            }),
            (
                "Embedded",
                "the value changed inside the branch, and claimed",
                "verify.merkle",
                &|reply| {
                    for node in &mut reply.slots[0].nodes {
                        node.iter_mut().filter(|byte| **byte == 0x2a).for_each(|byte| *byte = 0x2b);
                    }
                    reply.slots[0].value = vec![0x2b];
                },
            ),
        ],
    );
    cases.push(invalid(
        "Embedded",
        "an embedded leaf repeated as a node of its own",
        (source, slot_query.encode(), repeated.encode()),
        "decode.node",
    ));
    cases.extend(lies(
        scene,
        &query,
        &[(
            "Embedded",
            "an embedded leaf with a changed value and the honest claim",
            "verify.claim",
            &|reply| {
                reply.slots[0].value = minimal_bytes(&word(&[0x2a, 0]));
            },
        )],
    ));
    cases
}
