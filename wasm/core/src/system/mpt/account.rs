//! An account as its leaf commits to it.

use crate::error::VerifyError;
use crate::hash::Hash;
use crate::wire::{Bytes, Reader, Uint256};

/// keccak of no code: the code hash of every account that is no contract.
pub const EMPTY_CODE_HASH: Hash = Hash([
    0xc5, 0xd2, 0x46, 0x01, 0x86, 0xf7, 0x23, 0x3c, 0x92, 0x7e, 0x7d, 0xb2, 0xdc, 0xc7, 0x03, 0xc0,
    0xe5, 0x00, 0xb6, 0x53, 0xca, 0x82, 0x27, 0x3b, 0x7b, 0xfa, 0xd8, 0x04, 0x5d, 0x85, 0xa4, 0x70,
]);

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
