//! The Merkle Patricia walk (Yellow Paper, appendix D) over 32-byte keys.
//!
//! Every rule of the canonical trie is checked, so one map has one trie and one proof per key. The
//! walk learns the answer from the nodes; nothing is claimed beforehand.

mod node;
mod nodes;
mod ordered;

use crate::error::{DecodeError, Malformed, Span, VerifyError};
use crate::hash::{Hash, keccak256};
use crate::observer::{Observer, note};
use crate::wire::{Bytes, Reader};

use alloc::vec::Vec;
use node::{Child, Children, Node};

pub(crate) use node::nibble;
pub use nodes::{Lookup, Nodes};
pub use ordered::ordered_root;

/// Root of the empty trie: keccak of the RLP empty string.
pub const EMPTY_ROOT: Hash = Hash([
    0x56, 0xe8, 0x1f, 0x17, 0x1b, 0xcc, 0x55, 0xa6, 0xff, 0x83, 0x45, 0xe6, 0x92, 0xc0, 0xf8, 0x6e,
    0x5b, 0x48, 0xe0, 0x1b, 0x99, 0x6c, 0xad, 0xc0, 0x01, 0x62, 0x2f, 0xb5, 0xe3, 0x63, 0xb4, 0x21,
]);

/// Most nodes in a proof: one per nibble of the key, and the leaf.
pub const MAX_NODES: usize = 65;

/// Longest node, in bytes. A full branch takes 532.
pub const MAX_NODE_BYTES: usize = 600;

/// Nibbles of a key.
const KEY_NIBBLES: usize = 64;

/// The nodes on one key's path, root first; decoded, not yet checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrieProof<'a> {
    nodes: Vec<(Bytes<'a>, Node<'a>)>,
    span: Span,
}

impl<'a> TrieProof<'a> {
    /// Reads a list of strings, each the RLP of one node.
    ///
    /// # Errors
    /// `decode.limit` over 65 nodes or 600 bytes a node, `decode.node` for a node that no
    /// canonical trie holds, `decode.rlp` and `decode.shape` for the encoding.
    pub fn read(mut list: Reader<'a>) -> Result<Self, DecodeError> {
        let span = list.span();
        let mut nodes = Vec::new();
        while !list.is_empty() {
            let bytes = list.string("trie node")?;
            let limit = |reason| Malformed::Limit.at("trie node", reason, bytes.span);
            if nodes.len() == MAX_NODES {
                return Err(limit("more than 65 nodes"));
            }
            if bytes.bytes.len() > MAX_NODE_BYTES {
                return Err(limit("longer than 600 bytes"));
            }
            let node = if nodes.is_empty() { Node::root(bytes)? } else { Node::by_hash(bytes)? };
            nodes.push((bytes, node));
        }
        // As many proofs as a query has keys are held at once.
        nodes.shrink_to_fit();
        Ok(Self { nodes, span })
    }

    /// Where the node list stands.
    pub(crate) const fn span(&self) -> Span {
        self.span
    }

    /// Walks from `root` along `key` and learns its value, `None` if it is proven absent.
    ///
    /// # Errors
    /// `verify.root`, `verify.merkle` for a node that does not hash to its reference;
    /// `verify.incomplete` if nodes are missing, `verify.surplus` if some are left;
    /// `verify.path` for a path that no 32-byte key takes.
    pub fn walk(
        &self,
        root: Hash,
        key: &Hash,
        observer: &mut impl Observer,
    ) -> Result<Option<Bytes<'a>>, VerifyError> {
        self.walk_visiting(root, key, &mut |_| (), observer)
    }

    /// As [`TrieProof::walk`], and visits the branches on the way.
    ///
    /// # Errors
    /// As [`TrieProof::walk`].
    pub(crate) fn walk_visiting(
        &self,
        root: Hash,
        key: &Hash,
        visit: &mut dyn FnMut(Branching<'a>),
        observer: &mut impl Observer,
    ) -> Result<Option<Bytes<'a>>, VerifyError> {
        let mut nodes = self.nodes.iter();
        let found = if root == EMPTY_ROOT {
            note!(observer, Compared "end", self.span, found: false, by: "empty trie");
            None
        } else {
            let mut walk = Walk { key, depth: 0, branch_due: false };
            let mut next = Descent::To(root);
            let mut index = 0_usize;
            loop {
                let expected = match next {
                    Descent::To(expected) => expected,
                    Descent::Ended(found) => break found,
                };
                let (bytes, node) =
                    nodes.next().ok_or(VerifyError::Incomplete { span: self.span })?;
                let (got, span) = (keccak256(bytes.bytes), bytes.span);
                if got != expected {
                    return Err(if index == 0 {
                        VerifyError::Root { expected, got, span }
                    } else {
                        VerifyError::Merkle { expected, got, span }
                    });
                }
                note!(observer, Hashed "trie node", span, depth: walk.depth, node: index, digest: &got);
                next = walk.descend(*node, span, visit, observer)?;
                index = index.saturating_add(1);
            }
        };
        match nodes.next() {
            Some((bytes, _)) => Err(VerifyError::Surplus { span: bytes.span }),
            None => Ok(found),
        }
    }
}

/// A branch that a walk went through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Branching<'a> {
    /// Nibbles of the key above it.
    pub(crate) depth: usize,
    /// The child that the walk took, 0 to 15.
    pub(crate) nibble: u8,
    children: Children<'a>,
}

impl Branching<'_> {
    /// Whether a child stands left of the one taken.
    pub(crate) fn has_left(&self) -> bool {
        self.has_any(0, self.nibble)
    }

    /// Whether a child stands right of the one taken.
    pub(crate) fn has_right(&self) -> bool {
        self.has_before(16)
    }

    /// Whether a child stands between the one taken and child `end`.
    pub(crate) fn has_before(&self, end: u8) -> bool {
        self.has_any(self.nibble.saturating_add(1), end)
    }

    /// Whether one of the children from `start` to `end` - 1 is there.
    fn has_any(&self, start: u8, end: u8) -> bool {
        (start..end).any(|nibble| self.children.get(nibble) != Ok(Child::Empty))
    }
}

/// Where a node leads.
enum Descent<'a> {
    /// To a node with this hash.
    To(Hash),
    /// The question is decided.
    Ended(Option<Bytes<'a>>),
}

/// Position on the way down.
struct Walk<'k> {
    key: &'k Hash,
    /// Nibbles consumed.
    depth: usize,
    /// An extension was just passed; two in a row, or one before a leaf, would be one node.
    branch_due: bool,
}

impl Walk<'_> {
    /// Tells that the walk ends off the key, and what stands in its way.
    fn ended(&self, by: &'static str, span: Span, observer: &mut impl Observer) {
        note!(observer, Compared "end", span, found: false, by: by, depth: self.depth);
    }

    /// Descends through one supplied node and the nodes embedded in it.
    fn descend<'a>(
        &mut self,
        mut node: Node<'a>,
        span: Span,
        visit: &mut dyn FnMut(Branching<'a>),
        observer: &mut impl Observer,
    ) -> Result<Descent<'a>, VerifyError> {
        let impossible = |reason| VerifyError::Path { reason, span };
        // Every node was read once, when the proof was, so reading again cannot fail.
        let unreadable = |_| impossible("a node that is none");
        loop {
            if self.branch_due && !matches!(node, Node::Branch(_)) {
                return Err(impossible("extension does not lead to a branch"));
            }
            self.branch_due = false;
            let child = match node {
                Node::Leaf { path, value } => {
                    if self.depth.saturating_add(path.len()) != KEY_NIBBLES {
                        return Err(impossible("leaf path does not end at 64 nibbles"));
                    }
                    let found = path.matches(self.key, self.depth).then_some(value);
                    if let Some(value) = found {
                        note!(observer, Compared "leaf", value.span, found: true, depth: self.depth);
                    } else {
                        self.ended("another leaf", span, observer);
                    }
                    return Ok(Descent::Ended(found));
                }
                Node::Extension { path, child } => {
                    let end = self.depth.saturating_add(path.len());
                    if end >= KEY_NIBBLES {
                        return Err(impossible("extension path passes 64 nibbles"));
                    }
                    if !path.matches(self.key, self.depth) {
                        self.ended("another extension", span, observer);
                        return Ok(Descent::Ended(None));
                    }
                    note!(
                        observer,
                        Compared "extension",
                        span,
                        depth: self.depth,
                        nibbles: path.len(),
                    );
                    self.depth = end;
                    self.branch_due = true;
                    child
                }
                Node::Branch(children) => {
                    let Some(nibble) = nibble(&self.key.0, self.depth) else {
                        return Err(impossible("branch below 64 nibbles"));
                    };
                    note!(
                        observer,
                        Compared "branch",
                        span,
                        depth: self.depth,
                        nibble: nibble,
                        children: children.occupied(),
                    );
                    visit(Branching { depth: self.depth, nibble, children });
                    self.depth = self.depth.saturating_add(1);
                    children.get(nibble).map_err(unreadable)?
                }
            };
            match child {
                Child::Empty => {
                    self.ended("empty child", span, observer);
                    return Ok(Descent::Ended(None));
                }
                Child::Hash(hash) => return Ok(Descent::To(Hash(*hash))),
                Child::Inline { encoded, .. } => node = Node::root(encoded).map_err(unreadable)?,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Malformed::Limit;
    use crate::observer::{Cost, Field, Step};
    use crate::wire::{prefix, string};

    /// What steps were about, and the children that branches have.
    #[derive(Default)]
    struct Told(Vec<&'static str>, Vec<u64>);

    impl Observer for Told {
        fn step(&mut self, step: Step<'_>) {
            self.0.push(step.what);
            for (name, field) in step.fields {
                if let ("children", Field::Number(children)) = (*name, field) {
                    self.1.push(*children);
                }
            }
        }

        fn cost(&mut self, _cost: Cost) {}
    }

    fn list(strings: &[&[u8]]) -> Vec<u8> {
        let (mut payload, mut out) = (Vec::new(), Vec::new());
        for bytes in strings {
            string(&mut payload, bytes);
        }
        prefix(&mut out, 0xc0, payload.len());
        out.append(&mut payload);
        out
    }

    /// The leaf of the key 07…07, alone in its trie, with a value of so many bytes.
    fn leaf(length: usize) -> Vec<u8> {
        list(&[&[&[0x20][..], &[7; 32]].concat(), &alloc::vec![1; length]])
    }

    #[test]
    fn a_node_has_600_bytes_at_most() {
        let (longest, longer) = (leaf(560), leaf(561));
        assert_eq!((longest.len(), longer.len()), (MAX_NODE_BYTES, MAX_NODE_BYTES + 1));
        for (node, expected) in [(longest, None), (longer, Some(Limit))] {
            let proof = list(&[&node]);
            let read = TrieProof::read(Reader::whole_list(&proof, 0, "proof").unwrap());
            assert_eq!(read.err().map(|error| error.malformed), expected);
            let bytes = Bytes { bytes: &node, span: Span { start: 0, end: node.len() } };
            let kept = Nodes::default().insert(bytes);
            assert_eq!(kept.err().map(|error| error.malformed), expected);
        }
    }

    #[test]
    fn where_a_walk_ends_is_told() {
        let node = leaf(5);
        let proof = list(&[&node]);
        let proof = TrieProof::read(Reader::whole_list(&proof, 0, "proof").unwrap()).unwrap();
        let told = |key| {
            let mut told = Told::default();
            let found = proof.walk(keccak256(&node), &Hash([key; 32]), &mut told).unwrap();
            (found.is_some(), told.0)
        };
        assert_eq!(told(7), (true, alloc::vec!["trie node", "leaf"]));
        assert_eq!(told(8), (false, alloc::vec!["trie node", "end"]));
    }

    #[test]
    fn the_children_of_a_branch_are_told() {
        let hash = [9; 32];
        let node = list(&core::array::from_fn::<&[u8], 17, _>(|nibble| match nibble {
            3 | 7 => &hash,
            _ => &[],
        }));
        let proof = list(&[&node]);
        let proof = TrieProof::read(Reader::whole_list(&proof, 0, "proof").unwrap()).unwrap();
        let mut told = Told::default();
        assert_eq!(proof.walk(keccak256(&node), &Hash([0x17; 32]), &mut told), Ok(None));
        assert_eq!(told.0, ["trie node", "branch", "end"]);
        assert_eq!(told.1, [(1 << 3) + (1 << 7)]);
    }

    #[test]
    fn the_empty_trie_needs_no_nodes() {
        let (nodes, key) = (Nodes::default(), Hash([7; 32]));
        assert_eq!(nodes.find(EMPTY_ROOT, &key).unwrap(), Lookup::Absent);
        let other = Hash([8; 32]);
        assert_eq!(nodes.find(other, &key).unwrap(), Lookup::Unknown(other));
    }
}
