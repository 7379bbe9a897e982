//! Changing what is RLP: proofs, parameters, headers.

use lightproof_prover::rlp::{self, Item};

/// The bytes of an item, changed. What is no RLP stays as it is.
pub(crate) fn changed(bytes: &[u8], change: impl FnOnce(&mut Item)) -> Vec<u8> {
    let Ok(mut item) = rlp::decode(bytes) else { return bytes.to_vec() };
    change(&mut item);
    item.encode()
}

/// The items of a list; none if the bytes are no list.
pub(crate) fn items(bytes: &[u8]) -> Vec<Item> {
    let item = rlp::decode(bytes).ok();
    item.and_then(|item| Some(item.as_list()?.to_vec())).unwrap_or_default()
}

/// Access to the parts of an item. What is not there stays unchanged: a case that then proves
/// something fails.
pub(crate) trait Edit {
    /// The item at a path of list indices; the last one on the way if it ends early.
    fn at(&mut self, path: &[usize]) -> &mut Item;
    /// Changes the items of a list.
    fn items(&mut self, change: impl FnOnce(&mut Vec<Item>));
    /// Changes the bytes of a string.
    fn bytes(&mut self, change: impl FnOnce(&mut Vec<u8>));
    /// The number that a string holds.
    fn number(&self) -> u64;
    /// Adds to a number.
    fn add(&mut self, more: i64);
}

impl Edit for Item {
    fn at(&mut self, path: &[usize]) -> &mut Item {
        let [index, rest @ ..] = path else { return self };
        if self.as_list().is_none_or(|items| *index >= items.len()) {
            return self;
        }
        match self {
            Self::List(items) => items[*index].at(rest),
            other => other,
        }
    }

    fn items(&mut self, change: impl FnOnce(&mut Vec<Item>)) {
        if let Self::List(items) = self {
            change(items);
        }
    }

    fn bytes(&mut self, change: impl FnOnce(&mut Vec<u8>)) {
        if let Self::Bytes(bytes) = self {
            change(bytes);
        }
    }

    fn number(&self) -> u64 {
        self.as_uint().and_then(|number| u64::try_from(number).ok()).unwrap_or_default()
    }

    fn add(&mut self, more: i64) {
        *self = Self::uint(self.number().wrapping_add_signed(more));
    }
}

/// Flips the lowest bit of a byte, counted from the end.
pub(crate) fn flip(from_end: usize) -> impl FnOnce(&mut Vec<u8>) {
    move |bytes| {
        if let Some(at) = bytes.len().checked_sub(from_end) {
            bytes[at] ^= 1;
        }
    }
}
