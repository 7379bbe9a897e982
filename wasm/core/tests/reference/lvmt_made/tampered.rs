//! What must not be accepted of a record: each case one change.

use ark_bn254::Fr;
use ark_ff::One as _;
use serde_json::{Value, json};

use super::secret::{K, point, unreduced};
use super::world::{World, Written};

/// A record's change.
type Change = (&'static str, Box<dyn Fn(&mut Value)>);

/// Cases of one write; `other` is one on the same level.
pub(super) fn cases(world: &World, write: &Written, other: &Written) -> Vec<Value> {
    let (honest, foreign) = (world.show(write), world.show(other));
    let last = write.level;
    let mut all = openings(world, write);
    let mut add = |name, change: Box<dyn Fn(&mut Value)>| all.push((name, change));
    add("value_bit_flip", Box::new(|proof| flip(&mut proof["value"])));
    add(
        "node_value_bit_flip",
        Box::new(move |proof| flip(&mut proof["levels"][last]["node_value"])),
    );
    add("merkle_sibling_flip", Box::new(move |proof| flip(&mut merkle(proof, last)["path"][0])));
    add(
        "merkle_position_flip",
        Box::new(move |proof| {
            let position = merkle(proof, last)["position"].as_u64().unwrap();
            merkle(proof, last)["position"] = json!(position ^ 1);
        }),
    );
    add(
        "malleable_merkle_position_high_bit",
        Box::new(move |proof| {
            let depth = merkle(proof, last)["path"].as_array().unwrap().len();
            let position = merkle(proof, last)["position"].as_u64().unwrap();
            merkle(proof, last)["position"] = json!(position | 1 << depth);
        }),
    );
    add(
        "merkle_path_truncated",
        Box::new(move |proof| {
            merkle(proof, last)["path"].as_array_mut().unwrap().pop();
        }),
    );
    add(
        "merkle_path_extended",
        Box::new(move |proof| {
            let first = merkle(proof, last)["path"][0].clone();
            merkle(proof, last)["path"].as_array_mut().unwrap().push(first);
        }),
    );
    add(
        "merkle_epoch_minus_1",
        Box::new(move |proof| {
            let epoch = merkle(proof, last)["epoch"].as_u64().unwrap();
            merkle(proof, last)["epoch"] = json!(epoch - 1);
        }),
    );
    add(
        "slot_index_changed",
        Box::new(|proof| {
            let slot = proof["ver_info"]["slot_index"].as_u64().unwrap();
            proof["ver_info"]["slot_index"] = json!((slot + 1) % 5);
        }),
    );
    add("panic_slot_index_9", Box::new(|proof| proof["ver_info"]["slot_index"] = json!(9)));
    add("value_none_skips_merkle", Box::new(|proof| proof["value"] = Value::Null));
    add("level_changed", Box::new(move |proof| proof["ver_info"]["level"] = json!(last + 1)));
    add(
        "version_changed",
        Box::new(|proof| {
            let version = proof["ver_info"]["version"].as_u64().unwrap();
            proof["ver_info"]["version"] = json!(version + 1);
        }),
    );
    add("key_last_bit_flip", Box::new(|proof| flip(&mut proof["key"])));
    add("panic_empty_levels", Box::new(|proof| proof["levels"] = json!([])));
    add(
        "key_of_other",
        Box::new({
            let key = foreign["key"].clone();
            move |proof| proof["key"] = key.clone()
        }),
    );
    add(
        "amt_proof_of_other_key",
        Box::new(move |proof| {
            for field in ["node_value", "node_versions", "amt_siblings", "amt_path_h"] {
                proof["levels"][last][field] = foreign["levels"][last][field].clone();
            }
        }),
    );
    if last > 0 {
        all.extend(levels(last));
    }
    let case = |(name, change): Change| {
        let mut proof = honest.clone();
        change(&mut proof);
        assert_ne!(proof, honest, "{name}");
        json!({ "name": format!("level {last} {name}"), "expected": "reject", "proof": proof })
    };
    all.into_iter().map(case).collect()
}

/// Changes of what binds the levels.
fn levels(last: usize) -> Vec<Change> {
    vec![
        ("subamt_merkle_flip", Box::new(|proof| flip(&mut merkle(proof, 0)["path"][0]))),
        (
            "levels_dropped_top",
            Box::new(|proof| {
                proof["levels"].as_array_mut().unwrap().remove(0);
            }),
        ),
        (
            "level_count_not_bound",
            Box::new(move |proof| {
                let levels = proof["levels"].as_array_mut().unwrap();
                let bottom = levels.pop().unwrap();
                levels[last - 1]["merkle"] = bottom["merkle"].clone();
            }),
        ),
    ]
}

/// Changes of the points, on the last level.
fn openings(world: &World, write: &Written) -> Vec<Change> {
    let last = write.level;
    // Discrete logarithms of the nodes C_d and of their proofs, d = 1 first.
    let nodes = world.siblings(write);
    let (top, low) = (nodes[0], nodes[K as usize - 1]);
    let second = nodes[1];
    let set = move |proof: &mut Value, d: usize, which: usize, to: String| {
        proof["levels"][last]["amt_siblings"][d - 1][which] = json!(to);
    };
    let one = Fr::one();
    vec![
        (
            "sibling_commitment_d1_plus_G",
            Box::new(move |proof| set(proof, 1, 0, point(top[0] + one))),
        ),
        (
            "sibling_commitments_shift_sum_preserved",
            Box::new(move |proof| {
                set(proof, 1, 0, point(top[0] + one));
                set(proof, 2, 0, point(second[0] - one));
            }),
        ),
        ("sibling_proof_d1_negated", Box::new(move |proof| set(proof, 1, 1, point(-top[1])))),
        (
            "sibling_proof_dK_plus_G",
            Box::new(move |proof| set(proof, K as usize, 1, point(low[1] + one))),
        ),
        (
            "panic_noncanonical_field_element",
            Box::new(move |proof| set(proof, 1, 0, unreduced(top[0]))),
        ),
        (
            "sibling_order_swapped_d1_d2",
            Box::new(move |proof| {
                let siblings = proof["levels"][last]["amt_siblings"].as_array_mut().unwrap();
                siblings.swap(0, 1);
            }),
        ),
        (
            "malleable_short_amt_proof_identity_dropped",
            Box::new(move |proof| {
                proof["levels"][last]["amt_siblings"].as_array_mut().unwrap().pop();
            }),
        ),
        (
            "panic_extra_amt_node",
            Box::new(move |proof| {
                let siblings = proof["levels"][last]["amt_siblings"].as_array_mut().unwrap();
                siblings.push(siblings[0].clone());
            }),
        ),
        (
            "commitment_replaced",
            Box::new(move |proof| proof["levels"][last]["commitment"] = json!(point(top[0] + one))),
        ),
    ]
}

fn merkle(proof: &mut Value, level: usize) -> &mut Value {
    &mut proof["levels"][level]["merkle"]
}

/// Flips the last bit of hex digits.
fn flip(hex: &mut Value) {
    let text = hex.as_str().unwrap();
    let (head, last) = text.split_at(text.len() - 1);
    let digit = u8::from_str_radix(last, 16).unwrap() ^ 1;
    *hex = json!(format!("{head}{digit:x}"));
}
