//! Hand-made trie nodes, good and bad, and proofs whose roots commit to them.

use super::reply::{Query, Reply, SlotReply, minimal, minimal_bytes, word};
use super::world::{Entry, leaf};
use crate::case::Source;
use lightproof_prover::chain::{Address, Slot};
use lightproof_prover::hash::{EMPTY_ROOT, Word, keccak256};
use lightproof_prover::rlp::Item;
use lightproof_prover::trie::nibbles::{Nibbles, hex_prefix, unpack};

/// The account that hand-made tries are about.
pub const ADDRESS: Address = [0x4c; 20];
/// The slot that hand-made storage tries are about.
pub const SLOT: Slot = [0x50; 32];
/// Number of the block whose root is pinned.
pub const NUMBER: u64 = 7;

/// Nibbles of the account's key.
pub fn account_path() -> Nibbles {
    unpack(&keccak256(&ADDRESS))
}

/// Nibbles of the slot's key.
pub fn slot_path() -> Nibbles {
    unpack(&keccak256(&SLOT))
}

/// The account that hand-made account tries hold.
pub fn account() -> Entry {
    Entry { nonce: 3, balance: word(&[0x0d, 0xe0, 0xb6]), ..Entry::default() }
}

/// RLP of [`account`].
pub fn account_leaf() -> Vec<u8> {
    leaf(&account(), &EMPTY_ROOT)
}

/// A two-item node.
pub fn pair(first: impl AsRef<[u8]>, second: Item) -> Vec<u8> {
    Item::List(vec![Item::bytes(first), second]).encode()
}

/// A leaf node.
pub fn leaf_node(path: &[u8], value: &[u8]) -> Vec<u8> {
    pair(hex_prefix(path, true), Item::bytes(value))
}

/// An extension node.
pub fn extension(path: &[u8], child: Item) -> Vec<u8> {
    pair(hex_prefix(path, false), child)
}

/// The 17 items of a branch.
pub fn branch_items(children: &[(u8, Item)]) -> Vec<Item> {
    let mut items = vec![Item::bytes([]); 17];
    for (nibble, child) in children {
        items[usize::from(*nibble)] = child.clone();
    }
    items
}

/// A branch node.
pub fn branch(children: &[(u8, Item)]) -> Vec<u8> {
    Item::List(branch_items(children)).encode()
}

/// A reference by hash.
pub fn by_hash(node: &[u8]) -> Item {
    Item::bytes(keccak256(node))
}

/// A node inside its parent.
pub fn inline(node: &[u8]) -> Item {
    Item::Raw(node.to_vec())
}

/// Some other subtree, of which only the hash is known.
pub fn sibling() -> Item {
    Item::bytes(keccak256(b"a sibling"))
}

/// A nibble that is not `nibble`.
pub fn other(nibble: u8) -> u8 {
    (nibble + 1) % 16
}

/// Root, query and otherwise honest reply for an account trie of these nodes.
pub fn account_case(nodes: &[Vec<u8>]) -> (Source, Query, Reply) {
    let entry = account();
    let reply = Reply {
        address: ADDRESS.to_vec(),
        nonce: minimal(entry.nonce),
        balance: minimal_bytes(&entry.balance),
        storage_hash: EMPTY_ROOT.to_vec(),
        code_hash: keccak256(&entry.code).to_vec(),
        nodes: nodes.to_vec(),
        slots: vec![],
        code: None,
    };
    (pinned(&nodes[0]), Query::account(ADDRESS), reply)
}

/// Root, query and otherwise honest reply for a storage trie of these nodes, under an account trie
/// of one leaf.
pub fn slot_case(nodes: &[Vec<u8>], value: &[u8]) -> (Source, Query, Reply) {
    storage_case(&keccak256(&nodes[0]), nodes, value)
}

/// As [`slot_case`], for any storage root.
pub fn storage_case(
    storage_root: &Word,
    nodes: &[Vec<u8>],
    value: &[u8],
) -> (Source, Query, Reply) {
    let account_node = leaf_node(&account_path(), &leaf(&account(), storage_root));
    let (source, _, mut reply) = account_case(&[account_node]);
    reply.storage_hash = storage_root.to_vec();
    reply.slots =
        vec![SlotReply { key: SLOT.to_vec(), value: value.to_vec(), nodes: nodes.to_vec() }];
    (source, Query::slots(ADDRESS, &[SLOT]), reply)
}

/// A pinned root: the hash of `node`.
pub fn pinned(node: &[u8]) -> Source {
    Source::Root { number: NUMBER, bytes: keccak256(node).to_vec() }
}

/// Branches down to `depth` along `path`, each with a sibling, above `last`: `depth` + 1 nodes.
pub fn chain(path: &[u8], depth: usize, last: Vec<u8>) -> Vec<Vec<u8>> {
    let mut nodes = vec![last];
    for nibble in path[..depth].iter().rev() {
        let child = by_hash(&nodes[0]);
        nodes.insert(0, branch(&[(*nibble, child), (other(*nibble), sibling())]));
    }
    nodes
}
