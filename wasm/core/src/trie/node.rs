//! One node of the trie, in its only canonical encoding.

use crate::error::{DecodeError, Malformed, Span};
use crate::hash::Hash;
use crate::wire::{Bytes, Item, Reader};

/// A node shorter than this stands inside its parent; any other is referred to by its hash.
const HASH_BYTES: usize = 32;

/// One per nibble.
const BRANCH_CHILDREN: usize = 16;

/// What a parent holds for a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Child<'a> {
    /// Nothing.
    Empty,
    /// keccak of the child.
    Hash(&'a [u8; 32]),
    /// The child itself, in canonical form.
    Inline {
        /// The node.
        encoded: Bytes<'a>,
        /// Whether it is a branch.
        is_branch: bool,
    },
}

/// A node in canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node<'a> {
    /// 16 children by nibble, at least two of them there; no value, since no key ends inside the
    /// trie.
    Branch(Children<'a>),
    /// Nibbles that all keys below share, at least one.
    Extension { path: Path<'a>, child: Child<'a> },
    /// The rest of one key, and its value, not empty.
    Leaf { path: Path<'a>, value: Bytes<'a> },
}

/// The children of a branch: checked, and read again where a walk passes, so that a node that costs
/// its sender few bytes costs its reader few too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Children<'a> {
    items: Reader<'a>,
}

impl<'a> Children<'a> {
    /// The child at `nibble`.
    pub(super) fn get(mut self, nibble: u8) -> Result<Child<'a>, DecodeError> {
        for _ in 0..nibble {
            self.items.item("trie node")?;
        }
        child(self.items.item("trie node")?)
    }

    /// Which children are there: bit `nibble` is set if that one is.
    pub(super) fn occupied(self) -> u16 {
        (0..16)
            .filter(|nibble| self.get(*nibble) != Ok(Child::Empty))
            .fold(0, |all, nibble| all | 1 << nibble)
    }
}

impl<'a> Node<'a> {
    /// A node of any length: the root of a trie, or a node that stands inside its parent.
    pub(super) fn root(bytes: Bytes<'a>) -> Result<Self, DecodeError> {
        let list = Reader::whole_list(bytes.bytes, bytes.span.start, "trie node")?;
        Self::read(list, bytes.span)
    }

    /// A node that its parent refers to by hash.
    pub(super) fn by_hash(bytes: Bytes<'a>) -> Result<Self, DecodeError> {
        if bytes.bytes.len() < HASH_BYTES {
            return Err(Malformed::Node.at(
                "trie node",
                "a node shorter than 32 bytes must be embedded in its parent",
                bytes.span,
            ));
        }
        Self::root(bytes)
    }

    fn read(mut items: Reader<'a>, span: Span) -> Result<Self, DecodeError> {
        let all = Children { items };
        let first = next(&mut items, span)?;
        let second = next(&mut items, span)?;
        if items.is_empty() {
            return match first {
                Item::String(path) => Self::path_node(path, second, span),
                Item::List { .. } => {
                    Err(Malformed::Node.at("trie node", "a path that is no string", span))
                }
            };
        }
        check_branch([first, second], items, span)?;
        Ok(Self::Branch(all))
    }

    fn path_node(path: Bytes<'a>, second: Item<'a>, span: Span) -> Result<Self, DecodeError> {
        let wrong = |reason| Malformed::Node.at("trie node", reason, span);
        let (path, is_leaf) = Path::read(path)?;
        if is_leaf {
            return match second {
                Item::String(value) if !value.bytes.is_empty() => Ok(Self::Leaf { path, value }),
                _ => Err(wrong("a leaf's value is a string, not empty")),
            };
        }
        if path.len() == 0 {
            return Err(wrong("an extension with an empty path"));
        }
        match child(second)? {
            Child::Empty => Err(wrong("an extension to nothing")),
            Child::Inline { is_branch: false, .. } => {
                Err(wrong("an extension that leads to no branch"))
            }
            child => Ok(Self::Extension { path, child }),
        }
    }
}

/// Checks every child, those that no walk passes too, and that nothing is left but an empty value.
fn check_branch<'a>(
    start: [Item<'a>; 2],
    mut rest: Reader<'a>,
    span: Span,
) -> Result<(), DecodeError> {
    let wrong = |reason| Malformed::Node.at("trie node", reason, span);
    let mut occupied = 0_usize;
    for item in start {
        occupied = occupied.saturating_add((child(item)? != Child::Empty).into());
    }
    for _ in 2..BRANCH_CHILDREN {
        let item = next(&mut rest, span)?;
        occupied = occupied.saturating_add((child(item)? != Child::Empty).into());
    }
    if !matches!(next(&mut rest, span)?, Item::String(Bytes { bytes: [], .. })) {
        return Err(wrong("a branch with a value"));
    }
    if !rest.is_empty() {
        return Err(wrong("more than 17 items"));
    }
    if occupied < 2 {
        return Err(wrong("a branch with fewer than two children"));
    }
    Ok(())
}

/// The next item of a node that has one more.
fn next<'a>(items: &mut Reader<'a>, span: Span) -> Result<Item<'a>, DecodeError> {
    if items.is_empty() {
        return Err(Malformed::Node.at("trie node", "expected 2 or 17 items", span));
    }
    items.item("trie node")
}

/// Reads a reference to a child. Recursion is bounded: every embedded node is under 32 bytes.
fn child(item: Item<'_>) -> Result<Child<'_>, DecodeError> {
    match item {
        Item::String(Bytes { bytes: [], .. }) => Ok(Child::Empty),
        Item::String(Bytes { bytes, span }) => match bytes.try_into() {
            Ok(hash) => Ok(Child::Hash(hash)),
            Err(_) => Err(Malformed::Node.at(
                "trie node",
                "a reference of another length than 32 bytes",
                span,
            )),
        },
        Item::List { encoded, .. } if encoded.bytes.len() >= HASH_BYTES => Err(Malformed::Node.at(
            "trie node",
            "an embedded node must be shorter than 32 bytes",
            encoded.span,
        )),
        Item::List { items, encoded } => {
            let is_branch = matches!(Node::read(items, encoded.span)?, Node::Branch(_));
            Ok(Child::Inline { encoded, is_branch })
        }
    }
}

/// Nibbles of a path, in the hex-prefix encoding (Yellow Paper, appendix C).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Path<'a> {
    bytes: &'a [u8],
    /// Nibbles of the prefix: 1 before an odd path, 2 before an even one.
    skip: usize,
}

impl<'a> Path<'a> {
    /// The path, and whether it is a leaf's.
    fn read(Bytes { bytes, span }: Bytes<'a>) -> Result<(Self, bool), DecodeError> {
        let wrong = |reason| Malformed::Node.at("trie node", reason, span);
        let Some(first) = bytes.first() else {
            return Err(wrong("a path without its prefix"));
        };
        let (flags, low) = (first >> 4, first & 0x0f);
        let skip = match flags {
            0 | 2 if low == 0 => 2,
            1 | 3 => 1,
            _ => return Err(wrong("a path with an unknown flag or padding")),
        };
        Ok((Self { bytes, skip }, flags >= 2))
    }

    /// Number of nibbles.
    pub(super) const fn len(&self) -> usize {
        self.bytes.len().saturating_mul(2).saturating_sub(self.skip)
    }

    /// Whether `key` continues with this path at nibble `depth`.
    pub(super) fn matches(&self, key: &Hash, depth: usize) -> bool {
        (0..self.len()).all(|index| {
            let own = nibble(self.bytes, self.skip.saturating_add(index));
            own.is_some() && own == nibble(&key.0, depth.saturating_add(index))
        })
    }
}

/// Nibble number `index`, high half of a byte first.
pub(crate) fn nibble(bytes: &[u8], index: usize) -> Option<u8> {
    let byte = bytes.get(index >> 1)?;
    Some(if index & 1 == 0 { byte >> 4 } else { byte & 0x0f })
}
