//! `verkle` against a model that knows its setup's secrets, and every way to lie about a tree.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::arithmetic_side_effects, clippy::cast_possible_truncation)]

mod counts;
mod lies;
mod model;
mod setups;

use lightproof_core::Presence;
use model::{Setup, Tree, aggregated, judge, key, map, plain, trees};

fn expected(tree: &Tree, key: &[u8]) -> Presence<Vec<u8>> {
    tree.map.get(key).map_or(Presence::Absent, |value| Presence::Present(value.clone()))
}

#[test]
fn every_key_is_proven_present_or_absent_in_both_encodings() {
    for tree in trees() {
        let params = tree.setup.params().unwrap();
        let mut kinds = [0; 3];
        for index in (0..6).chain(100..130) {
            let key = key(index);
            let shown = tree.show(&key);
            kinds[usize::from(shown.terminal)] += 1;
            let truth = vec![expected(&tree, &key)];
            let (keys, shown) = ([key.as_slice()], [shown]);
            let proof = plain(&shown);
            assert_eq!(judge(&params, &tree.root(), &keys, "plain", &proof), Ok(truth.clone()));
            let proof = aggregated(&tree, &shown);
            assert_eq!(judge(&params, &tree.root(), &keys, "aggregated", &proof), Ok(truth));
        }
        assert!(kinds.iter().all(|count| *count > 0), "{} {kinds:?}", tree.setup.format());
    }
}

#[test]
fn many_keys_are_proven_at_once() {
    for tree in trees() {
        let params = tree.setup.params().unwrap();
        let keys: Vec<_> = (80..120).map(key).collect();
        let shown: Vec<_> = keys.iter().map(|key| tree.show(key)).collect();
        let truth: Vec<_> = keys.iter().map(|key| expected(&tree, key)).collect();
        let keys: Vec<_> = keys.iter().map(Vec::as_slice).collect();
        let long = plain(&shown);
        assert_eq!(judge(&params, &tree.root(), &keys, "plain", &long), Ok(truth.clone()));
        let short = aggregated(&tree, &shown);
        assert_eq!(judge(&params, &tree.root(), &keys, "aggregated", &short), Ok(truth));
        assert!(short.len() * 2 < long.len());
    }
}

#[test]
fn an_empty_tree_holds_nothing() {
    for kind in ["cf", "kzg"] {
        let tree = Tree { setup: Setup::new(kind, 5), ..Tree::default() };
        let params = tree.setup.params().unwrap();
        let shown = [tree.show(b"a"), tree.show(b"b")];
        let keys: [&[u8]; 2] = [b"a", b"b"];
        for (variant, proof) in
            [("plain", plain(&shown)), ("aggregated", aggregated(&tree, &shown))]
        {
            let answers = judge(&params, &tree.root(), &keys, variant, &proof);
            assert_eq!(answers, Ok(vec![Presence::Absent; 2]));
        }
    }
}

#[test]
fn a_single_leaf_opens_to_the_identity() {
    for kind in ["cf", "kzg"] {
        let tree = Tree::new(&Setup::new(kind, 5), map(1));
        let params = tree.setup.params().unwrap();
        for index in 0..20 {
            let key = key(index);
            let (keys, shown) = ([key.as_slice()], [tree.show(&key)]);
            let truth = Ok(vec![expected(&tree, &key)]);
            assert_eq!(judge(&params, &tree.root(), &keys, "plain", &plain(&shown)), truth);
            let proof = aggregated(&tree, &shown);
            assert_eq!(judge(&params, &tree.root(), &keys, "aggregated", &proof), truth);
        }
    }
}
