//! Edits of RLP: proofs, parameters, headers.

use lightproof_prover::rlp::{self, Item};

/// The bytes of an edited item. Bytes that are not RLP stay as they are.
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

/// Edits of an item's parts. An edit of a part that does not exist changes nothing; the case's
/// proof then stays honest, and its test fails.
pub(crate) trait Edit {
    /// The item at a path of list indices; the last one on the way if it ends early.
    fn at(&mut self, path: &[usize]) -> &mut Item;
    /// The last item of a list; the item itself if it has none.
    fn last(&mut self) -> &mut Item;
    /// Changes the items of a list.
    fn items(&mut self, change: impl FnOnce(&mut Vec<Item>));
    /// Changes the bytes of a string.
    fn bytes(&mut self, change: impl FnOnce(&mut Vec<u8>));
    /// Replaces the item at a path.
    fn set(&mut self, path: &[usize], item: Item);
    /// Replaces the item at a path by a copy of another one.
    fn copy(&mut self, from: &[usize], to: &[usize]);
    /// Appends an item to a list.
    fn push(&mut self, item: Item);
    /// Removes an item from a list.
    fn remove(&mut self, index: usize);
    /// Removes the last item of a list.
    fn pop(&mut self);
    /// Exchanges two items of a list.
    fn swap(&mut self, one: usize, other: usize);
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

    fn last(&mut self) -> &mut Item {
        let last = self.as_list().map_or(0, <[Self]>::len).wrapping_sub(1);
        self.at(&[last])
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

    fn set(&mut self, path: &[usize], item: Item) {
        *self.at(path) = item;
    }

    fn copy(&mut self, from: &[usize], to: &[usize]) {
        let item = self.at(from).clone();
        self.set(to, item);
    }

    fn push(&mut self, item: Item) {
        self.items(|items| items.push(item));
    }

    fn remove(&mut self, index: usize) {
        self.items(|items| drop(items.remove(index)));
    }

    fn pop(&mut self) {
        self.items(|items| drop(items.pop()));
    }

    fn swap(&mut self, one: usize, other: usize) {
        self.items(|items| items.swap(one, other));
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
