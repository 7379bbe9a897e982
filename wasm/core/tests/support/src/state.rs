//! A model of the state: plain maps, their tries, and what a proof of them must show.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::rlp::Rlp;
use crate::trie::Trie;
use crate::{hex, keccak};

/// One account of the model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// Transactions sent.
    pub nonce: u64,
    /// Wei.
    pub balance: u128,
    /// Slots that are not zero, as integers without leading zeros.
    pub storage: BTreeMap<[u8; 32], Vec<u8>>,
    /// Code.
    pub code: Vec<u8>,
}

/// What is asked: RLP `[address, [slot, …], wantCode]`. Loose fields, so that tests can break them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// 20 bytes.
    pub address: Vec<u8>,
    /// 32 bytes each.
    pub slots: Vec<Vec<u8>>,
    /// Whether code is asked for.
    pub want_code: bool,
}

impl Query {
    /// The encoding.
    pub fn encode(&self) -> Vec<u8> {
        Rlp::list([
            Rlp::str(&self.address),
            Rlp::strings(&self.slots),
            Rlp::uint(self.want_code.into()),
        ])
        .encode()
    }
}

/// A reply in `mpt`'s form. Loose fields, so that tests can break them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MptProof {
    /// Address that the reply is for.
    pub address: Vec<u8>,
    /// Claimed nonce, minimal.
    pub nonce: Vec<u8>,
    /// Claimed balance, minimal.
    pub balance: Vec<u8>,
    /// Claimed storage root.
    pub storage_hash: Vec<u8>,
    /// Claimed code hash.
    pub code_hash: Vec<u8>,
    /// Nodes on the account's path.
    pub nodes: Vec<Vec<u8>>,
    /// Slots, in the query's order.
    pub slots: Vec<SlotProof>,
    /// Code, if it was asked for.
    pub code: Option<Vec<u8>>,
}

/// The reply for one slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotProof {
    /// The slot.
    pub key: Vec<u8>,
    /// Claimed value, minimal.
    pub value: Vec<u8>,
    /// Nodes on its path.
    pub nodes: Vec<Vec<u8>>,
}

impl MptProof {
    /// The encoding.
    pub fn encode(&self) -> Vec<u8> {
        let slot = |slot: &SlotProof| {
            Rlp::list([Rlp::str(&slot.key), Rlp::str(&slot.value), Rlp::strings(&slot.nodes)])
        };
        Rlp::list([
            Rlp::str(&self.address),
            Rlp::str(&self.nonce),
            Rlp::str(&self.balance),
            Rlp::str(&self.storage_hash),
            Rlp::str(&self.code_hash),
            Rlp::strings(&self.nodes),
            Rlp::list(self.slots.iter().map(slot)),
            Rlp::strings(&self.code),
        ])
        .encode()
    }
}

/// The committed model: tries of everything.
#[derive(Clone, Debug)]
pub struct State {
    accounts: BTreeMap<[u8; 20], (Account, Trie)>,
    trie: Trie,
}

impl State {
    /// Commits to `accounts`.
    pub fn new(accounts: BTreeMap<[u8; 20], Account>) -> Self {
        let accounts: BTreeMap<_, _> = accounts
            .into_iter()
            .map(|(address, account)| {
                let leaves = account.storage.iter();
                let leaves = leaves.map(|(key, value)| (keccak(key), Rlp::str(value).encode()));
                let storage = Trie::new(&leaves.collect());
                (address, (account, storage))
            })
            .collect();
        let leaves = accounts.iter().map(|(address, (account, storage))| {
            (keccak(address), leaf(account, storage).encode())
        });
        let trie = Trie::new(&leaves.collect());
        Self { accounts, trie }
    }

    /// The state root.
    pub fn root(&self) -> [u8; 32] {
        self.trie.root()
    }

    /// Addresses of the accounts that exist.
    pub fn addresses(&self) -> impl Iterator<Item = &[u8; 20]> {
        self.accounts.keys()
    }

    /// The honest reply.
    pub fn prove(&self, query: &Query) -> MptProof {
        let address: [u8; 20] = query.address.as_slice().try_into().expect("20 bytes");
        let absent = (Account::default(), Trie::new(&BTreeMap::new()));
        let (account, storage) = self.accounts.get(&address).unwrap_or(&absent);
        let slot = |key: &Vec<u8>| {
            let key: [u8; 32] = key.as_slice().try_into().expect("32 bytes");
            SlotProof {
                key: key.to_vec(),
                value: account.storage.get(&key).cloned().unwrap_or_default(),
                nodes: storage.prove(&keccak(&key)),
            }
        };
        MptProof {
            address: address.to_vec(),
            nonce: hex::minimal(&account.nonce.to_be_bytes()),
            balance: hex::minimal(&account.balance.to_be_bytes()),
            storage_hash: storage.root().to_vec(),
            code_hash: keccak(&account.code).to_vec(),
            nodes: self.trie.prove(&keccak(&address)),
            slots: query.slots.iter().map(slot).collect(),
            code: query.want_code.then(|| account.code.clone()),
        }
    }

    /// What is true: the fact, in core's JSON form, that a proof of `query` must show.
    pub fn fact(&self, query: &Query) -> Value {
        let found = <[u8; 20]>::try_from(query.address.as_slice())
            .ok()
            .and_then(|address| self.accounts.get(&address));
        let account = found.map_or(json!({ "status": "absent" }), |(account, storage)| {
            json!({
                "status": "present",
                "nonce": format!("{:#x}", account.nonce),
                "balance": format!("{:#x}", account.balance),
                "storageHash": hex::encode(&storage.root()),
                "codeHash": hex::encode(&keccak(&account.code)),
            })
        });
        let slot = |key: &Vec<u8>| {
            let found = <[u8; 32]>::try_from(key.as_slice())
                .ok()
                .and_then(|key| found?.0.storage.get(&key));
            match found {
                Some(value) => json!({
                    "key": hex::encode(key), "status": "present", "value": hex::quantity(value),
                }),
                None => json!({ "key": hex::encode(key), "status": "absent" }),
            }
        };
        let mut fact = json!({
            "account": account,
            "slots": query.slots.iter().map(slot).collect::<Vec<_>>(),
        });
        if query.want_code {
            let code = found.map_or(&[][..], |(account, _)| &account.code);
            fact["code"] = json!(hex::encode(code));
        }
        fact
    }
}

fn leaf(account: &Account, storage: &Trie) -> Rlp {
    Rlp::list([
        Rlp::uint(account.nonce),
        Rlp::Str(hex::minimal(&account.balance.to_be_bytes())),
        Rlp::str(storage.root()),
        Rlp::str(keccak(&account.code)),
    ])
}
