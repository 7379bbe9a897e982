//! Blocks of writes: a sixth of them of accounts, the others of slots.

use std::path::Path;

use lightproof_node::system::Selection;
use lightproof_prover::chain::config::Config;
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::source::{Genesis, SourceBlock};
use lightproof_prover::chain::state::Wei;
use lightproof_prover::chain::writes::{AccountWrite, WriteSet};
use lightproof_prover::rng::{Rng, digest};
use serde_json::Value;

use super::usage::{self, Spent};

/// Slots of the state, and of a block's writes, for each account of it.
const SLOTS_OF_EACH: u64 = 5;
const WINDOW: u64 = 64;

/// What is measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    /// Accounts of the state.
    pub(crate) known: u64,
    /// Blocks on top of the state that are not measured.
    pub(crate) before: u64,
    /// Blocks that are.
    pub(crate) blocks: u64,
    /// Writes of a block.
    pub(crate) writes: u64,
}

/// What a block writes; the first one writes the state.
///
/// Half of what later blocks write is in the state already.
fn writes(number: u64, Size { known, writes, .. }: Size) -> WriteSet {
    let mut rng = Rng::new(1, "bench-writes", number);
    let mut set = WriteSet::default();
    let is_first = number == 0;
    let accounts = if is_first { known } else { writes.div_ceil(1 + SLOTS_OF_EACH) };
    let slots = if is_first { SLOTS_OF_EACH * known } else { writes - accounts };
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

fn config(systems: &str) -> Config {
    Selection::parse(systems).unwrap().usual(7, WINDOW)
}

fn genesis(size: Size) -> Genesis {
    Genesis { chain_id: 1, writes: writes(0, size), ..Genesis::default() }
}

fn block(number: u64, size: Size) -> SourceBlock {
    let (origin, writes) = ([0; 32], writes(number, size));
    SourceBlock { number, timestamp: number, origin, writes, content: None }
}

/// Makes a chain with the state and the blocks that are not measured.
pub(crate) fn fill(systems: &str, directory: &Path, size: Size) {
    let chain = Chain::open(directory, config(systems), &genesis(size)).unwrap();
    for number in 1..=size.before {
        chain.apply([block(number, size)]).unwrap();
    }
}

/// The row of blocks on top of a chain that another process made: what made it is in no peak.
pub(crate) fn row(id: &str, systems: &str, directory: &Path, size: Size) -> Value {
    let before = usage::bytes(directory);
    // What a chain begins with is made when it is made.
    let found = Genesis { chain_id: 1, ..Genesis::default() };
    let chain = Chain::open(directory, config(systems), &found).unwrap();
    let mut spent = Spent::default();
    for number in size.before + 1..=size.before + size.blocks {
        let block = block(number, size);
        spent.by(|| chain.apply([block]).unwrap());
    }
    let mut row = spent.row(id, size.blocks);
    drop(chain);
    let grown = usage::bytes(directory).saturating_sub(before);
    row["writes"] = size.writes.into();
    row["bytes"] = (grown / size.blocks).into();
    row
}
