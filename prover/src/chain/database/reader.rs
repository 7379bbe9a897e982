//! The state inside a block's own transaction, as sources read it.

use crate::chain::header::Header;
use crate::chain::state::{AccountState, StateReader};
use crate::chain::{Address, Slot};
use crate::error::StoreError;
use crate::hash::Word;
use crate::store::Bytes;
use crate::system::mpt::{self, WriteState};
use redb::{ReadableTable as _, Table, WriteTransaction};

use super::HEADERS;

/// The state after the newest block of a transaction.
pub(super) struct Reader<'t> {
    state: WriteState<'t>,
    headers: Table<'t, u64, Bytes>,
}

impl<'t> Reader<'t> {
    /// * `head`: the newest block of the transaction.
    pub(super) fn new(transaction: &'t WriteTransaction, head: u64) -> Result<Self, StoreError> {
        let state = mpt::state_before(transaction, head.saturating_add(1))?;
        Ok(Self { state, headers: transaction.open_table(HEADERS)? })
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
        let Some(bytes) = self.headers.get(number)? else { return Ok(None) };
        let header = Header::decode(bytes.value());
        let header = header.ok_or(StoreError::Corrupt("a stored header is no header"))?;
        Ok(Some(header.origin))
    }
}
