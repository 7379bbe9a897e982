//! Trie nodes and their RLP (Yellow Paper, appendix D).

use std::collections::BTreeMap;

use super::nibbles::{Nibbles, from_hex_prefix, hex_prefix};
use crate::hash::{Word, keccak256};
use crate::rlp::{self, Item};

/// A node of a trie whose keys all have the same length, so that branches hold no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// Nothing below here.
    Empty,
    /// The rest of one key, and its value.
    Leaf {
        /// Nibbles below this node.
        path: Nibbles,
        /// Never empty.
        value: Vec<u8>,
    },
    /// Nibbles that every key below shares.
    Extension {
        /// Never empty.
        path: Nibbles,
        /// Always a branch.
        child: Box<Node>,
    },
    /// One child per nibble, at least two of them not empty.
    Branch {
        /// Index = nibble.
        children: Box<[Node; 16]>,
    },
    /// A node that is still in the store, at its own path; only its hash is known here.
    Stored(Word),
}

impl Node {
    /// Parses a node that this crate wrote, inline children included. `None` if it is none.
    pub fn decode(rlp_bytes: &[u8]) -> Option<Self> {
        Self::from_item(&rlp::decode(rlp_bytes).ok()?)
    }

    fn from_item(item: &Item) -> Option<Self> {
        let items = item.as_list()?;
        if let [path, second] = items {
            let (path, leaf) = from_hex_prefix(path.as_bytes()?)?;
            return Some(if leaf {
                Self::Leaf { path, value: second.as_bytes()?.to_vec() }
            } else {
                Self::Extension { path, child: Box::new(Self::child(second)?) }
            });
        }
        let children: Vec<Self> =
            items.get(..16)?.iter().map(Self::child).collect::<Option<_>>()?;
        Some(Self::Branch { children: Box::new(children.try_into().ok()?) })
    }

    fn child(item: &Item) -> Option<Self> {
        match item.as_bytes() {
            None => Self::from_item(item),
            Some([]) => Some(Self::Empty),
            Some(hash) => Some(Self::Stored(hash.try_into().ok()?)),
        }
    }

    /// Encodes this node at `path`, and puts every node below it that is referenced by hash into
    /// `out` under its own path. Nodes that are still in the store are not visited.
    pub fn encode(&self, path: &Nibbles, out: &mut BTreeMap<Nibbles, Vec<u8>>) -> Vec<u8> {
        let item = match self {
            Self::Empty | Self::Stored(_) => Item::bytes([]),
            Self::Leaf { path: rest, value } => {
                Item::List(vec![Item::bytes(hex_prefix(rest, true)), Item::bytes(value)])
            }
            Self::Extension { path: rest, child } => {
                let reference = child.reference([path.as_slice(), rest].concat(), out);
                Item::List(vec![Item::bytes(hex_prefix(rest, false)), reference])
            }
            Self::Branch { children } => {
                let mut items: Vec<Item> = (0_u8..)
                    .zip(children.iter())
                    .map(|(nibble, child)| {
                        child.reference([path.as_slice(), &[nibble]].concat(), out)
                    })
                    .collect();
                items.push(Item::bytes([]));
                Item::List(items)
            }
        };
        item.encode()
    }

    /// How a parent refers to this node: inline below 32 bytes, by hash otherwise.
    fn reference(&self, path: Nibbles, out: &mut BTreeMap<Nibbles, Vec<u8>>) -> Item {
        match self {
            Self::Empty => Item::bytes([]),
            Self::Stored(hash) => Item::bytes(hash),
            Self::Leaf { .. } | Self::Extension { .. } | Self::Branch { .. } => {
                let encoded = self.encode(&path, out);
                if encoded.len() < 32 {
                    return Item::Raw(encoded);
                }
                let hash = keccak256(&encoded);
                out.insert(path, encoded);
                Item::bytes(hash)
            }
        }
    }
}
