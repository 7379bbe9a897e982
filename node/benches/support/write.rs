//! Blocks as many as mainnet's: 600 accounts and 3,000 slots written in each.

use std::ops::RangeInclusive;

use lightproof_node::system::Selection;
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::source::{Genesis, SourceBlock};
use lightproof_prover::chain::state::Wei;
use lightproof_prover::chain::writes::{AccountWrite, WriteSet};
use lightproof_prover::rng::{Rng, digest};
use serde_json::Value;

use super::usage::{self, Watch};

const ACCOUNTS: u64 = 600;
const SLOTS: u64 = 3_000;
/// Accounts and slots of the state: half of what a block writes is there already.
const KNOWN: (u64, u64) = (20_000, 100_000);
const WINDOW: u64 = 64;

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
    let state = writes(0, KNOWN.0, KNOWN.1, true);
    let genesis = Genesis { chain_id: 1, writes: state, ..Genesis::default() };
    let chain = Chain::open(directory.path(), config, &genesis).unwrap();
    let one_by_one = |numbers: RangeInclusive<u64>| {
        for number in numbers {
            chain.apply([block(number)]).unwrap();
        }
    };
    one_by_one(1..=blocks);
    let (bytes, watch) = (usage::bytes(directory.path()), Watch::start());
    one_by_one(blocks + 1..=2 * blocks);
    watch.row(blocks, usage::bytes(directory.path()).saturating_sub(bytes))
}
