//! One node of Conflux's trie as its proofs carry it: RLP `[merkle, children, value, path?]`.

use super::NULL;
use crate::error::{DecodeError, Malformed, Span};
use crate::hash::{Hash, Keccak256};
use crate::wire::{Bytes, Reader};

/// A node, decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node<'a> {
    /// The hash that the wire claims; compared, never believed.
    pub(super) merkle: Hash,
    /// 16 references by nibble, or none.
    pub(super) children: Children<'a>,
    /// A value; empty for a tombstone.
    pub(super) value: Option<Bytes<'a>>,
    pub(super) path: Option<Path<'a>>,
    pub(super) span: Span,
}

/// Nibbles between the child index and the node. Its bytes are aligned to those of the key, so the
/// first or last nibble may lie outside of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Path<'a> {
    /// The first (high) nibble is not part of the path.
    pub(super) skips_first: bool,
    /// The last (low) nibble is not part of the path.
    pub(super) skips_last: bool,
    pub(super) bytes: &'a [u8],
}

/// The encoded hashes of 16 children, or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Children<'a>(&'a [[u8; CHILD_BYTES]]);

/// Length of a hash in RLP.
const CHILD_BYTES: usize = 33;

impl<'a> Children<'a> {
    fn read(mut list: Reader<'a>, encoded: &'a [u8]) -> Result<Self, DecodeError> {
        let field = "children";
        while !list.is_empty() {
            list.hash("child")?;
        }
        let (hashes, _) = encoded.as_chunks();
        if !hashes.is_empty() && hashes.len() != 16 {
            let reason = "neither none nor 16";
            return Err(Malformed::Shape.at(field, reason, list.span()));
        }
        Ok(Self(hashes))
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What the node refers to at `nibble`.
    pub(super) fn get(&self, nibble: u8) -> Hash {
        let child = self.0.get(usize::from(nibble)).and_then(|encoded| encoded.last_chunk());
        child.map_or(NULL, |hash| Hash(*hash))
    }
}

impl<'a> Node<'a> {
    pub(super) fn read(mut items: Reader<'a>, span: Span) -> Result<Self, DecodeError> {
        let merkle = items.hash("merkle")?;
        let list = items.list("children")?;
        let children = Children::read(list, list.rest())?;
        let mut option = items.list("value")?;
        let value = if option.is_empty() { None } else { Some(option.string("value")?) };
        option.finish("value")?;
        let path = if items.is_empty() { None } else { Some(Path::read(items.list("path")?)?) };
        items.finish("trie node")?;
        Ok(Self { merkle, children, value, path, span })
    }

    /// The hash without the path: what a storage root is.
    pub(super) fn hash(&self) -> Hash {
        let mut hasher = Keccak256::default();
        hasher.update(b"n");
        for nibble in 0..16 {
            hasher.update(&self.children.get(nibble).0);
        }
        if let Some(value) = self.value {
            hasher.update(b"v");
            hasher.update(value.bytes);
        }
        hasher.finish()
    }

    /// The hash that a parent refers to, for a node with this hash.
    pub(super) fn merkle(&self, hash: Hash) -> Hash {
        let Some(path) = self.path.filter(|path| path.steps() > 0) else { return hash };
        let mut hasher = Keccak256::default();
        let steps = u8::try_from(path.steps().checked_rem(63).unwrap_or(0)).unwrap_or(0);
        let first = if path.skips_first { 64_u8 } else { 0 };
        hasher.update(&[128_u8.saturating_add(first).saturating_add(steps)]);
        match path.bytes {
            // The excluded nibble is not committed to: it is the child index, which the parent
            // commits to.
            [byte, rest @ ..] if path.skips_first => {
                hasher.update(&[byte & 0x0f]);
                hasher.update(rest);
            }
            bytes => hasher.update(bytes),
        }
        hasher.update(&hash.0);
        hasher.finish()
    }
}

impl<'a> Path<'a> {
    fn read(mut items: Reader<'a>) -> Result<Self, DecodeError> {
        let span = items.span();
        let (skips_first, skips_last) = match items.u64("path mask")? {
            0x00 => (false, false),
            0x0f => (true, false),
            0xf0 => (false, true),
            0xff => (true, true),
            _ => {
                return Err(Malformed::Node.at(
                    "trie node",
                    "a path mask excludes whole nibbles",
                    span,
                ));
            }
        };
        let bytes = items.string("path bytes")?.bytes;
        items.finish("path")?;
        if bytes.is_empty() {
            return Err(Malformed::Node.at("trie node", "a path without bytes", span));
        }
        Ok(Self { skips_first, skips_last, bytes })
    }

    /// Number of nibbles.
    pub(super) fn steps(&self) -> usize {
        let skipped = usize::from(self.skips_first).saturating_add(self.skips_last.into());
        self.bytes.len().saturating_mul(2).saturating_sub(skipped)
    }
}
