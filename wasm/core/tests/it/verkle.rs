//! `verkle` against a model that knows its setup's secrets, and every way to lie about a tree.

#![allow(clippy::cast_possible_truncation)]

mod counts;
mod lies;
mod model;
mod setups;

use lightproof_core::system::verkle::{Query, Verkle};
use lightproof_core::{Claim, Presence, Root, verify};
use model::{Setup, Tree, aggregated, judge, key, map, plain, query, trees};

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

/// An aggregate covers one root: under others it shows nothing, and does not spoil what is claimed
/// beside it.
#[test]
fn several_roots_are_several_claims() {
    for kind in ["cf", "kzg"] {
        let setup = Setup::new(kind, 5);
        let [tree, older] = [100, 80].map(|count| Tree::new(&setup, map(count)));
        let params = setup.params().unwrap();
        let roots = [&tree, &older].map(|tree| {
            let root = tree.root();
            Root::<Verkle>::pinned(&params, &root, 0).unwrap()
        });
        // In one of the trees.
        let keys = [key(90), key(3)];
        let keys: Vec<_> = keys.iter().map(Vec::as_slice).collect();
        let query = query(&keys);
        let shown = [&tree, &older].map(|tree| keys.iter().map(|key| tree.show(key)).collect());
        let shown: [Vec<_>; 2] = shown;
        let short = aggregated(&tree, &shown[0]);
        let (older_short, long) = (aggregated(&older, &shown[1]), plain(&shown[1]));
        let claim = |root, variant, proof| Claim { root, query: &query, variant, proof };
        let claims = [
            claim(&roots[0], "aggregated", short.as_slice()),
            claim(&roots[1], "plain", long.as_slice()),
            claim(&roots[1], "aggregated", short.as_slice()),
            claim(&roots[1], "aggregated", older_short.as_slice()),
        ];
        let verdicts: Vec<_> = verify(&params, &claims, [3; 32], &mut ())
            .into_iter()
            .map(|verdict| match verdict {
                Ok(proven) => Ok(proven.fact().answers[0].1 == Presence::Absent),
                Err(rejection) => Err(rejection.code()),
            })
            .collect();
        assert_eq!(verdicts, [Ok(false), Ok(true), Err("verify.opening"), Ok(true)]);
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

#[test]
fn a_key_has_1_to_1024_bytes() {
    for length in [0, 1, 1024, 1025] {
        let read = Query::from_rlp(&query(&[&vec![7; length]]));
        assert_eq!(read.is_ok(), (1..=1024).contains(&length), "{length}");
    }
}
