//! Blocks as many as mainnet's: 600 accounts and 3,000 slots written in each.

use std::collections::VecDeque;

use lightproof_node::system::Selection;
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::source::{Genesis, Parent, Source, SourceBlock, SourceError};
use lightproof_prover::chain::state::{StateReader, Wei};
use lightproof_prover::chain::writes::{AccountWrite, WriteSet};
use lightproof_prover::rng::{Rng, digest};
use serde_json::Value;

use super::usage::{self, Watch};

const ACCOUNTS: u64 = 600;
const SLOTS: u64 = 3_000;
/// Accounts and slots of the state: half of what a block writes is there already.
const KNOWN: (u64, u64) = (20_000, 100_000);
const WINDOW: u64 = 64;

struct Blocks(VecDeque<SourceBlock>);

impl Source for Blocks {
    fn genesis(&self) -> Result<Genesis, SourceError> {
        Ok(Genesis { chain_id: 1, writes: writes(0, KNOWN.0, KNOWN.1, true), ..Genesis::default() })
    }

    fn next(
        &mut self,
        _: &Parent,
        _: &dyn StateReader,
    ) -> Result<Option<SourceBlock>, SourceError> {
        Ok(self.0.pop_front())
    }
}

fn writes(number: u64, accounts: u64, slots: u64, is_first: bool) -> WriteSet {
    let mut rng = Rng::new(1, "bench-writes", number);
    let mut set = WriteSet::default();
    let mut pick = |index: u64, known: u64| if is_first { index } else { rng.below(2 * known) };
    for index in 0..accounts {
        let [address @ .., _, _, _, _, _, _, _, _, _, _, _, _] =
            digest(1, "bench-account", pick(index, KNOWN.0));
        let mut balance = [0; 32];
        balance[24..].copy_from_slice(&(number + index + 1).to_be_bytes());
        let write = AccountWrite::Set { nonce: number, balance: Wei(balance), code_hash: None };
        set.accounts.insert(address, write);
    }
    for index in 0..slots {
        let slot = digest(1, "bench-slot", pick(index, KNOWN.1));
        set.slot([0x51; 20], slot, digest(number, "bench-value", index));
    }
    set
}

/// Processor time and bytes on disk of a block.
pub(crate) fn row(systems: &str, blocks: u64) -> Value {
    let config = Selection::parse(systems).unwrap().usual(7, WINDOW);
    let directory = tempfile::tempdir().unwrap();
    let block = |number| SourceBlock {
        number,
        timestamp: number,
        origin: [0; 32],
        writes: writes(number, ACCOUNTS, SLOTS, false),
        content: None,
    };
    let mut source = Blocks((1..=2 * blocks).map(block).collect());
    let chain = Chain::open_with(directory.path(), config, &source).unwrap();
    let mut one_by_one = || {
        for _ in 0..blocks {
            chain.advance(&mut source, 1).unwrap();
        }
    };
    one_by_one();
    let (bytes, watch) = (usage::bytes(directory.path()), Watch::start());
    one_by_one();
    watch.row(blocks, usage::bytes(directory.path()).saturating_sub(bytes))
}
