//! The plain model: three maps a block.

use std::collections::BTreeMap;

use alloy_trie::{HashBuilder, Nibbles};
use lightproof_core::system::Presence;
use lightproof_core::system::lmpt::{Layer, Value};
use lightproof_prover::hash::{Word, keccak256};
use lightproof_prover::rng::Rng;
use lightproof_prover::system::lmpt::merge::{Key, Writes};

/// Keys that blocks draw from.
const KEYS: u64 = 40;

/// What a block's layers hold.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    snapshot: BTreeMap<Key, Word>,
    intermediate: Writes,
    delta: Writes,
}

/// Key number `index`: some share an account.
pub(crate) fn key(index: u64) -> Key {
    let mut key = [0; 52];
    key[19] = u8::try_from(index % 3).unwrap();
    key[44..].copy_from_slice(&index.to_be_bytes());
    key
}

/// Some key, also one that nothing writes.
pub(crate) fn any_key(rng: &mut Rng) -> Key {
    key(rng.below(KEYS + 3))
}

/// The writes of a block, a third of them deletions.
pub(crate) fn writes(seed: u64, block: u64) -> Writes {
    let mut rng = Rng::new(seed, "lmpt-writes", block);
    let count = if block == 0 { 12 } else { rng.below(6) };
    let value = |rng: &mut Rng| std::array::from_fn(|_| rng.bytes(1)[0]);
    (0..count)
        .map(|_| (key(rng.below(KEYS)), (block > 0 && rng.one_in(3), value(&mut rng))))
        .map(|(key, (deletes, value))| (key, (!deletes).then_some(value)))
        .collect()
}

impl State {
    /// The state after a block, by the rule of `spec/systems/lmpt.md`, section 5.
    pub(crate) fn after(&self, block: u64, interval: u64, writes: &Writes) -> Self {
        let mut state = self.clone();
        if block == 0 {
            state.snapshot = writes.iter().map(|(key, value)| (*key, value.unwrap())).collect();
            return state;
        }
        state.delta.extend(writes.iter().map(|(key, value)| (*key, *value)));
        if block.is_multiple_of(interval) {
            for (key, value) in std::mem::take(&mut state.intermediate) {
                match value {
                    Some(value) => drop(state.snapshot.insert(key, value)),
                    None => drop(state.snapshot.remove(&key)),
                }
            }
            state.intermediate = std::mem::take(&mut state.delta);
        }
        state
    }

    /// What must be proven of a key.
    pub(crate) fn expected(&self, key: &Key) -> Value {
        let present = |value: &Word| Presence::Present(value.to_vec());
        for (layer, map) in [(Layer::Delta, &self.delta), (Layer::Intermediate, &self.intermediate)]
        {
            if let Some(write) = map.get(key) {
                return Value { value: write.as_ref().map_or(Presence::Deleted, present), layer };
            }
        }
        let value = self.snapshot.get(key).map_or(Presence::Absent, present);
        Value { value, layer: Layer::Snapshot }
    }

    /// The header's 32 bytes of `lmpt/1`, by alloy-trie.
    pub(crate) fn layered_root(&self) -> Word {
        let written = |value: &Option<Word>| match value {
            Some(value) => [[1].as_slice(), value].concat(),
            None => vec![0],
        };
        let snapshot = self.snapshot.iter().map(|(key, value)| (key, written(&Some(*value))));
        let above =
            |writes: &Writes| trie_root(writes.iter().map(|(key, value)| (*key, written(value))));
        let snapshot = trie_root(snapshot.map(|(key, value)| (*key, value)));
        keccak256(&[snapshot, above(&self.intermediate), above(&self.delta)].concat())
    }
}

fn trie_root(entries: impl Iterator<Item = (Key, Vec<u8>)>) -> Word {
    let sorted: BTreeMap<Word, Vec<u8>> =
        entries.map(|(key, value)| (keccak256(&key), value)).collect();
    let mut builder = HashBuilder::default();
    for (key, value) in &sorted {
        builder.add_leaf(Nibbles::unpack(key), value);
    }
    builder.root().0
}
