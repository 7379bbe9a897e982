//! `lmpt/conflux`: tricks with nodes, and with the nibbles that hashes do not cover.

use super::layers::NAMES;
use super::scene::{HEAD, Result, Scene, crowd};
use crate::case::{Case, Lie};
use crate::edit::{Edit as _, flip};
use crate::scene::Scene as _;
use lightproof_prover::rlp::Item;
use lightproof_prover::system::lmpt::merge::Key;

const PLAIN: &str = "plain";

/// A row of a table of edits of the last node: whether its hash leaves out the first nibble of its
/// path, flag, comment, code, edit.
type OfPath<'a> = (bool, &'static str, &'a str, &'static str, &'a dyn Fn(&mut Item));

/// A row of a table of edits of one part of a layer: comment, where the part is, code, edit.
type OfPart<'a> = (&'a str, &'a [usize], &'static str, &'a dyn Fn(&mut Item));

/// Every case of this file.
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for (layer, name) in NAMES.iter().enumerate() {
        cases.extend(forged(scene, layer, name)?);
        cases.extend(paths(scene, layer, name)?);
        cases.extend(shapes(scene, layer, name)?);
    }
    Ok(cases)
}

/// A key whose proof in a layer has a last node with a path, of which the first nibble stands or
/// does not stand in the hash.
fn with_path(scene: &Scene, layer: usize, skips_first: bool) -> Result<Key> {
    for index in 0..40 {
        let key = crowd(index);
        let proof = scene.proof(HEAD, &[key], PLAIN)?;
        let nodes = proof.as_list().and_then(|items| {
            items[4].as_list()?.first()?.as_list()?[layer].as_list()?.first()?.as_list()
        });
        let last = nodes
            .filter(|nodes| nodes.len() >= 2)
            .and_then(|nodes| nodes.last()?.as_list()?.get(3)?.as_list());
        let Some([mask, bytes]) = last else { continue };
        let skipped = mask.as_uint().is_some_and(|mask| mask & 0x0f != 0);
        if skipped == skips_first && bytes.as_bytes().is_some_and(|bytes| bytes.len() >= 2) {
            return Ok(key);
        }
    }
    Err(lightproof_prover::error::StoreError::Corrupt("no key with such a path"))
}

fn forged(scene: &Scene, layer: usize, name: &str) -> Result<Vec<Case>> {
    let key = with_path(scene, layer, true)?;
    let other = with_path(scene, layer, false)?;
    let path = [4, 0, layer, 0];
    let foreign = scene
        .proof(HEAD, &[other], PLAIN)?
        .at(&path)
        .as_list()
        .and_then(|nodes| nodes.last().cloned());
    let small = Item::List(vec![Item::bytes([7; 32]), Item::List(vec![]), Item::List(vec![])]);
    let last = |nodes: &mut Vec<Item>, change: &dyn Fn(&mut Item)| {
        nodes.last_mut().into_iter().for_each(change);
    };
    let rich = |node: &mut Item| *node.at(&[2]) = Item::List(vec![Item::bytes("rich")]);
    let table: &[Lie<'_, Vec<Item>>] = &[
        ("Nodes", "the last node dropped", "verify.incomplete", &|nodes| drop(nodes.pop())),
        ("Nodes", "the root left out", "verify.path", &|nodes| drop(nodes.remove(0))),
        ("Nodes", "the last node twice", "verify.surplus", &|nodes| {
            nodes.extend(nodes.last().cloned());
        }),
        ("Nodes", "a node of another key at the end", "verify.surplus", &|nodes| {
            nodes.extend(foreign.clone());
        }),
        ("Nodes", "the root twice", "verify.path", &|nodes| nodes.insert(0, nodes[0].clone())),
        ("Nodes", "a child of the root changed", "verify.root", &|nodes| {
            nodes[0].at(&[1, 0]).bytes(flip(1));
        }),
        ("Nodes", "1,001 nodes", "decode.limit", &|nodes| nodes.resize(1_001, small.clone())),
        ("Nodes", "a richer value in the last node", "verify.merkle", &|nodes| last(nodes, &rich)),
        ("ForgedMerkle", "the last node's claimed hash changed", "verify.claim", &|nodes| {
            last(nodes, &|node| node.at(&[0]).bytes(flip(1)));
        }),
        ("ForgedMerkle", "the root's claimed hash changed", "verify.claim", &|nodes| {
            nodes[0].at(&[0]).bytes(flip(1));
        }),
        ("ForgedMerkle", "a claimed hash of 31 bytes", "decode.shape", &|nodes| {
            last(nodes, &|node| node.at(&[0]).bytes(|hash| hash.truncate(31)));
        }),
        (
            "ShadowNode",
            "a richer node with the last one's claimed hash before it",
            "verify.merkle",
            &|nodes| {
                let mut shadow = nodes.last().cloned();
                shadow.iter_mut().for_each(rich);
                let at = nodes.len() - 1;
                nodes.splice(at..at, shadow).for_each(drop);
            },
        ),
        (
            "ShadowNode",
            "a richer node with the last one's claimed hash after it",
            "verify.surplus",
            &|nodes| {
                nodes.extend(nodes.last().cloned());
                last(nodes, &rich);
            },
        ),
        (
            "ShadowNode",
            "another root with the root's claimed hash before it",
            "verify.root",
            &|nodes| {
                let mut shadow = nodes[0].clone();
                shadow.at(&[1, 3]).bytes(flip(1));
                nodes.insert(0, shadow);
            },
        ),
    ];
    let honest = scene.honest(&[key], PLAIN)?;
    let case = |(flag, comment, code, edit): &Lie<'_, Vec<Item>>| {
        let lie = honest.edited(|proof| proof.at(&path).items(|nodes| edit(nodes)));
        lie.refused(flag, &format!("{name}: {comment}"), code)
    };
    Ok(table.iter().map(case).collect())
}

// A table: one case after the other.
#[allow(clippy::too_many_lines)]
fn paths(scene: &Scene, layer: usize, name: &str) -> Result<Vec<Case>> {
    let path = [4, 0, layer, 0];
    let first = |node: &mut Item, change: &dyn Fn(u8) -> u8| {
        node.at(&[3, 1])
            .bytes(|bytes| bytes.iter_mut().take(1).for_each(|byte| *byte = change(*byte)));
    };
    let flag = "UncommittedNibble";
    let mask = |mask: u16| move |node: &mut Item| node.set(&[3, 0], Item::uint(mask));
    let table: &[OfPath<'_>] = &[
        (
            true,
            flag,
            "the nibble before the path, which no hash covers, changed",
            "verify.path",
            &|node| first(node, &|byte| byte ^ 0x10),
        ),
        (true, flag, "the nibble before the path zeroed", "verify.path", &|node| {
            first(node, &|byte| if byte < 0x10 { byte | 0x10 } else { byte & 0x0f });
        }),
        (true, flag, "a mask that takes that nibble in", "verify.path", &|node| {
            node.set(&[3, 0], Item::uint(0_u8));
        }),
        (false, flag, "a mask that leaves the first nibble out", "verify.path", &mask(0x0f)),
        (false, flag, "a mask that leaves the last nibble out", "verify.path", &mask(0xf0)),
        (true, flag, "a mask of half a nibble", "decode.node", &mask(0x07)),
        (true, flag, "a mask of two bytes", "decode.node", &mask(0x0fff)),
        (true, "Path", "the first nibble of the path changed", "verify.merkle", &|node| {
            first(node, &|byte| byte ^ 1);
        }),
        (true, "Path", "the path left out at an odd depth", "verify.path", &|node| node.pop()),
        (false, "Path", "the path left out at an even depth", "verify.merkle", &|node| node.pop()),
        (true, "Path", "no bytes in the path", "decode.node", &|node| {
            node.at(&[3, 1]).bytes(Vec::clear);
        }),
        (true, "Path", "a byte more in the path", "verify.merkle", &|node| {
            node.at(&[3, 1]).bytes(|bytes| bytes.push(0));
        }),
        (false, "Path", "a path of no nibbles at an even depth", "verify.path", &|node| {
            node.set(&[3], Item::List(vec![Item::uint(0xff_u8), Item::bytes([0x40])]));
        }),
        (true, "Path", "a third field in the path", "decode.shape", &|node| {
            node.at(&[3]).push(Item::bytes([]));
        }),
    ];
    let (skipping, whole) = (with_path(scene, layer, true)?, with_path(scene, layer, false)?);
    let (skipping, whole) = (scene.honest(&[skipping], PLAIN)?, scene.honest(&[whole], PLAIN)?);
    let case = |(skips_first, flag, comment, code, edit): &OfPath<'_>| {
        let honest = if *skips_first { &skipping } else { &whole };
        let lie = honest.edited(|proof| edit(proof.at(&path).last()));
        lie.refused(flag, &format!("{name}: {comment}"), code)
    };
    let mut cases: Vec<_> = table.iter().map(case).collect();
    let at_root = skipping.edited(|proof| {
        let path = Item::List(vec![Item::uint(0_u8), Item::bytes([0x12])]);
        proof.at(&[4, 0, layer, 0, 0]).push(path);
    });
    cases.push(at_root.refused("Path", &format!("{name}: a path at the root"), "verify.path"));
    Ok(cases)
}

fn shapes(scene: &Scene, layer: usize, name: &str) -> Result<Vec<Case>> {
    let key = with_path(scene, layer, true)?;
    let honest = scene.honest(&[key], PLAIN)?;
    let table: &[OfPart<'_>] = &[
        ("15 children", &[0, 0, 1], "decode.shape", &|children| children.pop()),
        ("17 children", &[0, 0, 1], "decode.shape", &|children| {
            children.items(|items| items.push(items[0].clone()));
        }),
        ("a child of 31 bytes", &[0, 0, 1, 3], "decode.shape", &|child| {
            child.bytes(|hash| hash.truncate(31));
        }),
        ("a string in place of the children", &[0, 0, 1], "decode.shape", &|children| {
            *children = Item::bytes([]);
        }),
        ("two values", &[0, 0, 2], "decode.shape", &|value| {
            *value = Item::List(vec![Item::bytes("a"), Item::bytes("b")]);
        }),
        ("a string in place of the option of a value", &[0, 0, 2], "decode.shape", &|value| {
            *value = Item::bytes("rich");
        }),
        ("a fifth field", &[0, 1], "decode.shape", &|node| node.push(Item::bytes([]))),
        ("a string in place of a node", &[0, 0], "decode.node", &|node| {
            *node = Item::bytes("node");
        }),
        ("two proofs in the option", &[], "decode.shape", &|option| {
            option.items(|items| items.push(items[0].clone()));
        }),
        ("a string in place of the option", &[], "decode.shape", &|option| {
            *option = Item::bytes([]);
        }),
    ];
    let case = |(comment, at, code, edit): &OfPart<'_>| {
        let path = [&[4, 0, layer], *at].concat();
        let lie = honest.edited(|proof| edit(proof.at(&path)));
        lie.refused("NodeShape", &format!("{name}: {comment}"), code)
    };
    Ok(table.iter().map(case).collect())
}
