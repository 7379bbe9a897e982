//! An account as its leaf commits to it.

use crate::error::VerifyError;
use crate::hash::Hash;
use crate::wire::{Bytes, Reader, Uint256};

/// The code hash of an account that has no code.
pub const EMPTY_CODE_HASH: Hash = Hash::OF_NOTHING;

/// A proven account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Account {
    /// Number of transactions sent, or of contracts created.
    pub nonce: u64,
    /// Balance in wei.
    pub balance: Uint256,
    /// Root of the account's storage trie.
    pub storage_hash: Hash,
    /// keccak of its code.
    pub code_hash: Hash,
}

impl Account {
    /// Reads a leaf of the state trie: RLP of exactly four canonical fields.
    ///
    /// # Errors
    /// `verify.value` for anything else.
    pub fn from_leaf(leaf: Bytes<'_>) -> Result<Self, VerifyError> {
        let read = || {
            let mut items = Reader::whole_list(leaf.bytes, leaf.span.start, "account")?;
            let account = Self {
                nonce: items.u64("nonce")?,
                balance: items.uint256("balance")?,
                storage_hash: items.hash("storageHash")?,
                code_hash: items.hash("codeHash")?,
            };
            items.finish("account")?;
            Ok::<_, crate::DecodeError>(account)
        };
        read().map_err(|_| VerifyError::Value { field: "account", span: leaf.span })
    }
}

/// Reads a leaf of a storage trie: RLP of an integer, at most 32 bytes and not zero, since writing
/// zero removes the slot.
///
/// # Errors
/// `verify.value` for anything else.
pub fn slot_value(leaf: Bytes<'_>) -> Result<Uint256, VerifyError> {
    let mut outer = Reader::at(leaf.bytes, leaf.span.start);
    match outer.uint256("slot value") {
        Ok(value) if outer.is_empty() && !value.is_zero() => Ok(value),
        _ => Err(VerifyError::Value { field: "slot value", span: leaf.span }),
    }
}
