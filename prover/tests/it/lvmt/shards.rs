//! Provers of parts of the state: the same roots and the same proofs as of the whole, for the keys
//! of the part alone.

use lightproof_prover::rng::Rng;
use lightproof_prover::system::Refusal;
use lightproof_prover::system::lvmt::prove::VARIANTS;
use lightproof_prover::system::lvmt::{Config, Format, Shard};

use super::world::World;

const K: u8 = 4;
const BITS: u8 = 2;

#[test]
fn shards_prove_every_key_of_theirs_as_the_whole_does_and_no_other() {
    for format in [Format::One, Format::Osdi23] {
        let config = Config { format, k: K, ..Config::DEFAULT };
        let shards: Vec<Shard> = (0..1 << BITS).map(|i| Shard::new(BITS, i).unwrap()).collect();
        // Makes every proof anew from all leaves.
        let mut whole = World::of(Config { keeps_tree: false, ..config });
        let mut parts: Vec<World> =
            shards.iter().map(|shard| World::of(Config { shard: *shard, ..config })).collect();
        let mut rng = Rng::new(5, "lvmt-shards", 0);
        let keys: Vec<Vec<u8>> = (0..100).map(|_| rng.bytes(32)).collect();
        let (written, never) = keys.split_at(88);
        let places: Vec<usize> = (0..written.len()).collect();
        for _ in 0..20 {
            let writes: Vec<_> =
                (0..20).map(|_| (written[rng.pick(&places)].clone(), rng.bytes(3))).collect();
            whole.block(&writes);
            for part in &mut parts {
                part.block(&writes);
                assert_eq!(part.roots, whole.roots);
            }
        }
        let head = whole.head();
        let (mut deepest, mut proven) = (0, 0);
        for (part, shard) in parts.iter().zip(&shards) {
            let (own, others): (Vec<_>, Vec<_>) =
                keys.iter().cloned().partition(|key| shard.has_key(format, K, key));
            assert!(own.iter().any(|key| never.contains(key)));
            proven += own.len();
            for (variant, block) in VARIANTS.iter().zip(head - 3..) {
                let levels = part.check(block, &own, variant);
                deepest = levels.into_iter().max().unwrap_or(0).max(deepest);
                let proof = part.prove(block, &own, variant).unwrap();
                assert_eq!(proof, whole.prove(block, &own, variant).unwrap());
            }
            for key in &others {
                let both = [own[0].clone(), key.clone()];
                let refusal = part.prove(head, &both, "hybrid").unwrap_err();
                assert!(matches!(refusal, Refusal::Elsewhere(part) if part == shard.id()));
            }
        }
        assert_eq!(proven, keys.len());
        assert!(deepest > 0);
    }
}
