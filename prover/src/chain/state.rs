//! State as block sources read it.

use crate::chain::{Address, Slot};
use crate::error::StoreError;
use crate::hash::{EMPTY_CODE_HASH, Word};

/// A balance: 256 bits, big-endian, so that the order of the bytes is the order of the numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wei(pub Word);

impl From<u128> for Wei {
    fn from(number: u128) -> Self {
        let mut word = [0; 32];
        word[16..].copy_from_slice(&number.to_be_bytes());
        Self(word)
    }
}

impl TryFrom<Wei> for u128 {
    type Error = StoreError;

    /// # Errors
    /// [`StoreError::Block`] for a number of more than 128 bits.
    fn try_from(wei: Wei) -> Result<Self, StoreError> {
        let (high, low) = wei.0.split_at(16);
        let low = low.iter().fold(0, |number, byte| number << 8 | Self::from(*byte));
        let fits = high.iter().all(|byte| *byte == 0);
        fits.then_some(low)
            .ok_or_else(|| StoreError::Block("expected a balance below 2^128 wei".to_owned()))
    }
}

/// An account without its storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccountState {
    /// Transactions sent.
    pub nonce: u64,
    /// In wei.
    pub balance: Wei,
    /// keccak256 of the account's code.
    pub code_hash: Word,
}

impl Default for AccountState {
    fn default() -> Self {
        Self { nonce: 0, balance: Wei::default(), code_hash: EMPTY_CODE_HASH }
    }
}

/// The state after some block. Nothing here is made up: what is unknown is an error, never a
/// default.
pub trait StateReader {
    /// An account; `None` if there is none.
    ///
    /// # Errors
    /// [`StoreError`] if the state cannot be read.
    fn account(&self, address: &Address) -> Result<Option<AccountState>, StoreError>;

    /// A slot's value; 32 zero bytes if the slot is absent.
    ///
    /// # Errors
    /// [`StoreError`] if the state cannot be read.
    fn slot(&self, address: &Address, slot: &Slot) -> Result<Word, StoreError>;

    /// The code with this hash.
    ///
    /// # Errors
    /// [`StoreError`] if the state holds no such code, or cannot be read. The hash of no bytes
    /// needs no entry.
    fn code(&self, hash: &Word) -> Result<Vec<u8>, StoreError>;

    /// The origin of a block: the hash of the block that it follows (`spec/headers.md`, section 1);
    /// `None` if the chain holds no such block.
    ///
    /// # Errors
    /// [`StoreError`] if the chain cannot be read.
    fn origin(&self, number: u64) -> Result<Option<Word>, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balances_compare_as_numbers_and_leave_128_bits_only_with_an_error() {
        assert!(Wei::from(256) > Wei::from(255));
        assert_eq!(u128::try_from(Wei::from(u128::MAX)).ok(), Some(u128::MAX));
        let mut large = [0; 32];
        large[15] = 1;
        assert!(u128::try_from(Wei(large)).is_err());
    }
}
