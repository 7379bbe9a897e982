//! Absence that is not shown, and states that no honest chain commits to.

use std::collections::BTreeMap;

use ark_ec::CurveGroup;
use lightproof_core::system::lvmt::tuple::{KeyTuple, TreeTuple};
use lightproof_core::wire::bn254;

use super::binding::stale;
use super::scene::{Forged, HEAD, K, Key, Result, Scene, invalid, query};
use crate::hash::{Word, keccak256};
use crate::rlp::Item;
use crate::system::lvmt::amt::{Amt, Form, Versions};
use crate::system::lvmt::{Format, Setup, keys, list, merkle};
use crate::vectors::case::{Case, Expected, Source};
use crate::vectors::cole::edit::Edit as _;

const FLAG: &str = "NotAbsent";
const CODE: &str = "verify.absence";
/// Owners of the leaf on level 0.
const OWNERS: &[usize] = &[2, 0, 3, 0];

/// Every case.
// A table: one case after the other.
#[allow(clippy::too_many_lines)]
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>> {
    let (vacant, full) = (scene.key("pair", 2), scene.key("full", 5));
    let with = |key: &Key, change: &dyn Fn(&mut Item)| {
        scene.forged(std::slice::from_ref(key), "hybrid", |proof| change(proof))
    };
    let mut cases = Vec::new();
    // An existing key, by the owners that its leaf has.
    let owner = scene.key("pair", 0);
    let proof = scene.proof(HEAD, std::slice::from_ref(&vacant), "hybrid")?.encode();
    let exists = (scene.source(HEAD), query(std::slice::from_ref(&owner)), "hybrid", proof);
    cases.push(invalid(FLAG, "the key is one of the owners", exists, CODE));
    let present = with(&full, &|proof| {
        let owner = proof.at(OWNERS).at(&[0]).clone();
        let field = |index: usize| owner.as_list().and_then(|items| items.get(index)).cloned();
        let answer = proof.at(&[2, 0]);
        *answer.at(&[0]) = Item::uint(1_u8);
        *answer.at(&[3]) = Item::uint(1_u8);
        answer.items(|items| items.extend([field(2), field(3)].into_iter().flatten()));
    })?;
    cases.push(invalid(
        "OtherTuple",
        "an absent key by an owner's tuple",
        present,
        "verify.merkle",
    ));
    for slot in 0..5 {
        let forged =
            with(&full, &|proof| proof.at(OWNERS).items(|owners| drop(owners.remove(slot))))?;
        cases.push(invalid(FLAG, &format!("owner {} left out", slot + 1), forged, CODE));
    }
    let mut crowd = scene.proof(HEAD, std::slice::from_ref(&vacant), "hybrid")?;
    let stranger = crowd.at(OWNERS).at(&[0, 0]).clone();
    cases.extend([
        invalid(
            "BadShape",
            "no owners",
            with(&full, &|proof| proof.at(OWNERS).items(Vec::clear))?,
            "decode.shape",
        ),
        invalid(
            FLAG,
            "an owner of another leaf",
            with(&full, &|proof| *proof.at(OWNERS).at(&[2, 0]) = stranger.clone())?,
            CODE,
        ),
        invalid(
            FLAG,
            "an owner without a version",
            with(&full, &|proof| *proof.at(OWNERS).at(&[2, 1]) = Item::uint(0_u8))?,
            CODE,
        ),
        invalid(
            FLAG,
            "an owner that is no key",
            with(&full, &|proof| *proof.at(OWNERS).at(&[2, 0]) = Item::bytes([]))?,
            CODE,
        ),
        invalid(
            "OtherTuple",
            "one owner for two slots",
            with(&full, &|proof| {
                let owner = proof.at(OWNERS).at(&[0]).clone();
                *proof.at(OWNERS).at(&[1]) = owner;
            })?,
            "verify.merkle",
        ),
        invalid(
            "OtherTuple",
            "two owners exchanged",
            with(&full, &|proof| proof.at(OWNERS).items(|owners| owners.swap(0, 1)))?,
            "verify.merkle",
        ),
        invalid(
            "OtherTuple",
            "an owner's other version",
            with(&full, &|proof| *proof.at(OWNERS).at(&[2, 1]) = Item::uint(2_u8))?,
            "verify.merkle",
        ),
        invalid(
            "OtherTuple",
            "an owner's other value",
            with(&full, &|proof| *proof.at(OWNERS).at(&[2, 2]) = Item::bytes([7; 32]))?,
            "verify.merkle",
        ),
        invalid(
            "BadShape",
            "an owner's value of 31 bytes",
            with(&full, &|proof| *proof.at(OWNERS).at(&[2, 2]) = Item::bytes([7; 31]))?,
            "decode.shape",
        ),
        invalid(
            "BadShape",
            "six owners",
            with(&full, &|proof| {
                proof.at(OWNERS).items(|owners| owners.extend(owners.first().cloned()));
            })?,
            "decode.shape",
        ),
        invalid(
            "BadShape",
            "no list of owners",
            with(&full, &|proof| *proof.at(&[2, 0, 3]) = Item::List(vec![]))?,
            "decode.shape",
        ),
        invalid(
            "BadShape",
            "owners of a leaf too many",
            with(&full, &|proof| proof.at(&[2, 0, 3]).items(|all| all.push(Item::List(vec![]))))?,
            "decode.shape",
        ),
    ]);
    // On level 1, from there up: the block of the sub-AMT's tuple goes too.
    let beside = scene.key("beside", 0);
    let stopped = with(&beside, &|proof| {
        *proof.at(&[2, 0, 1]) = Item::uint(0_u8);
        proof.at(&[2, 0, 2]).items(|leaves| leaves.truncate(1));
        proof.at(&[2, 0, 3]).items(|owners| owners.truncate(1));
        proof.at(&[1]).items(|blocks| {
            blocks.retain(|block| {
                block
                    .as_list()
                    .and_then(|items| items.first())
                    .is_some_and(|epoch| epoch.number() == 0)
            });
        });
        for slot in 0..5 {
            *proof.at(OWNERS).at(&[slot, 3, 0]) = Item::uint(0_u8);
        }
    })?;
    cases.push(invalid(FLAG, "stopped at a leaf with a sub-AMT", stopped, CODE));
    let shared =
        with(&beside, &|proof| proof.at(&[2, 0, 3]).items(|owners| drop(owners.remove(1))))?;
    cases.push(invalid("BadShape", "no owners of the last leaf", shared, "decode.shape"));
    // Five keys share the path on level 0 and five on level 1; none may stand in for one of the others.
    let deep = scene.key("deep", 12);
    for (comment, to, from) in [
        ("an owner of the level below", [2, 0, 3, 0, 0], [2, 0, 3, 1, 0]),
        ("an owner of the level above", [2, 0, 3, 1, 0], [2, 0, 3, 0, 0]),
    ] {
        let forged = with(&deep, &|proof| {
            let owner = proof.at(&from).clone();
            *proof.at(&to) = owner;
        })?;
        cases.push(invalid("OtherTuple", comment, forged, "verify.merkle"));
    }
    // Absent then, present now.
    let late = scene.key("crowd", 13);
    let claim = stale(scene, &late, 10)?;
    cases.push(invalid(
        "OtherBlock",
        "a stale absence, its paths renewed",
        claim,
        "verify.opening",
    ));
    cases.extend(crafted(scene)?);
    Ok(cases)
}

/// A state made by hand, of one block.
struct Crafted<'a> {
    setup: &'a Setup,
    tuples: Vec<Word>,
    root: BTreeMap<u32, Versions>,
}

impl<'a> Crafted<'a> {
    fn new(setup: &'a Setup, leaf: u32, versions: Versions) -> Self {
        // Another leaf, so that no point is the identity.
        let root = BTreeMap::from([(leaf, versions), (leaf ^ 1, [0, 1, 0, 0, 0, 0])]);
        Self { setup, tuples: Vec::new(), root }
    }

    /// Adds the first tuple of a key; its place.
    fn key(&mut self, key: &Key, version: u64, level: usize, slot: usize) -> u64 {
        let value = keccak256(b"value");
        let tuple = KeyTuple { key, version, level, slot, value: &value };
        self.tuples.push(tuple.hash(Format::One).0);
        self.tuples.len() as u64 - 1
    }

    fn place(&self, position: u64) -> Item {
        let path = merkle::path(
            &merkle::nodes(&self.tuples),
            self.tuples.len(),
            usize::try_from(position).unwrap_or(0),
        );
        Item::List(vec![Item::uint(0_u8), Item::uint(position), Item::bytes(path.concat())])
    }

    fn source(&self) -> Source {
        let commitment = Amt::new(Form::Fold(0), &self.root).commitment(self.setup);
        let count = self.tuples.len() as u64;
        let hroot = list::leaf(0, count, &merkle::root(&self.tuples));
        let aroot = bn254::compress(&commitment.into_affine());
        Source::Root { number: 0, bytes: [aroot, hroot].concat() }
    }

    fn leaf(&self, leaves: &BTreeMap<u32, Versions>, index: u32) -> Item {
        let points = Amt::new(Form::Fold(0), leaves).open(self.setup, index);
        let points: Vec<u8> = points.iter().flat_map(bn254::compress).collect();
        let versions = leaves.get(&index).copied().unwrap_or_default();
        let digits = versions.iter().rev().flat_map(|version| version.to_be_bytes()[3..].to_vec());
        let value = Item::uint_bytes(&digits.collect::<Vec<u8>>());
        Item::List(vec![value, Item::bytes(points)])
    }

    fn claim(&self, key: &Key, answer: Vec<Item>) -> Forged {
        let count = Item::uint(self.tuples.len() as u64);
        let block = Item::List(vec![Item::uint(0_u8), count, Item::bytes([])]);
        let proof =
            vec![Item::uint(0_u8), Item::List(vec![block]), Item::List(vec![Item::List(answer)])];
        (self.source(), query(std::slice::from_ref(key)), "kzg", Item::List(proof).encode())
    }

    fn owner(&self, key: &Key, position: u64) -> Item {
        let value = Item::bytes(keccak256(b"value"));
        Item::List(vec![Item::bytes(key), Item::uint(1_u8), value, self.place(position)])
    }
}

fn crafted(scene: &Scene) -> Result<Vec<Case>> {
    let setup = scene.lvmt.setup()?;
    let flag = "Committed";
    let mut cases = Vec::new();
    let (absent, one, two) = (scene.key("full", 5), scene.key("full", 0), scene.key("full", 1));
    let index = keys::index(K, &keccak256(&absent), 0);
    // Slots 1 and 3, so that a key could stand in 2, or not.
    for versions in [[0, 1, 0, 1, 0, 0], [0, 0, 1, 1, 0, 0]] {
        let mut state = Crafted::new(setup, index, versions);
        let slots: Vec<usize> = (1..6).filter(|slot| versions[*slot] > 0).collect();
        let places = [state.key(&one, 1, 0, slots[0]), state.key(&two, 1, 0, slots[1])];
        let owners = [state.owner(&one, places[0]), state.owner(&two, places[1])];
        let leaves = Item::List(vec![state.leaf(&state.root, index)]);
        let owners = Item::List(vec![Item::List(owners.into())]);
        let answer = vec![Item::uint(0_u8), Item::uint(0_u8), leaves, owners];
        cases.push(invalid(
            flag,
            "a free slot before a used one",
            state.claim(&absent, answer),
            "verify.absence",
        ));
    }
    // A sub-AMT although the leaf above has a free slot: nothing says which of them the key would take.
    let mut state = Crafted::new(setup, index, [1, 1, 0, 0, 0, 0]);
    let place = state.key(&one, 1, 0, 1);
    let below = keys::index(K, &keccak256(&absent), 1);
    let sub = BTreeMap::from([(below ^ 1, [0, 1, 0, 0, 0, 0])]);
    let commitment = Amt::new(Form::Fold(0), &sub).commitment(setup).into_affine();
    let commitment = bn254::compress(&commitment);
    let tuple = TreeTuple { path: &[index], version: 1, commitment: &commitment };
    state.tuples.push(tuple.hash(Format::One).0);
    let tree = Item::List(vec![Item::bytes(commitment), state.place(1)]);
    let leaves = vec![state.leaf(&state.root, index), tree, state.leaf(&sub, below)];
    let owners = Item::List(vec![Item::List(vec![state.owner(&one, place)]), Item::List(vec![])]);
    let answer = vec![Item::uint(0_u8), Item::uint(1_u8), Item::List(leaves), owners];
    cases.push(invalid(
        flag,
        "a sub-AMT below a free slot",
        state.claim(&absent, answer),
        "verify.absence",
    ));
    // The largest version.
    let most = (1 << 40) - 1;
    let mut state = Crafted::new(setup, index, [most, most, most, most, most, most]);
    let place = state.key(&one, most, 0, 5);
    let leaves = Item::List(vec![state.leaf(&state.root, index)]);
    // The tuple holds keccak(value).
    let items = [
        Item::uint(1_u8),
        Item::uint(0_u8),
        leaves,
        Item::uint(5_u8),
        Item::bytes("value"),
        state.place(place),
    ];
    let (source, query, variant, proof) = state.claim(&one, items.into());
    let fact = serde_json::json!({ "values": [{
        "key": crate::hex::encode(&one), "status": "present", "value": crate::hex::encode(b"value"),
        "version": crate::hex::quantity(most), "block": "0x0", "level": 0, "slot": 5,
    }] });
    cases.push(Case {
        comment: "versions of 2^40 - 1".to_owned(),
        flags: vec![flag],
        source,
        query,
        variant,
        proof,
        expected: Expected::Valid(fact),
    });
    Ok(cases)
}
