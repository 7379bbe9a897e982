//! Random workloads.

use lightproof_prover::hash::keccak256;
use lightproof_prover::rng::Rng;
use lightproof_prover::system::Refusal;
use lightproof_prover::system::lvmt::Format;

use super::world::World;

const VARIANTS: [&str; 4] = ["hybrid", "kzg", "fold", "pairs"];

/// Keys that collide, more of them the deeper: some share 16 bits of their hashes, so that they go
/// down to level 2 at k = 8.
fn keys(format: Format, count: usize) -> Vec<Vec<u8>> {
    let mut keys: Vec<Vec<u8>> = Vec::new();
    let mut rng = Rng::new(5, "lvmt keys", count as u64);
    while keys.len() < count {
        let is_deep = keys.len().is_multiple_of(3);
        match format {
            Format::Osdi23 => {
                let mut key = rng.bytes(32 + keys.len() % 3);
                if is_deep {
                    key[..2].copy_from_slice(&[7, 7]);
                }
                keys.push(key);
            }
            Format::One => {
                let length = 1 + keys.len() % 52;
                // The first byte of the hash, and for every twelfth key the second, are ground.
                let key = rng.bytes(length.max(8));
                let hash = keccak256(&key);
                if !is_deep || hash[0] == 7 && (hash[1] == 7 || !keys.len().is_multiple_of(12)) {
                    keys.push(key);
                }
            }
        }
    }
    keys
}

fn random(format: Format, k: u8, keys: &[Vec<u8>]) {
    let mut world = World::new(format, k);
    let mut rng = Rng::new(1, "lvmt", u64::from(k));
    let (written, never) = keys.split_at(keys.len() * 4 / 5);
    let mut deepest = 0;
    // An empty state first.
    world.block(&[]);
    for variant in VARIANTS {
        world.check(0, &keys[..3], variant);
    }
    for block in 1..90_u64 {
        let writes: Vec<_> = match block % 7 {
            0 => Vec::new(),
            _ => (0..=rng.below(9))
                .map(|_| {
                    let key =
                        written[usize::try_from(rng.below(written.len() as u64)).unwrap()].clone();
                    // Empty values and equal ones too.
                    let length = usize::try_from(rng.below(3)).unwrap();
                    (key, vec![1; length])
                })
                .collect(),
        };
        // The same key twice: the last one counts.
        let twice = writes.first().map(|(key, _)| (key.clone(), b"last".to_vec()));
        world.block(&writes.into_iter().chain(twice).collect::<Vec<_>>());
        let past = block - rng.below(block.min(64));
        let asked: Vec<_> = (0..4)
            .map(|_| keys[usize::try_from(rng.below(keys.len() as u64)).unwrap()].clone())
            .collect();
        let mut asked: Vec<_> = asked.into_iter().chain(never.first().cloned()).collect();
        asked.sort();
        asked.dedup();
        let variant = VARIANTS[usize::try_from(block % 4).unwrap()];
        let levels = world.check(past, &asked, variant);
        deepest = levels.into_iter().max().unwrap_or(0).max(deepest);
    }
    let head = world.head();
    for variant in VARIANTS {
        let levels = world.check(head, keys, variant);
        deepest = levels.into_iter().max().unwrap_or(0).max(deepest);
        for key in keys.iter().take(8) {
            world.check(head - 63, std::slice::from_ref(key), variant);
        }
    }
    assert!(deepest >= 2, "level {deepest}");
    assert!(matches!(world.prove(head - 72, &keys[..1], "kzg"), Err(Refusal::Window)));
    assert!(matches!(world.prove(head + 1, &keys[..1], "kzg"), Err(Refusal::Window)));
}

#[test]
fn random_workloads_of_lvmt_1_are_proven_as_a_plain_map_says() {
    random(Format::One, 8, &keys(Format::One, 130));
}

#[test]
fn random_workloads_of_lvmt_osdi23_are_proven_as_a_plain_map_says() {
    random(Format::Osdi23, 8, &keys(Format::Osdi23, 130));
}

#[test]
fn small_trees_go_deep() {
    random(Format::One, 3, &keys(Format::Osdi23, 220));
}

#[test]
fn tuples_that_no_block_of_the_window_sees_are_dropped() {
    let mut world = World::new(Format::One, 8);
    let keys = keys(Format::Osdi23, 12);
    let writes: Vec<_> = keys.iter().map(|key| (key.clone(), vec![1])).collect();
    world.block(&writes);
    for _ in 0..80 {
        world.block(&writes);
    }
    let kept = world.rows();
    for _ in 0..40 {
        world.block(&writes);
    }
    assert_eq!(world.rows(), kept);
    let head = world.head();
    for block in [head, head - 63] {
        world.check(block, &keys, "hybrid");
    }
    // Owners outlive their tuples.
    world.check(head, &[vec![9; 40]], "hybrid");
}
