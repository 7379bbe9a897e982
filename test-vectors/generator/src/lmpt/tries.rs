//! `lmpt/1`: every trick with trie nodes, in every layer.

use super::layers::{NAMES, Walk, claim, nodes, walks};
use super::scene::{Result, Scene};
use crate::case::{Case, Expected, invalid};
use crate::edit::{Edit as _, flip};
use crate::mpt::malformed;
use crate::scene::Scene as _;
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
    let honest = scene.honest(&[key], "plain")?;
    let borrowed = scene.honest(&[other], "plain")?.item();
    let mut cases = Vec::new();
    for (layer, name) in NAMES.iter().enumerate() {
        let path = [4, 0, layer];
        let foreign = borrowed.clone().at(&path).as_list().and_then(|nodes| nodes.last().cloned());
        let last = |nodes: &mut Vec<Item>, change: &dyn Fn(&mut Item)| {
            nodes.last_mut().into_iter().for_each(change);
        };
        let table: &[Walk<'_>] = &[
            ("a byte of the last node changed", "verify.merkle", &|nodes| {
                last(nodes, &|node| node.bytes(flip(1)));
            }),
            ("a byte of a hash in the root changed", "verify.root", &|nodes| {
                nodes[0].bytes(flip(40));
            }),
            ("the last node dropped", "verify.incomplete", &|nodes| drop(nodes.pop())),
            ("only the root left", "verify.incomplete", &|nodes| nodes.truncate(1)),
            ("the root left out", "verify.root", &|nodes| drop(nodes.remove(0))),
            ("the first two nodes exchanged", "verify.root", &|nodes| nodes.swap(0, 1)),
            ("the last node twice", "verify.surplus", &|nodes| nodes.extend(nodes.last().cloned())),
            ("the root twice", "verify.merkle", &|nodes| nodes.insert(0, nodes[0].clone())),
            ("a node of another key at the end", "verify.surplus", &|nodes| {
                nodes.extend(foreign.clone());
            }),
            ("a node of another key in the middle", "verify.merkle", &|nodes| {
                nodes.splice(1..1, foreign.clone()).for_each(drop);
            }),
            ("66 nodes", "decode.limit", &|nodes| nodes.resize(66, nodes[0].clone())),
            ("a node of 601 bytes", "decode.limit", &|nodes| {
                nodes[0] = Item::bytes(vec![0xff; 601]);
            }),
            ("a node that is no RLP", "decode.rlp", &|nodes| nodes[0] = Item::bytes([0xc1])),
            ("a node that is a list", "decode.shape", &|nodes| nodes[0] = Item::List(vec![])),
        ];
        cases.extend(walks(&honest, &path, name, table));
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
