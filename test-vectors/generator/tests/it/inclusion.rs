//! Roots of inclusion's vectors against alloy-trie's.

use alloy_trie::root::ordered_trie_root_with_encoder;
use lightproof_generator::inclusion::scene::trie_root;

#[test]
fn the_roots_of_lists_are_alloys() {
    for count in (0..20).chain([126, 127, 128, 129, 130, 255, 256, 257, 1000]) {
        let list: Vec<Vec<u8>> =
            (0..count).map(|at: usize| [at.to_be_bytes(); 5].concat()[at % 9..].to_vec()).collect();
        let alloys = ordered_trie_root_with_encoder(&list, |item, out| out.extend_from_slice(item));
        assert_eq!(trie_root(&list), alloys.0, "{count} items");
    }
}
