//! The checks: query, account, claims, slots, code, in this order.

use super::account::{self, Account, EMPTY_CODE_HASH};
use super::fact::{Fact, Slot};
use super::proof::{Claimed, Proof, SlotProof};
use super::query::Query;
use crate::error::VerifyError;
use crate::hash::{Hash, keccak256};
use crate::observer::{Observer, note};
use crate::system::Presence;
use crate::trie::EMPTY_ROOT;
use crate::wire::{Bytes, Uint256};

pub(super) fn check(
    root: Hash,
    query: &Query,
    proof: &Proof<'_>,
    observer: &mut impl Observer,
) -> Result<Fact, VerifyError> {
    note!(observer, Entered "account", None, address: &query.address);
    answers(query, proof)?;
    let account = match proof.account.walk(root, &keccak256(&query.address), observer)? {
        Some(leaf) => Some(Account::from_leaf(leaf)?),
        None => None,
    };
    match &account {
        Some(account) => present_claims(account, proof, observer)?,
        None => absent_claims(proof, observer)?,
    }
    // An absent account has no storage: every slot reads as zero, under the empty root.
    let storage_hash = account.map_or(EMPTY_ROOT, |account| account.storage_hash);
    let slots = proof.slots.iter().enumerate().map(|(index, slot)| {
        note!(observer, Entered "slot", slot.key.span, slot: index, key: &slot.key.value);
        check_slot(storage_hash, slot, observer)
    });
    let slots = slots.collect::<Result<_, _>>()?;
    let code = match proof.code {
        Some(code) => {
            note!(observer, Entered "code", code.span);
            let expected = account.map_or(EMPTY_CODE_HASH, |account| account.code_hash);
            Some(check_code(expected, code, observer)?)
        }
        None => None,
    };
    Ok(Fact { account: account.map_or(Presence::Absent, Presence::Present), slots, code })
}

/// The reply is for this address and these slots, in this order.
fn answers(query: &Query, proof: &Proof<'_>) -> Result<(), VerifyError> {
    if proof.address.value != query.address {
        return Err(VerifyError::Query { field: "address", span: proof.address.span });
    }
    if proof.slots.len() != query.slots.len() {
        return Err(VerifyError::Query { field: "number of slots", span: proof.slots_span });
    }
    match proof.slots.iter().zip(&query.slots).find(|(slot, asked)| slot.key.value != **asked) {
        Some((slot, _)) => Err(VerifyError::Query { field: "slot key", span: slot.key.span }),
        None => Ok(()),
    }
}

fn present_claims(
    account: &Account,
    proof: &Proof<'_>,
    observer: &mut impl Observer,
) -> Result<(), VerifyError> {
    equal("nonce", &proof.nonce, &account.nonce.into(), observer)?;
    equal("balance", &proof.balance, &account.balance, observer)?;
    equal("storageHash", &proof.storage_hash, &account.storage_hash, observer)?;
    equal("codeHash", &proof.code_hash, &account.code_hash, observer)
}

/// Nodes write the hashes of an absent account as zero, or as those of an empty one.
fn absent_claims(proof: &Proof<'_>, observer: &mut impl Observer) -> Result<(), VerifyError> {
    let either = |claimed: Hash, empty| if claimed == Hash::ZERO { claimed } else { empty };
    let storage_hash = either(proof.storage_hash.value, EMPTY_ROOT);
    let code_hash = either(proof.code_hash.value, EMPTY_CODE_HASH);
    equal("nonce", &proof.nonce, &Uint256::ZERO, observer)?;
    equal("balance", &proof.balance, &Uint256::ZERO, observer)?;
    equal("storageHash", &proof.storage_hash, &storage_hash, observer)?;
    equal("codeHash", &proof.code_hash, &code_hash, observer)
}

fn check_slot(
    storage_hash: Hash,
    slot: &SlotProof<'_>,
    observer: &mut impl Observer,
) -> Result<Slot, VerifyError> {
    let key = slot.key.value;
    let value = match slot.nodes.walk(storage_hash, &keccak256(&key), observer)? {
        Some(leaf) => Presence::Present(account::slot_value(leaf)?),
        None => Presence::Absent,
    };
    let read = if let Presence::Present(value) = &value { *value } else { Uint256::ZERO };
    equal("slot value", &slot.value, &read, observer)?;
    Ok(Slot { key, value })
}

fn check_code(
    expected: Hash,
    code: Bytes<'_>,
    observer: &mut impl Observer,
) -> Result<alloc::vec::Vec<u8>, VerifyError> {
    let got = keccak256(code.bytes);
    if got != expected {
        return Err(VerifyError::Code { expected, got, span: code.span });
    }
    note!(observer, Hashed "code", code.span, digest: &got);
    Ok(code.bytes.to_vec())
}

fn equal<T: PartialEq>(
    field: &'static str,
    claimed: &Claimed<T>,
    proven: &T,
    observer: &mut impl Observer,
) -> Result<(), VerifyError> {
    let span = claimed.span;
    if claimed.value != *proven {
        return Err(VerifyError::Claim { field, span });
    }
    note!(observer, Compared "claimed field", span, field: field);
    Ok(())
}
