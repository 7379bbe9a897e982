//! Kept proofs against those of a vector that was made as it is now.

use lightproof_core::system::balanceproofs::Scheme;

use super::*;
use crate::rng::Rng;
use crate::system::balanceproofs::{Config, Source, Vector};

/// Random updates, then all proofs, single and joined, against those that are made afresh.
fn holds(scheme: Scheme, sides: [u64; 3], factor: usize, rounds: usize) {
    let config = Config { scheme, sides, source: Source::Seed(5), window: 1, ..Config::DEFAULT };
    let setup = Setup::of(&config);
    let count = setup.sides().iter().product();
    let mut rng = Rng::new(9, "balanceproofs/maintain", factor as u64);
    let mut values: Vec<Fr> = (0..count).map(|_| Fr::from(rng.next_u64())).collect();
    let mut kept = Maintained::new(Arc::clone(&setup), values.clone(), factor);
    let mut followed: Vec<_> = (0..count).map(|position| kept.open(position)).collect();
    for round in 0..rounds {
        let position = usize::try_from(rng.below(count as u64)).unwrap();
        // Now and then the same again, to zero, and far.
        let change = match round % 4 {
            0 => -values[position],
            1 => -Fr::one(),
            _ => Fr::from(rng.next_u64()),
        };
        values[position] += change;
        kept.update(position, change);
        for (at, proof) in followed.iter_mut().enumerate() {
            *proof = kept.follow(*proof, at, (position, change));
        }
        if round % 5 == 4 || round + 1 == rounds {
            let all = Maintained::new(Arc::clone(&setup), values.clone(), 1);
            assert_eq!(kept.commitment(), all.commitment());
            for (position, followed) in followed.iter().enumerate() {
                assert_eq!(kept.open(position), all.open(position), "round {round}, {position}");
                assert_eq!(*followed, all.open(position), "round {round}, {position}");
            }
            let divided = Vector::new(Arc::clone(&setup), values.clone());
            assert_eq!(kept.commitment(), *divided.commitment());
            let whole: Vec<u64> = (0..count as u64).collect();
            let some = whole.iter().copied().filter(|at| *at == 0 || rng.below(3) == 0).collect();
            for set in [vec![position as u64], some, whole] {
                for variant in joins(scheme) {
                    let points = kept.points(&set, *variant);
                    assert_eq!(points, divided.points(&set, *variant), "{variant:?} {set:?}");
                }
            }
        }
    }
}

/// What kept proofs make without the vector's polynomial.
fn joins(scheme: Scheme) -> &'static [Variant] {
    match scheme {
        Scheme::Basic => &[Variant::Plain, Variant::Singles, Variant::CommitHinted],
        Scheme::Bucketed | Scheme::TwoLayer => &[Variant::Plain, Variant::Halved],
    }
}

#[test]
fn updates_of_a_vector_agree_with_a_fresh_open_all() {
    holds(Scheme::Basic, [1, 1, 16], 1, 26);
    holds(Scheme::Basic, [1, 1, 16], 2, 26);
    holds(Scheme::Basic, [1, 1, 1], 1, 3);
    holds(Scheme::Basic, [1, 1, 2], 1, 4);
}

#[test]
fn bucket_updates_agree_with_a_fresh_open_all_plain_and_halved() {
    holds(Scheme::Bucketed, [4, 1, 4], 1, 20);
    holds(Scheme::Bucketed, [2, 1, 4], 2, 12);
}

#[test]
fn updates_in_two_layers_agree_with_a_fresh_open_all_plain_and_halved() {
    holds(Scheme::TwoLayer, [2, 4, 4], 1, 24);
    holds(Scheme::TwoLayer, [4, 2, 2], 3, 12);
}

#[test]
fn recomputation_is_deamortised_so_that_logs_hold_no_more_than_twice_their_length() {
    for factor in [1, 2] {
        let config = Config { sides: [1, 1, 16], source: Source::Seed(7), ..Config::DEFAULT };
        let values = vec![Fr::one(); 16];
        let mut kept = Maintained::new(Setup::of(&config), values, factor);
        let mut renewals = 0;
        for round in 0..48 {
            let before = kept.buckets[0].proofs[5];
            kept.update(round * 3 % 16, Fr::from(round as u64 + 1));
            let bucket = &kept.buckets[0];
            assert!(bucket.recent.len() <= 4 * factor && bucket.older.len() <= 4 * factor);
            renewals += usize::from(bucket.proofs[5] != before);
        }
        // Each log is worked off while the next one fills.
        assert_eq!(renewals, 48 / (4 * factor) - 1);
    }
}
