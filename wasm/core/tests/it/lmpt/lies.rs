//! One lie each, and the code it must get.

use std::collections::BTreeMap;

use super::model::{Shown, State, key, layer, neighbours, payload};
use lightproof_core::observer::{Cost, Field, Observer, Step};
use lightproof_testkit::{Rlp, Trie, keccak};

/// Every layer holds some keys: 0 in all three, 1 deleted in the delta, 2 in the snapshot only, …
fn state() -> State {
    let value = |text: &str| text.as_bytes().to_vec();
    let mut state = State::default();
    for index in 0..16 {
        state.snapshot.insert(key(index), value("old"));
    }
    for index in [0, 1, 3, 16, 17, 18] {
        state.intermediate.insert(key(index), Some(value("newer")));
        state.delta.insert(key(index + 20), Some(value("elsewhere")));
    }
    state.intermediate.insert(key(4), None);
    state.delta.insert(key(0), Some(value("newest")));
    state.delta.insert(key(1), None);
    state
}

/// Proofs of every layer in one form, whether they are due or not: delta, intermediate, snapshot.
fn all_layers(state: &State, of: u16, form: u64) -> Vec<Rlp> {
    state.payloads().iter().rev().map(|map| layer(map, &keccak(&key(of)), form)).collect()
}

fn shown(of: u16, form: u64) -> Shown {
    Shown::honest(&state(), &key(of), form)
}

#[test]
fn a_lower_layer_says_nothing_while_a_higher_one_is_left_out() {
    let mut lie = shown(0, 0);
    lie.layers = all_layers(&state(), 0, 0)[1..].to_vec();
    assert_eq!(lie.refused(state().root()), "verify.root");
    lie.layers = vec![Rlp::list([]), lie.layers[0].clone()];
    assert_eq!(lie.refused(state().root()), "verify.incomplete");
}

#[test]
fn a_deleted_key_does_not_come_back() {
    let mut lie = shown(1, 0);
    lie.layers = all_layers(&state(), 1, 0);
    assert_eq!(lie.refused(state().root()), "verify.surplus");
    lie.layers.remove(0);
    assert_eq!(lie.refused(state().root()), "verify.root");
}

#[test]
fn layers_below_the_answer_are_surplus() {
    for (of, form) in [(0, 0), (3, 1), (4, 0)] {
        let mut lie = shown(of, form);
        lie.layers = all_layers(&state(), of, form);
        assert_eq!(lie.refused(state().root()), "verify.surplus");
    }
}

#[test]
fn a_layer_that_is_missing_is_not_an_empty_one() {
    for form in 0..2 {
        let mut lie = shown(2, form);
        lie.layers.pop();
        assert_eq!(lie.refused(state().root()), "verify.incomplete");
    }
}

#[test]
fn roots_are_bound_in_their_order() {
    for (a, b) in [(0, 1), (1, 2), (0, 2)] {
        let mut lie = shown(2, 0);
        lie.roots.swap(a, b);
        assert_eq!(lie.refused(state().root()), "verify.root");
    }
}

#[test]
fn proofs_of_two_layers_do_not_change_places() {
    let mut lie = shown(2, 0);
    lie.layers.swap(0, 1);
    assert_eq!(lie.refused(state().root()), "verify.root");
}

#[test]
fn a_root_of_another_block_is_refused() {
    let mut newer = state();
    newer.delta.insert(key(2), None);
    assert_eq!(shown(2, 0).refused(newer.root()), "verify.root");
}

/// A state whose snapshot was committed with another payload for key 2.
fn with_payload(bytes: Vec<u8>) -> (Shown, [u8; 32]) {
    let state = state();
    let mut maps = state.payloads();
    maps[0].insert(keccak(&key(2)), bytes);
    let mut lie = shown(2, 0);
    lie.roots[0] = Trie::new(&maps[0]).root();
    lie.layers[2] = layer(&maps[0], &keccak(&key(2)), 0);
    let root = keccak(&lie.roots.concat());
    (lie, root)
}

#[test]
fn a_payload_is_a_value_or_above_the_snapshot_a_tombstone() {
    for bytes in [payload(None), vec![2, 7], vec![0, 7]] {
        let (lie, root) = with_payload(bytes);
        assert_eq!(lie.refused(root), "verify.value");
    }
    let (honest, root) = with_payload(vec![1]);
    assert!(honest.verify(root).is_ok(), "an empty value is a value");
}

#[test]
fn the_form_is_the_variants() {
    let mut lie = shown(2, 0);
    lie.form = 1;
    assert_eq!(lie.refused(state().root()), "decode.shape");
    lie.variant = 1;
    // Both say form 1, the proof's layers are walks.
    assert_eq!(lie.refused(state().root()), "decode.shape");
}

#[test]
fn this_form_proves_absence_by_neighbours_only() {
    let mut lie = shown(2, 1);
    let delta = &state().payloads()[2];
    let walk = Trie::new(delta).prove(&keccak(&key(2)));
    lie.layers[0] = Rlp::list([Rlp::strings(walk)]);
    assert_eq!(lie.refused(state().root()), "verify.absence");
}

/// From hashed keys to payloads.
type Map = BTreeMap<[u8; 32], Vec<u8>>;

/// The delta, and its hashed keys in order.
fn delta() -> (Map, Vec<[u8; 32]>) {
    let map = state().payloads()[2].clone();
    let keys = map.keys().copied().collect();
    (map, keys)
}

fn with_neighbours(of: &[u8], left: Option<[u8; 32]>, right: Option<[u8; 32]>) -> Shown {
    let (map, _) = delta();
    let mut lie = Shown::honest(&state(), of, 1);
    lie.layers = vec![neighbours(&map, left, right)];
    lie.layers.extend(all_layers(&state(), 2, 1)[1..].iter().cloned());
    lie
}

#[test]
fn neighbours_leave_no_room_for_the_key() {
    let (map, keys) = delta();
    let root = state().root();
    for (index, hidden) in keys.iter().enumerate() {
        let raw = (0..64).map(key).find(|key| keccak(key) == *hidden).unwrap();
        let before = index.checked_sub(1).map(|index| keys[index]);
        let after = keys.get(index + 1).copied();
        // The key itself is hidden between its neighbours.
        assert_eq!(with_neighbours(&raw, before, after).refused(root), "verify.absence");
        // The key stands as its own neighbour.
        assert_eq!(with_neighbours(&raw, Some(*hidden), after).refused(root), "verify.absence");
        assert_eq!(with_neighbours(&raw, before, Some(*hidden)).refused(root), "verify.absence");
        // An edge where there is none.
        if before.is_some() && after.is_some() {
            assert_eq!(with_neighbours(&raw, None, after).refused(root), "verify.absence");
            assert_eq!(with_neighbours(&raw, before, None).refused(root), "verify.absence");
        }
    }
    assert!(map.len() > 4, "the delta is large enough to lie about");
}

#[test]
fn neighbours_stand_on_their_sides_and_next_to_each_other() {
    let (_, keys) = delta();
    let root = state().root();
    let of = key(2);
    let at = keys.iter().position(|found| *found > keccak(&of)).unwrap();
    let (left, right) = (keys[at - 1], keys[at]);
    assert!(with_neighbours(&of, Some(left), Some(right)).verify(root).is_ok());
    for (left, right) in [
        (Some(right), Some(left)),
        (Some(left), Some(left)),
        (Some(right), Some(right)),
        (Some(left), keys.get(at + 1).copied()),
        (at.checked_sub(2).map(|index| keys[index]), Some(right)),
        (None, Some(right)),
        (Some(left), None),
    ] {
        assert_eq!(with_neighbours(&of, left, right).refused(root), "verify.absence");
    }
    assert_eq!(with_neighbours(&of, None, None).refused(root), "decode.shape");
    // A key that is no leaf of the trie.
    assert_eq!(with_neighbours(&of, Some([0; 32]), Some(right)).refused(root), "verify.absence");
}

#[test]
fn truncation_extension_and_flips_are_refused() {
    let root = state().root();
    for form in 0..2 {
        let honest = shown(2, form);
        let truth = honest.verify(root).unwrap();
        let bytes = honest.encode();
        for cut in 0..bytes.len() {
            assert!(honest.verify_bytes(root, &bytes[..cut]).is_err());
        }
        assert!(honest.verify_bytes(root, &[bytes.as_slice(), &[0]].concat()).is_err());
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(honest.verify_bytes(root, &flipped).map_or(true, |fact| fact == truth));
        }
    }
}

/// Whether each newest write that a check was told of is a deletion.
#[derive(Default)]
struct Writes(Vec<bool>);

impl Observer for Writes {
    fn step(&mut self, step: Step<'_>) {
        self.0.extend(step.fields.iter().filter_map(|(name, field)| match field {
            Field::Flag(deleted) if *name == "deleted" => Some(*deleted),
            _ => None,
        }));
    }

    fn cost(&mut self, _cost: Cost) {}
}

#[test]
fn what_is_told_of_a_write_is_what_it_was() {
    for (of, expected) in [(0, vec![false]), (1, vec![true]), (3, vec![false]), (40, vec![])] {
        let (shown, mut writes) = (shown(of, 0), Writes::default());
        shown.watched(state().root(), &shown.encode(), &mut writes).unwrap();
        assert_eq!(writes.0, expected, "{of}");
    }
}

#[test]
fn a_key_has_1024_bytes_at_most() {
    for (length, expected) in [(0, "input.query"), (1024, "proven"), (1025, "input.query")] {
        let shown = Shown::honest(&state(), &vec![0xab; length], 0);
        let verdict = shown.verify(state().root());
        let verdict = verdict.map_or_else(|refused| refused.code(), |_| "proven");
        assert_eq!(verdict, expected, "{length}");
    }
}
