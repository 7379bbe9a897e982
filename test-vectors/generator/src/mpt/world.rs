//! A small state that is kept as a plain map beside its tries: facts come from the map, proofs from
//! the tries.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::reply::{Query, Reply, SlotReply, minimal, minimal_bytes};
use lightproof_prover::chain::{Address, Slot};
use lightproof_prover::hash::{EMPTY_ROOT, Word, keccak256};
use lightproof_prover::hex;
use lightproof_prover::rlp::Item;
use lightproof_prover::trie::nibbles::Nibbles;
use lightproof_prover::trie::{Trie, prove};

type Nodes = BTreeMap<Nibbles, Vec<u8>>;

/// An account of the model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Transactions sent.
    pub nonce: u64,
    /// Wei, big-endian.
    pub balance: Word,
    /// Slots that are not zero.
    pub slots: BTreeMap<Slot, Word>,
    /// Empty for an account without code.
    pub code: Vec<u8>,
}

/// A state with its tries.
#[derive(Clone, Debug)]
pub struct World {
    accounts: BTreeMap<Address, Entry>,
    nodes: Nodes,
    storage: BTreeMap<Address, (Word, Nodes)>,
    /// The state root.
    pub root: Word,
}

impl World {
    /// Builds the tries.
    pub fn new(accounts: BTreeMap<Address, Entry>) -> Self {
        let mut storage = BTreeMap::new();
        let mut leaves = Vec::new();
        for (address, entry) in &accounts {
            let slots =
                entry.slots.iter().map(|(slot, value)| (*slot, Item::uint_bytes(value).encode()));
            let (root, nodes) = build(slots);
            leaves.push((address.to_vec(), leaf(entry, &root)));
            storage.insert(*address, (root, nodes));
        }
        let (root, nodes) = build(leaves.into_iter());
        Self { accounts, nodes, storage, root }
    }

    /// An account of the model.
    pub fn entry(&self, address: &Address) -> Option<&Entry> {
        self.accounts.get(address)
    }

    /// The storage root of an account; the empty root if there is none.
    pub fn storage_root(&self, address: &Address) -> Word {
        self.storage.get(address).map_or(EMPTY_ROOT, |(root, _)| *root)
    }

    /// The account trie as a map, for an independent implementation.
    pub fn leaves(&self) -> BTreeMap<Word, Vec<u8>> {
        let leaf = |(address, entry): (&Address, &Entry)| {
            (keccak256(address), leaf(entry, &self.storage_root(address)))
        };
        self.accounts.iter().map(leaf).collect()
    }

    /// Each account's storage trie as a map.
    pub fn storages(&self) -> BTreeMap<Address, BTreeMap<Word, Vec<u8>>> {
        let slot =
            |(slot, value): (&Slot, &Word)| (keccak256(slot), Item::uint_bytes(value).encode());
        let storage = |(address, entry): (&Address, &Entry)| {
            (*address, entry.slots.iter().map(slot).collect())
        };
        self.accounts.iter().map(storage).collect()
    }

    /// The honest proof.
    pub fn reply(&self, query: &Query) -> Reply {
        let none = (EMPTY_ROOT, Nodes::new());
        let (storage_root, storage) = self.storage.get(&query.address).unwrap_or(&none);
        let entry = self.accounts.get(&query.address).cloned().unwrap_or_default();
        let slot = |slot: &Slot| SlotReply {
            key: slot.to_vec(),
            value: entry.slots.get(slot).map(|value| minimal_bytes(value)).unwrap_or_default(),
            nodes: walk(storage, &keccak256(slot)),
        };
        Reply {
            address: query.address.to_vec(),
            nonce: minimal(entry.nonce),
            balance: minimal_bytes(&entry.balance),
            storage_hash: storage_root.to_vec(),
            code_hash: keccak256(&entry.code).to_vec(),
            nodes: walk(&self.nodes, &keccak256(&query.address)),
            slots: query.slots.iter().map(slot).collect(),
            code: query.want_code.then(|| entry.code.clone()),
        }
    }

    /// The fact, from the map alone.
    pub fn fact(&self, query: &Query) -> Value {
        let entry = self.accounts.get(&query.address);
        let account = match entry {
            Some(entry) => account_fact(entry, &self.storage_root(&query.address)),
            None => json!({ "status": "absent" }),
        };
        let value = |slot: &Slot| entry.and_then(|entry| entry.slots.get(slot));
        let slots: Vec<Value> =
            query.slots.iter().map(|slot| slot_fact(slot, value(slot))).collect();
        let mut fact = json!({ "account": account, "slots": slots });
        if query.want_code {
            fact["code"] =
                json!(hex::encode(entry.map(|entry| entry.code.as_slice()).unwrap_or_default()));
        }
        fact
    }
}

/// An account's leaf: RLP `[nonce, balance, storageRoot, codeHash]`.
pub fn leaf(entry: &Entry, storage_root: &Word) -> Vec<u8> {
    Item::List(leaf_fields(entry, storage_root)).encode()
}

/// The four fields of an account's leaf.
pub fn leaf_fields(entry: &Entry, storage_root: &Word) -> Vec<Item> {
    vec![
        Item::uint(entry.nonce),
        Item::uint_bytes(&entry.balance),
        Item::bytes(storage_root),
        Item::bytes(keccak256(&entry.code)),
    ]
}

/// A present account in the JSON form of facts.
pub fn account_fact(entry: &Entry, storage_root: &Word) -> Value {
    json!({
        "status": "present",
        "nonce": hex::quantity(entry.nonce),
        "balance": hex::quantity_of_bytes(&entry.balance),
        "storageHash": hex::encode(storage_root),
        "codeHash": hex::encode(&keccak256(&entry.code)),
    })
}

/// A slot in the JSON form of facts.
pub fn slot_fact(slot: &Slot, value: Option<&Word>) -> Value {
    match value {
        Some(value) => {
            json!({ "key": hex::encode(slot), "status": "present", "value": hex::quantity_of_bytes(value) })
        }
        None => json!({ "key": hex::encode(slot), "status": "absent" }),
    }
}

fn build<K: AsRef<[u8]>>(leaves: impl Iterator<Item = (K, Vec<u8>)>) -> (Word, Nodes) {
    let nothing = Nodes::new();
    // Reading and writing a map in memory cannot fail.
    let Ok(mut trie) = Trie::open(&nothing) else { return (EMPTY_ROOT, nothing) };
    for (key, value) in leaves {
        let _ = trie.set(&keccak256(key.as_ref()), value);
    }
    let changes = trie.finish();
    (changes.root, changes.written)
}

fn walk(nodes: &Nodes, key: &Word) -> Vec<Vec<u8>> {
    prove(nodes, key).map(|walk| walk.nodes).unwrap_or_default()
}
