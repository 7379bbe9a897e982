//! A program that keeps a chain of its own blocks: what it is refused, and what a refusal leaves.

use lightproof_prover::chain::config::Config;
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::source::{Genesis, SourceBlock};
use lightproof_prover::chain::writes::WriteSet;
use lightproof_prover::error::StoreError;
use lightproof_prover::rlp::Item;
use lightproof_prover::system::{Refusal, lmpt};

const WINDOW: u64 = 3;
const GENESIS: u64 = 100;

fn genesis() -> Genesis {
    Genesis { chain_id: 4_711, timestamp: GENESIS, ..Genesis::default() }
}

fn config() -> Config {
    Config::new(0, WINDOW).with(lmpt::Config { window: WINDOW, ..lmpt::Config::DEFAULT })
}

fn block(number: u64) -> SourceBlock {
    let mut writes = WriteSet::default();
    writes.slot([0xaa; 20], [1; 32], [u8::try_from(number).unwrap(); 32]);
    SourceBlock { number, timestamp: GENESIS + number, origin: [0; 32], writes, content: None }
}

fn query() -> Vec<u8> {
    Item::List(vec![Item::bytes([&[0xaa; 20][..], &[1; 32]].concat())]).encode()
}

#[test]
fn proofs_are_of_the_window_and_of_systems_that_the_chain_has() {
    let directory = tempfile::tempdir().unwrap();
    let chain = Chain::open(directory.path(), config(), &genesis()).unwrap();
    assert_eq!(chain.apply((1..=5).map(block)).unwrap().len(), 5);
    let refusal = |system, block, query: &[u8]| chain.prove(system, block, query).unwrap_err();
    for block in 3..=5 {
        chain.prove("lmpt", block, &query()).unwrap();
    }
    assert!(matches!(refusal("lmpt", 2, &query()), Refusal::Window));
    assert!(matches!(refusal("lmpt", 6, &query()), Refusal::Window));
    assert!(matches!(refusal("lmpt", 5, &[0xc0]), Refusal::Query(_)));
    assert!(matches!(refusal("verkle", 5, &query()), Refusal::Query("no such system")));
}

#[test]
fn a_block_that_does_not_follow_takes_those_before_it_along() {
    let directory = tempfile::tempdir().unwrap();
    let chain = Chain::open(directory.path(), config(), &genesis()).unwrap();
    let late = SourceBlock { timestamp: GENESIS - 1, ..block(1) };
    for blocks in [vec![block(2)], vec![block(1), block(1)], vec![late], vec![block(1), block(3)]] {
        assert!(matches!(chain.apply(blocks), Err(StoreError::Block(_))));
        assert_eq!(chain.snapshot().unwrap().head(), 0);
    }
    chain.apply([block(1)]).unwrap();
    drop(chain);
    let other = Genesis { chain_id: 4_712, ..genesis() };
    let refused = Chain::open(directory.path(), config(), &other).unwrap_err();
    assert!(matches!(refused, StoreError::OtherChain { .. }));
    let again = Chain::open(directory.path(), config(), &genesis()).unwrap();
    assert_eq!(again.snapshot().unwrap().head(), 1);
}
