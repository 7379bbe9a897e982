//! `lmpt/1`: lies about layers. Each node is honest where nothing else is said.

use std::collections::BTreeMap;

use super::scene::{HEAD, Result, Scene, key};
use crate::case::{Case, Claim, Source};
use crate::edit::Edit as _;
use crate::scene::{Scene as _, list};
use lightproof_prover::hash::{EMPTY_CODE_HASH, EMPTY_ROOT, Word, keccak256};
use lightproof_prover::rlp::Item;
use lightproof_prover::trie::nibbles::{Nibbles, unpack};
use lightproof_prover::trie::{Trie, prove};

const PLAIN: &str = "plain";
/// Where the layers of the first key stand in a proof.
pub(super) const LAYERS: &[usize] = &[4, 0];
/// The layers' names, in the order of their proofs.
pub(super) const NAMES: [&str; 3] = ["delta", "intermediate layer", "snapshot"];

/// Every case of this file.
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>> {
    let mut cases = dropped(scene)?;
    cases.extend(resurrected(scene)?);
    cases.extend(blocks(scene)?);
    cases.extend(roots(scene)?);
    cases.extend(keys(scene)?);
    cases.extend(forms(scene)?);
    cases.extend(payloads()?);
    cases.extend(empty()?);
    Ok(cases)
}

/// The proofs of all three layers for a key, whether they are due or not.
fn every_layer(scene: &Scene, role: &str) -> Result<[Item; 3]> {
    let view = scene.view(HEAD)?;
    let hashed = keccak256(&key(role));
    Ok([
        nodes(&prove(&view.delta, &hashed)?.nodes),
        nodes(&prove(&view.intermediate, &hashed)?.nodes),
        nodes(&prove(&scene.snapshot(HEAD)?, &hashed)?.nodes),
    ])
}

pub(super) fn nodes(nodes: &[Vec<u8>]) -> Item {
    Item::List(nodes.iter().map(Item::bytes).collect())
}

/// A row of a table of edits of a walk: comment, code, edit.
pub(super) type Walk<'a> = (&'a str, &'static str, &'a dyn Fn(&mut Vec<Item>));

/// Lies about the nodes at a path of the proof, in a layer of some name.
pub(super) fn walks(honest: &Claim, path: &[usize], name: &str, table: &[Walk<'_>]) -> Vec<Case> {
    let case = |(comment, code, edit): &Walk<'_>| {
        let lie = honest.edited(|proof| proof.at(path).items(|nodes| edit(nodes)));
        lie.refused("Nodes", &format!("{name}: {comment}"), code)
    };
    table.iter().map(case).collect()
}

fn dropped(scene: &Scene) -> Result<Vec<Case>> {
    let honest = scene.honest(&[key("old")], PLAIN)?;
    let (flag, incomplete) = ("LayerDropped", "verify.incomplete");
    let mut cases = Vec::new();
    for (at, name) in NAMES.iter().enumerate() {
        let code = if at == 2 { incomplete } else { "verify.root" };
        cases.extend(honest.lies(&[
            (flag, &format!("the proof of the {name} left out"), code, &|proof| {
                proof.at(LAYERS).remove(at);
            }),
            (flag, &format!("the {name} said to be empty"), incomplete, &|proof| {
                proof.at(LAYERS).set(&[at], Item::List(vec![]));
            }),
        ]));
    }
    cases.extend(honest.lies(&[(flag, "no layer at all", incomplete, &|proof| {
        proof.at(LAYERS).items(Vec::clear);
    })]));
    Ok(cases)
}

fn resurrected(scene: &Scene) -> Result<Vec<Case>> {
    let every = |role| every_layer(scene, role);
    let [gone, sunk, hot, middle, old] =
        [every("gone")?, every("sunk")?, every("hot")?, every("middle")?, every("old")?];
    let mut cut = gone.clone();
    cut[0].pop();
    let none = Item::List(vec![]);
    let (root, incomplete, surplus) = ("verify.root", "verify.incomplete", "verify.surplus");
    let ends = |[delta, _, snapshot]: &[Item; 3]| vec![delta.clone(), snapshot.clone()];
    let [absent, _, _] = every("never")?;
    let borrowed = [&[absent], &gone[1..]].concat();
    let emptied = vec![sunk[0].clone(), none.clone(), sunk[2].clone()];
    let four = [&old[..], &[none]].concat();
    let table = [
        (
            "Resurrected",
            "the old value below a tombstone shown too",
            "gone",
            surplus,
            gone.to_vec(),
        ),
        ("Resurrected", "the old value alone", "gone", root, gone[2..].to_vec()),
        ("Resurrected", "the tombstone's leaf cut off", "gone", incomplete, cut.to_vec()),
        (
            "Resurrected",
            "the delta's proof that another key is absent",
            "gone",
            incomplete,
            borrowed,
        ),
        ("Resurrected", "the intermediate tombstone skipped", "sunk", root, ends(&sunk)),
        ("Resurrected", "the intermediate layer said to be empty", "sunk", incomplete, emptied),
        (
            "LowerLayer",
            "the intermediate layer's older value shown too",
            "hot",
            surplus,
            hot[..2].to_vec(),
        ),
        (
            "StaleValue",
            "the intermediate layer's older value alone",
            "hot",
            root,
            hot[1..2].to_vec(),
        ),
        ("LowerLayer", "the snapshot's older value shown too", "middle", surplus, middle.to_vec()),
        (
            "StaleValue",
            "the snapshot's older value, the layer above skipped",
            "middle",
            root,
            ends(&middle),
        ),
        ("LowerLayer", "a fourth layer", "old", "decode.shape", four),
    ];
    let case = |(flag, comment, role, code, layers): (_, &str, _, _, Vec<Item>)| {
        let honest = scene.honest(&[key(role)], PLAIN)?;
        let lie = honest.edited(|proof| proof.set(LAYERS, Item::List(layers)));
        Ok(lie.refused(flag, comment, code))
    };
    table.into_iter().map(case).collect()
}

/// Layers of different blocks.
fn blocks(scene: &Scene) -> Result<Vec<Case>> {
    const FLAG: &str = "OtherBlock";
    let asked = [key("old")];
    let honest = scene.honest(&asked, PLAIN)?;
    let before = scene.claim(HEAD - 1, &asked, PLAIN)?;
    let mut earlier = scene.proof(HEAD - 4, &asked, PLAIN)?;
    let stale = before.with_source(honest.source.clone());
    let code = "verify.root";
    let mut cases = vec![
        stale.refused(FLAG, "a valid proof of the block before", code),
        honest.with_source(before.source.clone()).refused(
            FLAG,
            "a valid proof of the block after",
            code,
        ),
    ];
    let mut before = before.item();
    for (layer, name) in NAMES.iter().enumerate() {
        let source = if layer == 0 { &mut before } else { &mut earlier };
        let (own, at) = ([2 - layer], [4, 0, layer]);
        let (root, layer) = (source.at(&own).clone(), source.at(&at).clone());
        cases.extend(honest.lies(&[
            (FLAG, &format!("root and proof of an older {name}"), code, &|proof| {
                proof.set(&own, root.clone());
                proof.set(&at, layer.clone());
            }),
            (
                FLAG,
                &format!("the proof of an older {name} under the newest roots"),
                code,
                &|proof| {
                    proof.set(&at, layer.clone());
                },
            ),
        ]));
    }
    Ok(cases)
}

fn roots(scene: &Scene) -> Result<Vec<Case>> {
    let honest = scene.honest(&[key("old")], PLAIN)?;
    let code = "verify.root";
    let mut cases = Vec::new();
    for (one, other) in [(0, 1), (1, 2), (0, 2)] {
        let (first, second) = (NAMES[one], NAMES[other]);
        let proofs = format!("the proofs of the {first} and the {second} exchanged");
        let roots = format!("their roots exchanged: {first} and {second}");
        let both = format!("roots and proofs exchanged: {first} and {second}");
        let flag = "LayersSwapped";
        cases.extend(honest.lies(&[
            (flag, &proofs, code, &|proof| proof.at(LAYERS).swap(one, other)),
            (flag, &roots, code, &|proof| proof.swap(2 - one, 2 - other)),
            (flag, &both, code, &|proof| {
                proof.swap(2 - one, 2 - other);
                proof.at(LAYERS).swap(one, other);
            }),
        ]));
    }
    for (layer, name) in NAMES.iter().enumerate() {
        for (root, word) in [(EMPTY_ROOT, "the empty trie's"), ([0; 32], "zero")] {
            let comment = format!("{word} as the root of the {name}");
            cases.extend(honest.lies(&[("EmptyLayer", &comment, code, &|proof| {
                proof.set(&[2 - layer], Item::bytes(root));
                proof.set(&[4, 0, layer], Item::List(vec![]));
            })]));
        }
    }
    Ok(cases)
}

/// Several keys.
fn keys(scene: &Scene) -> Result<Vec<Case>> {
    const FLAG: &str = "OtherKey";
    let one = scene.deep()?;
    let other = Scene::far_from(&one);
    let single = scene.honest(&[one], PLAIN)?;
    let two = scene.honest(&[one, other], PLAIN)?;
    let foreign = scene.honest(&[other], PLAIN)?.with_query(single.query.clone());
    let mut cases = two.lies(&[
        (FLAG, "the second of two keys left out", "verify.incomplete", &|proof| {
            proof.at(&[4]).pop();
        }),
        (FLAG, "no key at all", "verify.incomplete", &|proof| proof.at(&[4]).items(Vec::clear)),
    ]);
    cases.extend(single.lies(&[(
        FLAG,
        "a key that nobody asked for",
        "verify.surplus",
        &|proof| proof.at(&[4]).items(|keys| keys.push(keys[0].clone())),
    )]));
    cases.extend(two.lies(&[
        (FLAG, "the proofs of two keys exchanged", "verify.merkle", &|proof| {
            proof.at(&[4]).swap(0, 1);
        }),
        (FLAG, "the first key's proof for both", "verify.merkle", &|proof| {
            proof.copy(&[4, 0], &[4, 1]);
        }),
    ]));
    cases.push(foreign.refused(FLAG, "the proof of another key", "verify.merkle"));
    Ok(cases)
}

fn forms(scene: &Scene) -> Result<Vec<Case>> {
    let plain = scene.honest(&[key("old")], PLAIN)?;
    let adjacent = scene.honest(&[key("old")], "adjacent")?;
    let form = |form: u64| plain.edited(|proof| proof.set(&[3], Item::uint(form)));
    let shape = "decode.shape";
    let table = [
        ("a variant that is none", plain.with_variant("hinted"), "decode.variant"),
        ("walks named adjacent", plain.with_variant("adjacent"), shape),
        ("adjacent paths named plain", adjacent.with_variant(PLAIN), shape),
        ("walks that say they are adjacent paths", form(1), shape),
        ("walks dressed up as adjacent paths", form(1).with_variant("adjacent"), shape),
        ("form 2", form(2), shape),
    ];
    Ok(table.map(|(comment, claim, code)| claim.refused("Variant", comment, code)).into())
}

/// A hand-made state: three maps from keys to payloads, snapshot first.
pub(super) struct Made {
    tries: [BTreeMap<Nibbles, Vec<u8>>; 3],
    roots: [Word; 3],
}

impl Made {
    pub(super) fn new(maps: [&[(&[u8], &[u8])]; 3]) -> Result<Self> {
        let mut made = Self { tries: Default::default(), roots: [EMPTY_ROOT; 3] };
        for (index, map) in maps.into_iter().enumerate() {
            let nothing = BTreeMap::new();
            let mut trie = Trie::open(&nothing)?;
            for (key, payload) in map {
                trie.set(&keccak256(key), payload.to_vec())?;
            }
            let changes = trie.finish();
            (made.roots[index], made.tries[index]) = (changes.root, changes.written);
        }
        Ok(made)
    }

    /// A claim about a key that consults these many layers.
    pub(super) fn claim(&self, key: &[u8], layers: usize) -> Result<Claim> {
        let mut proofs = Vec::new();
        for trie in self.tries.iter().rev().take(layers) {
            proofs.push(nodes(&prove(trie, &keccak256(key))?.nodes));
        }
        Ok(claim(&self.roots, key, proofs))
    }
}

/// A claim under pinned roots.
pub(super) fn claim(roots: &[Word; 3], key: &[u8], layers: Vec<Item>) -> Claim {
    let mut items: Vec<Item> = roots.iter().map(Item::bytes).collect();
    items.extend([Item::uint(0_u8), Item::List(vec![Item::List(layers)])]);
    let source = Source::Root { number: 7, bytes: keccak256(&roots.concat()).to_vec() };
    Claim { source, query: list(&[key]), variant: PLAIN, proof: Item::List(items).encode() }
}

/// What leaves may hold.
fn payloads() -> Result<Vec<Case>> {
    let (one, other): (&[u8], &[u8]) = (b"one", b"other");
    let beside: (&[u8], &[u8]) = (other, &[1, 9]);
    let mut cases = Vec::new();
    for (payload, comment) in [
        (&[0][..], "a tombstone"),
        (&[0, 7], "a tombstone with bytes behind it"),
        (&[2, 7], "an unknown kind"),
        (&[0x80], "the RLP of nothing"),
    ] {
        let made = Made::new([&[(one, payload), beside], &[beside], &[beside]])?;
        let comment = format!("{comment} in the snapshot");
        cases.push(made.claim(one, 3)?.refused("BadPayload", &comment, "verify.value"));
        if payload != [0] {
            let made =
                Made::new([&[(one, &[1, 5]), beside], &[beside], &[(one, payload), beside]])?;
            let comment = comment.replace("snapshot", "delta");
            cases.push(made.claim(one, 1)?.refused("BadPayload", &comment, "verify.value"));
        }
    }
    for (value, comment) in [
        (&[1][..], "an empty value, which is a value"),
        (&[1, 0], "a value that looks like a tombstone"),
        (&[1, 1, 0], "a value that looks like a payload"),
        (&[1, 0x80], "a value that looks like the RLP of nothing"),
    ] {
        let made = Made::new([&[(one, value), beside], &[], &[beside]])?;
        let fact = serde_json::json!({ "values": [{
            "key": lightproof_prover::hex::encode(one),
            "status": "present",
            "value": lightproof_prover::hex::encode(&value[1..]),
            "layer": "snapshot",
        }] });
        cases.push(made.claim(one, 3)?.proves("Payload", comment, fact));
    }
    Ok(cases)
}

/// Roots that stand for emptiness elsewhere, and proofs where nothing is to be proven.
fn empty() -> Result<Vec<Case>> {
    let one: &[u8] = b"one";
    let flag = "EmptyLayer";
    let none = Item::List(vec![]);
    let with_root = |root: Word, delta: &Item| {
        claim(&[EMPTY_ROOT, EMPTY_ROOT, root], one, vec![delta.clone(), none.clone(), none.clone()])
    };
    let empty_node = Item::List(vec![Item::bytes([0x80])]);
    let leaf = nodes(&[crate::mpt::nodes::leaf_node(&unpack(&keccak256(one)), &[1, 5])]);
    let mut reversed = Made::new([&[(one, &[1, 5])], &[], &[(b"other", &[1])]])?.claim(one, 3)?;
    if let Source::Root { bytes, .. } = &mut reversed.source {
        let item = lightproof_prover::rlp::decode(&reversed.proof).ok();
        let roots =
            item.iter().flat_map(|item| item.as_list().unwrap_or_default()[..3].iter().rev());
        let joined: Vec<u8> = roots.filter_map(Item::as_bytes).flatten().copied().collect();
        *bytes = keccak256(&joined).to_vec();
    }
    let (zero, nothing, code) = ([0; 32], EMPTY_CODE_HASH, "verify.incomplete");
    let table = [
        ("a committed root of zero taken for an empty delta", zero, &none, code),
        ("keccak of nothing taken for an empty delta", nothing, &none, code),
        ("the empty trie's node under the empty root", EMPTY_ROOT, &empty_node, "decode.shape"),
        ("a leaf under the empty root", EMPTY_ROOT, &leaf, "verify.surplus"),
    ];
    let case = |(comment, root, delta, code): (&str, _, _, _)| {
        with_root(root, delta).refused(flag, comment, code)
    };
    let mut cases: Vec<_> = table.map(case).into();
    let comment = "roots hashed in the opposite order";
    cases.push(reversed.refused("LayersSwapped", comment, "verify.root"));
    Ok(cases)
}
