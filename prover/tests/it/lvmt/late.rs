//! Rows that are written some blocks later: whatever happens between, a block is proven as it was
//! announced.

use lightproof_prover::rng::Rng;
use lightproof_prover::system::lvmt::prove::VARIANTS;
use lightproof_prover::system::lvmt::{Config, Format};

use super::world::World;

/// Several times as many as it takes until a row is in its table.
const BLOCKS: u64 = 200;

#[test]
fn blocks_are_proven_after_restarts_and_blocks_that_were_given_up() {
    let config = Config { format: Format::One, k: 4, ..Config::DEFAULT };
    let (mut steady, mut world) = (World::of(config), World::of(config));
    let mut rng = Rng::new(7, "lvmt-late", 0);
    let keys: Vec<Vec<u8>> = (0..60).map(|_| rng.bytes(32)).collect();
    let places: Vec<usize> = (0..keys.len()).collect();
    for block in 0..BLOCKS {
        let mut writes = || -> Vec<(Vec<u8>, Vec<u8>)> {
            (0..rng.below(5)).map(|_| (keys[rng.pick(&places)].clone(), rng.bytes(3))).collect()
        };
        let lost = [writes(), writes(), writes()];
        let kept = writes();
        // A process ends at any moment of a block: all of it is there, or nothing.
        if block % 3 == 0 {
            world.give_up(&lost[..usize::try_from(1 + block % 2).unwrap()]);
        }
        if block % 7 == 0 {
            world.restart();
        }
        if block % 14 == 0 && block > 0 {
            // The first that the process does is to prove.
            world.check(block - 1, &keys[..2], VARIANTS[0]);
        }
        steady.block(&kept);
        world.block(&kept);
        assert_eq!(world.roots, steady.roots);
        if block % 16 == 9 || block + 1 == BLOCKS {
            for past in [block, block - block.min(3), block - block.min(63)] {
                let variant = rng.pick(VARIANTS);
                world.check(past, &keys, variant);
                let proof = world.prove(past, &keys, variant).unwrap();
                assert_eq!(proof, steady.prove(past, &keys, variant).unwrap());
            }
        }
    }
}

#[test]
fn a_request_that_came_before_a_block_sees_nothing_of_it() {
    let config = Config { format: Format::One, k: 4, ..Config::DEFAULT };
    let mut world = World::of(config);
    let mut rng = Rng::new(8, "lvmt-late", 1);
    let keys: Vec<Vec<u8>> = (0..40).map(|_| rng.bytes(32)).collect();
    let places: Vec<usize> = (0..keys.len()).collect();
    for _ in 0..90 {
        let block: Vec<_> =
            (0..3).map(|_| (keys[rng.pick(&places)].clone(), rng.bytes(3))).collect();
        world.block(&block);
    }
    let head = world.head();
    let (reading, values) = (world.reading(), world.lvmt.values(&*world.reading(), keys.clone()));
    let (proof, values) = (world.prove(head, &keys, "fold").unwrap(), values.unwrap());
    for later in 1..80 {
        // Every row is written and in its table at the end.
        world.block(&keys.iter().map(|key| (key.clone(), vec![9, 9, later])).collect::<Vec<_>>());
        if later % 13 == 0 {
            let again = world.lvmt.prove_keys(&*reading, head, &keys, "fold").unwrap();
            assert_eq!(again, proof);
            assert_eq!(world.lvmt.values(&*reading, keys.clone()).unwrap(), values);
        }
    }
    let newest = world.lvmt.values(&*world.reading(), keys.clone()).unwrap();
    assert!(newest.iter().all(|value| *value == Some(vec![9, 9, 79])));
}
