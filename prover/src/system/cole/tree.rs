//! The in-memory tree: a B+-tree with digests. Nodes are shared between versions, so that a block's
//! tree stays as it was while later blocks write: keeping a version costs only the nodes that
//! change after it.

pub mod opening;

use std::sync::{Arc, OnceLock};

use super::config::{Config, Format};
use super::digest::Extent;
use super::key::{Entry, Key, block_of};
use crate::hash::Word;

/// An in-memory tree. Cloning it is cheap and seals the clone.
#[derive(Clone, Debug)]
pub struct Tree {
    shape: Shape,
    root: Option<Arc<Node>>,
    extent: Extent,
}

/// Where nodes split. The formats differ: in `cole/fast24` m bounds separators, in `cole/1`
/// children.
#[derive(Clone, Copy, Debug)]
struct Shape {
    format: Format,
    /// Most entries of a leaf, and how many a split leaves on its left.
    leaf: (usize, usize),
    /// Most children of an inner node, and how many a split leaves on its left.
    inner: (usize, usize),
}

#[derive(Clone, Debug)]
enum Body {
    Leaf(Vec<(Entry, [Word; 2])>),
    Inner { separators: Vec<(Key, Word)>, children: Vec<Arc<Node>> },
}

#[derive(Clone, Debug)]
struct Node {
    body: Body,
    digest: OnceLock<Word>,
}

impl Tree {
    /// A tree without entries.
    pub fn new(config: &Config) -> Self {
        let m = usize::from(config.fanout);
        let half = m.div_ceil(2);
        let inner = match config.format {
            Format::One => (m, half),
            Format::Fast24 { .. } => (m + 1, half + 1),
        };
        // Of m + 1 entries, floor((m + 1) / 2) stay on the left.
        let shape = Shape { format: config.format, leaf: (m, half), inner };
        Self { shape, root: None, extent: Extent::default() }
    }

    /// Number of entries and the blocks that wrote them.
    pub fn extent(&self) -> &Extent {
        &self.extent
    }

    /// Inserts an entry, or replaces the value of its key.
    pub fn insert(&mut self, entry: Entry) {
        let words = self.shape.format.words(&entry);
        let Some(root) = &mut self.root else {
            self.root = Some(Node::new(Body::Leaf(vec![(entry, words)])));
            self.extent.add(block_of(&entry.key));
            return;
        };
        let (added, split) = Node::insert(root, entry, words, &self.shape);
        if added {
            self.extent.add(block_of(&entry.key));
        }
        if let Some((separator, right)) = split {
            let children = vec![root.clone(), right];
            *root = Node::new(Body::Inner { separators: vec![separator], children });
        }
    }

    /// Root digest.
    pub fn root(&self) -> Word {
        self.root.as_ref().map_or(Format::EMPTY, |root| root.digest(self.shape.format))
    }

    /// All entries, ascending, each with its digest in a run.
    pub fn leaves(&self) -> Vec<(Entry, Word)> {
        let format = self.shape.format;
        let leaf = |(entry, words): &(Entry, [Word; 2])| {
            let digest = match format {
                Format::One => words[0],
                Format::Fast24 { .. } => format.entry(entry),
            };
            (*entry, digest)
        };
        let mut out = Vec::new();
        let mut stack: Vec<&Node> = self.root.as_deref().into_iter().collect();
        while let Some(node) = stack.pop() {
            match &node.body {
                Body::Leaf(entries) => out.extend(entries.iter().map(leaf)),
                Body::Inner { children, .. } => {
                    stack.extend(children.iter().rev().map(Arc::as_ref));
                }
            }
        }
        out
    }

    /// How many children each node has, and its digest: from the root down, each depth from left to
    /// right.
    pub fn depths(&self) -> impl Iterator<Item = Vec<(usize, Word)>> {
        let root = self.root.as_deref().map(|root| vec![root]);
        let depths = std::iter::successors(root, |nodes| {
            let next: Vec<&Node> = nodes.iter().flat_map(|node| node.children()).collect();
            (!next.is_empty()).then_some(next)
        });
        let node = |node: &Node| (node.len(), node.digest(self.shape.format));
        depths.map(move |nodes| nodes.into_iter().map(node).collect())
    }

    /// The greatest entry whose key is at most `key`.
    pub fn at_most(&self, key: &Key) -> Option<Entry> {
        let mut node = self.root.as_deref()?;
        loop {
            match &node.body {
                // A leaf starts at its separator, so the path holds the answer, or the tree does
                // not.
                Body::Leaf(entries) => {
                    let end = entries.partition_point(|(entry, _)| entry.key <= *key);
                    return entries[..end].last().map(|(entry, _)| *entry);
                }
                Body::Inner { separators, children } => {
                    node = &children[separators.partition_point(|(first, _)| first <= key)];
                }
            }
        }
    }
}

type Split = Option<((Key, Word), Arc<Node>)>;

impl Node {
    fn new(body: Body) -> Arc<Self> {
        Arc::new(Self { body, digest: OnceLock::new() })
    }

    /// Whether an entry was added, and what was split off on the right.
    fn insert(
        this: &mut Arc<Self>,
        entry: Entry,
        words: [Word; 2],
        shape: &Shape,
    ) -> (bool, Split) {
        let node = Arc::make_mut(this);
        node.digest = OnceLock::new();
        match &mut node.body {
            Body::Leaf(entries) => {
                match entries.binary_search_by(|(other, _)| other.key.cmp(&entry.key)) {
                    Ok(at) => {
                        entries[at] = (entry, words);
                        return (false, None);
                    }
                    Err(at) => entries.insert(at, (entry, words)),
                }
                if entries.len() <= shape.leaf.0 {
                    return (true, None);
                }
                let right = entries.split_off(shape.leaf.1);
                let first = right[0].0.key;
                (
                    true,
                    Some(((first, shape.format.separator(&first)), Self::new(Body::Leaf(right)))),
                )
            }
            Body::Inner { separators, children } => {
                let at = separators.partition_point(|(first, _)| *first <= entry.key);
                let (added, split) = Self::insert(&mut children[at], entry, words, shape);
                if let Some((separator, right)) = split {
                    separators.insert(at, separator);
                    children.insert(at + 1, right);
                }
                if children.len() <= shape.inner.0 {
                    return (added, None);
                }
                let right = children.split_off(shape.inner.1);
                let behind = separators.split_off(shape.inner.1);
                let middle = separators.pop();
                let right = Self::new(Body::Inner { separators: behind, children: right });
                (added, middle.map(|middle| (middle, right)))
            }
        }
    }

    fn children(&self) -> impl Iterator<Item = &Self> {
        let children = match &self.body {
            Body::Leaf(_) => &[],
            Body::Inner { children, .. } => children.as_slice(),
        };
        children.iter().map(Arc::as_ref)
    }

    fn len(&self) -> usize {
        match &self.body {
            Body::Leaf(entries) => entries.len(),
            Body::Inner { children, .. } => children.len(),
        }
    }

    fn digest(&self, format: Format) -> Word {
        *self.digest.get_or_init(|| match &self.body {
            Body::Leaf(entries) => {
                let words: Vec<_> = entries.iter().map(|(_, words)| *words).collect();
                format.tree_leaf(&words)
            }
            Body::Inner { separators, children } => {
                let separators: Vec<_> = match format {
                    Format::One => Vec::new(),
                    Format::Fast24 { .. } => separators.iter().map(|(_, word)| *word).collect(),
                };
                let children: Vec<_> = children.iter().map(|child| child.digest(format)).collect();
                format.tree_node(false, &separators, &children)
            }
        })
    }
}
