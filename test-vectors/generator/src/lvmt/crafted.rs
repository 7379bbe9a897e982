//! States that no honest chain commits to, or none of the scene's does: made by hand, of one block.

use std::collections::BTreeMap;

use ark_ec::CurveGroup;
use lightproof_core::system::lvmt::tuple::{KeyTuple, TreeTuple};
use lightproof_core::wire::bn254;

use super::scene::{K, Key, Result, Scene};
use crate::case::{Case, Claim, Source, invalid};
use crate::scene::list as query;
use lightproof_prover::hash::{Word, keccak256};
use lightproof_prover::rlp::Item;
use lightproof_prover::system::lvmt::amt::{Amt, Form, Versions};
use lightproof_prover::system::lvmt::{Format, Setup, keys, list, merkle};

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

    fn claim(&self, key: &Key, answer: Vec<Item>) -> Claim {
        let count = Item::uint(self.tuples.len() as u64);
        let block = Item::List(vec![Item::uint(0_u8), count, Item::bytes([])]);
        let proof =
            vec![Item::uint(0_u8), Item::List(vec![block]), Item::List(vec![Item::List(answer)])];
        let (query, proof) = (query(&[key]), Item::List(proof).encode());
        Claim { source: self.source(), query, variant: "kzg", proof }
    }

    /// Adds the tuple of a sub-AMT of version 1; its place, and the commitment.
    fn tree(&mut self, path: &[u32], leaves: &BTreeMap<u32, Versions>) -> (u64, [u8; 32]) {
        let commitment = Amt::new(Form::Fold(0), leaves).commitment(self.setup).into_affine();
        let commitment = bn254::compress(&commitment);
        let tuple = TreeTuple { path, version: 1, commitment: &commitment };
        self.tuples.push(tuple.hash(Format::One).0);
        (self.tuples.len() as u64 - 1, commitment)
    }

    fn owner(&self, key: &Key, position: u64) -> Item {
        let value = Item::bytes(keccak256(b"value"));
        Item::List(vec![Item::bytes(key), Item::uint(1_u8), value, self.place(position)])
    }
}

/// Every case.
pub(super) fn cases(scene: &Scene) -> Result<Vec<Case>> {
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
    // A sub-AMT although the leaf above has a free slot: nothing says which of them the key would
    // take.
    let mut state = Crafted::new(setup, index, [1, 1, 0, 0, 0, 0]);
    let place = state.key(&one, 1, 0, 1);
    let below = keys::index(K, &keccak256(&absent), 1);
    let sub = BTreeMap::from([(below ^ 1, [0, 1, 0, 0, 0, 0])]);
    let (at, commitment) = state.tree(&[index], &sub);
    let tree = Item::List(vec![Item::bytes(commitment), state.place(at)]);
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
    let claim = state.claim(&one, items.into());
    let fact = serde_json::json!({ "values": [{
        "key": lightproof_prover::hex::encode(&one), "status": "present", "value": lightproof_prover::hex::encode(b"value"),
        "version": lightproof_prover::hex::quantity(most), "block": "0x0", "level": 0, "slot": 5,
    }] });
    cases.push(claim.proves(flag, "versions of 2^40 - 1", fact));
    cases.extend(levels(scene)?);
    Ok(cases)
}

/// A leaf with a sub-AMT below it, and a key in each of its first slots.
fn owned(owners: &[Key]) -> Versions {
    std::array::from_fn(|slot| u64::from(slot <= owners.len()))
}

/// An absence on level 2, of a state whose leaves on levels 0 and 1 are these keys'.
///
/// * `shown`: what the proof says instead.
fn on_level_two(
    scene: &Scene,
    key: &Key,
    owners: [&[Key]; 2],
    shown: [&[Key]; 2],
) -> Result<Claim> {
    let setup = scene.lvmt.setup()?;
    let [top, middle, last] = [0, 1, 2].map(|level| keys::index(K, &keccak256(key), level));
    let [first, second] = owners;
    let mut state = Crafted::new(setup, top, owned(first));
    let between = BTreeMap::from([(middle, owned(second)), (middle ^ 1, owned(&[]))]);
    // The key's own leaf is empty.
    let below = BTreeMap::from([(last ^ 1, [0, 1, 0, 0, 0, 0])]);
    let mut places = BTreeMap::new();
    for (level, owners) in owners.into_iter().enumerate() {
        for (owner, slot) in owners.iter().zip(1..) {
            places.insert((level, owner), state.key(owner, 1, level, slot));
        }
    }
    let trees = [state.tree(&[top], &between), state.tree(&[top, middle], &below)];
    let [one, two] =
        trees.map(|(at, commitment)| Item::List(vec![Item::bytes(commitment), state.place(at)]));
    let leaves = vec![
        state.leaf(&state.root, top),
        one,
        state.leaf(&between, middle),
        two,
        state.leaf(&below, last),
    ];
    let lists = shown.into_iter().enumerate().map(|(level, owners)| {
        let place = |owner: &Key| places.get(&(level, owner)).copied().unwrap_or_default();
        Item::List(owners.iter().map(|owner| state.owner(owner, place(owner))).collect())
    });
    let owners = Item::List(lists.chain([Item::List(vec![])]).collect());
    let answer = vec![Item::uint(0_u8), Item::uint(2_u8), Item::List(leaves), owners];
    Ok(state.claim(key, answer))
}

/// Absence on level 2: every level above is full, and none of its slots the key's.
fn levels(scene: &Scene) -> Result<Vec<Case>> {
    let flag = "Committed";
    let all: Vec<Key> = (0..13).map(|index| scene.key("deep", index)).collect();
    let honest = [&all[..5], &all[5..10]];
    let absent = &all[12];
    let claim = on_level_two(scene, absent, honest, honest)?;
    let fact = serde_json::json!({
        "values": [{ "key": lightproof_prover::hex::encode(absent), "status": "absent" }],
    });
    let mut cases = vec![claim.proves(flag, "absent on level 2", fact)];
    for (number, key) in all[..10].iter().enumerate() {
        let (level, slot) = (number / 5, number % 5);
        let claim = on_level_two(scene, key, honest, honest)?;
        let comment = format!("the key in slot {} of level {level}, above", slot + 1);
        cases.push(invalid(flag, &comment, claim, "verify.absence"));
        let mut shown = honest.map(<[Key]>::to_vec);
        shown[level][slot].clone_from(&honest[level][(slot + 1) % 5]);
        let claim = on_level_two(scene, key, honest, [&shown[0], &shown[1]])?;
        let comment = format!("{comment}, another owner in its place");
        cases.push(invalid(flag, &comment, claim, "verify.merkle"));
    }
    for (level, owners) in [[&all[..4], honest[1]], [honest[0], &all[5..9]]].iter().enumerate() {
        let claim = on_level_two(scene, absent, *owners, *owners)?;
        let comment = format!("a free slot on level {level}, two levels below it");
        cases.push(invalid(flag, &comment, claim, "verify.absence"));
    }
    Ok(cases)
}
