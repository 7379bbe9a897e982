//! The state as plain maps, fed with the same writes, and its root by alloy-trie.

use std::collections::BTreeMap;

use alloy_trie::{HashBuilder, Nibbles};
use lightproof_prover::chain::workload::StateReader;
use lightproof_prover::chain::writes::WriteSet;
use lightproof_prover::chain::{Address, Slot};
use lightproof_prover::error::StoreError;
use lightproof_prover::hash::{EMPTY_ROOT, Word, keccak256};
use lightproof_prover::rlp::Item;

/// An account without its storage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fields {
    pub(crate) nonce: u64,
    pub(crate) balance: u128,
    pub(crate) code: Vec<u8>,
}

/// What the chain holds after some block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Model {
    pub(crate) accounts: BTreeMap<Address, Fields>,
    pub(crate) slots: BTreeMap<Address, BTreeMap<Slot, Word>>,
    /// Storage roots of the accounts in `slots`, so that only what a block touched is hashed again.
    roots: BTreeMap<Address, Word>,
}

impl StateReader for Model {
    fn nonce_and_balance(&self, address: &Address) -> Result<(u64, u128), StoreError> {
        Ok(self.accounts.get(address).map_or((0, 0), |fields| (fields.nonce, fields.balance)))
    }
}

impl Model {
    pub(crate) fn apply(&mut self, writes: &WriteSet) {
        for (address, write) in &writes.accounts {
            let fields = self.accounts.entry(*address).or_default();
            (fields.nonce, fields.balance) = (write.nonce, write.balance);
            if let Some(code) = &write.code {
                fields.code.clone_from(code);
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
            Item::uint(fields.balance),
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
