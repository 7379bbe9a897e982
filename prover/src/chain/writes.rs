//! The write set of one block: the one input that every system commits.

use std::collections::BTreeMap;

use crate::chain::state::Wei;
use crate::chain::{Address, Slot};
use crate::hash::{EMPTY_CODE_HASH, Word, keccak256};

/// Everything that a block changes. Ordered, so that every system sees the writes in the same
/// order: accounts by address, slots by address ‖ slot.
///
/// There is no write that clears all slots of an account: chains from Cancun on have none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WriteSet {
    /// What becomes of accounts, by address. An account of which slots alone change is not here.
    pub accounts: BTreeMap<Address, AccountWrite>,
    /// New slot values by address and slot; 32 zero bytes clear the slot.
    pub slots: BTreeMap<(Address, Slot), Word>,
    /// New code by its hash, each once.
    codes: BTreeMap<Word, Vec<u8>>,
}

/// What becomes of one account. Storage is written by slots, so its root is not here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountWrite {
    /// New fields. An account that they leave empty (EIP-161) and that has no slots ceases to
    /// exist.
    Set {
        /// Transactions sent.
        nonce: u64,
        /// In wei.
        balance: Wei,
        /// Hash of the new code, which this block or an earlier one holds; `None` leaves the code
        /// as it is.
        code_hash: Option<Word>,
    },
    /// The account ceases to exist. Its slots must be cleared by then.
    Deleted,
}

impl WriteSet {
    /// Sets an account's nonce and balance.
    pub fn account(&mut self, address: Address, nonce: u64, balance: impl Into<Wei>) {
        let code_hash = match self.accounts.get(&address) {
            None => None,
            Some(AccountWrite::Set { code_hash, .. }) => *code_hash,
            Some(AccountWrite::Deleted) => Some(EMPTY_CODE_HASH),
        };
        let balance = balance.into();
        self.accounts.insert(address, AccountWrite::Set { nonce, balance, code_hash });
    }

    /// Sets an account's nonce, balance and code; no bytes take its code away.
    pub fn contract(
        &mut self,
        address: Address,
        nonce: u64,
        balance: impl Into<Wei>,
        code: Vec<u8>,
    ) {
        let (balance, code_hash) = (balance.into(), Some(self.code(code)));
        self.accounts.insert(address, AccountWrite::Set { nonce, balance, code_hash });
    }

    /// Adds code and returns its hash.
    pub fn code(&mut self, code: Vec<u8>) -> Word {
        let hash = keccak256(&code);
        if !code.is_empty() {
            self.codes.insert(hash, code);
        }
        hash
    }

    /// Deletes an account.
    pub fn delete(&mut self, address: Address) {
        self.accounts.insert(address, AccountWrite::Deleted);
    }

    /// Sets one slot.
    pub fn slot(&mut self, address: Address, slot: Slot, value: Word) {
        self.slots.insert((address, slot), value);
    }

    /// New code by its hash. Invariant: each key is the hash of its value.
    pub fn codes(&self) -> &BTreeMap<Word, Vec<u8>> {
        &self.codes
    }

    /// The key-value writes that every system commits alike: `address ‖ slot` (52 bytes),
    /// ascending, and the new value, `None` where the slot is cleared.
    pub fn key_values(&self) -> impl Iterator<Item = ([u8; 52], Option<Word>)> + '_ {
        self.slots.iter().map(|((address, slot), value)| {
            let mut key = [0; 52];
            key[..20].copy_from_slice(address);
            key[20..].copy_from_slice(slot);
            (key, (*value != [0; 32]).then_some(*value))
        })
    }

    /// The new balances, by address ascending; zero for a deleted account.
    pub fn balances(&self) -> impl Iterator<Item = (Address, Wei)> + '_ {
        self.accounts.iter().map(|(address, write)| match write {
            AccountWrite::Set { balance, .. } => (*address, *balance),
            AccountWrite::Deleted => (*address, Wei::default()),
        })
    }

    /// Every address that this block touches, ascending, each once.
    pub fn touched(&self) -> impl Iterator<Item = Address> + '_ {
        let mut all: Vec<Address> = self
            .accounts
            .keys()
            .copied()
            .chain(self.slots.keys().map(|(address, _)| *address))
            .collect();
        all.sort_unstable();
        all.dedup();
        all.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_values_ascend_and_name_clears() {
        let mut writes = WriteSet::default();
        writes.slot([2; 20], [0; 32], [9; 32]);
        writes.slot([1; 20], [5; 32], [0; 32]);
        let all: Vec<_> = writes.key_values().collect();
        assert_eq!(all[0].1, None);
        assert_eq!(all[1].1, Some([9; 32]));
        assert!(all[0].0 < all[1].0);
        assert_eq!(all[0].0[..20], [1; 20]);
        assert_eq!(writes.touched().collect::<Vec<_>>(), [[1; 20], [2; 20]]);
    }

    fn code_hash(writes: &WriteSet) -> Option<Word> {
        match writes.accounts[&[1; 20]] {
            AccountWrite::Set { code_hash, .. } => code_hash,
            AccountWrite::Deleted => None,
        }
    }

    #[test]
    fn a_later_transfer_keeps_the_code() {
        let mut writes = WriteSet::default();
        writes.contract([1; 20], 1, 0, vec![0xfe]);
        writes.account([1; 20], 1, 5);
        assert_eq!(code_hash(&writes), Some(keccak256(&[0xfe])));
        assert_eq!(writes.codes().values().collect::<Vec<_>>(), [&[0xfe]]);
    }

    #[test]
    fn an_account_that_is_made_again_has_none_of_its_old_code() {
        let mut writes = WriteSet::default();
        writes.delete([1; 20]);
        writes.account([1; 20], 0, 5);
        assert_eq!(code_hash(&writes), Some(EMPTY_CODE_HASH));
    }
}
