//! The proven state: trie nodes and codes in a bag, read along the paths that the root commits to.

use alloc::collections::BTreeMap;

use lightproof_core::error::{Malformed, Span};
use lightproof_core::hash::{Hash, keccak256};
use lightproof_core::system::mpt::{Account, slot_value};
use lightproof_core::trie::{Lookup, Nodes};
use lightproof_core::wire::Bytes;
use lightproof_core::{DecodeError, Rejection};
use revm::primitives::{Address, B256, U256};

/// Longest code that is read, in bytes. EIP-7954 allows 32 KiB, and tests and old chains no more.
const MAX_CODE_BYTES: usize = 1 << 20;

/// What a witness holds: nodes of the state trie and of storage tries, and codes. Nothing in it is
/// trusted; what is read from it follows from a root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State<'a> {
    nodes: Nodes<'a>,
    codes: BTreeMap<Hash, &'a [u8]>,
}

/// What is proven of one leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaf<T> {
    /// It is there.
    Present(T),
    /// It is not there.
    Absent,
    /// Nothing.
    Unknown,
}

impl<T> Leaf<T> {
    /// What is there.
    pub(crate) fn present(self) -> Option<T> {
        match self {
            Self::Present(found) => Some(found),
            Self::Absent | Self::Unknown => None,
        }
    }
}

impl<'a> State<'a> {
    /// Adds a trie node; one that nothing refers to is never read.
    ///
    /// # Errors
    /// `decode.limit` if it is longer than any node.
    pub fn add_node(&mut self, node: &'a [u8]) -> Result<(), DecodeError> {
        self.nodes.insert(Bytes { bytes: node, span: Span { start: 0, end: node.len() } })
    }

    /// Adds a code; one that no account names is never read.
    ///
    /// # Errors
    /// `decode.limit` over 1 MiB.
    pub fn add_code(&mut self, code: &'a [u8]) -> Result<(), DecodeError> {
        if code.len() > MAX_CODE_BYTES {
            let span = Span { start: 0, end: code.len() };
            return Err(Malformed::Limit.at("code", "longer than 1 MiB", span));
        }
        self.codes.insert(keccak256(code), code);
        Ok(())
    }

    /// The account at `address` under a state root.
    pub(crate) fn account(
        &self,
        root: Hash,
        address: &Address,
    ) -> Result<Leaf<Account>, Rejection> {
        match self.nodes.find(root, &keccak256(address.as_slice()))? {
            Lookup::Present(leaf) => Ok(Leaf::Present(Account::from_leaf(leaf)?)),
            Lookup::Absent => Ok(Leaf::Absent),
            Lookup::Unknown(_) => Ok(Leaf::Unknown),
        }
    }

    /// The value of a slot under a storage root, not zero.
    pub(crate) fn slot(&self, root: Hash, key: B256) -> Result<Leaf<U256>, Rejection> {
        match self.nodes.find(root, &keccak256(key.as_slice()))? {
            Lookup::Present(leaf) => Ok(Leaf::Present(U256::from_be_bytes(slot_value(leaf)?.0))),
            Lookup::Absent => Ok(Leaf::Absent),
            Lookup::Unknown(_) => Ok(Leaf::Unknown),
        }
    }

    /// The code with this hash.
    pub(crate) fn code(&self, hash: Hash) -> Option<&'a [u8]> {
        self.codes.get(&hash).copied()
    }
}
