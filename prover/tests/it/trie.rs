//! The trie against a plain map, and against alloy-trie's root, over random updates with many
//! deletes.

use std::collections::BTreeMap;

use alloy_trie::{HashBuilder, Nibbles as AlloyNibbles};
use lightproof_prover::hash::{EMPTY_ROOT, Word, keccak256};
use lightproof_prover::rng::Rng;
use lightproof_prover::trie::nibbles::Nibbles;
use lightproof_prover::trie::{Changes, Trie, prove};

type Nodes = BTreeMap<Nibbles, Vec<u8>>;

fn alloy_root(model: &BTreeMap<Word, Vec<u8>>) -> Word {
    let mut builder = HashBuilder::default();
    for (key, value) in model {
        builder.add_leaf(AlloyNibbles::unpack(key), value);
    }
    builder.root().0
}

/// Few distinct nibbles: long shared prefixes, so that extensions and embedded nodes come and go.
fn key(rng: &mut Rng) -> Word {
    let mut key = [0; 32];
    for _ in 0..3 {
        let at = rng.pick(&[0, 1, 15, 29, 30, 31]);
        key[at] = rng.pick(&[0x00, 0x01, 0x10, 0x11]);
    }
    key
}

fn value(rng: &mut Rng) -> Vec<u8> {
    if rng.one_in(3) {
        return Vec::new();
    }
    let length = rng.pick(&[1, 2, 31, 32, 33, 70]);
    let mut value = rng.bytes(length);
    value[0] |= 1;
    value
}

fn apply(nodes: &mut Nodes, changes: &Changes) {
    for path in &changes.removed {
        assert!(nodes.remove(path).is_some(), "removed a node that was not there");
    }
    for (path, node) in &changes.written {
        assert_ne!(
            nodes.insert(path.clone(), node.clone()).as_ref(),
            Some(node),
            "wrote a node that had not changed"
        );
    }
}

/// Every node that a trie built at once would store.
fn rebuilt(model: &BTreeMap<Word, Vec<u8>>) -> Nodes {
    let nothing = Nodes::new();
    let mut trie = Trie::open(&nothing).unwrap();
    for (key, value) in model {
        trie.set(key, value.clone()).unwrap();
    }
    trie.finish().written
}

#[test]
fn random_updates_agree_with_a_map_and_with_alloy() {
    for seed in 0..6 {
        let mut rng = Rng::new(seed, "trie-test", 0);
        let (mut model, mut nodes) = (BTreeMap::new(), Nodes::new());
        for _ in 0..30 {
            let mut trie = Trie::open(&nodes).unwrap();
            for _ in 0..rng.below(12) {
                let key = if rng.one_in(4) { keccak256(&rng.bytes(4)) } else { key(&mut rng) };
                let value = value(&mut rng);
                trie.set(&key, value.clone()).unwrap();
                if value.is_empty() {
                    model.remove(&key);
                } else {
                    model.insert(key, value);
                }
            }
            let changes = trie.finish();
            apply(&mut nodes, &changes);
            assert_eq!(changes.root, alloy_root(&model), "seed {seed}");
            // History does not show: the same map always stores the same nodes, and none is left
            // behind.
            assert_eq!(nodes, rebuilt(&model), "seed {seed}");
            for key in model.keys().copied().chain((0..8).map(|_| key(&mut rng))) {
                assert_eq!(prove(&nodes, &key).unwrap().value, model.get(&key).cloned());
            }
        }
    }
}

#[test]
fn removing_everything_leaves_nothing() {
    let mut rng = Rng::new(1, "trie-test", 1);
    let keys: Vec<Word> = (0..60).map(|_| key(&mut rng)).collect();
    let mut nodes = Nodes::new();
    for value in [vec![7; 40], vec![]] {
        let mut trie = Trie::open(&nodes).unwrap();
        for key in &keys {
            trie.set(key, value.clone()).unwrap();
        }
        let changes = trie.finish();
        apply(&mut nodes, &changes);
        assert_eq!(changes.root == EMPTY_ROOT, value.is_empty());
    }
    assert!(nodes.is_empty());
    assert_eq!(prove(&nodes, &keys[0]).unwrap(), lightproof_prover::trie::Walk::default());
}

#[test]
fn an_update_that_changes_nothing_writes_nothing() {
    let mut nodes = Nodes::new();
    for round in 0..2 {
        let mut trie = Trie::open(&nodes).unwrap();
        for index in 0..50_u8 {
            trie.set(&keccak256(&[index]), vec![index + 1; 40]).unwrap();
            trie.set(&keccak256(&[index, index]), vec![]).unwrap();
        }
        let changes = trie.finish();
        assert_eq!(changes.written.is_empty(), round == 1);
        apply(&mut nodes, &changes);
    }
}

#[test]
fn a_missing_node_is_an_error_and_not_an_absence() {
    let model: BTreeMap<Word, Vec<u8>> =
        (0..50_u8).map(|i| (keccak256(&[i]), vec![i + 1; 40])).collect();
    let full = rebuilt(&model);
    let deepest = full.keys().max_by_key(|path| path.len()).unwrap().clone();
    let mut damaged = full.clone();
    damaged.remove(&deepest);
    let failed = model.keys().filter(|key| prove(&damaged, &key[..]).is_err()).count();
    assert_eq!(failed, 1);
}
