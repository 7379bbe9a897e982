//! Queries and proofs of mpt as bytes, with every field open to corruption.

use lightproof_prover::chain::{Address, Slot};
use lightproof_prover::hash::Word;
use lightproof_prover::rlp::Item;

/// RLP `[address, [slot, …], wantCode]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// The account.
    pub address: Address,
    /// Its slots.
    pub slots: Vec<Slot>,
    /// Whether its code is wanted.
    pub want_code: bool,
}

/// RLP `[address, nonce, balance, storageHash, codeHash, [node, …], [[key, value, [node, …]], …],
/// [code]?]`. Fields are bytes, so that wrong lengths can be written too; integers are encoded as
/// they stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// 20 bytes if honest.
    pub address: Vec<u8>,
    /// Minimal big-endian if honest.
    pub nonce: Vec<u8>,
    /// Minimal big-endian if honest.
    pub balance: Vec<u8>,
    /// 32 bytes if honest.
    pub storage_hash: Vec<u8>,
    /// 32 bytes if honest.
    pub code_hash: Vec<u8>,
    /// Account trie, root first.
    pub nodes: Vec<Vec<u8>>,
    /// In the query's order if honest.
    pub slots: Vec<SlotReply>,
    /// Present if and only if it was wanted, if honest.
    pub code: Option<Vec<u8>>,
}

/// One slot of a [`Reply`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotReply {
    /// 32 bytes if honest.
    pub key: Vec<u8>,
    /// Minimal big-endian if honest.
    pub value: Vec<u8>,
    /// Storage trie, root first.
    pub nodes: Vec<Vec<u8>>,
}

impl Query {
    /// A query for an account alone.
    pub fn account(address: Address) -> Self {
        Self { address, slots: vec![], want_code: false }
    }

    /// A query for slots too.
    pub fn slots(address: Address, slots: &[Slot]) -> Self {
        Self { address, slots: slots.to_vec(), want_code: false }
    }

    /// A query for the code too.
    pub fn code(address: Address) -> Self {
        Self { address, slots: vec![], want_code: true }
    }

    /// The query's bytes.
    pub fn encode(&self) -> Vec<u8> {
        let slots = self.slots.iter().map(Item::bytes).collect();
        let want = Item::uint(u64::from(self.want_code));
        Item::List(vec![Item::bytes(self.address), Item::List(slots), want]).encode()
    }
}

impl Reply {
    /// The proof's items, for corruptions of the list itself.
    pub fn items(&self) -> Vec<Item> {
        let slot = |slot: &SlotReply| {
            Item::List(vec![
                Item::bytes(&slot.key),
                Item::bytes(&slot.value),
                node_list(&slot.nodes),
            ])
        };
        vec![
            Item::bytes(&self.address),
            Item::bytes(&self.nonce),
            Item::bytes(&self.balance),
            Item::bytes(&self.storage_hash),
            Item::bytes(&self.code_hash),
            node_list(&self.nodes),
            Item::List(self.slots.iter().map(slot).collect()),
            Item::List(self.code.iter().map(Item::bytes).collect()),
        ]
    }

    /// The proof's bytes.
    pub fn encode(&self) -> Vec<u8> {
        Item::List(self.items()).encode()
    }
}

fn node_list(nodes: &[Vec<u8>]) -> Item {
    Item::List(nodes.iter().map(Item::bytes).collect())
}

/// Minimal big-endian bytes of a number.
pub fn minimal(number: impl Into<u128>) -> Vec<u8> {
    minimal_bytes(&number.into().to_be_bytes())
}

/// Big-endian bytes without leading zeros.
pub fn minimal_bytes(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().copied().skip_while(|byte| *byte == 0).collect()
}

/// A 32-byte word that ends in `bytes`.
pub fn word(bytes: &[u8]) -> Word {
    let mut word = [0; 32];
    word[32 - bytes.len()..].copy_from_slice(bytes);
    word
}
