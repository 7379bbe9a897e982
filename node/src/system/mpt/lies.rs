//! Lies about accounts and slots, and about replies as such.

mod absence;
mod claims;
mod malformed;
mod nodes;
mod slots;

use serde_json::Value;

use crate::lies::{Borrow, Edit, Lie, lies};

const ACCOUNT: &str = "/accountProof";
const SLOT: &str = "/storageProof/0/proof";
const SLOTS: &str = "/storageProof";
const PROOF: &[&str] = &["eth_getProof"];

/// Every lie about accounts: any chain's node can tell them.
pub(super) const LIES: &[Lie] = lies! {
    "claim-balance" &["eth_getProof", "eth_getBalance"], Edit(claims::balance),
        "Claims 1,000 ether more than the account has.";
    "claim-nonce" &["eth_getProof", "eth_getTransactionCount"], Edit(claims::nonce),
        "Claims a nonce one too high.";
    "claim-code-hash" PROOF, Edit(claims::code_hash),
        "Claims another code hash.";
    "claim-storage-hash" PROOF, Edit(claims::storage_hash),
        "Claims another storage root.";
    "claim-slot-value" &["eth_getProof", "eth_getStorageAt"], Edit(claims::slot_value),
        "Claims another value of the first slot.";
    "claim-absent" PROOF, Edit(absence::claim_absent),
        "Sends the whole proof of an account but claims that it is absent.";
    "claim-present" PROOF, Edit(absence::claim_present),
        "Sends the proof that an account is absent but claims that it has a balance.";
    "forged-leaf" PROOF, Edit(nodes::forged_leaf),
        "Raises the balance in the account's leaf, and claims it, under the real parents.";
    "forged-slot-leaf" PROOF, Edit(nodes::forged_slot_leaf),
        "Changes the first slot's leaf, and claims it, under the real parents.";
    "forged-root" PROOF, Edit(nodes::forged_root),
        "Flips a byte of the state root's node.";
    "absent-truncated" PROOF, Edit(absence::truncated),
        "Drops the account's leaf and claims that it is absent.";
    "absent-root-only" PROOF, Edit(absence::root_only),
        "Keeps only the root node and claims that the account is absent.";
    "absent-no-nodes" PROOF, Edit(absence::no_nodes),
        "Sends no node at all and claims that the account is absent.";
    "absent-empty-node" PROOF, Edit(absence::empty_node),
        "Sends the empty trie's node and claims that the account is absent.";
    "slot-absent-truncated" PROOF, Edit(absence::slot_truncated),
        "Drops the last node of the first slot and claims that it is zero.";
    "slot-absent-root-only" PROOF, Edit(absence::slot_root_only),
        "Keeps only the storage root's node and claims that the first slot is zero.";
    "slot-absent-no-nodes" PROOF, Edit(absence::slot_no_nodes),
        "Sends no node for the first slot and claims that it is zero.";
    "other-account" PROOF, Borrow(nodes::other_account),
        "Answers with the valid proof of another account.";
    "other-account-renamed" PROOF, Borrow(nodes::other_account_renamed),
        "Answers with another account's proof under the address that was asked for.";
    "stale-proof" PROOF, Borrow(nodes::stale),
        "Answers with the valid proof of the oldest block.";
    "slot-swapped" PROOF, Edit(slots::swapped),
        "Exchanges the values and proofs of the first two slots.";
    "slot-reordered" PROOF, Edit(slots::reordered),
        "Sends the slots in the opposite order.";
    "slot-missing" PROOF, Edit(slots::missing),
        "Leaves the last slot out.";
    "slot-extra" PROOF, Borrow(slots::extra),
        "Adds a slot that nobody asked for.";
    "slot-duplicate" PROOF, Edit(slots::duplicate),
        "Sends the first slot twice.";
    "slot-other-contract" PROOF, Borrow(slots::other_contract),
        "Sends the same slots of another contract.";
    "slot-key-33" PROOF, Edit(slots::long_key),
        "Prefixes the first slot's key with a zero byte, 33 in all.";
    "absent-with-storage" PROOF, Borrow(slots::absent_with_storage),
        "Gives an absent account the storage of a contract.";
    "node-reordered" PROOF, Edit(nodes::reordered),
        "Exchanges the first two nodes of the account's proof.";
    "node-duplicated" PROOF, Edit(nodes::duplicated),
        "Sends the last node of the account's proof twice.";
    "node-foreign" PROOF, Borrow(nodes::foreign),
        "Adds a node of another account's proof at the end.";
    "node-missing" PROOF, Edit(nodes::missing),
        "Leaves out the second node of the account's proof.";
    "bad-code" &["eth_getCode"], Edit(claims::code),
        "Changes the last byte of the code.";
    "oversize-proof" PROOF, Edit(malformed::oversize_proof),
        "Sends the account's root node 2,000 times.";
    "oversize-node" PROOF, Edit(malformed::oversize_node),
        "Sends a last node of 64 KiB.";
    "deep-nesting" PROOF, Edit(malformed::deep_nesting),
        "Sends a last node of 3,000 lists inside each other.";
    "non-canonical-node" PROOF, Edit(malformed::non_canonical),
        "Appends a byte to the last node.";
    "malformed-types" PROOF, Edit(malformed::types),
        "Sends numbers and objects where strings and arrays belong.";
    "malformed-hex" PROOF, Edit(malformed::bad_hex),
        "Sends nodes that are not hex.";
    "malformed-quantity" PROOF, Edit(malformed::quantity),
        "Sends a balance of 2^256.";
    "missing-field" PROOF, Edit(malformed::missing_field),
        "Leaves out the storage proof.";
    "null-reply" PROOF, Edit(malformed::null),
        "Answers null.";
};

/// The nodes of a list of nodes; nothing if the reply has none there.
fn list<'v>(reply: &'v mut Value, pointer: &str) -> Option<&'v mut Vec<Value>> {
    reply.pointer_mut(pointer)?.as_array_mut()
}
