//! What a check costs, in operations: no machine's load is in these figures.

use std::collections::BTreeSet;

use lightproof_core::observer::{Cost, Counts, Field, Observer, Step};
use lightproof_core::system::verkle::Verkle;
use lightproof_core::{Claim, Root, verify};

use super::model::{Setup, Tree, aggregated, key, map, plain, query, trees};

fn settled(tree: &Tree, keys: &[&[u8]], variant: &str, proof: &[u8]) -> Counts {
    let params = tree.setup.params().unwrap();
    let root = Root::<Verkle>::pinned(&params, &tree.root(), 0).unwrap();
    let query = query(keys);
    let claim = Claim { root: &root, query: &query, variant, proof };
    let mut settled = Counts::default();
    verify(&params, &[claim], [3; 32], &mut settled).remove(0).unwrap();
    settled
}

#[test]
fn kzg_takes_two_miller_loops_and_cf_one_a_digit_and_one_more() {
    for tree in trees() {
        for count in [1, 40] {
            let keys: Vec<_> = (80..80 + count).map(key).collect();
            let shown: Vec<_> = keys.iter().map(|key| tree.show(key)).collect();
            let digits: BTreeSet<_> =
                shown.iter().flat_map(|one| &one.said).map(|(_, digit, _)| *digit).collect();
            let loops = if tree.setup.kind == "kzg" { 2 } else { digits.len() + 1 };
            let keys: Vec<_> = keys.iter().map(Vec::as_slice).collect();
            for (variant, proof) in
                [("plain", plain(&shown)), ("aggregated", aggregated(&tree, &shown))]
            {
                let settled = settled(&tree, &keys, variant, &proof);
                let counted = (settled.loops, settled.exponentiations);
                assert_eq!(counted, (loops, 1), "{} {variant} {count}", tree.setup.format());
            }
        }
    }
}

/// What the way of each key was said to end in.
#[derive(Default)]
struct Ends(Vec<&'static str>);

impl Observer for Ends {
    fn step(&mut self, step: Step<'_>) {
        for (name, field) in step.fields {
            if let ("terminal", "found", Field::Word(found)) = (step.what, *name, field) {
                self.0.push(found);
            }
        }
    }

    fn cost(&mut self, _cost: Cost) {}
}

#[test]
fn what_a_path_ends_in_is_told() {
    let tree = Tree::new(&Setup::new("kzg", 5), map(100));
    let keys: Vec<_> = (80..160).map(key).collect();
    let shown: Vec<_> = keys.iter().map(|key| tree.show(key)).collect();
    let params = tree.setup.params().unwrap();
    let root = Root::<Verkle>::pinned(&params, &tree.root(), 0).unwrap();
    let query = query(&keys.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let proof = plain(&shown);
    let claim = Claim { root: &root, query: &query, variant: "plain", proof: &proof };
    let mut ends = Ends::default();
    verify(&params, &[claim], [3; 32], &mut ends).remove(0).unwrap();
    let expected =
        shown.iter().map(|one| ["present", "empty", "other leaf"][usize::from(one.terminal)]);
    assert_eq!(ends.0, expected.collect::<Vec<_>>());
    assert_eq!(ends.0.iter().collect::<BTreeSet<_>>().len(), 3);
}
