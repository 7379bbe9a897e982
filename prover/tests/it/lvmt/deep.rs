//! k = 16, with keys of one root leaf down to level 2: random blocks, empty ones, and a key twice
//! in a block.

use lightproof_prover::hash::keccak256;
use lightproof_prover::rng::Rng;
use lightproof_prover::system::lvmt::Format;
use lightproof_prover::system::lvmt::prove::VARIANTS;

use super::ground;
use super::world::World;

#[test]
fn ground_keys_collide_as_they_say() {
    for (keys, prefix) in
        [(ground::deep(), &[0x78, 0x18, 0xf5, 0x85][..]), (ground::leaf(), &[0x78, 0x18])]
    {
        assert!(keys.iter().all(|key| keccak256(key).starts_with(prefix)));
    }
}

#[test]
fn ground_keys_of_large_trees_are_proven_down_to_level_2() {
    let (deep, leaf) = (ground::deep(), ground::leaf());
    let (written, never) = leaf.split_at(12);
    let mut world = World::new(Format::One, 16);
    let first =
        |keys: &[Vec<u8>]| -> Vec<_> { keys.iter().map(|key| (key.clone(), vec![1])).collect() };
    // Fills the leaf at level 0, then the one at level 1.
    world.block(&first(&written[..5]));
    world.block(&[]);
    world.block(&first(&deep[..5]));
    world.block(&first(&deep[5..]));
    let all: Vec<Vec<u8>> = deep.iter().chain(written).cloned().collect();
    let mut rng = Rng::new(3, "lvmt-deep", 0);
    let mut at = |count: usize| usize::try_from(rng.below(count as u64)).unwrap();
    for _ in 0..6 {
        let key = all[at(all.len())].clone();
        let twice =
            [(key.clone(), vec![2]), (all[at(all.len())].clone(), Vec::new()), (key, vec![3])];
        world.block(&twice);
        world.block(&[]);
    }
    let head = world.head();
    for (variant, block) in VARIANTS.iter().zip([head, 3, head - 3, 2]) {
        let asked: Vec<_> = all.iter().chain(never).cloned().collect();
        let levels = world.check(block, &asked, variant);
        let deepest = levels.into_iter().max();
        assert_eq!(deepest, Some(if block == 2 { 1 } else { 2 }), "{variant}");
        // A stranger to the deepest leaf, whose every slot on the path is another's.
        world.check(block, &never[..1], variant);
        world.check(block, &deep[5..], variant);
    }
}
