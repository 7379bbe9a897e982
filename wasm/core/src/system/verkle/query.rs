//! What is asked: keys, one after the other.

use alloc::vec::Vec;

use crate::error::InputError;
use crate::hash::{Hash, sha256};
use crate::wire::Reader;

/// Longest key, in bytes.
const MAX_KEY_BYTES: usize = 1024;

/// Most keys in a query.
const MAX_KEYS: usize = 1024;

/// A key, and its place in the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// As asked.
    pub bytes: Vec<u8>,
    /// SHA-256 of it.
    pub hash: Hash,
}

/// A query: RLP `[key, …]`, 1 to 1,024 keys of 1 to 1,024 bytes, all different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// In the order of the answers.
    pub keys: Vec<Key>,
}

impl Query {
    /// Decodes a query.
    ///
    /// # Errors
    /// [`InputError::Query`] if the bytes are not of the form.
    pub fn from_rlp(rlp: &[u8]) -> Result<Self, InputError> {
        let malformed = |error: crate::DecodeError| InputError::Query(error.reason);
        let mut items = Reader::whole_list(rlp, 0, "query").map_err(malformed)?;
        let mut keys: Vec<Key> = Vec::new();
        while !items.is_empty() {
            if keys.len() == MAX_KEYS {
                return Err(InputError::Query("at most 1024 keys"));
            }
            let bytes = items.string("key").map_err(malformed)?.bytes;
            if bytes.is_empty() || bytes.len() > MAX_KEY_BYTES {
                return Err(InputError::Query("a key has 1 to 1024 bytes"));
            }
            keys.push(Key { bytes: bytes.to_vec(), hash: sha256(&[bytes]) });
        }
        if keys.is_empty() {
            return Err(InputError::Query("at least one key"));
        }
        let mut behind = keys.as_slice();
        while let [key, rest @ ..] = behind {
            behind = rest;
            if rest.iter().any(|other| other.hash == key.hash) {
                return Err(InputError::Query("the same key twice"));
            }
        }
        Ok(Self { keys })
    }
}
