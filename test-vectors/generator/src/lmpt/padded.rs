//! `lmpt/conflux`: tricks with nodes, and with the nibbles that hashes do not cover.

use super::layers::NAMES;
use super::scene::{HEAD, Result, Scene, crowd};
use crate::case::{Case, invalid};
use crate::edit::{Edit as _, flip};
use lightproof_prover::rlp::Item;
use lightproof_prover::system::lmpt::merge::Key;

const PLAIN: &str = "plain";

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
        let proof = scene.proof(HEAD, &scene.query(&[key]), PLAIN)?;
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
        .proof(HEAD, &scene.query(&[other]), PLAIN)?
        .at(&path)
        .as_list()
        .and_then(|nodes| nodes.last().cloned());
    let small = Item::List(vec![Item::bytes([7; 32]), Item::List(vec![]), Item::List(vec![])]);
    let mut cases = Vec::new();
    let mut case = |flag, comment: &str, change: &dyn Fn(&mut Vec<Item>), code| {
        let claim =
            scene.forged(&key, PLAIN, |proof| proof.at(&path).items(|nodes| change(nodes)))?;
        cases.push(invalid(flag, &format!("{name}: {comment}"), claim, code));
        Ok::<_, lightproof_prover::error::StoreError>(())
    };
    let last = |nodes: &mut Vec<Item>, change: &dyn Fn(&mut Item)| {
        nodes.last_mut().into_iter().for_each(change);
    };
    case("Nodes", "the last node dropped", &|nodes| drop(nodes.pop()), "verify.incomplete")?;
    case("Nodes", "the root left out", &|nodes| drop(nodes.remove(0)), "verify.path")?;
    case(
        "Nodes",
        "the last node twice",
        &|nodes| nodes.extend(nodes.last().cloned()),
        "verify.surplus",
    )?;
    case(
        "Nodes",
        "a node of another key at the end",
        &|nodes| nodes.extend(foreign.clone()),
        "verify.surplus",
    )?;
    case("Nodes", "the root twice", &|nodes| nodes.insert(0, nodes[0].clone()), "verify.path")?;
    case(
        "Nodes",
        "a child of the root changed",
        &|nodes| nodes[0].at(&[1, 0]).bytes(flip(1)),
        "verify.root",
    )?;
    case("Nodes", "1,001 nodes", &|nodes| nodes.resize(1_001, small.clone()), "decode.limit")?;
    let rich = |node: &mut Item| *node.at(&[2]) = Item::List(vec![Item::bytes("rich")]);
    case("Nodes", "a richer value in the last node", &|nodes| last(nodes, &rich), "verify.merkle")?;
    case(
        "ForgedMerkle",
        "the last node's claimed hash changed",
        &|nodes| last(nodes, &|node| node.at(&[0]).bytes(flip(1))),
        "verify.claim",
    )?;
    case(
        "ForgedMerkle",
        "the root's claimed hash changed",
        &|nodes| nodes[0].at(&[0]).bytes(flip(1)),
        "verify.claim",
    )?;
    case(
        "ForgedMerkle",
        "a claimed hash of 31 bytes",
        &|nodes| last(nodes, &|node| node.at(&[0]).bytes(|hash| hash.truncate(31))),
        "decode.shape",
    )?;
    // The claimed hash is honest, so whoever looks nodes up by it takes the first of the two.
    case(
        "ShadowNode",
        "a richer node with the last one's claimed hash before it",
        &|nodes| {
            let mut shadow = nodes.last().cloned();
            shadow.iter_mut().for_each(rich);
            let at = nodes.len() - 1;
            nodes.splice(at..at, shadow).for_each(drop);
        },
        "verify.merkle",
    )?;
    case(
        "ShadowNode",
        "a richer node with the last one's claimed hash after it",
        &|nodes| {
            nodes.extend(nodes.last().cloned());
            last(nodes, &rich);
        },
        "verify.surplus",
    )?;
    case(
        "ShadowNode",
        "another root with the root's claimed hash before it",
        &|nodes| {
            let mut shadow = nodes[0].clone();
            shadow.at(&[1, 3]).bytes(flip(1));
            nodes.insert(0, shadow);
        },
        "verify.root",
    )?;
    Ok(cases)
}

// A table: one case after the other.
#[allow(clippy::too_many_lines)]
fn paths(scene: &Scene, layer: usize, name: &str) -> Result<Vec<Case>> {
    let path = [4, 0, layer, 0];
    let mut cases = Vec::new();
    let mut case = |skips_first, flag, comment: &str, change: &dyn Fn(&mut Item), code| {
        let key = with_path(scene, layer, skips_first)?;
        let claim = scene.forged(&key, PLAIN, |proof| {
            proof.at(&path).items(|nodes| nodes.last_mut().into_iter().for_each(change));
        })?;
        cases.push(invalid(flag, &format!("{name}: {comment}"), claim, code));
        Ok::<_, lightproof_prover::error::StoreError>(())
    };
    let first = |node: &mut Item, change: &dyn Fn(u8) -> u8| {
        node.at(&[3, 1])
            .bytes(|bytes| bytes.iter_mut().take(1).for_each(|byte| *byte = change(*byte)));
    };
    let flag = "UncommittedNibble";
    case(
        true,
        flag,
        "the nibble before the path, which no hash covers, changed",
        &|node| first(node, &|byte| byte ^ 0x10),
        "verify.path",
    )?;
    case(
        true,
        flag,
        "the nibble before the path zeroed",
        &|node| first(node, &|byte| if byte < 0x10 { byte | 0x10 } else { byte & 0x0f }),
        "verify.path",
    )?;
    case(
        true,
        flag,
        "a mask that takes that nibble in",
        &|node| *node.at(&[3, 0]) = Item::uint(0_u8),
        "verify.path",
    )?;
    case(
        false,
        flag,
        "a mask that leaves the first nibble out",
        &|node| *node.at(&[3, 0]) = Item::uint(0x0f_u8),
        "verify.path",
    )?;
    case(
        false,
        flag,
        "a mask that leaves the last nibble out",
        &|node| *node.at(&[3, 0]) = Item::uint(0xf0_u8),
        "verify.path",
    )?;
    case(
        true,
        flag,
        "a mask of half a nibble",
        &|node| *node.at(&[3, 0]) = Item::uint(0x07_u8),
        "decode.node",
    )?;
    case(
        true,
        flag,
        "a mask of two bytes",
        &|node| *node.at(&[3, 0]) = Item::uint(0x0fff_u16),
        "decode.node",
    )?;
    case(
        true,
        "Path",
        "the first nibble of the path changed",
        &|node| first(node, &|byte| byte ^ 1),
        "verify.merkle",
    )?;
    case(
        true,
        "Path",
        "the path left out at an odd depth",
        &|node| node.items(|items| drop(items.pop())),
        "verify.path",
    )?;
    case(
        false,
        "Path",
        "the path left out at an even depth",
        &|node| node.items(|items| drop(items.pop())),
        "verify.merkle",
    )?;
    case(
        true,
        "Path",
        "no bytes in the path",
        &|node| node.at(&[3, 1]).bytes(Vec::clear),
        "decode.node",
    )?;
    case(
        true,
        "Path",
        "a byte more in the path",
        &|node| node.at(&[3, 1]).bytes(|bytes| bytes.push(0)),
        "verify.merkle",
    )?;
    case(
        false,
        "Path",
        "a path of no nibbles at an even depth",
        &|node| *node.at(&[3]) = Item::List(vec![Item::uint(0xff_u8), Item::bytes([0x40])]),
        "verify.path",
    )?;
    case(
        true,
        "Path",
        "a third field in the path",
        &|node| node.at(&[3]).items(|items| items.push(Item::bytes([]))),
        "decode.shape",
    )?;
    let key = with_path(scene, layer, true)?;
    let at_root = scene.forged(&key, PLAIN, |proof| {
        proof.at(&path).items(|nodes| {
            nodes[0]
                .items(|node| node.push(Item::List(vec![Item::uint(0_u8), Item::bytes([0x12])])));
        });
    })?;
    cases.push(invalid("Path", &format!("{name}: a path at the root"), at_root, "verify.path"));
    Ok(cases)
}

fn shapes(scene: &Scene, layer: usize, name: &str) -> Result<Vec<Case>> {
    let key = with_path(scene, layer, true)?;
    let mut cases = Vec::new();
    let mut case = |comment: &str, at: &[usize], change: &dyn Fn(&mut Item), code| {
        let path = [&[4, 0, layer], at].concat();
        let claim = scene.forged(&key, PLAIN, |proof| change(proof.at(&path)))?;
        cases.push(invalid("NodeShape", &format!("{name}: {comment}"), claim, code));
        Ok::<_, lightproof_prover::error::StoreError>(())
    };
    case(
        "15 children",
        &[0, 0, 1],
        &|children| children.items(|items| drop(items.pop())),
        "decode.shape",
    )?;
    case(
        "17 children",
        &[0, 0, 1],
        &|children| children.items(|items| items.push(items[0].clone())),
        "decode.shape",
    )?;
    case(
        "a child of 31 bytes",
        &[0, 0, 1, 3],
        &|child| child.bytes(|hash| hash.truncate(31)),
        "decode.shape",
    )?;
    case(
        "a string in place of the children",
        &[0, 0, 1],
        &|children| *children = Item::bytes([]),
        "decode.shape",
    )?;
    case(
        "two values",
        &[0, 0, 2],
        &|value| *value = Item::List(vec![Item::bytes("a"), Item::bytes("b")]),
        "decode.shape",
    )?;
    case(
        "a string in place of the option of a value",
        &[0, 0, 2],
        &|value| *value = Item::bytes("rich"),
        "decode.shape",
    )?;
    case(
        "a fifth field",
        &[0, 1],
        &|node| node.items(|items| items.push(Item::bytes([]))),
        "decode.shape",
    )?;
    case(
        "a string in place of a node",
        &[0, 0],
        &|node| *node = Item::bytes("node"),
        "decode.node",
    )?;
    case(
        "two proofs in the option",
        &[],
        &|option| option.items(|items| items.push(items[0].clone())),
        "decode.shape",
    )?;
    case(
        "a string in place of the option",
        &[],
        &|option| *option = Item::bytes([]),
        "decode.shape",
    )?;
    Ok(cases)
}
