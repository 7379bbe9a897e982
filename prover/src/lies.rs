//! The attacks that a node can carry out over RPC, each one small function over the honest reply.
//!
//! Nothing here is reached by an honest node: a lie gets the reply that the honest path has made,
//! and may ask that path for others. Where a lie does not fit a reply (no such slot, account
//! absent), the reply stays honest.

mod absence;
mod balanceproofs;
mod claims;
mod cole;
mod headers;
mod lmpt;
mod lvmt;
mod malformed;
mod nodes;
mod signatures;
mod slots;
mod verkle;

use serde_json::{Value, json};

use crate::rpc::Context;
use crate::rpc::error::RpcError;

/// One way of lying.
#[derive(Debug)]
pub struct Lie {
    /// What `--lie` takes.
    pub name: &'static str,
    /// One sentence: what the node does.
    pub about: &'static str,
    /// The methods whose replies change.
    methods: &'static [&'static str],
    /// Makes the lie of the honest reply.
    tell: Tell,
}

type Told = Result<Value, RpcError>;

/// How a reply becomes a lie.
#[derive(Debug)]
enum Tell {
    /// By changing it.
    Edit(fn(&mut Value)),
    /// With the help of other honest replies.
    Borrow(fn(&Ask<'_>, Value) -> Told),
    /// Like `Borrow`, where the honest answer may be an error: about a block that does not exist.
    Invent(fn(&Ask<'_>, Told) -> Told),
}
use Tell::{Borrow, Edit, Invent};

/// The call that is being answered, and the honest node behind it.
#[derive(Debug)]
pub(crate) struct Ask<'a> {
    context: &'a Context<'a>,
    method: &'a str,
    params: &'a Value,
}

/// The reply of a lying node.
///
/// # Errors
/// An honest error stays what it is, save where the lie is about a block that does not exist.
pub fn tell(lie: &Lie, context: &Context<'_>, method: &str, params: &Value, honest: Told) -> Told {
    if !lie.methods.contains(&method) {
        return honest;
    }
    let ask = Ask { context, method, params };
    match lie.tell {
        Edit(edit) => honest.map(|mut reply| {
            edit(&mut reply);
            reply
        }),
        Borrow(borrow) => borrow(&ask, honest?),
        Invent(invent) => invent(&ask, honest),
    }
}

impl Ask<'_> {
    /// What the honest node answers to `eth_getProof` with these parameters.
    fn proof(&self, address: &Value, slots: &Value, block: &Value) -> Result<Value, RpcError> {
        self.context.answer("eth_getProof", &json!([address, slots, block]))
    }
}

/// The nodes of a list of nodes; nothing if the reply has none there.
fn list<'v>(reply: &'v mut Value, pointer: &str) -> Option<&'v mut Vec<Value>> {
    reply.pointer_mut(pointer)?.as_array_mut()
}

const ACCOUNT: &str = "/accountProof";
const SLOT: &str = "/storageProof/0/proof";
const SLOTS: &str = "/storageProof";
const PROOF: &[&str] = &["eth_getProof"];

macro_rules! lies {
    ($($name:literal $methods:expr, $tell:expr, $about:literal;)*) => {
        &[$(Lie { name: $name, about: $about, methods: $methods, tell: $tell }),*]
    };
}

/// Every lie that any chain's node can tell.
pub const LIES: &[Lie] = lies! {
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
    "header-root" headers::METHODS, Edit(headers::state_root),
        "Serves headers that commit to another state root.";
    "header-number" headers::METHODS, Edit(headers::number),
        "Serves headers with another number.";
    "header-timestamp" headers::METHODS, Edit(headers::timestamp),
        "Serves headers one hour younger than they are.";
    "header-extra-field" headers::METHODS, Edit(headers::extra_field),
        "Serves headers with one field too many.";
    "header-other-block" headers::METHODS, Borrow(headers::other_block),
        "Serves the genesis header in place of every other.";
    "forged-child" headers::FORGED_METHODS, Invent(headers::forged_child),
        "Invents a block on top of the real head, whose state holds one very rich account.";
    "other-chain" headers::CHAIN_METHODS, Edit(headers::other_chain),
        "Says that it serves another chain.";
    "oversize-proof" PROOF, Edit(malformed::oversize_proof),
        "Sends the account's root node 20,000 times.";
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

/// Every lie about layers: only the node of a chain with lmpt/1 can tell one.
pub const LMPT_LIES: &[Lie] = lies! {
    "lmpt-delta-dropped" lmpt::PROOF, Borrow(lmpt::delta_dropped),
        "Leaves out the proof of the delta, the newest layer.";
    "lmpt-delta-empty" lmpt::PROOF, Borrow(lmpt::delta_empty),
        "Says that the newest layers are empty.";
    "lmpt-stale" lmpt::PROOF, Borrow(lmpt::stale),
        "Answers with the valid proof of a block some merges ago.";
    "lmpt-stale-layer" lmpt::PROOF, Borrow(lmpt::stale_layer),
        "Shows root and proof of an older delta between the newest lower layers.";
    "lmpt-layers-swapped" lmpt::PROOF, Borrow(lmpt::layers_swapped),
        "Exchanges the roots and the proofs of the two newest layers.";
    "lmpt-value" lmpt::PROOF, Borrow(lmpt::value),
        "Changes the value in the leaf that answers.";
    "lmpt-tombstone" lmpt::PROOF, Borrow(lmpt::tombstone),
        "Puts a tombstone in place of the value that answers.";
    "lmpt-cut" lmpt::PROOF, Borrow(lmpt::cut),
        "Drops the last node of the layer that answers.";
    "lmpt-surplus" lmpt::PROOF, Borrow(lmpt::surplus),
        "Shows one layer more than the question needs.";
    "lmpt-other-key" lmpt::PROOF, Borrow(lmpt::other_key),
        "Answers with the proof of another key.";
    "lmpt-variant" lmpt::PROOF, Borrow(lmpt::variant),
        "Says that its walks are adjacent paths.";
};

/// Every lie about a vector: only the node of a chain with balanceproofs/basic can tell one.
pub const BALANCEPROOFS_LIES: &[Lie] = lies! {
    "balances-value" balanceproofs::PROOF, Borrow(balanceproofs::value),
        "Adds one wei to the first balance.";
    "balances-richer" balanceproofs::PROOF, Borrow(balanceproofs::richer),
        "Adds 2^120 wei to the first balance.";
    "balances-moved" balanceproofs::PROOF, Borrow(balanceproofs::moved),
        "Exchanges the first and the last balance.";
    "balances-dropped" balanceproofs::PROOF, Borrow(balanceproofs::dropped),
        "Leaves the last balance out.";
    "balances-negated" balanceproofs::PROOF, Borrow(balanceproofs::negated),
        "Negates the first point.";
    "balances-cut" balanceproofs::PROOF, Borrow(balanceproofs::cut),
        "Leaves the last point out.";
    "balances-stale" balanceproofs::PROOF, Borrow(balanceproofs::stale),
        "Answers with the valid proof of a block before.";
    "balances-other-position" balanceproofs::PROOF, Borrow(balanceproofs::other_position),
        "Answers with the proof of other positions.";
    "balances-variant" balanceproofs::PROOF, Borrow(balanceproofs::variant),
        "Says that its hinted proof is the plain one.";
};

/// Every lie about versions: only the node of a chain with lvmt/1 can tell one.
pub const LVMT_LIES: &[Lie] = lies! {
    "lvmt-stale" lvmt::PROOF, Borrow(lvmt::stale),
        "Opens the leaf with the points of an older block.";
    "lvmt-whole" lvmt::PROOF, Borrow(lvmt::whole),
        "Answers with the valid proof of an older block.";
    "lvmt-value" lvmt::PROOF, Borrow(lvmt::value),
        "Appends a byte to the value.";
    "lvmt-point" lvmt::PROOF, Borrow(lvmt::point),
        "Negates the first point of the opening.";
    "lvmt-absent" lvmt::PROOF, Borrow(lvmt::absent),
        "Says that the key is absent, and that nobody has a slot.";
    "lvmt-other-key" lvmt::PROOF, Borrow(lvmt::other_key),
        "Answers with the proof of another key.";
    "lvmt-variant" lvmt::PROOF, Borrow(lvmt::variant),
        "Says that its openings have another form.";
};

/// Every lie about signatures: only the node of a signed chain can tell one.
pub const SIGNATURE_LIES: &[Lie] = lies! {
    "signers-few" signatures::SIGNED, Borrow(signatures::few),
        "Sends headers that fewer than two thirds of the committee signed.";
    "signers-flipped" signatures::SIGNED, Borrow(signatures::flipped),
        "Flips the bit of one participant.";
    "signature-other-header" signatures::SIGNED, Borrow(signatures::other_header),
        "Sends the committee's signature of something else.";
    "signature-other-committee" signatures::SIGNED, Borrow(signatures::other_committee),
        "Sends the signature of the next period's committee.";
    "signature-own-keys" signatures::SIGNED, Borrow(signatures::own_keys),
        "Forges the state root and signs the header with keys of its own.";
    "signature-infinity" signatures::SIGNED, Borrow(signatures::infinity),
        "Sends the point at infinity as the signature.";
    "signed-future" signatures::SIGNED, Borrow(signatures::future),
        "Sends signed headers whose time is still to come.";
    "committee-other" signatures::COMMITTEES, Borrow(signatures::next_committee),
        "Sends the committee of another period.";
    "committee-swapped" signatures::COMMITTEES, Borrow(signatures::swapped_keys),
        "Exchanges the first two keys of the committee.";
    "committee-aggregate" signatures::COMMITTEES, Borrow(signatures::aggregate),
        "Claims that the first key is the sum of all.";
    "update-stale" signatures::SIGNED, Borrow(signatures::stale),
        "Sends the first period's update for every period, and block 0 as the newest.";
    "update-skipped" &["lp_getUpdates"], Edit(signatures::skipped),
        "Leaves out the update of the first period that is asked for.";
    "bootstrap-other-block" &["lp_getBootstrap"], Borrow(signatures::other_checkpoint),
        "Sends the bootstrap of block 0 for every block.";
};

/// Every lie about histories: only the node of a chain that commits to `cole` in format `cole/1` can tell one.
pub const COLE_LIES: &[Lie] = lies! {
    "cole-version-omitted" cole::METHODS, Borrow(cole::version_omitted),
        "Leaves out the newest version.";
    "cole-version-forged" cole::METHODS, Borrow(cole::version_forged),
        "Changes the value of a version.";
    "cole-version-moved" cole::METHODS, Borrow(cole::version_moved),
        "Says that another block wrote a version.";
    "cole-predecessor-hidden" cole::METHODS, Borrow(cole::predecessor_hidden),
        "Says that nothing stands before the range.";
    "cole-source-skipped" cole::METHODS, Borrow(cole::source_skipped),
        "Passes over a source that holds blocks of the range.";
    "cole-source-closed" cole::METHODS, Borrow(cole::source_closed),
        "Leaves a source closed, as if a newer one had answered.";
    "cole-stale" cole::METHODS, Borrow(cole::stale),
        "Answers from the state of the block before.";
    "cole-other-address" cole::METHODS, Borrow(cole::other_address),
        "Answers with the proof that a neighbouring address was never written.";
    "cole-range-narrowed" cole::METHODS, Borrow(cole::range_narrowed),
        "Answers with the proof of the range's first block alone.";
};

/// Every lie about a Verkle tree: only the node of a chain with `verkle` can tell one.
pub const VERKLE_LIES: &[Lie] = lies! {
    "verkle-value" verkle::PROOF, Borrow(verkle::value),
        "Changes the value of a key that is there.";
    "verkle-absent" verkle::PROOF, Borrow(verkle::absent),
        "Says that the slot of a key is empty.";
    "verkle-own-leaf" verkle::PROOF, Borrow(verkle::own_leaf),
        "Shows the key's own leaf as the one that stands in its way.";
    "verkle-empty" verkle::PROOF, Borrow(verkle::empty),
        "Says that the tree is empty.";
    "verkle-opening" verkle::PROOF, Borrow(verkle::opening),
        "Sends the identity in place of the last opening.";
    "verkle-stale" verkle::PROOF, Borrow(verkle::stale),
        "Answers with the valid proof of a block before.";
    "verkle-other-key" verkle::PROOF, Borrow(verkle::other_key),
        "Answers with the proof of another key.";
    "verkle-variant" verkle::PROOF, Borrow(verkle::variant),
        "Says that its proof has the other shape.";
};

/// The lie of this name, of any table.
pub fn find(name: &str) -> Option<&'static Lie> {
    all().find(|lie| lie.name == name)
}

/// The lies of all tables.
pub fn all() -> impl Iterator<Item = &'static Lie> {
    let tables =
        [LIES, SIGNATURE_LIES, COLE_LIES, LMPT_LIES, LVMT_LIES, BALANCEPROOFS_LIES, VERKLE_LIES];
    tables.into_iter().flatten()
}

impl Lie {
    /// Whether it needs signed headers to be told at all.
    pub fn is_about_signatures(&self) -> bool {
        SIGNATURE_LIES.iter().any(|lie| lie.name == self.name)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique_and_each_is_one_sentence() {
        let names: BTreeSet<_> = all().map(|lie| lie.name).collect();
        assert_eq!(names.len(), all().count());
        for lie in all() {
            assert!(
                lie.about.ends_with('.') && lie.about.matches(". ").count() == 0,
                "{}",
                lie.name
            );
        }
    }
}
