//! `lmpt/conflux`: lies about layers, epochs and paddings.

use super::scene::{Forged, HEAD, Result, Scene, key};
use crate::case::{Case, Expected, Source, invalid};
use crate::edit::{Edit as _, flip};
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
        let proof = scene.proof(HEAD, &query, PLAIN)?;
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
        cases.push(Case {
            comment: format!("storage roots of {role}"),
            flags: vec!["StorageRoots"],
            source: scene.source(HEAD)?,
            query: query.clone(),
            variant: PLAIN,
            proof: proof.encode(),
            expected: Expected::Valid(fact),
        });
        if role == "hot" {
            for (layer, name) in NAMES.iter().enumerate() {
                let dropped = scene
                    .forged_query(&query, PLAIN, |proof| *proof.at(&[4, 0, layer]) = none())?;
                let comment = format!("storage roots without the {name}");
                cases.push(invalid("LayerDropped", &comment, dropped, "verify.incomplete"));
            }
        }
    }
    Ok(cases)
}

/// Proofs of all three layers, as storage roots need them.
fn every_layer(scene: &Scene, role: &str) -> Result<Vec<Item>> {
    let query = encode(&[Question { key: scene.asked(&key(role)), storage_roots: true }]);
    let mut proof = scene.proof(HEAD, &query, PLAIN)?;
    Ok(proof.at(LAYERS).as_list().unwrap_or_default().to_vec())
}

// A table: one case after the other.
#[allow(clippy::too_many_lines)]
fn layers(scene: &Scene) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    let mut case = |flag, comment: &str, role: &str, change: &dyn Fn(&mut Vec<Item>), code| {
        let claim = scene
            .forged(&key(role), PLAIN, |proof| proof.at(LAYERS).items(|layers| change(layers)))?;
        cases.push(invalid(flag, comment, claim, code));
        Ok::<_, lightproof_prover::error::StoreError>(())
    };
    for (layer, name) in NAMES.iter().enumerate() {
        case(
            "LayerDropped",
            &format!("no proof of the {name}"),
            "old",
            &|layers| layers[layer] = none(),
            "verify.incomplete",
        )?;
        case(
            "LayerDropped",
            &format!("a proof of the {name} without nodes"),
            "old",
            &|layers| layers[layer] = Item::List(vec![none()]),
            "verify.incomplete",
        )?;
        case(
            "LayersSwapped",
            &format!("the {name}'s proof and the next one's exchanged"),
            "old",
            &|layers| layers.swap(layer, (layer + 1) % 3),
            "verify.root",
        )?;
    }
    let gone = every_layer(scene, "gone")?;
    case(
        "Resurrected",
        "the old value below a tombstone shown too",
        "gone",
        &|layers| layers.clone_from(&gone),
        "verify.surplus",
    )?;
    case(
        "Resurrected",
        "the tombstone's layer left out",
        "gone",
        &|layers| *layers = [&[none()], &gone[1..]].concat(),
        "verify.incomplete",
    )?;
    case(
        "Resurrected",
        "the tombstone's node cut off",
        "gone",
        &|layers| {
            layers.clone_from(&gone);
            layers[0].at(&[0]).items(|nodes| drop(nodes.pop()));
        },
        "verify.incomplete",
    )?;
    let sunk = every_layer(scene, "sunk")?;
    case(
        "Resurrected",
        "the value below an intermediate tombstone shown too",
        "sunk",
        &|layers| layers.clone_from(&sunk),
        "verify.surplus",
    )?;
    case(
        "Resurrected",
        "the intermediate tombstone left out",
        "sunk",
        &|layers| *layers = vec![sunk[0].clone(), none(), sunk[2].clone()],
        "verify.incomplete",
    )?;
    let hot = every_layer(scene, "hot")?;
    case(
        "LowerLayer",
        "older values shown too",
        "hot",
        &|layers| layers.clone_from(&hot),
        "verify.surplus",
    )?;
    case(
        "LowerLayer",
        "the intermediate layer's older value shown too",
        "hot",
        &|layers| layers[1] = hot[1].clone(),
        "verify.surplus",
    )?;
    case(
        "StaleValue",
        "the older value, the delta left out",
        "hot",
        &|layers| *layers = [&[none()], &hot[1..2], &[none()]].concat(),
        "verify.incomplete",
    )?;
    let never = every_layer(scene, "never")?;
    case(
        "StaleValue",
        "the delta's proof that another key is absent",
        "hot",
        &|layers| *layers = vec![never[0].clone(), hot[1].clone(), none()],
        "verify.path",
    )?;
    let two = scene.query(&[key("old"), key("hot")]);
    let shown = |change: &dyn Fn(&mut Vec<Item>)| {
        scene.forged_query(&two, PLAIN, |proof| proof.at(&[4]).items(|keys| change(keys)))
    };
    cases.extend([
        invalid(
            "OtherKey",
            "the second of two keys left out",
            shown(&|keys| drop(keys.pop()))?,
            "verify.incomplete",
        ),
        invalid(
            "OtherKey",
            "a key that nobody asked for",
            shown(&|keys| keys.push(keys[0].clone()))?,
            "verify.surplus",
        ),
        invalid(
            "OtherKey",
            "the proofs of two keys exchanged",
            shown(&|keys| keys.swap(0, 1))?,
            "verify.surplus",
        ),
    ]);
    Ok(cases)
}

/// Roots of other blocks and periods.
fn epochs(scene: &Scene) -> Result<Vec<Case>> {
    let role = key("old");
    let asked = scene.query(&[role]);
    let mut cases = Vec::new();
    let stale = scene.proof(HEAD - 1, &asked, PLAIN)?.encode();
    cases.push(invalid(
        "OtherBlock",
        "a valid proof of the block before",
        (scene.source(HEAD)?, asked.clone(), PLAIN, stale),
        "verify.root",
    ));
    for (one, other) in [(0, 1), (1, 2), (0, 2)] {
        let swapped =
            scene.forged(&role, PLAIN, |proof| proof.items(|items| items.swap(one, other)))?;
        cases.push(invalid("LayersSwapped", "two roots exchanged", swapped, "verify.root"));
    }
    let view = scene.view(HEAD)?;
    let padding =
        |change: &dyn Fn(&mut Item)| scene.forged(&role, PLAIN, |proof| change(proof.at(&[3])));
    let flag = "Padding";
    let current: Vec<Item> = view.roots.iter().map(Item::bytes).collect();
    let this = |previous: &mut Item| *previous = Item::List(current.clone());
    cases.extend([
        invalid(
            flag,
            "an invented padding",
            padding(&|previous| previous.at(&[0]).bytes(flip(1)))?,
            "verify.root",
        ),
        invalid(
            flag,
            "the delta root of the period before changed",
            padding(&|previous| previous.at(&[2]).bytes(flip(1)))?,
            "verify.root",
        ),
        invalid(
            flag,
            "this period's padding for the intermediate layer",
            padding(&this)?,
            "verify.root",
        ),
        invalid(
            flag,
            "no roots of the period before",
            padding(&|previous| *previous = none())?,
            "verify.incomplete",
        ),
        invalid(
            flag,
            "two roots of the period before",
            padding(&|previous| previous.items(|roots| drop(roots.pop())))?,
            "decode.shape",
        ),
    ]);
    // A caller that pins this block's hash alone has nothing that authenticates a padding.
    let (source, query, variant, proof) = scene.forged(&role, PLAIN, |_| ())?;
    let Source::Root { number, bytes } = source else { return Ok(cases) };
    let halved = Source::Root { number, bytes: bytes[..32].to_vec() };
    cases.push(invalid(
        flag,
        "roots of the period before under a root that has none",
        (halved.clone(), query, variant, proof),
        "verify.surplus",
    ));
    let (_, query, variant, proof) =
        scene.forged(&role, PLAIN, |proof| *proof.at(&[3]) = none())?;
    cases.push(invalid(
        flag,
        "an intermediate layer whose padding nothing tells",
        (halved, query, variant, proof),
        "verify.incomplete",
    ));
    let twice = Source::Root { number, bytes: [&bytes[..32], &bytes[..32]].concat() };
    let (_, query, variant, proof) = scene.forged(&role, PLAIN, |_| ())?;
    cases.push(invalid(
        flag,
        "this block's hash as that of the period before",
        (twice.clone(), query, variant, proof),
        "verify.root",
    ));
    let (_, query, variant, proof) = scene.forged(&role, PLAIN, |proof| this(proof.at(&[3])))?;
    cases.push(invalid(
        flag,
        "this block's hash as that of the period before, and its roots as the padding",
        (twice, query, variant, proof),
        "verify.order",
    ));
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

    fn claim(&self, key: &[u8], change: impl FnOnce(&mut Item)) -> Forged {
        let questions = [Question { key: key.to_vec(), storage_roots: false }];
        let mut proof = conflux(&self.view, &questions);
        change(&mut proof);
        let source = Source::Root { number: 7, bytes: self.view.commitment() };
        (source, encode(&questions), PLAIN, proof.encode())
    }

    fn valid(&self, flag: &'static str, comment: &str, key: &[u8], mut fact: Value) -> Case {
        let (source, query, variant, proof) = self.claim(key, |_| ());
        fact["key"] = json!(hex::encode(key));
        let expected = Expected::Valid(json!({ "values": [fact] }));
        Case {
            comment: comment.to_owned(),
            flags: vec![flag],
            source,
            query,
            variant,
            proof,
            expected,
        }
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
        *proof.at(&[4, 0, 2]) = below.clone().at(&[4, 0, 2]).clone();
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
        invalid("BadPayload", "an empty value in the snapshot", emptied.claim(&one, |_| ()), "verify.value"),
        deleted.valid("Payload", "an empty value in the delta is a tombstone", &one, json!({ "key": null, "status": "deleted", "layer": "delta" })),
        invalid("Resurrected", "a tombstone said to be no value, and the snapshot's value shown", deleted.claim(&one, unwritten), "verify.merkle"),
        zero.valid("Payload", "a value of one zero byte", &one, json!({ "key": null, "status": "present", "value": "0x00", "layer": "snapshot" })),
        prefix.valid("Prefix", "an account above its slots", &account, json!({ "key": null, "status": "present", "value": hex::encode(b"account"), "layer": "snapshot" })),
        prefix.valid("Prefix", "a slot below its account", &one, json!({ "key": null, "status": "present", "value": "0x31", "layer": "snapshot" })),
        prefix.valid("Prefix", "the same account in eSpace", &espace, json!({ "key": null, "status": "absent", "layer": "snapshot" })),
        prefix.valid("Prefix", "code of an account that has none", &[account.as_slice(), b"code"].concat(), json!({ "key": null, "status": "absent", "layer": "snapshot" })),
        invalid("Prefix", "a slot's proof cut off at its account", prefix.claim(&one, |proof| proof.at(&[4, 0, 2, 0]).items(|nodes| nodes.truncate(2))), "verify.incomplete"),
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
    let dummy = &[4, 0, 2, 0];
    let in_delta = scene.proof(HEAD, &scene.query(&[key("old")]), PLAIN)?.at(&[4, 0, 0]).clone();
    let early = |layer: usize| {
        let asked = scene.query(&[key("old")]);
        let mut proof = scene.proof(0, &asked, PLAIN)?;
        *proof.at(&[4, 0, layer]) = in_delta.clone();
        Ok::<Forged, lightproof_prover::error::StoreError>((
            scene.source(0)?,
            asked,
            PLAIN,
            proof.encode(),
        ))
    };
    let flag = "NullLayer";
    let absent = json!({ "key": null, "status": "absent", "layer": "snapshot" });
    Ok(vec![
        made.valid(flag, "a snapshot that was never written", &one, absent),
        invalid(
            flag,
            "no proof of a snapshot that was never written",
            made.claim(&one, |proof| *proof.at(&[4, 0, 2]) = none()),
            "verify.incomplete",
        ),
        invalid(
            flag,
            "no node for a snapshot that was never written",
            made.claim(&one, |proof| proof.at(dummy).items(Vec::clear)),
            "verify.root",
        ),
        invalid(
            flag,
            "its empty node twice",
            made.claim(&one, |proof| proof.at(dummy).items(|nodes| nodes.push(nodes[0].clone()))),
            "verify.root",
        ),
        invalid(
            flag,
            "its empty node with another hash",
            made.claim(&one, |proof| proof.at(&[4, 0, 2, 0, 0, 0]).bytes(flip(1))),
            "verify.merkle",
        ),
        invalid(
            flag,
            "a value in its empty node",
            made.claim(&one, |proof| {
                proof.at(&[4, 0, 2, 0, 0, 2]).items(|value| value.push(Item::bytes("rich")));
            }),
            "verify.root",
        ),
        invalid(flag, "a proof of a delta that was never written", early(0)?, "verify.surplus"),
        invalid(
            flag,
            "a proof of an intermediate layer that was never written",
            early(1)?,
            "verify.surplus",
        ),
    ])
}
