//! The executor's view of the state, and what it left changed.

use std::cell::Cell;
use std::fmt;

use alloy_eips::eip2935::{HISTORY_SERVE_WINDOW, HISTORY_STORAGE_ADDRESS};
use alloy_primitives::{Address, B256, KECCAK256_EMPTY, U256};
use revm::bytecode::Bytecode;
use revm::database::{BundleState, DBErrorMarker, DatabaseRef};
use revm::state::AccountInfo;

use crate::state::{Account, Changes, State, StateError};

/// Reads the state for the executor. The first error is kept here as it was: the executor hands
/// back its text alone, inside errors that say that the block is invalid.
pub(super) struct Reader<'a> {
    state: &'a dyn State,
    error: Cell<Option<StateError>>,
}

/// Stands for the error that the reader keeps.
#[derive(Debug)]
pub(super) struct Failed;

impl fmt::Display for Failed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the state cannot be read")
    }
}

impl fmt::Debug for Reader<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Reader")
    }
}

impl std::error::Error for Failed {}
impl DBErrorMarker for Failed {}

impl<'a> Reader<'a> {
    pub(super) fn new(state: &'a dyn State) -> Self {
        Self { state, error: Cell::new(None) }
    }

    /// The first read that failed.
    pub(super) fn error(&self) -> Option<StateError> {
        self.error.take()
    }

    fn keep<T>(&self, read: Result<T, StateError>) -> Result<T, Failed> {
        read.map_err(|error| {
            let first = self.error.take().unwrap_or(error);
            self.error.set(Some(first));
            Failed
        })
    }
}

impl DatabaseRef for Reader<'_> {
    type Error = Failed;

    fn basic_ref(&self, address: Address) -> Result<Option<AccountInfo>, Failed> {
        let account = self.keep(self.state.account(&address))?;
        Ok(account.map(|Account { nonce, balance, code_hash }| AccountInfo {
            nonce,
            balance,
            code_hash,
            code: (code_hash == KECCAK256_EMPTY).then(Bytecode::default),
            account_id: None,
        }))
    }

    fn code_by_hash_ref(&self, hash: B256) -> Result<Bytecode, Failed> {
        if hash == KECCAK256_EMPTY {
            return Ok(Bytecode::default());
        }
        // Invariant: code that the state names exists. No code in its place would be another state.
        let unknown = || StateError::new(format!("the code {hash} is not stored"));
        let code = self.state.code(&hash).and_then(|code| code.ok_or_else(unknown));
        let code = code.and_then(|code| {
            Bytecode::new_raw_checked(code)
                .map_err(|error| StateError::new(format!("the code {hash} is malformed: {error}")))
        });
        self.keep(code)
    }

    fn storage_ref(&self, address: Address, slot: U256) -> Result<U256, Failed> {
        self.keep(self.state.slot(&address, &slot.into()))
    }

    fn block_hash_ref(&self, number: u64) -> Result<B256, Failed> {
        self.keep(self.ancestor(number))
    }
}

impl Reader<'_> {
    /// The hash of a block: the store's, or else the one that the history contract holds
    /// (EIP-2935), where the chain begins with a later state. A wrong one would show in the
    /// state root.
    fn ancestor(&self, number: u64) -> Result<B256, StateError> {
        if let Some(hash) = self.state.block_hash(number)? {
            return Ok(hash);
        }
        let slot = U256::from(number % HISTORY_SERVE_WINDOW as u64);
        let kept = self.state.slot(&HISTORY_STORAGE_ADDRESS, &slot.into())?;
        if kept.is_zero() {
            return Err(StateError::new(format!("the hash of block {number} is not stored")));
        }
        Ok(kept.into())
    }
}

/// What differs from the state before.
pub(super) fn changes(bundle: BundleState, state: &dyn State) -> Result<Changes, StateError> {
    let mut changes = Changes::default();
    for (address, account) in bundle.state {
        let info = account.info.filter(|info| !info.is_empty());
        let Some(info) = info else {
            // The executor does not tell an account that never was from an empty one that genesis
            // wrote down, which is gone once it is touched.
            if state.account(&address)?.is_some() {
                changes.accounts.insert(address, None);
            }
            continue;
        };
        let before = account.original_info;
        let same = before.as_ref().is_some_and(|before| {
            (before.nonce, before.balance, before.code_hash)
                == (info.nonce, info.balance, info.code_hash)
        });
        if !same {
            let AccountInfo { nonce, balance, code_hash, .. } = info;
            changes.accounts.insert(address, Some(Account { nonce, balance, code_hash }));
            let known = before.is_some_and(|before| before.code_hash == code_hash);
            if !known && code_hash != KECCAK256_EMPTY {
                let code = info.code.as_ref().or_else(|| bundle.contracts.get(&code_hash));
                match code {
                    Some(code) => {
                        changes.codes.insert(code_hash, code.original_bytes());
                    }
                    None if state.code(&code_hash)?.is_some() => {}
                    None => {
                        let error = format!("the new code {code_hash} of {address} is missing");
                        return Err(StateError::new(error));
                    }
                }
            }
        }
        let slots = account.storage.into_iter().filter(|(_, slot)| slot.is_changed());
        changes.slots.extend(slots.map(|(key, slot)| ((address, key.into()), slot.present_value)));
    }
    Ok(changes)
}
