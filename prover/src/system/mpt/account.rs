//! The account leaf.

use crate::chain::state::Wei;
use crate::hash::{EMPTY_CODE_HASH, EMPTY_ROOT, Word};
use crate::rlp::{self, Item};

/// An account as the trie holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Account {
    /// Transactions sent.
    pub nonce: u64,
    /// In wei.
    pub balance: Wei,
    /// Root of the account's storage trie.
    pub storage_root: Word,
    /// keccak256 of the account's code.
    pub code_hash: Word,
}

impl Default for Account {
    fn default() -> Self {
        Self {
            nonce: 0,
            balance: Wei::default(),
            storage_root: EMPTY_ROOT,
            code_hash: EMPTY_CODE_HASH,
        }
    }
}

impl Account {
    /// True if the account does not exist: no nonce, balance, code or storage.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// RLP `[nonce, balance, storageRoot, codeHash]`.
    pub fn encode(&self) -> Vec<u8> {
        Item::List(vec![
            Item::uint(self.nonce),
            Item::uint_bytes(&self.balance.0),
            Item::bytes(self.storage_root),
            Item::bytes(self.code_hash),
        ])
        .encode()
    }

    /// Parses [`Account::encode`]'s bytes. `None` if they are no account of this chain.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let item = rlp::decode(bytes).ok()?;
        let [nonce, balance, storage_root, code_hash] = item.as_list()? else { return None };
        Some(Self {
            nonce: nonce.as_uint()?.try_into().ok()?,
            balance: Wei(balance.as_word()?),
            storage_root: storage_root.as_bytes()?.try_into().ok()?,
            code_hash: code_hash.as_bytes()?.try_into().ok()?,
        })
    }
}
