//! The state that blocks are executed on, and what a block changes in it.

use std::collections::BTreeMap;
use std::error::Error;

use alloy_primitives::{Address, B256, Bytes, KECCAK256_EMPTY, U256};

/// Why the state could not be read. The cause is the store's own.
#[derive(Debug, thiserror::Error)]
#[error("the state cannot be read: {0}")]
pub struct StateError(#[source] pub Box<dyn Error + Send + Sync>);

impl StateError {
    /// An error that says only this.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into().into())
    }
}

/// The state after the parent of the block that is executed.
pub trait State {
    /// An account, `None` if it does not exist.
    ///
    /// # Errors
    /// [`StateError`] if the store fails.
    fn account(&self, address: &Address) -> Result<Option<Account>, StateError>;

    /// The value of a slot, zero if it was never written.
    ///
    /// # Errors
    /// [`StateError`] if the store fails.
    fn slot(&self, address: &Address, slot: &B256) -> Result<U256, StateError>;

    /// The code with this keccak hash, `None` if the store does not hold it.
    ///
    /// # Errors
    /// [`StateError`] if the store fails.
    fn code(&self, hash: &B256) -> Result<Option<Bytes>, StateError>;

    /// The hash of an ancestor, `None` if the store does not hold it: the state's own record is
    /// asked then (EIP-2935). The newest 256 blocks are asked for, block 0 included.
    ///
    /// # Errors
    /// [`StateError`] if the store fails.
    fn block_hash(&self, number: u64) -> Result<Option<B256>, StateError>;
}

/// An account without its storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Account {
    /// Transactions sent, or contracts created by a contract.
    pub nonce: u64,
    /// In wei.
    pub balance: U256,
    /// Keccak hash of the code; that of no bytes for an account without code.
    pub code_hash: B256,
}

impl Default for Account {
    fn default() -> Self {
        Self { nonce: 0, balance: U256::ZERO, code_hash: KECCAK256_EMPTY }
    }
}

/// Everything that a block changes: values that end as they began are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// New account fields; `None` deletes the account and its storage.
    pub accounts: BTreeMap<Address, Option<Account>>,
    /// New slot values; zero clears the slot. An account whose slots alone changed is not in
    /// `accounts`.
    pub slots: BTreeMap<(Address, B256), U256>,
    /// The codes that `accounts` name for the first time, by keccak hash.
    pub codes: BTreeMap<B256, Bytes>,
}
