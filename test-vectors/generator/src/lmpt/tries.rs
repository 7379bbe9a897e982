//! `lmpt/1`: every trick with trie nodes, in every layer.

use super::layers::{NAMES, claim, nodes};
use super::scene::{Result, Scene};
use crate::case::{Case, Expected, invalid};
use crate::edit::{Edit as _, flip};
use crate::mpt::malformed;
use lightproof_prover::hash::{EMPTY_ROOT, keccak256};
use lightproof_prover::rlp::{self, Item};

/// Every case of this file.
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>> {
    let mut cases = forged(scene)?;
    cases.extend(committed());
    Ok(cases)
}

/// Changed, dropped, moved and borrowed nodes.
fn forged(scene: &Scene) -> Result<Vec<Case>> {
    let key = scene.deep()?;
    let other = Scene::far_from(&key);
    let borrowed = scene.proof(super::scene::HEAD, &scene.query(&[other]), "plain")?;
    let mut cases = Vec::new();
    for (layer, name) in NAMES.iter().enumerate() {
        let path = [4, 0, layer];
        let foreign = borrowed.clone().at(&path).as_list().and_then(|nodes| nodes.last().cloned());
        let mut case = |flag, comment: &str, change: &dyn Fn(&mut Vec<Item>), code| {
            let claim = scene
                .forged(&key, "plain", |proof| proof.at(&path).items(|nodes| change(nodes)))?;
            cases.push(invalid(flag, &format!("{name}: {comment}"), claim, code));
            Ok::<_, lightproof_prover::error::StoreError>(())
        };
        let last = |nodes: &mut Vec<Item>, change: &dyn Fn(&mut Item)| {
            nodes.last_mut().into_iter().for_each(change);
        };
        case(
            "Nodes",
            "a byte of the last node changed",
            &|nodes| last(nodes, &|node| node.bytes(flip(1))),
            "verify.merkle",
        )?;
        case(
            "Nodes",
            "a byte of a hash in the root changed",
            &|nodes| nodes[0].bytes(flip(40)),
            "verify.root",
        )?;
        case("Nodes", "the last node dropped", &|nodes| drop(nodes.pop()), "verify.incomplete")?;
        case("Nodes", "only the root left", &|nodes| nodes.truncate(1), "verify.incomplete")?;
        case("Nodes", "the root left out", &|nodes| drop(nodes.remove(0)), "verify.root")?;
        case("Nodes", "the first two nodes exchanged", &|nodes| nodes.swap(0, 1), "verify.root")?;
        case(
            "Nodes",
            "the last node twice",
            &|nodes| nodes.extend(nodes.last().cloned()),
            "verify.surplus",
        )?;
        case(
            "Nodes",
            "the root twice",
            &|nodes| nodes.insert(0, nodes[0].clone()),
            "verify.merkle",
        )?;
        case(
            "Nodes",
            "a node of another key at the end",
            &|nodes| nodes.extend(foreign.clone()),
            "verify.surplus",
        )?;
        case(
            "Nodes",
            "a node of another key in the middle",
            &|nodes| nodes.splice(1..1, foreign.clone()).for_each(drop),
            "verify.merkle",
        )?;
        case("Nodes", "66 nodes", &|nodes| nodes.resize(66, nodes[0].clone()), "decode.limit")?;
        case(
            "Nodes",
            "a node of 601 bytes",
            &|nodes| nodes[0] = Item::bytes(vec![0xff; 601]),
            "decode.limit",
        )?;
        case(
            "Nodes",
            "a node that is no RLP",
            &|nodes| nodes[0] = Item::bytes([0xc1]),
            "decode.rlp",
        )?;
        case(
            "Nodes",
            "a node that is a list",
            &|nodes| nodes[0] = Item::List(vec![]),
            "decode.shape",
        )?;
    }
    Ok(cases)
}

/// Hand-made nodes that a layer's root commits to: those of mpt, whose walk is the same.
fn committed() -> Vec<Case> {
    let mut cases = Vec::new();
    for case in malformed::cases() {
        let Expected::Invalid(code) = case.expected else { continue };
        let Some((key, shown)) = question(&case) else { continue };
        let root = keccak256(&shown[0]);
        for (layer, name) in NAMES.iter().enumerate() {
            let mut roots = [EMPTY_ROOT; 3];
            roots[2 - layer] = root;
            let mut layers = vec![Item::List(vec![]); layer];
            layers.push(nodes(&shown));
            let comment = format!("{name}: {}", case.comment);
            cases.push(invalid("Committed", &comment, claim(&roots, &key, layers), code));
        }
    }
    cases
}

/// The key whose hash a case of mpt walks along, and the nodes of that trie.
fn question(case: &Case) -> Option<(Vec<u8>, Vec<Vec<u8>>)> {
    let (query, proof) = (rlp::decode(&case.query).ok()?, rlp::decode(&case.proof).ok()?);
    let (query, proof) = (query.as_list()?, proof.as_list()?);
    let (key, list) = match (query[1].as_list()?, proof[6].as_list()?) {
        ([slot], [shown]) => (slot, &shown.as_list()?[2]),
        _ => (&query[0], &proof[5]),
    };
    let nodes = list.as_list()?.iter().map(|node| node.as_bytes().map(<[u8]>::to_vec));
    Some((key.as_bytes()?.to_vec(), nodes.collect::<Option<_>>()?))
}
