//! The state inside a block's own batch, as sources read it.

use crate::chain::state::{AccountState, StateReader};
use crate::chain::{Address, Slot};
use crate::error::StoreError;
use crate::hash::Word;
use crate::store::Read;
use crate::system::mpt::State;

use super::header;

/// The state after the newest block of a batch.
pub(super) struct Reader<'r> {
    store: &'r dyn Read,
    state: State<'r>,
}

impl<'r> Reader<'r> {
    /// * `head`: the newest block of the batch.
    pub(super) fn new(store: &'r dyn Read, head: u64) -> Self {
        Self { store, state: State::after(store, head) }
    }
}

impl StateReader for Reader<'_> {
    fn account(&self, address: &Address) -> Result<Option<AccountState>, StoreError> {
        self.state.fields(address)
    }

    fn slot(&self, address: &Address, slot: &Slot) -> Result<Word, StoreError> {
        Ok(self.state.slot(address, slot)?.value)
    }

    fn code(&self, hash: &Word) -> Result<Vec<u8>, StoreError> {
        self.state.code(hash)
    }

    fn origin(&self, number: u64) -> Result<Option<Word>, StoreError> {
        Ok(header(self.store, number)?.map(|header| header.origin))
    }
}
