//! Layers: of each, every walk and all neighbours, in place of what is due.

#[path = "../../it/lmpt/model.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod model;

use std::collections::{BTreeMap, BTreeSet};

use lightproof_core::system::Presence;
use lightproof_core::system::lmpt::{Layer, Value};
use lightproof_testkit::{Rlp, Trie, hex, keccak};

use self::model::{Shown, State, key, layer, neighbours};
use super::adversaries;
use crate::dice::Dice;

/// Keys that states draw from, and one more that is asked for.
const KEYS: u16 = 6;

fn state(dice: &mut Dice) -> State {
    let mut state = State::default();
    for index in 0..KEYS {
        let value = |dice: &mut Dice| vec![dice.byte(); 1 + dice.below(40)];
        if dice.below(2) == 0 {
            state.snapshot.insert(key(index), value(dice));
        }
        for writes in [&mut state.intermediate, &mut state.delta] {
            match dice.below(4) {
                0 => drop(writes.insert(key(index), Some(value(dice)))),
                1 => drop(writes.insert(key(index), None)),
                _ => {}
            }
        }
    }
    state
}

/// What must be proven of a key.
fn truth(state: &State, key: &[u8]) -> Value {
    let present = |value: &Vec<u8>| Presence::Present(value.clone());
    for (layer, map) in [(Layer::Delta, &state.delta), (Layer::Intermediate, &state.intermediate)] {
        if let Some(write) = map.get(key) {
            return Value { value: write.as_ref().map_or(Presence::Deleted, present), layer };
        }
    }
    let value = state.snapshot.get(key).map_or(Presence::Absent, present);
    Value { value, layer: Layer::Snapshot }
}

/// All that can be shown of one layer's map: walks to each key, leaves, and any two as neighbours.
fn candidates(map: &BTreeMap<[u8; 32], Vec<u8>>) -> Vec<Rlp> {
    let trie = Trie::new(map);
    let walks = (0..=KEYS).map(|index| Rlp::strings(trie.prove(&keccak(&key(index)))));
    let walks: Vec<_> = walks.collect();
    let mut all: Vec<_> = walks.iter().map(|walk| Rlp::list([walk.clone()])).collect();
    all.extend(walks);
    let leaves = || map.keys().map(|key| Some(*key)).chain([None]);
    for left in leaves() {
        all.extend(leaves().map(|right| neighbours(map, left, right)));
    }
    all.push(Rlp::list([]));
    all
}

#[test]
fn lmpt() {
    adversaries("lmpt", |dice, tally, seed| {
        let (state, before) = (state(dice), state(dice));
        let maps = state.payloads();
        let old = before.payloads();
        for (index, form) in (0..=KEYS).flat_map(|index| [(index, 0), (index, 1)]) {
            let honest = Shown::honest(&state, &key(index), form);
            let (due, truth) = (honest.encode(), truth(&state, &key(index)));
            let mut known = BTreeSet::new();
            let mut judge = |shown: &Shown| {
                let proof = shown.encode();
                if !known.insert(keccak(&proof)) {
                    return;
                }
                let proven = shown.verify_bytes(state.root(), &proof).ok();
                tally.judge(proof == due, proven.as_ref(), &truth, || {
                    format!(
                        "lmpt by seed {seed}, key {index}, form {form}: {}",
                        hex::encode(&proof)
                    )
                });
            };
            judge(&honest);
            judge(&Shown::honest(&before, &key(index), form));
            let hashed = keccak(&key(index));
            // Delta first, whether they are due or not.
            let layers: Vec<_> = maps.iter().rev().map(|map| layer(map, &hashed, form)).collect();
            for (place, map) in [2, 1, 0].into_iter().enumerate() {
                let lies = candidates(&maps[map]).into_iter().chain(candidates(&old[map]));
                for lie in lies {
                    let mut changed = layers.clone();
                    changed[place] = lie;
                    // Down to each layer, and the due ones up to this one left out.
                    for count in place + 1..=3 {
                        let layers = changed[..count].to_vec();
                        judge(&Shown { layers, ..honest.clone() });
                    }
                    let layers = changed[place..].to_vec();
                    judge(&Shown { layers, ..honest.clone() });
                }
            }
        }
    });
}
