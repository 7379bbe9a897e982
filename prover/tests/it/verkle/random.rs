//! Random workloads with deletions, with batches, transactions that are given up, and restarts.

use std::collections::BTreeMap;

use lightproof_core::system::Presence;
use lightproof_prover::rng::Rng;
use lightproof_prover::system::System as _;
use lightproof_prover::system::verkle::prove::encode;
use lightproof_prover::system::verkle::{Commitment, Config, Verkle};

use super::chain::{Chain, Writes};

type State = BTreeMap<Vec<u8>, Vec<u8>>;

fn key(rng: &mut Rng, keys: u64) -> Vec<u8> {
    format!("key {}", rng.below(keys)).into_bytes()
}

/// What a block writes; now and then everything is deleted.
fn writes(seed: u64, block: u64, keys: u64) -> Writes {
    let mut rng = Rng::new(seed, "verkle-random", block);
    if block > 0 && rng.one_in(12) {
        return (0..keys).map(|key| (format!("key {key}").into_bytes(), None)).collect();
    }
    let most = if rng.one_in(3) { keys } else { 6 };
    let count = rng.below(most);
    let write = |_| {
        let key = key(&mut rng, keys);
        let length = usize::try_from(rng.below(40)).unwrap();
        let value = (!rng.one_in(3)).then(|| rng.bytes(length));
        (key, value)
    };
    (0..count).map(write).collect()
}

fn after(state: &State, writes: &Writes) -> State {
    let mut state = state.clone();
    for (key, value) in writes {
        match value {
            Some(value) => drop(state.insert(key.clone(), value.clone())),
            None => drop(state.remove(key)),
        }
    }
    state
}

/// The root of a tree that was built at once.
fn built(config: Config, state: &State) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let writes: Writes =
        state.iter().map(|(key, value)| (key.clone(), Some(value.clone()))).collect();
    Chain::open(directory.path(), config).produce([(0, &writes)].into_iter(), true).remove(0)
}

fn run(config: Config, seed: u64, keys: u64, head: u64) {
    let all: Vec<Writes> = (0..=head).map(|block| writes(seed, block, keys)).collect();
    let mut states: Vec<State> = Vec::new();
    for writes in &all {
        let before = states.last().cloned().unwrap_or_default();
        states.push(after(&before, writes));
    }
    let directory = tempfile::tempdir().unwrap();
    let mut rng = Rng::new(seed, "verkle-checks", 0);
    let mut chain = Chain::open(directory.path(), config);
    let mut roots: Vec<Vec<u8>> = Vec::new();
    while roots.len() < all.len() {
        let count = usize::try_from(1 + rng.below(5)).unwrap();
        let blocks = || (0..).zip(&all).skip(roots.len()).take(count);
        if rng.one_in(3) {
            chain.produce(blocks(), false);
        }
        let made = chain.produce(blocks(), true);
        roots.extend(made);
        if rng.one_in(3) {
            drop(chain);
            chain = Chain::open(directory.path(), config);
        }
        let head = u64::try_from(roots.len()).unwrap() - 1;
        assert_eq!(roots.last().unwrap(), &built(config, &states[roots.len() - 1]));
        let oldest = (head + 1).saturating_sub(config.window);
        let block = oldest + rng.below(head + 1 - oldest);
        let (root, state) = {
            let at = usize::try_from(block).unwrap();
            (&roots[at], &states[at])
        };
        let mut asked: Vec<_> = (0..4).map(|_| key(&mut rng, keys * 2)).collect();
        asked.sort_unstable();
        asked.dedup();
        let expected: Vec<_> = asked
            .iter()
            .map(|key| {
                state.get(key).map_or(Presence::Absent, |value| Presence::Present(value.clone()))
            })
            .collect();
        let reader = chain.read();
        assert_eq!(&chain.verkle.root(&*reader, block).unwrap(), root);
        for variant in chain.verkle.spec().variants {
            let proven = chain.proven(&*reader, block, root, &asked, variant);
            assert_eq!(proven, expected, "{variant} at {block}");
        }
    }
}

fn config(commitment: Commitment, bits: usize, window: u64) -> Config {
    Config { commitment, bits, window }
}

#[test]
fn every_block_of_the_window_is_proven_as_a_plain_map_says_with_kzg() {
    run(config(Commitment::Kzg, 5, 6), 1, 60, 40);
    run(config(Commitment::Kzg, 5, 1), 2, 8, 40);
    run(config(Commitment::Kzg, 8, 30), 3, 400, 20);
}

#[test]
fn every_block_of_the_window_is_proven_as_a_plain_map_says_with_cf() {
    run(config(Commitment::CfInsecure(7), 5, 6), 4, 60, 40);
    run(config(Commitment::CfInsecure(7), 5, 2), 5, 300, 20);
}

/// Openings that were kept are those made anew, whatever was written, deleted, given up or asked in
/// between.
fn kept_openings_are_new_ones(config: Config, seed: u64, keys: u64) {
    let directory = tempfile::tempdir().unwrap();
    let chain = Chain::open(directory.path(), config);
    let mut rng = Rng::new(seed, "verkle-kept", 0);
    let asked: Vec<_> = (0..keys).step_by(3).map(|key| format!("key {key}").into_bytes()).collect();
    let query = encode(&asked);
    for block in 0..12 {
        let writes = writes(seed, block, keys);
        chain.produce([(block, &writes)].into_iter(), false);
        let given_up = writes.iter().take(3).map(|(key, _)| (key.clone(), None)).collect();
        chain.produce([(block, &given_up)].into_iter(), false);
        chain.produce([(block, &writes)].into_iter(), true);
        let reader = chain.read();
        for block in [block, rng.below(block + 1)] {
            for variant in chain.verkle.spec().variants {
                let kept = chain.verkle.prove(&*reader, block, &query, &[variant]).unwrap();
                let new = Verkle::new(config).prove(&*reader, block, &query, &[variant]);
                assert_eq!(kept.bytes, new.unwrap().bytes, "{variant} at {block}");
            }
        }
    }
}

#[test]
fn openings_that_were_kept_are_those_made_anew() {
    kept_openings_are_new_ones(config(Commitment::Kzg, 5, 20), 6, 40);
    kept_openings_are_new_ones(config(Commitment::CfInsecure(7), 5, 20), 7, 40);
}
