//! Random workloads with deletions over many merges, in both formats, with batches, transactions
//! that are given up, and restarts.

use lightproof_core::system::Presence;
use lightproof_prover::rng::Rng;
use lightproof_prover::store::{ALL, Order, Table, number};
use lightproof_prover::system::lmpt::merge::{Key, Writes};
use lightproof_prover::system::lmpt::{Config, Format, Read};
use lightproof_prover::system::{Refusal, System as _};

use super::chain::Chain;
use super::model::{State, any_key, writes};

const HEAD: u64 = 90;

fn states(seed: u64, interval: u64) -> (Vec<Writes>, Vec<State>) {
    let all: Vec<Writes> = (0..=HEAD).map(|block| writes(seed, block)).collect();
    let mut states: Vec<State> = Vec::new();
    for (block, writes) in (0..).zip(&all) {
        let before = states.last().cloned().unwrap_or_default();
        states.push(before.after(block, interval, writes));
    }
    (all, states)
}

/// Every block of the window, by proof and by plain read.
fn check(chain: &Chain, states: &[State], roots: &[Vec<u8>], head: u64, rng: &mut Rng) {
    let reader = chain.read();
    for block in (head + 1).saturating_sub(chain.config.window)..=head {
        let at = usize::try_from(block).unwrap();
        let mut keys: Vec<Key> = (0..4).map(|_| any_key(rng)).collect();
        keys.sort_unstable();
        keys.dedup();
        let expected: Vec<_> = keys.iter().map(|key| states[at].expected(key)).collect();
        for variant in chain.lmpt.spec().variants {
            let proven = chain.proven(&*reader, block, &roots[at], &keys, variant);
            assert_eq!(proven, expected, "{variant} at {block}");
        }
        for (key, expected) in keys.iter().zip(expected) {
            let read = chain.lmpt.read(&*reader, block, key).unwrap();
            let same = match (&read, expected.value) {
                (Read::Present(one), Presence::Present(other)) => *one == other,
                (Read::Deleted, Presence::Deleted) | (Read::Absent, Presence::Absent) => true,
                _ => false,
            };
            assert!(same, "{read:?} at {block}");
        }
    }
}

fn run(format: Format, seed: u64, interval: u64, window: u64) {
    let config = Config { format, interval, window };
    let (all, states) = states(seed, interval);
    let directory = tempfile::tempdir().unwrap();
    let mut rng = Rng::new(seed, "lmpt-random", interval);
    let mut chain = Chain::open(directory.path(), config);
    let mut roots: Vec<Vec<u8>> = Vec::new();
    while u64::try_from(roots.len()).unwrap() <= HEAD {
        let first = u64::try_from(roots.len()).unwrap();
        let count = if first == 0 { 1 } else { 1 + rng.below(rng.clone().pick(&[2, 3, 40])) };
        let blocks = || (0..).zip(&all).skip(roots.len()).take(usize::try_from(count).unwrap());
        if rng.one_in(4) {
            chain.produce(blocks(), false);
        }
        let made = chain.produce(blocks(), true);
        roots.extend(made);
        let head = u64::try_from(roots.len()).unwrap() - 1;
        if rng.one_in(4) {
            drop(chain);
            chain = Chain::open(directory.path(), config);
            chain.lmpt.open(&*chain.read()).unwrap();
        }
        if rng.one_in(3) || head >= HEAD {
            check(&chain, &states, &roots, head, &mut rng);
        }
    }
    if format == Format::Layered {
        let expected: Vec<_> = states.iter().map(|state| state.layered_root().to_vec()).collect();
        assert_eq!(roots[..states.len()], expected[..roots.len().min(states.len())]);
    }
    // Blocks that left the window are refused, and nothing of them is kept.
    let old = chain.lmpt.prove(&*chain.read(), 0, &[0xc2, 0x81, 0x80], &["plain"]);
    assert!(matches!(old, Err(Refusal::Window | Refusal::Query(_))), "{old:?}");
    let head = u64::try_from(roots.len()).unwrap() - 1;
    // A block writes one page at most, and those of an interval leave behind it.
    let shown = head.min(chain.config.window + 8 + 2 * interval);
    let store = chain.read();
    let kept = store.range(PAGES, ALL, Order::Ascending).unwrap().count() as u64;
    let newest = number(&store.last(PAGES).unwrap().unwrap().0).unwrap();
    assert!(kept <= shown && newest > HEAD / 2, "{kept} of {newest} pages");
}

/// Nodes of the layers above the snapshot.
const PAGES: Table = Table("lmpt/pages");

#[test]
fn every_block_of_the_window_is_proven_as_a_plain_map_says_in_lmpt_1() {
    for (seed, interval, window) in [(1, 5, 16), (2, 1, 4), (3, 7, 3), (4, 16, 64), (5, 2, 30)] {
        run(Format::Layered, seed, interval, window);
    }
}

#[test]
fn every_block_of_the_window_is_proven_as_a_plain_map_says_in_conflux_format() {
    for (seed, interval, window) in [(6, 5, 16), (7, 1, 4), (8, 7, 3), (9, 16, 64), (10, 2, 30)] {
        run(Format::Conflux, seed, interval, window);
    }
}

#[test]
fn roots_do_not_depend_on_how_blocks_are_batched() {
    for format in [Format::Layered, Format::Conflux] {
        let config = Config { format, interval: 4, window: 8 };
        let (all, _) = states(11, 4);
        let made = |batch: usize| {
            let directory = tempfile::tempdir().unwrap();
            let chain = Chain::open(directory.path(), config);
            let mut roots = chain.produce((0..).zip(&all).take(1), true);
            while roots.len() <= 60 {
                let blocks = (0..).zip(&all).skip(roots.len()).take(batch);
                let made = chain.produce(blocks, true);
                roots.extend(made);
            }
            roots.truncate(61);
            roots
        };
        let one = made(1);
        assert_eq!(made(7), one);
        assert_eq!(made(60), one);
    }
}
