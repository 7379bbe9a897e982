//! The seeded workload: which accounts exist, and what each block writes.
//!
//! A block's writes follow from the seed, its number and the state before it, so that a node killed
//! at any moment goes on as if nothing had happened.

pub mod population;

use crate::chain::source::{Genesis, Parent, Source, SourceBlock, SourceError};
use crate::chain::state::StateReader;
use crate::chain::writes::{AccountWrite, WriteSet};
use crate::chain::{Address, CHAIN_ID, Clock, Slot};
use crate::error::StoreError;
use crate::rng::Rng;
use population::{EMBEDDED_PAIRS, Kind, Population, low_slot, mapping_slot};

/// Slots of a token contract that the workload uses.
pub const TOKEN_SLOTS: u64 = 96;
/// Slots below this one are written at genesis and never cleared, so that samples stay present.
const KEPT_SLOTS: u64 = 4;
const TRANSFERS: usize = 6;
const SLOT_WRITES: usize = 14;
const ETHER: u128 = 1_000_000_000_000_000_000;

/// The default source: a chain that a seed and a clock decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workload {
    /// Decides every account and every write.
    pub seed: u64,
    /// Which time each block states.
    pub clock: Clock,
}

impl Source for Workload {
    fn genesis(&self) -> Result<Genesis, SourceError> {
        Ok(Genesis {
            chain_id: CHAIN_ID,
            timestamp: self.clock.at(0),
            writes: genesis(&Population::new(self.seed, 0)),
            ..Genesis::default()
        })
    }

    fn next(
        &mut self,
        parent: &Parent,
        state: &dyn StateReader,
    ) -> Result<Option<SourceBlock>, SourceError> {
        let number = parent.number + 1;
        let writes = block_writes(self.seed, number, state)?;
        let timestamp = self.clock.at(number);
        Ok(Some(SourceBlock { number, timestamp, origin: [0; 32], writes, content: None }))
    }
}

/// The writes of block `number`.
///
/// # Errors
/// [`StoreError`] if the state cannot be read.
pub fn block_writes(
    seed: u64,
    number: u64,
    state: &dyn StateReader,
) -> Result<WriteSet, StoreError> {
    let population = Population::new(seed, number);
    if number == 0 {
        return Ok(genesis(&population));
    }
    let mut draft = Draft { state, writes: WriteSet::default() };
    let mut rng = Rng::new(seed, "block", number);
    for index in Population::new(seed, number - 1).eoas..population.eoas {
        let amount = u128::from(1 + rng.below(5_000)) * ETHER / 1_000;
        draft.transfer(&population.eoa(0), &population.eoa(index), amount)?;
    }
    for _ in 0..TRANSFERS {
        let from = population.eoa(rng.below(population.eoas));
        let to = population.eoa(rng.below(population.eoas));
        let share = u128::from(rng.below(100));
        let amount = draft.read(&from)?.1 / 1_000 * share;
        draft.transfer(&from, &to, amount)?;
    }
    if rng.one_in(3) {
        let index = KEPT_SLOTS + rng.below(population.eoas - KEPT_SLOTS);
        draft.sweep(&population.eoa(index), &population.eoa(0))?;
    }
    for index in Population::new(seed, number - 1).contracts..population.contracts {
        create_contract(&mut draft.writes, &population, index);
    }
    for _ in 0..SLOT_WRITES {
        let contract = rng.below(population.contracts);
        write_slot(&mut draft.writes, &population, contract, &mut rng);
    }
    Ok(draft.writes)
}

fn genesis(population: &Population) -> WriteSet {
    let mut writes = WriteSet::default();
    for index in 0..population.eoas {
        let balance =
            if index == 0 { 100_000_000 * ETHER } else { u128::from(index % 50 + 1) * ETHER };
        writes.account(population.eoa(index), index % 7, balance);
    }
    for index in 0..population.contracts {
        create_contract(&mut writes, population, index);
    }
    writes
}

fn create_contract(writes: &mut WriteSet, population: &Population, index: u64) {
    let address = population.contract(index);
    let mut rng = Rng::new(population.seed, "contract-state", index);
    writes.contract(address, 1, u128::from(rng.below(1_000)), population.code(index));
    match Population::kind(index) {
        Kind::Token => {
            for slot in 0..TOKEN_SLOTS / 2 {
                writes.slot(address, mapping_slot(slot), value(&mut rng));
            }
        }
        Kind::Counter => {
            for slot in 0..KEPT_SLOTS {
                writes.slot(address, low_slot(slot), value(&mut rng));
            }
        }
        Kind::Tiny => {
            let (a, b) = EMBEDDED_PAIRS[0];
            writes.slot(address, low_slot(a), small(&mut rng));
            writes.slot(address, low_slot(b), small(&mut rng));
        }
        Kind::CodeOnly | Kind::Delegated => {}
    }
}

fn write_slot(writes: &mut WriteSet, population: &Population, contract: u64, rng: &mut Rng) {
    let address = population.contract(contract);
    match Population::kind(contract) {
        Kind::Token => {
            let index = rng.below(TOKEN_SLOTS);
            let clear = index >= KEPT_SLOTS && rng.one_in(3);
            writes.slot(address, mapping_slot(index), if clear { [0; 32] } else { value(rng) });
        }
        Kind::Counter => {
            let index = rng.below(12);
            let clear = index >= KEPT_SLOTS && rng.one_in(2);
            writes.slot(address, low_slot(index), if clear { [0; 32] } else { value(rng) });
        }
        Kind::Tiny => {
            // The first pair stays; the others come and go, so that branches form, shrink and
            // merge.
            let first = rng.one_in(2);
            let (a, b) = if first { EMBEDDED_PAIRS[0] } else { rng.pick(&EMBEDDED_PAIRS[1..]) };
            let slot = low_slot(if rng.one_in(2) { a } else { b });
            let clear = !first && rng.one_in(2);
            writes.slot(address, slot, if clear { [0; 32] } else { small(rng) });
        }
        Kind::CodeOnly | Kind::Delegated => {}
    }
}

/// A value of 1, 8 or 32 bytes; never zero.
fn value(rng: &mut Rng) -> Slot {
    let mut value = [0; 32];
    let length = rng.pick(&[1, 8, 32]);
    value[32 - length..].copy_from_slice(&rng.bytes(length));
    value[31] |= 1;
    value
}

/// A value of one byte below 0x80, whose leaf can be embedded.
fn small(rng: &mut Rng) -> Slot {
    low_slot(1 + rng.below(0x7f))
}

struct Draft<'s> {
    state: &'s dyn StateReader,
    writes: WriteSet,
}

impl Draft<'_> {
    fn read(&self, address: &Address) -> Result<(u64, u128), StoreError> {
        let (nonce, balance) = match self.writes.accounts.get(address) {
            Some(AccountWrite::Set { nonce, balance, .. }) => (*nonce, *balance),
            Some(AccountWrite::Deleted) => Default::default(),
            None => {
                let account = self.state.account(address)?.unwrap_or_default();
                (account.nonce, account.balance)
            }
        };
        Ok((nonce, balance.try_into()?))
    }

    fn transfer(&mut self, from: &Address, to: &Address, amount: u128) -> Result<(), StoreError> {
        let (nonce, balance) = self.read(from)?;
        let amount = amount.min(balance);
        if amount == 0 {
            return Ok(());
        }
        self.writes.account(*from, nonce + 1, balance - amount);
        let (nonce, balance) = self.read(to)?;
        self.writes.account(*to, nonce, balance + amount);
        Ok(())
    }

    /// Takes everything from an account that never sent: the account ceases to exist.
    fn sweep(&mut self, from: &Address, to: &Address) -> Result<(), StoreError> {
        let (nonce, amount) = self.read(from)?;
        if nonce > 0 || amount == 0 {
            return Ok(());
        }
        self.writes.account(*from, 0, 0);
        let (nonce, balance) = self.read(to)?;
        self.writes.account(*to, nonce, balance + amount);
        Ok(())
    }
}
