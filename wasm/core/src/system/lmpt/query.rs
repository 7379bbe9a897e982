//! What is asked: keys, one after the other.

use alloc::vec::Vec;

use super::Format;
use super::conflux::key::Key;
use crate::error::InputError;
use crate::wire::{Item, Reader};

/// Longest key, in bytes.
const MAX_KEY_BYTES: usize = 1024;

/// Most keys in a query.
pub(super) const MAX_KEYS: usize = 1024;

/// What is asked of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Its newest write.
    Value,
    /// `lmpt/conflux`: per layer, the hash of the node that ends at the key.
    StorageRoots,
}

/// One question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The key, unhashed; in `lmpt/conflux` a snapshot key.
    pub key: Vec<u8>,
    /// What is asked of it.
    pub wanted: Wanted,
}

/// A query: RLP `[question, …]`, 1 to 1,024 of them, all different. A question is a key, or in
/// `lmpt/conflux` `[key]` for its storage roots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// In the order of the answers.
    pub questions: Vec<Question>,
}

impl Query {
    /// Decodes a query.
    ///
    /// # Errors
    /// [`InputError::Query`] if the bytes are not of the form, or not keys of the format.
    pub fn from_rlp(format: Format, rlp: &[u8]) -> Result<Self, InputError> {
        let malformed = |error: crate::DecodeError| InputError::Query(error.reason);
        let mut items = Reader::whole_list(rlp, 0, "query").map_err(malformed)?;
        let mut questions = Vec::new();
        while !items.is_empty() {
            if questions.len() == MAX_KEYS {
                return Err(InputError::Query("at most 1024 keys"));
            }
            let question = match items.item("key").map_err(malformed)? {
                Item::String(key) => Question { key: key.bytes.to_vec(), wanted: Wanted::Value },
                Item::List { mut items, .. } => {
                    let key = items.string("key").map_err(malformed)?.bytes.to_vec();
                    items.finish("key").map_err(malformed)?;
                    Question { key, wanted: Wanted::StorageRoots }
                }
            };
            question.check(format)?;
            questions.push(question);
        }
        if questions.is_empty() {
            return Err(InputError::Query("at least one key"));
        }
        // Each against those behind it: a sort would be faster, and weigh more than the rest of
        // this file.
        let mut behind = questions.as_slice();
        while let [question, rest @ ..] = behind {
            behind = rest;
            if rest.contains(question) {
                return Err(InputError::Query("the same key twice"));
            }
        }
        Ok(Self { questions })
    }
}

impl Question {
    fn check(&self, format: Format) -> Result<(), InputError> {
        match format {
            _ if self.key.is_empty() || self.key.len() > MAX_KEY_BYTES => {
                Err(InputError::Query("a key has 1 to 1024 bytes"))
            }
            Format::Layered if self.wanted == Wanted::StorageRoots => {
                Err(InputError::Query("lmpt/1 has no storage roots"))
            }
            Format::Conflux if Key::parse(&self.key).is_none() => Err(InputError::Query(
                "expected a snapshot key: address (20 bytes), optional 0x81, then nothing, data, code, deposit or vote",
            )),
            Format::Layered | Format::Conflux => Ok(()),
        }
    }
}
