//! The write set of one block: the one input that every system commits.

use std::collections::BTreeMap;

use crate::chain::{Address, Slot};
use crate::hash::Word;

/// Everything that a block changes. Ordered, so that every system sees the writes in the same
/// order: accounts by address, slots by address ‖ slot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WriteSet {
    /// New account fields by address.
    pub accounts: BTreeMap<Address, AccountWrite>,
    /// New slot values by address and slot; 32 zero bytes clear the slot.
    pub slots: BTreeMap<(Address, Slot), Word>,
}

/// The new fields of one account. Storage is written by slots, so its root is not here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountWrite {
    /// Transactions sent.
    pub nonce: u64,
    /// In wei.
    pub balance: u128,
    /// New code; `None` leaves the code as it is.
    pub code: Option<Vec<u8>>,
}

impl WriteSet {
    /// Sets an account's nonce and balance.
    pub fn account(&mut self, address: Address, nonce: u64, balance: u128) {
        let code = self.accounts.get_mut(&address).and_then(|write| write.code.take());
        self.accounts.insert(address, AccountWrite { nonce, balance, code });
    }

    /// Creates an account with code.
    pub fn contract(&mut self, address: Address, nonce: u64, balance: u128, code: Vec<u8>) {
        self.accounts.insert(address, AccountWrite { nonce, balance, code: Some(code) });
    }

    /// Sets one slot.
    pub fn slot(&mut self, address: Address, slot: Slot, value: Word) {
        self.slots.insert((address, slot), value);
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

    /// The new balances, by address ascending.
    pub fn balances(&self) -> impl Iterator<Item = (Address, u128)> + '_ {
        self.accounts.iter().map(|(address, write)| (*address, write.balance))
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

    #[test]
    fn a_later_transfer_keeps_the_code() {
        let mut writes = WriteSet::default();
        writes.contract([1; 20], 1, 0, vec![0xfe]);
        writes.account([1; 20], 1, 5);
        assert_eq!(writes.accounts[&[1; 20]].code, Some(vec![0xfe]));
    }
}
