//! Attacks with well-formed nodes: changed, dropped, moved and borrowed ones.

use super::nodes;
use super::reply::{Query, Reply, SlotReply, minimal_bytes, word};
use super::scene::{self, Scene, root_source};
use super::world::leaf;
use crate::case::{Case, Source, invalid};
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

/// An honest reply for the account [`scene::eoa`], changed.
fn changed(scene: &Scene, change: impl FnOnce(&mut Reply)) -> (Source, Vec<u8>, Vec<u8>) {
    of(scene, &Query::account(scene::eoa()), change)
}

/// An honest reply, changed.
pub(super) fn of(
    scene: &Scene,
    query: &Query,
    change: impl FnOnce(&mut Reply),
) -> (Source, Vec<u8>, Vec<u8>) {
    let mut reply = scene.world.reply(query);
    change(&mut reply);
    (scene.source(), query.encode(), reply.encode())
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
    vec![
        // The code hash ends the leaf.
        invalid(
            "BytesChanged",
            "a byte of the leaf",
            changed(scene, |reply| {
                reply.nodes.last_mut().into_iter().for_each(|node| flip(node, 1));
            }),
            "verify.merkle",
        ),
        invalid(
            "BytesChanged",
            "a byte of a hash in the root node",
            changed(scene, |reply| {
                flip(&mut reply.nodes[0], 40);
            }),
            "verify.root",
        ),
        invalid("OtherRoot", "another state root is trusted", other_root, "verify.root"),
        invalid("OtherRoot", "a valid proof of an older block", stale, "verify.root"),
        invalid(
            "ForgedLeaf",
            "a richer leaf, claimed too, under the real parents",
            changed(scene, |reply| {
                let entry =
                    super::world::Entry { nonce: 5, balance: [0x7f; 32], ..Default::default() };
                let path = leaf_path(reply.nodes.last());
                let forged = nodes::pair(path, Item::bytes(leaf(&entry, &EMPTY_ROOT)));
                reply.nodes.pop();
                reply.nodes.push(forged);
                reply.balance = vec![0x7f; 32];
            }),
            "verify.merkle",
        ),
        invalid(
            "ForgedLeaf",
            "a richer slot, claimed too, under the real parents",
            of(scene, &Query::slots(scene::contract(), &[low_slot(3)]), |reply| {
                let slot = &mut reply.slots[0];
                let forged = nodes::pair(
                    leaf_path(slot.nodes.last()),
                    Item::bytes(Item::uint_bytes(&[0x7f; 32]).encode()),
                );
                slot.nodes.pop();
                slot.nodes.push(forged);
                slot.value = vec![0x7f; 32];
            }),
            "verify.merkle",
        ),
    ]
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
    vec![
        invalid(
            "NodeOrder",
            "the first two nodes exchanged",
            changed(scene, |reply| reply.nodes.swap(0, 1)),
            "verify.root",
        ),
        invalid(
            "NodeOrder",
            "the last two nodes exchanged",
            changed(scene, |reply| {
                let last = reply.nodes.len() - 1;
                reply.nodes.swap(last - 1, last);
            }),
            "verify.merkle",
        ),
        invalid(
            "NodeOrder",
            "a node in the middle left out",
            changed(scene, |reply| drop(reply.nodes.remove(1))),
            "verify.merkle",
        ),
        invalid(
            "DuplicateNode",
            "the last node twice",
            changed(scene, |reply| reply.nodes.extend(reply.nodes.last().cloned())),
            "verify.surplus",
        ),
        invalid(
            "DuplicateNode",
            "the root node twice",
            changed(scene, |reply| {
                let root = reply.nodes[0].clone();
                reply.nodes.insert(0, root);
            }),
            "verify.merkle",
        ),
        invalid(
            "ForeignNode",
            "a node of another account's proof at the end",
            changed(scene, |reply| {
                reply.nodes.extend(borrowed.last().cloned());
            }),
            "verify.surplus",
        ),
        invalid(
            "ForeignNode",
            "a node of another account's proof in the middle",
            changed(scene, |reply| {
                reply.nodes.insert(1, borrowed[1].clone());
            }),
            "verify.merkle",
        ),
        invalid(
            "ForeignNode",
            "a surplus node in a slot's proof",
            of(scene, &Query::slots(scene::contract(), &[low_slot(3)]), |reply| {
                reply.slots[0].nodes.push(borrowed[1].clone());
            }),
            "verify.surplus",
        ),
        invalid(
            "OtherKey",
            "the nodes and fields of another account",
            changed(scene, |reply| {
                *reply = Reply { address: reply.address.clone(), ..contract.clone() };
            }),
            "verify.merkle",
        ),
        invalid(
            "OtherKey",
            "the proof and value of another slot",
            of(scene, &Query::slots(scene::contract(), &[low_slot(3)]), |reply| {
                let other = scene.world.reply(&Query::slots(scene::contract(), &[low_slot(4)]));
                reply.slots =
                    vec![SlotReply { key: low_slot(3).to_vec(), ..other.slots[0].clone() }];
            }),
            "verify.merkle",
        ),
    ]
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
    let tiny =
        |change: &dyn Fn(&mut SlotReply)| of(scene, &query, |reply| change(&mut reply.slots[0]));
    let path = nodes::slot_path();
    let small = nodes::leaf_node(&path[12..], &[5]);
    let branch = nodes::branch(&[
        (path[11], nodes::inline(&small)),
        (nodes::other(path[11]), nodes::sibling()),
    ]);
    let root = nodes::extension(&path[..11], nodes::by_hash(&branch));
    let (source, slot_query, repeated) = nodes::slot_case(&[root, branch, small], &[5]);
    vec![
        invalid(
            "Embedded",
            "another value of an embedded leaf claimed",
            tiny(&|slot| slot.value = vec![0x2b]),
            "verify.claim",
        ),
        invalid(
            "Embedded",
            "an embedded leaf claimed absent",
            tiny(&|slot| slot.value = vec![]),
            "verify.claim",
        ),
        invalid(
            "Embedded",
            "the value changed inside the branch, and claimed",
            tiny(&|slot| {
                for node in &mut slot.nodes {
                    node.iter_mut().filter(|byte| **byte == 0x2a).for_each(|byte| *byte = 0x2b);
                }
                slot.value = vec![0x2b];
            }),
            "verify.merkle",
        ),
        invalid(
            "Embedded",
            "an embedded leaf repeated as a node of its own",
            (source, slot_query.encode(), repeated.encode()),
            "decode.node",
        ),
        invalid(
            "Embedded",
            "an embedded leaf with a changed value and the honest claim",
            tiny(&|slot| {
                slot.value = minimal_bytes(&word(&[0x2a, 0]));
            }),
            "verify.claim",
        ),
    ]
}
