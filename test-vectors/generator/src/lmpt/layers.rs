//! `lmpt/1`: lies about layers. Each node is honest where nothing else is said.

use std::collections::BTreeMap;

use super::scene::{Forged, HEAD, Result, Scene, key};
use crate::case::{Case, Expected, Source, invalid};
use crate::edit::Edit as _;
use lightproof_prover::hash::{EMPTY_CODE_HASH, EMPTY_ROOT, Word, keccak256};
use lightproof_prover::rlp::Item;
use lightproof_prover::trie::nibbles::Nibbles;
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
fn every_layer(scene: &Scene, role: &str) -> Result<Vec<Item>> {
    let view = scene.view(HEAD)?;
    let hashed = keccak256(&key(role));
    let mut above = vec![nodes(&prove(&view.delta, &hashed)?.nodes)];
    above.push(nodes(&prove(&view.intermediate, &hashed)?.nodes));
    above.push(nodes(&prove(&scene.snapshot(HEAD)?, &hashed)?.nodes));
    Ok(above)
}

pub(super) fn nodes(nodes: &[Vec<u8>]) -> Item {
    Item::List(nodes.iter().map(Item::bytes).collect())
}

fn dropped(scene: &Scene) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for (at, name) in NAMES.iter().enumerate() {
        let removed = scene.forged(&key("old"), PLAIN, |proof| {
            proof.at(LAYERS).items(|layers| drop(layers.remove(at)));
        })?;
        let emptied = scene.forged(&key("old"), PLAIN, |proof| {
            proof.at(LAYERS).items(|layers| layers[at] = Item::List(vec![]));
        })?;
        let comment = format!("the proof of the {name} left out");
        let code = if at == 2 { "verify.incomplete" } else { "verify.root" };
        cases.push(invalid("LayerDropped", &comment, removed, code));
        let comment = format!("the {name} said to be empty");
        cases.push(invalid("LayerDropped", &comment, emptied, "verify.incomplete"));
    }
    let none = scene.forged(&key("old"), PLAIN, |proof| proof.at(LAYERS).items(Vec::clear))?;
    cases.push(invalid("LayerDropped", "no layer at all", none, "verify.incomplete"));
    Ok(cases)
}

fn resurrected(scene: &Scene) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    let mut case = |flag, comment: &str, role, layers: Vec<Item>, code| {
        let claim = scene.forged(&key(role), PLAIN, |proof| {
            proof.at(LAYERS).items(|shown| *shown = layers);
        })?;
        cases.push(invalid(flag, comment, claim, code));
        Ok::<_, lightproof_prover::error::StoreError>(())
    };
    let gone = every_layer(scene, "gone")?;
    case(
        "Resurrected",
        "the old value below a tombstone shown too",
        "gone",
        gone.clone(),
        "verify.surplus",
    )?;
    case("Resurrected", "the old value alone", "gone", gone[2..].to_vec(), "verify.root")?;
    let mut cut = gone.clone();
    cut[0].items(|nodes| drop(nodes.pop()));
    case("Resurrected", "the tombstone's leaf cut off", "gone", cut, "verify.incomplete")?;
    let absent = every_layer(scene, "never")?;
    let borrowed = vec![absent[0].clone(), gone[1].clone(), gone[2].clone()];
    case(
        "Resurrected",
        "the delta's proof that another key is absent",
        "gone",
        borrowed,
        "verify.incomplete",
    )?;
    let sunk = every_layer(scene, "sunk")?;
    let below = vec![sunk[0].clone(), sunk[2].clone()];
    case("Resurrected", "the intermediate tombstone skipped", "sunk", below, "verify.root")?;
    let emptied = vec![sunk[0].clone(), Item::List(vec![]), sunk[2].clone()];
    case(
        "Resurrected",
        "the intermediate layer said to be empty",
        "sunk",
        emptied,
        "verify.incomplete",
    )?;

    let mut hot = every_layer(scene, "hot")?;
    hot.truncate(2);
    case(
        "LowerLayer",
        "the intermediate layer's older value shown too",
        "hot",
        hot.clone(),
        "verify.surplus",
    )?;
    case(
        "StaleValue",
        "the intermediate layer's older value alone",
        "hot",
        hot[1..].to_vec(),
        "verify.root",
    )?;
    let middle = every_layer(scene, "middle")?;
    case(
        "LowerLayer",
        "the snapshot's older value shown too",
        "middle",
        middle.clone(),
        "verify.surplus",
    )?;
    let stale = vec![middle[0].clone(), middle[2].clone()];
    case(
        "StaleValue",
        "the snapshot's older value, the layer above skipped",
        "middle",
        stale,
        "verify.root",
    )?;
    let old = every_layer(scene, "old")?;
    let four = [old.as_slice(), &[Item::List(vec![])]].concat();
    case("LowerLayer", "a fourth layer", "old", four, "decode.shape")?;
    Ok(cases)
}

/// Layers of different blocks.
fn blocks(scene: &Scene) -> Result<Vec<Case>> {
    let (role, asked) = (key("old"), scene.query(&[key("old")]));
    let before = scene.proof(HEAD - 1, &asked, PLAIN)?;
    let earlier = scene.proof(HEAD - 4, &asked, PLAIN)?;
    let stale = (scene.source(HEAD)?, asked.clone(), PLAIN, before.encode());
    let future =
        (scene.source(HEAD - 1)?, asked.clone(), PLAIN, scene.proof(HEAD, &asked, PLAIN)?.encode());
    let part = |from: &Item, path: &[usize]| from.clone().at(path).clone();
    let mut cases = vec![
        invalid("OtherBlock", "a valid proof of the block before", stale, "verify.root"),
        invalid("OtherBlock", "a valid proof of the block after", future, "verify.root"),
    ];
    for (layer, name) in NAMES.iter().enumerate() {
        let root = 2 - layer;
        let source = if layer == 0 { &before } else { &earlier };
        let both = scene.forged(&role, PLAIN, |proof| {
            *proof.at(&[root]) = part(source, &[root]);
            *proof.at(&[4, 0, layer]) = part(source, &[4, 0, layer]);
        })?;
        let comment = format!("root and proof of an older {name}");
        cases.push(invalid("OtherBlock", &comment, both, "verify.root"));
        let proof_only = scene.forged(&role, PLAIN, |proof| {
            *proof.at(&[4, 0, layer]) = part(source, &[4, 0, layer]);
        })?;
        let comment = format!("the proof of an older {name} under the newest roots");
        cases.push(invalid("OtherBlock", &comment, proof_only, "verify.root"));
    }
    Ok(cases)
}

fn roots(scene: &Scene) -> Result<Vec<Case>> {
    let role = key("old");
    let mut cases = Vec::new();
    for (one, other) in [(0, 1), (1, 2), (0, 2)] {
        let comment =
            format!("the proofs of the {} and the {} exchanged", NAMES[one], NAMES[other]);
        let proofs = scene.forged(&role, PLAIN, |proof| {
            proof.at(LAYERS).items(|layers| layers.swap(one, other));
        })?;
        cases.push(invalid("LayersSwapped", &comment, proofs, "verify.root"));
        let comment = format!("their roots exchanged: {} and {}", NAMES[one], NAMES[other]);
        let roots = scene
            .forged(&role, PLAIN, |proof| proof.items(|items| items.swap(2 - one, 2 - other)))?;
        cases.push(invalid("LayersSwapped", &comment, roots, "verify.root"));
        let comment = format!("roots and proofs exchanged: {} and {}", NAMES[one], NAMES[other]);
        let both = scene.forged(&role, PLAIN, |proof| {
            proof.items(|items| items.swap(2 - one, 2 - other));
            proof.at(LAYERS).items(|layers| layers.swap(one, other));
        })?;
        cases.push(invalid("LayersSwapped", &comment, both, "verify.root"));
    }
    for (layer, name) in NAMES.iter().enumerate() {
        for (root, word) in [(EMPTY_ROOT, "the empty trie's"), ([0; 32], "zero")] {
            let forged = scene.forged(&role, PLAIN, |proof| {
                *proof.at(&[2 - layer]) = Item::bytes(root);
                *proof.at(&[4, 0, layer]) = Item::List(vec![]);
            })?;
            let comment = format!("{word} as the root of the {name}");
            cases.push(invalid("EmptyLayer", &comment, forged, "verify.root"));
        }
    }
    Ok(cases)
}

/// Several keys.
fn keys(scene: &Scene) -> Result<Vec<Case>> {
    let (one, other) = (scene.deep()?, Scene::far_from(&scene.deep()?));
    let two = scene.query(&[one, other]);
    let shown = |change: &dyn Fn(&mut Vec<Item>)| {
        scene.forged_query(&two, PLAIN, |proof| proof.at(&[4]).items(|keys| change(keys)))
    };
    let foreign = scene.proof(HEAD, &scene.query(&[other]), PLAIN)?;
    let surplus = scene.forged(&one, PLAIN, |proof| {
        proof.at(&[4]).items(|keys| keys.push(keys[0].clone()));
    })?;
    let flag = "OtherKey";
    Ok(vec![
        invalid(
            flag,
            "the second of two keys left out",
            shown(&|keys| drop(keys.pop()))?,
            "verify.incomplete",
        ),
        invalid(flag, "no key at all", shown(&Vec::clear)?, "verify.incomplete"),
        invalid(flag, "a key that nobody asked for", surplus, "verify.surplus"),
        invalid(
            flag,
            "the proofs of two keys exchanged",
            shown(&|keys| keys.swap(0, 1))?,
            "verify.merkle",
        ),
        invalid(
            flag,
            "the first key's proof for both",
            shown(&|keys| keys[1] = keys[0].clone())?,
            "verify.merkle",
        ),
        invalid(
            flag,
            "the proof of another key",
            (scene.source(HEAD)?, scene.query(&[one]), PLAIN, foreign.encode()),
            "verify.merkle",
        ),
    ])
}

fn forms(scene: &Scene) -> Result<Vec<Case>> {
    let role = key("old");
    let honest = |variant| scene.forged(&role, variant, |_| ());
    let named = |(source, query, _, proof): Forged, variant| (source, query, variant, proof);
    let with =
        |form: u64| scene.forged(&role, PLAIN, move |proof| *proof.at(&[3]) = Item::uint(form));
    let dressed = named(with(1)?, "adjacent");
    Ok(vec![
        invalid(
            "Variant",
            "a variant that is none",
            named(honest(PLAIN)?, "hinted"),
            "decode.variant",
        ),
        invalid(
            "Variant",
            "walks named adjacent",
            named(honest(PLAIN)?, "adjacent"),
            "decode.shape",
        ),
        invalid(
            "Variant",
            "adjacent paths named plain",
            named(honest("adjacent")?, PLAIN),
            "decode.shape",
        ),
        invalid("Variant", "walks that say they are adjacent paths", with(1)?, "decode.shape"),
        invalid("Variant", "walks dressed up as adjacent paths", dressed, "decode.shape"),
        invalid("Variant", "form 2", with(2)?, "decode.shape"),
    ])
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
    pub(super) fn claim(&self, key: &[u8], layers: usize) -> Result<Forged> {
        let mut proofs = Vec::new();
        for trie in self.tries.iter().rev().take(layers) {
            proofs.push(nodes(&prove(trie, &keccak256(key))?.nodes));
        }
        Ok(claim(&self.roots, key, proofs))
    }
}

/// A claim under pinned roots.
pub(super) fn claim(roots: &[Word; 3], key: &[u8], layers: Vec<Item>) -> Forged {
    let mut items: Vec<Item> = roots.iter().map(Item::bytes).collect();
    items.extend([Item::uint(0_u8), Item::List(vec![Item::List(layers)])]);
    let source = Source::Root { number: 7, bytes: keccak256(&roots.concat()).to_vec() };
    let query = Item::List(vec![Item::bytes(key)]).encode();
    (source, query, PLAIN, Item::List(items).encode())
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
        cases.push(invalid("BadPayload", &comment, made.claim(one, 3)?, "verify.value"));
        if payload != [0] {
            let made =
                Made::new([&[(one, &[1, 5]), beside], &[beside], &[(one, payload), beside]])?;
            let comment = comment.replace("snapshot", "delta");
            cases.push(invalid("BadPayload", &comment, made.claim(one, 1)?, "verify.value"));
        }
    }
    for (value, comment) in [
        (&[1][..], "an empty value, which is a value"),
        (&[1, 0], "a value that looks like a tombstone"),
        (&[1, 1, 0], "a value that looks like a payload"),
        (&[1, 0x80], "a value that looks like the RLP of nothing"),
    ] {
        let made = Made::new([&[(one, value), beside], &[], &[beside]])?;
        let (source, query, variant, proof) = made.claim(one, 3)?;
        let fact = serde_json::json!({ "values": [{
            "key": lightproof_prover::hex::encode(one),
            "status": "present",
            "value": lightproof_prover::hex::encode(&value[1..]),
            "layer": "snapshot",
        }] });
        let (comment, flags) = (comment.to_owned(), vec!["Payload"]);
        cases.push(Case {
            comment,
            flags,
            source,
            query,
            variant,
            proof,
            expected: Expected::Valid(fact),
        });
    }
    Ok(cases)
}

/// Roots that stand for emptiness elsewhere, and proofs where nothing is to be proven.
fn empty() -> Result<Vec<Case>> {
    let one: &[u8] = b"one";
    let flag = "EmptyLayer";
    let with_root = |root: Word, delta: Item| {
        claim(
            &[EMPTY_ROOT, EMPTY_ROOT, root],
            one,
            vec![delta, Item::List(vec![]), Item::List(vec![])],
        )
    };
    let none = || Item::List(vec![]);
    let empty_node = || Item::List(vec![Item::bytes([0x80])]);
    let leaf = crate::mpt::nodes::leaf_node(
        &lightproof_prover::trie::nibbles::unpack(&keccak256(one)),
        &[1, 5],
    );
    let mut reversed = Made::new([&[(one, &[1, 5])], &[], &[(b"other", &[1])]])?.claim(one, 3)?;
    if let Source::Root { bytes, .. } = &mut reversed.0 {
        let item = lightproof_prover::rlp::decode(&reversed.3).ok();
        let roots =
            item.iter().flat_map(|item| item.as_list().unwrap_or_default()[..3].iter().rev());
        let joined: Vec<u8> = roots.filter_map(Item::as_bytes).flatten().copied().collect();
        *bytes = keccak256(&joined).to_vec();
    }
    Ok(vec![
        invalid(
            flag,
            "a committed root of zero taken for an empty delta",
            with_root([0; 32], none()),
            "verify.incomplete",
        ),
        invalid(
            flag,
            "keccak of nothing taken for an empty delta",
            with_root(EMPTY_CODE_HASH, none()),
            "verify.incomplete",
        ),
        invalid(
            flag,
            "the empty trie's node under the empty root",
            with_root(EMPTY_ROOT, empty_node()),
            "decode.shape",
        ),
        invalid(
            flag,
            "a leaf under the empty root",
            with_root(EMPTY_ROOT, nodes(&[leaf])),
            "verify.surplus",
        ),
        invalid("LayersSwapped", "roots hashed in the opposite order", reversed, "verify.root"),
    ])
}
