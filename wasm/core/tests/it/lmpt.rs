//! `lmpt/1` against a plain model: three maps, and every way to lie about them.

mod lies;
mod model;

use lightproof_core::Presence;
use lightproof_core::system::lmpt::{Layer, Value};
use model::{Shown, State};
use proptest::prelude::*;

/// What the model says of a key.
fn expected(state: &State, key: &[u8]) -> Value {
    let present = |value: &Vec<u8>| Presence::Present(value.clone());
    for (layer, map) in [(Layer::Delta, &state.delta), (Layer::Intermediate, &state.intermediate)] {
        if let Some(write) = map.get(key) {
            let value = write.as_ref().map_or(Presence::Deleted, present);
            return Value { value, layer };
        }
    }
    match state.snapshot.get(key) {
        Some(value) => Value { value: present(value), layer: Layer::Snapshot },
        None => Value { value: Presence::Absent, layer: Layer::Snapshot },
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_key_of_a_random_state_is_proven_in_both_forms(state in model::states(), form in 0..2_u64) {
        for key in (0..model::KEYS).map(model::key) {
            let shown = Shown::honest(&state, &key, form);
            let fact = shown.verify(state.root()).expect("an honest proof");
            prop_assert_eq!(fact, expected(&state, &key));
        }
    }

    #[test]
    fn a_proof_of_one_key_proves_nothing_else_about_another(
        state in model::states(), form in 0..2_u64, from in 0..model::KEYS, to in 0..model::KEYS,
    ) {
        let mut shown = Shown::honest(&state, &model::key(from), form);
        shown.key = model::key(to);
        if let Ok(fact) = shown.verify(state.root()) {
            prop_assert_eq!(fact, expected(&state, &shown.key));
        }
    }

    #[test]
    fn dropped_swapped_and_stale_layers_never_change_the_answer(
        state in model::states(), other in model::states(), form in 0..2_u64, key in 0..model::KEYS,
        cut in 0..4_usize, swap in (0..3_usize, 0..3_usize), stale in 0..3_usize,
    ) {
        let key = model::key(key);
        let truth = expected(&state, &key);
        let honest = Shown::honest(&state, &key, form);
        let mut shown = honest.clone();
        shown.layers.truncate(cut);
        for lie in [shown, swapped(&honest, swap), mixed(&honest, &Shown::honest(&other, &key, form), stale)] {
            if let Ok(fact) = lie.verify(state.root()) {
                prop_assert_eq!(&fact, &truth);
            }
        }
    }
}

fn swapped(honest: &Shown, (a, b): (usize, usize)) -> Shown {
    let mut shown = honest.clone();
    if a < shown.layers.len() && b < shown.layers.len() {
        shown.layers.swap(a, b);
    }
    shown
}

/// One layer's proof from another state.
fn mixed(honest: &Shown, other: &Shown, layer: usize) -> Shown {
    let mut shown = honest.clone();
    if let (Some(to), Some(from)) = (shown.layers.get_mut(layer), other.layers.get(layer)) {
        to.clone_from(from);
    }
    shown
}
