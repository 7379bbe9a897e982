//! Conflux's storage keys: as the snapshot holds them, and padded for the layers above.

use alloc::vec::Vec;

use crate::hash::{Hash, Keccak256};

const ADDRESS_BYTES: usize = 20;
/// Marks a key of eSpace behind the address.
const ESPACE: u8 = 0x81;
const SLOT_PREFIX: &[u8] = b"data";
/// Bytes of padding in front of an address.
const ADDRESS_PADDING: usize = 12;

/// A snapshot key: address (20 bytes) ‖ 0x81 in eSpace ‖ what is asked of the account: nothing (the
/// account itself), `data`, `data` ‖ slot, `code`, `code` ‖ hash, `deposit` or `vote`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key<'a> {
    bytes: &'a [u8],
    address: &'a [u8],
    /// `0x81` in eSpace, else nothing.
    space: &'a [u8],
    rest: &'a [u8],
}

impl<'a> Key<'a> {
    /// Parses a snapshot key.
    pub(crate) fn parse(bytes: &'a [u8]) -> Option<Self> {
        let (address, behind) = bytes.split_at_checked(ADDRESS_BYTES)?;
        let in_espace = behind.first() == Some(&ESPACE);
        let (space, rest) = behind.split_at_checked(usize::from(in_espace))?;
        let known = rest.is_empty()
            || rest.starts_with(SLOT_PREFIX)
            || rest.starts_with(b"code")
            || rest == b"deposit"
            || rest == b"vote";
        known.then_some(Self { bytes, address, space, rest })
    }

    /// The key in the snapshot.
    pub(crate) const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The key in a delta layer: the padding scatters accounts and slots over the trie.
    pub(crate) fn padded(&self, padding: &Hash) -> Vec<u8> {
        let (account_padding, _) = padding.0.split_at(ADDRESS_PADDING);
        let scattered = scatter(account_padding, self.address);
        let mut key = Vec::new();
        key.extend_from_slice(scattered.0.split_at(ADDRESS_PADDING).0);
        key.extend_from_slice(self.address);
        key.extend_from_slice(self.space);
        let mut rest = self.rest;
        if let Some(slot) = rest.strip_prefix(SLOT_PREFIX).filter(|slot| !slot.is_empty()) {
            let scattered = scatter(&padding.0, slot);
            key.extend_from_slice(SLOT_PREFIX);
            key.extend_from_slice(scattered.0.split_at(SLOT_PREFIX.len()).1);
            rest = slot;
        }
        key.extend_from_slice(rest);
        key
    }
}

fn scatter(padding: &[u8], key: &[u8]) -> Hash {
    let mut hasher = Keccak256::default();
    hasher.update(padding);
    hasher.update(key);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_accounts() {
        let parsed = |rest: &[u8]| Key::parse(&[&[7; 20], rest].concat()).is_some();
        let known: [&[u8]; 8] =
            [b"", b"data", b"data1", b"code", b"code1", b"deposit", b"vote", b"\x81vote"];
        assert!(known.into_iter().all(parsed));
        let unknown: [&[u8]; 5] = [b"dat", b"deposits", b"votes", b"\x80", b"\x81\x81"];
        assert!(!unknown.into_iter().any(parsed));
        assert!(Key::parse(&[7; 19]).is_none());
    }
}
