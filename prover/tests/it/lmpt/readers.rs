//! Readers while blocks and merges go on.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use lightproof_prover::rng::Rng;
use lightproof_prover::system::lmpt::{Config, Format};

use super::chain::Chain;
use super::model::{State, any_key, writes};

const HEAD: u64 = 120;
const INTERVAL: u64 = 3;

#[test]
fn a_reader_sees_three_layers_of_one_block_while_merges_go_on() {
    for format in [Format::Layered, Format::Conflux] {
        let config = Config { format, interval: INTERVAL, window: 40 };
        let directory = tempfile::tempdir().unwrap();
        let chain = Chain::open(directory.path(), config);
        let all: Vec<_> = (0..=HEAD).map(|block| writes(31, block)).collect();
        let mut states: Vec<State> = Vec::new();
        for (block, writes) in (0..).zip(&all) {
            let before = states.last().cloned().unwrap_or_default();
            states.push(before.after(block, INTERVAL, writes));
        }
        // What headers say, from a chain of its own.
        let other = tempfile::tempdir().unwrap();
        let twin = Chain::open(other.path(), config);
        let mut roots = twin.produce((0..).zip(&all).take(1), true);
        roots.extend(twin.produce((0..).zip(&all).skip(1), true));

        chain.produce((0..).zip(&all).take(1), true);
        let (head, over, proofs) = (AtomicU64::new(0), AtomicBool::new(false), AtomicU64::new(0));
        std::thread::scope(|scope| {
            let read = |reader| {
                let (head, over, proofs) = (&head, &over, &proofs);
                let (chain, states, roots) = (&chain, &states, &roots);
                scope.spawn(move || {
                    let mut rng = Rng::new(31, "lmpt-reader", reader);
                    while !over.load(Ordering::Acquire) {
                        // Published after the commit: the transaction shows at least this block.
                        let newest = head.load(Ordering::Acquire);
                        let reader = chain.read();
                        let block = newest - rng.below(newest.min(30) + 1);
                        let at = usize::try_from(block).unwrap();
                        let key = any_key(&mut rng);
                        let expected = states[at].expected(&key);
                        let proven = chain.proven(&*reader, block, &roots[at], &[key], "plain");
                        assert_eq!(proven, [expected], "block {block}");
                        proofs.fetch_add(1, Ordering::Relaxed);
                    }
                })
            };
            let readers = [read(0), read(1)];
            // One that failed must not be waited for.
            let ended = |reader: &std::thread::ScopedJoinHandle<'_, ()>| reader.is_finished();
            for (block, writes) in (1..=HEAD).zip(&all[1..]) {
                let target = proofs.load(Ordering::Relaxed) + 2;
                chain.produce(std::iter::once((block, writes)), true);
                head.store(block, Ordering::Release);
                // Some reads fall between any two blocks.
                while proofs.load(Ordering::Relaxed) < target && !readers.iter().any(ended) {
                    std::thread::yield_now();
                }
            }
            over.store(true, Ordering::Release);
        });
        assert!(proofs.into_inner() > HEAD);
    }
}
