//! Roots of mpt's vectors against alloy-trie's.

use std::collections::BTreeMap;

use alloy_trie::{HashBuilder, Nibbles};
use lightproof_generator::mpt::scene::Scene;
use lightproof_prover::hash::Word;

fn alloy_root(model: &BTreeMap<Word, Vec<u8>>) -> Word {
    let mut builder = HashBuilder::default();
    for (key, value) in model {
        builder.add_leaf(Nibbles::unpack(key), value);
    }
    builder.root().0
}

#[test]
fn the_roots_of_the_vectors_are_alloys() {
    let scene = Scene::new();
    for world in [&scene.world, &scene.stale, &scene.sparse] {
        assert_eq!(world.root, alloy_root(&world.leaves()));
        for (address, slots) in world.storages() {
            assert_eq!(world.storage_root(&address), alloy_root(&slots));
        }
    }
}
