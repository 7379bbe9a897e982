//! The state as plain maps, fed with the same writes, and its root by alloy-trie.

use std::collections::BTreeMap;

use alloy_trie::{HashBuilder, Nibbles};
use lightproof_prover::chain::state::{AccountState, StateReader, Wei};
use lightproof_prover::chain::writes::{AccountWrite, WriteSet};
use lightproof_prover::chain::{Address, Slot};
use lightproof_prover::error::StoreError;
use lightproof_prover::hash::{EMPTY_ROOT, Word, keccak256};
use lightproof_prover::rlp::Item;

/// An account without its storage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fields {
    pub(crate) nonce: u64,
    pub(crate) balance: Wei,
    pub(crate) code: Vec<u8>,
}

/// What the chain holds after some block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Model {
    pub(crate) accounts: BTreeMap<Address, Fields>,
    pub(crate) slots: BTreeMap<Address, BTreeMap<Slot, Word>>,
    /// All code that there ever was, by hash.
    codes: BTreeMap<Word, Vec<u8>>,
    /// Storage roots of the accounts in `slots`, so that only what a block touched is hashed
    /// again.
    roots: BTreeMap<Address, Word>,
}

impl StateReader for Model {
    fn account(&self, address: &Address) -> Result<Option<AccountState>, StoreError> {
        let state = |fields: &Fields| AccountState {
            nonce: fields.nonce,
            balance: fields.balance,
            code_hash: keccak256(&fields.code),
        };
        Ok(self.accounts.get(address).map(state))
    }

    fn slot(&self, address: &Address, slot: &Slot) -> Result<Word, StoreError> {
        let slots = self.slots.get(address);
        Ok(slots.and_then(|slots| slots.get(slot)).copied().unwrap_or_default())
    }

    fn code(&self, hash: &Word) -> Result<Vec<u8>, StoreError> {
        self.codes.get(hash).cloned().ok_or(StoreError::Corrupt("no such code"))
    }

    fn origin(&self, _: u64) -> Result<Option<Word>, StoreError> {
        Ok(Some([0; 32]))
    }
}

impl Model {
    pub(crate) fn apply(&mut self, writes: &WriteSet) {
        self.codes.extend(writes.codes().clone());
        for (address, write) in &writes.accounts {
            let fields = self.accounts.entry(*address).or_default();
            match write {
                AccountWrite::Set { nonce, balance, code_hash } => {
                    (fields.nonce, fields.balance) = (*nonce, *balance);
                    if let Some(hash) = code_hash {
                        fields.code = self.codes.get(hash).cloned().unwrap_or_default();
                    }
                }
                AccountWrite::Deleted => *fields = Fields::default(),
            }
        }
        for ((address, slot), value) in &writes.slots {
            let slots = self.slots.entry(*address).or_default();
            if *value == [0; 32] {
                slots.remove(slot);
            } else {
                slots.insert(*slot, *value);
            }
        }
        for address in writes.touched() {
            // An account of which slots alone are written is there as long as it has any.
            self.accounts.entry(address).or_default();
            if let Some(slots) = self.slots.get(&address) {
                let leaf = |(slot, value): (&Slot, &Word)| {
                    (keccak256(slot), Item::uint_bytes(value).encode())
                };
                self.roots.insert(address, root(slots.iter().map(leaf)));
            }
        }
        let slots = &self.slots;
        self.accounts.retain(|address, fields| {
            *fields != Fields::default()
                || slots.get(address).is_some_and(|slots| !slots.is_empty())
        });
    }

    pub(crate) fn storage_root(&self, address: &Address) -> Word {
        self.roots.get(address).copied().unwrap_or(EMPTY_ROOT)
    }

    pub(crate) fn leaf(&self, address: &Address) -> Vec<u8> {
        let fields = &self.accounts[address];
        Item::List(vec![
            Item::uint(fields.nonce),
            Item::uint_bytes(&fields.balance.0),
            Item::bytes(self.storage_root(address)),
            Item::bytes(keccak256(&fields.code)),
        ])
        .encode()
    }

    pub(crate) fn root(&self) -> Word {
        root(self.accounts.keys().map(|address| (keccak256(address), self.leaf(address))))
    }
}

/// The root by alloy-trie, an implementation that shares nothing with this one.
pub(crate) fn root(leaves: impl Iterator<Item = (Word, Vec<u8>)>) -> Word {
    let sorted: BTreeMap<Word, Vec<u8>> = leaves.collect();
    let mut builder = HashBuilder::default();
    for (key, value) in &sorted {
        builder.add_leaf(Nibbles::unpack(key), value);
    }
    builder.root().0
}
