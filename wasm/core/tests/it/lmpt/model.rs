//! The model: three maps, their tries, and what an honest prover shows of them.

use std::collections::BTreeMap;

use lightproof_core::observer::Observer;
use lightproof_core::system::lmpt::{Answer, Fact, Lmpt, Value};
use lightproof_core::system::{System, SystemConfig};
use lightproof_core::{Claim, Rejection, Root, verify};
use lightproof_testkit::{Rlp, Trie, keccak};
use proptest::prelude::*;

/// Keys that states draw from.
pub(crate) const KEYS: u16 = 24;

type Writes = BTreeMap<Vec<u8>, Option<Vec<u8>>>;

/// Three layers; `None` is a tombstone.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    pub(crate) snapshot: BTreeMap<Vec<u8>, Vec<u8>>,
    pub(crate) intermediate: Writes,
    pub(crate) delta: Writes,
}

/// Key number `index`: an address and a slot.
pub(crate) fn key(index: u16) -> Vec<u8> {
    [vec![0xab; 50], index.to_be_bytes().to_vec()].concat()
}

/// Random states, empty layers and empty values among them.
pub(crate) fn states() -> impl Strategy<Value = State> {
    let value = || prop::collection::vec(any::<u8>(), 0..40);
    let writes =
        || prop::collection::btree_map((0..KEYS).prop_map(key), prop::option::of(value()), 0..12);
    let snapshot = prop::collection::btree_map((0..KEYS).prop_map(key), value(), 0..16);
    (snapshot, writes(), writes()).prop_map(|(snapshot, intermediate, delta)| State {
        snapshot,
        intermediate,
        delta,
    })
}

impl State {
    /// Maps from hashed keys to payloads: snapshot, intermediate, delta.
    pub(crate) fn payloads(&self) -> [BTreeMap<[u8; 32], Vec<u8>>; 3] {
        let snapshot = self.snapshot.iter().map(|(key, value)| (keccak(key), payload(Some(value))));
        let writes = |map: &Writes| {
            map.iter().map(|(key, value)| (keccak(key), payload(value.as_ref()))).collect()
        };
        [snapshot.collect(), writes(&self.intermediate), writes(&self.delta)]
    }

    /// Snapshot, intermediate, delta.
    pub(crate) fn roots(&self) -> [[u8; 32]; 3] {
        self.payloads().map(|map| Trie::new(&map).root())
    }

    pub(crate) fn root(&self) -> [u8; 32] {
        keccak(&self.roots().concat())
    }
}

/// `01 ‖ value`, or `00` for a tombstone.
pub(crate) fn payload(value: Option<&Vec<u8>>) -> Vec<u8> {
    value.map_or(vec![0], |value| [vec![1], value.clone()].concat())
}

/// A proof, taken apart so that a liar can put it together otherwise.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) key: Vec<u8>,
    pub(crate) form: u64,
    /// The form that the reply names.
    pub(crate) variant: u64,
    /// Snapshot, intermediate, delta.
    pub(crate) roots: [[u8; 32]; 3],
    /// One per consulted layer, delta first.
    pub(crate) layers: Vec<Rlp>,
}

impl Shown {
    /// Delta first, down to the layer that holds the key.
    pub(crate) fn honest(state: &State, key: &[u8], form: u64) -> Self {
        let mut layers = Vec::new();
        let hashed = keccak(key);
        for map in state.payloads().iter().rev() {
            layers.push(layer(map, &hashed, form));
            if map.contains_key(&hashed) {
                break;
            }
        }
        Self { key: key.to_vec(), form, variant: form, roots: state.roots(), layers }
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let [snapshot, intermediate, delta] = self.roots.map(Rlp::str);
        let layers = Rlp::list([Rlp::List(self.layers.clone())]);
        Rlp::list([snapshot, intermediate, delta, Rlp::uint(self.form), layers]).encode()
    }

    /// Runs the verifier under a trusted root.
    pub(crate) fn verify(&self, root: [u8; 32]) -> Result<Value, Rejection> {
        self.verify_bytes(root, &self.encode())
    }

    /// Runs the verifier on other bytes than these.
    pub(crate) fn verify_bytes(&self, root: [u8; 32], proof: &[u8]) -> Result<Value, Rejection> {
        self.watched(root, proof, &mut ())
    }

    /// The same, and tells an observer what it does.
    pub(crate) fn watched(
        &self,
        root: [u8; 32],
        proof: &[u8],
        observer: &mut impl Observer,
    ) -> Result<Value, Rejection> {
        let config = Rlp::list([Rlp::str("lmpt/1"), Rlp::str([])]).encode();
        let params = Lmpt::params(&SystemConfig::from_rlp(&config)?, &[])?;
        let root = Root::<Lmpt>::pinned(&params, &root, 7)?;
        let query = Rlp::list([Rlp::str(&self.key)]).encode();
        let variant = if self.variant == 0 { "plain" } else { "adjacent" };
        let claim = Claim { root: &root, query: &query, variant, proof };
        let proven = verify(&params, &[claim], [0; 32], observer).remove(0)?;
        let Fact { answers } = proven.fact();
        match answers.as_slice() {
            [(key, Answer::Value(value))] if *key == self.key => Ok(value.clone()),
            other => panic!("{other:?}"),
        }
    }

    /// The code it is refused with.
    pub(crate) fn refused(&self, root: [u8; 32]) -> &'static str {
        match self.verify(root) {
            Ok(fact) => panic!("proven: {fact:?}"),
            Err(rejection) => rejection.code(),
        }
    }
}

/// What is shown of one layer.
pub(crate) fn layer(map: &BTreeMap<[u8; 32], Vec<u8>>, key: &[u8; 32], form: u64) -> Rlp {
    if map.is_empty() {
        return Rlp::list([]);
    }
    let nodes = |key: &[u8; 32]| Rlp::strings(Trie::new(map).prove(key));
    match (form, map.contains_key(key)) {
        (0, _) => nodes(key),
        (_, true) => Rlp::list([nodes(key)]),
        (_, false) => {
            let left = map.range(..*key).next_back().map(|(key, _)| *key);
            neighbours(map, left, map.range(*key..).next().map(|(key, _)| *key))
        }
    }
}

/// Two leaves with the nodes along them.
pub(crate) fn neighbours(
    map: &BTreeMap<[u8; 32], Vec<u8>>,
    left: Option<[u8; 32]>,
    right: Option<[u8; 32]>,
) -> Rlp {
    let leaf = |key: Option<[u8; 32]>| {
        let key = key?;
        Some(Rlp::list([Rlp::str(key), Rlp::strings(Trie::new(map).prove(&key))]))
    };
    Rlp::list([left, right].map(|key| leaf(key).unwrap_or(Rlp::list([]))))
}
