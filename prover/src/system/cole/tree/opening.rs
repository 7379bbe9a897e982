//! Openings of an in-memory tree, for both formats.

use std::sync::Arc;

use super::{Body, Node, Tree};
use crate::hash::Word;
use crate::system::cole::key::{Entry, Key};

/// `cole/1`: where opened entries stand, and the digests beside them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Bottom-up: index of the first opened child of the first opened node, and each opened node's
    /// child count.
    pub depths: Vec<(usize, Vec<usize>)>,
    /// Bottom-up, left ones then right ones.
    pub siblings: Vec<Word>,
}

/// `cole/fast24`: one opened node. `start..=end` are the children or entries that the authors'
/// prover takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opened {
    /// A leaf with all its entries.
    Leaf {
        /// First entry taken.
        start: usize,
        /// Last entry taken.
        end: usize,
        /// All entries.
        entries: Vec<Entry>,
    },
    /// An inner node.
    Inner {
        /// First child opened.
        start: usize,
        /// Last child opened.
        end: usize,
        /// Separators.
        separators: Vec<Key>,
        /// Digests of all children.
        children: Vec<Word>,
    },
}

impl Opened {
    /// The entries of a leaf.
    pub fn entries(&self) -> &[Entry] {
        match self {
            Self::Leaf { entries, .. } => entries,
            Self::Inner { .. } => &[],
        }
    }
}

impl Tree {
    /// The least entry whose key is above `key`.
    pub fn above(&self, key: &Key) -> Option<Entry> {
        self.root.as_deref()?.above(key)
    }

    /// All entries in `low..=high`, ascending.
    pub fn between(&self, low: &Key, high: &Key) -> Vec<Entry> {
        let mut out = Vec::new();
        if let Some(root) = &self.root {
            root.between(low, high, &mut out);
        }
        out
    }

    /// `cole/1`: opens all entries from key `first` to key `last`, which must be keys of the tree.
    pub fn place(&self, first: &Key, last: &Key) -> Place {
        let mut place = Place::default();
        let mut layer: Vec<Arc<Node>> = self.root.iter().cloned().collect();
        let mut beside = Vec::new();
        while !layer.is_empty() {
            let mut next = Vec::new();
            let mut depth = (0, Vec::new());
            let (mut left, mut right) = (Vec::new(), Vec::new());
            for (at, node) in layer.iter().enumerate() {
                let (digests, start, end) = match &node.body {
                    Body::Leaf(entries) => {
                        let digests: Vec<Word> =
                            entries.iter().map(|(_, words)| words[0]).collect();
                        let start = entries.partition_point(|(entry, _)| entry.key < *first);
                        (digests, start, entries.partition_point(|(entry, _)| entry.key <= *last))
                    }
                    Body::Inner { separators, children } => {
                        let start = separators.partition_point(|(key, _)| key <= first);
                        let end = separators.partition_point(|(key, _)| key <= last) + 1;
                        next.extend(children[start..end].iter().cloned());
                        let format = self.shape.format;
                        (children.iter().map(|child| child.digest(format)).collect(), start, end)
                    }
                };
                if at == 0 {
                    depth.0 = start;
                    left.extend_from_slice(&digests[..start]);
                }
                if at + 1 == layer.len() {
                    right.extend_from_slice(&digests[end..]);
                }
                depth.1.push(digests.len());
            }
            place.depths.push(depth);
            left.append(&mut right);
            beside.push(left);
            layer = next;
        }
        place.depths.reverse();
        place.siblings = beside.into_iter().rev().flatten().collect();
        place
    }

    /// `cole/fast24`: opens the range `low..=high`, from the root down.
    pub fn open(&self, low: &Key, high: &Key) -> Vec<Vec<Opened>> {
        let mut depths = Vec::new();
        let mut layer: Vec<Arc<Node>> = self.root.iter().cloned().collect();
        while !layer.is_empty() {
            let mut next = Vec::new();
            let mut depth = Vec::new();
            for node in &layer {
                depth.push(match &node.body {
                    Body::Leaf(entries) => {
                        let upto =
                            |key: &Key| entries.partition_point(|(entry, _)| entry.key <= *key);
                        Opened::Leaf {
                            start: upto(low).saturating_sub(1),
                            end: upto(high).saturating_sub(1),
                            entries: entries.iter().map(|(entry, _)| *entry).collect(),
                        }
                    }
                    Body::Inner { separators, children } => {
                        let start = separators.partition_point(|(key, _)| key <= low);
                        let end = separators.partition_point(|(key, _)| key <= high);
                        next.extend(children[start..=end].iter().cloned());
                        let format = self.shape.format;
                        Opened::Inner {
                            start,
                            end,
                            separators: separators.iter().map(|(key, _)| *key).collect(),
                            children: children.iter().map(|child| child.digest(format)).collect(),
                        }
                    }
                });
            }
            depths.push(depth);
            layer = next;
        }
        depths
    }
}

impl Node {
    fn above(&self, key: &Key) -> Option<Entry> {
        match &self.body {
            Body::Leaf(entries) => {
                let at = entries.partition_point(|(entry, _)| entry.key <= *key);
                entries.get(at).map(|(entry, _)| *entry)
            }
            Body::Inner { separators, children } => {
                let at = separators.partition_point(|(first, _)| first <= key);
                children[at..].iter().find_map(|child| child.above(key))
            }
        }
    }

    fn between(&self, low: &Key, high: &Key, out: &mut Vec<Entry>) {
        match &self.body {
            Body::Leaf(entries) => {
                let entries = entries.iter().map(|(entry, _)| *entry);
                out.extend(entries.filter(|entry| (low..=high).contains(&&entry.key)));
            }
            Body::Inner { separators, children } => {
                let start = separators.partition_point(|(key, _)| key <= low);
                let end = separators.partition_point(|(key, _)| key <= high);
                for child in &children[start..=end] {
                    child.between(low, high, out);
                }
            }
        }
    }
}
