//! `lmpt/conflux`: lies about layers, epochs and paddings.

use super::scene::{HEAD, Result, Scene, key};
use crate::case::{Case, Claim, Source, invalid};
use crate::edit::{Edit as _, flip};
use crate::scene::Scene as _;
use lightproof_prover::error::StoreError;
use lightproof_prover::hash::{Word, keccak256};
use lightproof_prover::hex;
use lightproof_prover::rlp::Item;
use lightproof_prover::system::lmpt::conflux::{NULL, snapshot_key};
use lightproof_prover::system::lmpt::prove::{Question, conflux, encode};
use lightproof_prover::system::lmpt::{Format, layers::View, tree::Tree};
use serde_json::{Value, json};

const PLAIN: &str = "plain";
const LAYERS: &[usize] = &[4, 0];
const NAMES: [&str; 3] = super::layers::NAMES;

/// Every case of this file.
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>> {
    let mut cases = storage_roots(scene)?;
    cases.extend(layers(scene)?);
    cases.extend(epochs(scene)?);
    cases.extend(values());
    cases.extend(null_layers(scene)?);
    Ok(cases)
}

fn none() -> Item {
    Item::List(vec![])
}

fn storage_roots(scene: &Scene) -> Result<Vec<Case>> {
    let view = scene.view(HEAD)?;
    let mut cases = Vec::new();
    for role in ["hot", "gone", "back", "old", "never"] {
        let asked = scene.asked(&key(role));
        let query = encode(&[Question { key: asked.clone(), storage_roots: true }]);
        let honest = scene.answer(HEAD, query, PLAIN)?;
        // A slot's node has nothing below it, so its hash follows from its value alone.
        let alone = |value: &[u8]| {
            let hash = keccak256(&[b"n", [NULL; 16].concat().as_slice(), b"v", value].concat());
            json!(hex::encode(&hash))
        };
        let in_layer = |tree: &Tree, key: &[u8]| tree.get(key).map_or(Value::Null, alone);
        let padded = |roots: &[Word; 3]| {
            let padding = lightproof_prover::system::lmpt::conflux::padding(roots);
            lightproof_prover::system::lmpt::conflux::padded(&padding, &asked)
        };
        let intermediate =
            view.previous.as_ref().map(|roots| in_layer(&view.intermediate, &padded(roots)));
        let fact = json!({ "values": [{ "key": hex::encode(&asked), "storageRoots": {
            "delta": in_layer(&view.delta, &padded(&view.roots)),
            "intermediate": intermediate,
            "snapshot": view.snapshot.as_ref().map(|tree| in_layer(tree, &asked)),
        } }] });
        cases.push(honest.clone().proves(
            "StorageRoots",
            &format!("storage roots of {role}"),
            fact,
        ));
        for (layer, name) in NAMES.iter().enumerate().filter(|_| role == "hot") {
            let comment = format!("storage roots without the {name}");
            let drop = |proof: &mut Item| proof.set(&[4, 0, layer], none());
            let code = "verify.incomplete";
            cases.extend(honest.lies(&[("LayerDropped", &comment, code, &drop)]));
        }
    }
    Ok(cases)
}

/// Proofs of all three layers, as storage roots need them.
fn every_layer(scene: &Scene, role: &str) -> Result<Vec<Item>> {
    let query = encode(&[Question { key: scene.asked(&key(role)), storage_roots: true }]);
    let mut proof = scene.answer(HEAD, query, PLAIN)?.item();
    Ok(proof.at(LAYERS).as_list().unwrap_or_default().to_vec())
}

// A table: one case after the other.
#[allow(clippy::too_many_lines)]
fn layers(scene: &Scene) -> Result<Vec<Case>> {
    // Flag, comment, role, code, edit of the layers.
    type Row<'a> = (&'static str, &'a str, &'a str, &'static str, &'a dyn Fn(&mut Vec<Item>));
    let case = |(flag, comment, role, code, edit): &Row<'_>| {
        let honest = scene.honest(&[key(role)], PLAIN)?;
        let lie = honest.edited(|proof| proof.at(LAYERS).items(|layers| edit(layers)));
        Ok::<_, StoreError>(lie.refused(flag, comment, code))
    };
    let mut cases = Vec::new();
    for (layer, name) in NAMES.iter().enumerate() {
        let table: &[Row<'_>] = &[
            (
                "LayerDropped",
                &format!("no proof of the {name}"),
                "old",
                "verify.incomplete",
                &|layers| layers[layer] = none(),
            ),
            (
                "LayerDropped",
                &format!("a proof of the {name} without nodes"),
                "old",
                "verify.incomplete",
                &|layers| layers[layer] = Item::List(vec![none()]),
            ),
            (
                "LayersSwapped",
                &format!("the {name}'s proof and the next one's exchanged"),
                "old",
                "verify.root",
                &|layers| layers.swap(layer, (layer + 1) % 3),
            ),
        ];
        cases.extend(table.iter().map(case).collect::<Result<Vec<_>>>()?);
    }
    let [gone, sunk, hot, never] =
        ["gone", "sunk", "hot", "never"].map(|role| every_layer(scene, role));
    let (gone, sunk, hot, never) = (gone?, sunk?, hot?, never?);
    let table: &[Row<'_>] = &[
        (
            "Resurrected",
            "the old value below a tombstone shown too",
            "gone",
            "verify.surplus",
            &|layers| layers.clone_from(&gone),
        ),
        ("Resurrected", "the tombstone's layer left out", "gone", "verify.incomplete", &|layers| {
            *layers = [&[none()], &gone[1..]].concat();
        }),
        ("Resurrected", "the tombstone's node cut off", "gone", "verify.incomplete", &|layers| {
            layers.clone_from(&gone);
            layers[0].at(&[0]).pop();
        }),
        (
            "Resurrected",
            "the value below an intermediate tombstone shown too",
            "sunk",
            "verify.surplus",
            &|layers| layers.clone_from(&sunk),
        ),
        (
            "Resurrected",
            "the intermediate tombstone left out",
            "sunk",
            "verify.incomplete",
            &|layers| *layers = vec![sunk[0].clone(), none(), sunk[2].clone()],
        ),
        ("LowerLayer", "older values shown too", "hot", "verify.surplus", &|layers| {
            layers.clone_from(&hot);
        }),
        (
            "LowerLayer",
            "the intermediate layer's older value shown too",
            "hot",
            "verify.surplus",
            &|layers| layers[1] = hot[1].clone(),
        ),
        (
            "StaleValue",
            "the older value, the delta left out",
            "hot",
            "verify.incomplete",
            &|layers| *layers = [&[none()], &hot[1..2], &[none()]].concat(),
        ),
        (
            "StaleValue",
            "the delta's proof that another key is absent",
            "hot",
            "verify.path",
            &|layers| *layers = vec![never[0].clone(), hot[1].clone(), none()],
        ),
    ];
    cases.extend(table.iter().map(case).collect::<Result<Vec<_>>>()?);
    let two = scene.honest(&[key("old"), key("hot")], PLAIN)?;
    let (flag, surplus) = ("OtherKey", "verify.surplus");
    cases.extend(two.lies(&[
        (flag, "the second of two keys left out", "verify.incomplete", &|proof| {
            proof.at(&[4]).pop();
        }),
        (flag, "a key that nobody asked for", surplus, &|proof| {
            proof.at(&[4]).items(|keys| keys.push(keys[0].clone()));
        }),
        (flag, "the proofs of two keys exchanged", surplus, &|proof| proof.at(&[4]).swap(0, 1)),
    ]));
    Ok(cases)
}

/// Roots of other blocks and periods.
fn epochs(scene: &Scene) -> Result<Vec<Case>> {
    let asked = [key("old")];
    let honest = scene.honest(&asked, PLAIN)?;
    let stale = scene.claim(HEAD - 1, &asked, PLAIN)?.with_source(honest.source.clone());
    let mut cases =
        vec![stale.refused("OtherBlock", "a valid proof of the block before", "verify.root")];
    for (one, other) in [(0, 1), (1, 2), (0, 2)] {
        cases.extend(honest.lies_of(
            "LayersSwapped",
            "verify.root",
            &[("two roots exchanged", &|proof| proof.swap(one, other))],
        ));
    }
    let flag = "Padding";
    let current: Vec<Item> = scene.view(HEAD)?.roots.iter().map(Item::bytes).collect();
    let this = |proof: &mut Item| proof.set(&[3], Item::List(current.clone()));
    cases.extend(honest.lies(&[
        (flag, "an invented padding", "verify.root", &|proof| proof.at(&[3, 0]).bytes(flip(1))),
        (flag, "the delta root of the period before changed", "verify.root", &|proof| {
            proof.at(&[3, 2]).bytes(flip(1));
        }),
        (flag, "this period's padding for the intermediate layer", "verify.root", &this),
        (flag, "no roots of the period before", "verify.incomplete", &|proof| {
            proof.set(&[3], none());
        }),
        (flag, "two roots of the period before", "decode.shape", &|proof| proof.at(&[3]).pop()),
    ]));
    // A caller that pins this block's hash alone has nothing that authenticates a padding.
    let Source::Root { number, bytes } = honest.source.clone() else { return Ok(cases) };
    let halved = Source::Root { number, bytes: bytes[..32].to_vec() };
    let twice = Source::Root { number, bytes: [&bytes[..32], &bytes[..32]].concat() };
    let (halved, twice) = (honest.with_source(halved), honest.with_source(twice));
    cases.extend(halved.lies(&[
        (flag, "roots of the period before under a root that has none", "verify.surplus", &|_| ()),
        (
            flag,
            "an intermediate layer whose padding nothing tells",
            "verify.incomplete",
            &|proof| {
                proof.set(&[3], none());
            },
        ),
    ]));
    let comment = "this block's hash as that of the period before";
    let padded = format!("{comment}, and its roots as the padding");
    cases.extend(
        twice.lies(&[
            (flag, comment, "verify.root", &|_| ()),
            (flag, &padded, "verify.order", &this),
        ]),
    );
    Ok(cases)
}

/// Hand-made layers.
struct Made {
    view: View,
}

impl Made {
    fn new(snapshot: Tree, delta: impl FnOnce(&Word) -> Tree) -> Self {
        let empty = Tree::new(Format::Conflux);
        let padding = keccak256(&[snapshot.root(), empty.root()].concat());
        let delta = delta(&padding);
        let roots = [snapshot.root(), empty.root(), delta.root()];
        let view = View {
            block: 7,
            roots,
            previous: None,
            delta,
            intermediate: empty,
            snapshot: Some(snapshot),
        };
        Self { view }
    }

    fn claim(&self, key: &[u8]) -> Claim {
        let questions = [Question { key: key.to_vec(), storage_roots: false }];
        let source = Source::Root { number: 7, bytes: self.view.commitment() };
        let proof = conflux(&self.view, &questions).encode();
        Claim { source, query: encode(&questions), variant: PLAIN, proof }
    }

    fn valid(&self, flag: &'static str, comment: &str, key: &[u8], mut fact: Value) -> Case {
        fact["key"] = json!(hex::encode(key));
        self.claim(key).proves(flag, comment, json!({ "values": [fact] }))
    }
}

fn tree(entries: &[(Vec<u8>, &[u8])]) -> Tree {
    let mut tree = Tree::new(Format::Conflux);
    for (key, value) in entries {
        tree.insert(key, value.to_vec());
    }
    tree
}

/// Values that are not what they look like, and keys that begin other keys.
fn values() -> Vec<Case> {
    let key = |role: &str| snapshot_key(&key(role));
    let (one, other) = (key("one"), key("other"));
    let snapshot = || tree(&[(one.clone(), b"1"), (other.clone(), b"2")]);
    let none = |_: &Word| Tree::new(Format::Conflux);
    let emptied = Made::new(tree(&[(one.clone(), b""), (other.clone(), b"2")]), none);
    let deleted = Made::new(snapshot(), |padding| {
        tree(&[(lightproof_prover::system::lmpt::conflux::padded(padding, &one), b"")])
    });
    let unwritten = |proof: &mut Item| {
        proof.at(&[4, 0, 0, 0, 1, 2]).items(Vec::clear);
        let below = conflux(
            &Made::new(snapshot(), none).view,
            &[Question { key: one.clone(), storage_roots: false }],
        );
        proof.set(&[4, 0, 2], below.clone().at(&[4, 0, 2]).clone());
    };
    // An account's own node stands above those of its slots.
    let account = one[..20].to_vec();
    let nested = || {
        tree(&[
            (account.clone(), b"account"),
            (one.clone(), b"1"),
            ([account.as_slice(), b"data"].concat(), b"meta"),
        ])
    };
    let prefix = Made::new(nested(), none);
    let espace = [account.as_slice(), &[0x81]].concat();
    let zero = Made::new(tree(&[(one.clone(), &[0]), (other.clone(), b"2")]), none);
    vec![
        invalid("BadPayload", "an empty value in the snapshot", emptied.claim(&one), "verify.value"),
        deleted.valid("Payload", "an empty value in the delta is a tombstone", &one, json!({ "key": null, "status": "deleted", "layer": "delta" })),
        invalid("Resurrected", "a tombstone said to be no value, and the snapshot's value shown", deleted.claim(&one).edited(unwritten), "verify.merkle"),
        zero.valid("Payload", "a value of one zero byte", &one, json!({ "key": null, "status": "present", "value": "0x00", "layer": "snapshot" })),
        prefix.valid("Prefix", "an account above its slots", &account, json!({ "key": null, "status": "present", "value": hex::encode(b"account"), "layer": "snapshot" })),
        prefix.valid("Prefix", "a slot below its account", &one, json!({ "key": null, "status": "present", "value": "0x31", "layer": "snapshot" })),
        prefix.valid("Prefix", "the same account in eSpace", &espace, json!({ "key": null, "status": "absent", "layer": "snapshot" })),
        prefix.valid("Prefix", "code of an account that has none", &[account.as_slice(), b"code"].concat(), json!({ "key": null, "status": "absent", "layer": "snapshot" })),
        invalid("Prefix", "a slot's proof cut off at its account", prefix.claim(&one).edited(|proof| proof.at(&[4, 0, 2, 0]).items(|nodes| nodes.truncate(2))), "verify.incomplete"),
    ]
}

/// Layers that were never written.
fn null_layers(scene: &Scene) -> Result<Vec<Case>> {
    let nothing = || Tree::new(Format::Conflux);
    let one = snapshot_key(&key("one"));
    let other = snapshot_key(&key("other"));
    let made = Made::new(nothing(), |padding| {
        tree(&[(lightproof_prover::system::lmpt::conflux::padded(padding, &other), b"2")])
    });
    let asked = [key("old")];
    let in_delta = scene.proof(HEAD, &asked, PLAIN)?.at(&[4, 0, 0]).clone();
    let flag = "NullLayer";
    let absent = json!({ "key": null, "status": "absent", "layer": "snapshot" });
    let mut cases = vec![made.valid(flag, "a snapshot that was never written", &one, absent)];
    cases.extend(made.claim(&one).lies(&[
        (flag, "no proof of a snapshot that was never written", "verify.incomplete", &|proof| {
            proof.set(&[4, 0, 2], none());
        }),
        (flag, "no node for a snapshot that was never written", "verify.root", &|proof| {
            proof.at(&[4, 0, 2, 0]).items(Vec::clear);
        }),
        (flag, "its empty node twice", "verify.root", &|proof| {
            proof.at(&[4, 0, 2, 0]).items(|nodes| nodes.push(nodes[0].clone()));
        }),
        (flag, "its empty node with another hash", "verify.merkle", &|proof| {
            proof.at(&[4, 0, 2, 0, 0, 0]).bytes(flip(1));
        }),
        (flag, "a value in its empty node", "verify.root", &|proof| {
            proof.at(&[4, 0, 2, 0, 0, 2]).push(Item::bytes("rich"));
        }),
    ]));
    cases.extend(scene.claim(0, &asked, PLAIN)?.lies(&[
        (flag, "a proof of a delta that was never written", "verify.surplus", &|proof| {
            proof.set(&[4, 0, 0], in_delta.clone());
        }),
        (
            flag,
            "a proof of an intermediate layer that was never written",
            "verify.surplus",
            &|proof| proof.set(&[4, 0, 1], in_delta.clone()),
        ),
    ]));
    Ok(cases)
}
