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
/// Slots of the state for each account of it.
const SLOTS_OF_EACH: u64 = 5;
const WINDOW: u64 = 64;

/// What a block writes; the first one writes the state.
///
/// * `known`: accounts of the state. Half of what later blocks write is in it.
fn writes(number: u64, known: u64) -> WriteSet {
    let mut rng = Rng::new(1, "bench-writes", number);
    let mut set = WriteSet::default();
    let is_first = number == 0;
    let (accounts, slots) =
        if is_first { (known, SLOTS_OF_EACH * known) } else { (ACCOUNTS, SLOTS) };
    let mut pick = |index: u64, known: u64| if is_first { index } else { rng.below(2 * known) };
    for index in 0..accounts {
        let [address @ .., _, _, _, _, _, _, _, _, _, _, _, _] =
            digest(1, "bench-account", pick(index, known));
        let mut balance = [0; 32];
        balance[24..].copy_from_slice(&(number + index + 1).to_be_bytes());
        let write = AccountWrite::Set { nonce: number, balance: Wei(balance), code_hash: None };
        set.accounts.insert(address, write);
    }
    for index in 0..slots {
        let slot = digest(1, "bench-slot", pick(index, SLOTS_OF_EACH * known));
        set.slot([0x51; 20], slot, digest(number, "bench-value", index));
    }
    set
}

/// Processor time and bytes on disk of a block.
///
/// * `known`: accounts of the state.
pub(crate) fn row(systems: &str, blocks: u64, known: u64) -> Value {
    let config = Selection::parse(systems).unwrap().usual(7, WINDOW);
    let directory = tempfile::tempdir().unwrap();
    let block = |number| SourceBlock {
        number,
        timestamp: number,
        origin: [0; 32],
        writes: writes(number, known),
        content: None,
    };
    let genesis = Genesis { chain_id: 1, writes: writes(0, known), ..Genesis::default() };
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
