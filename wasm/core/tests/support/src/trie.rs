//! The Merkle Patricia trie of a map with 32-byte keys, built in one go from the sorted keys.

use std::collections::BTreeMap;

use crate::rlp::Rlp;

/// A canonical trie, to take roots and proofs from.
#[derive(Clone, Debug)]
pub struct Trie {
    root: Option<Node>,
}

#[derive(Clone, Debug)]
struct Node {
    kind: Kind,
    encoded: Vec<u8>,
}

#[derive(Clone, Debug)]
enum Kind {
    Leaf,
    Extension { path: Vec<u8>, child: Box<Node> },
    Branch(Box<[Option<Node>; 16]>),
}

impl Trie {
    /// The trie of `map`; values are not empty.
    pub fn new(map: &BTreeMap<[u8; 32], Vec<u8>>) -> Self {
        let entries: Vec<(Vec<u8>, &[u8])> =
            map.iter().map(|(key, value)| (nibbles(key), value.as_slice())).collect();
        Self { root: build(&entries, 0) }
    }

    /// keccak of the root node; that of the RLP empty string for an empty map.
    pub fn root(&self) -> [u8; 32] {
        crate::keccak(self.root.as_ref().map_or(&[0x80], |node| &node.encoded))
    }

    /// The nodes on the path of `key`, root first, without those that stand inside their parent.
    pub fn prove(&self, key: &[u8; 32]) -> Vec<Vec<u8>> {
        let key = nibbles(key);
        let mut rest = key.as_slice();
        let mut proof = Vec::new();
        let mut next = self.root.as_ref();
        while let Some(node) = next {
            if proof.is_empty() || node.encoded.len() >= 32 {
                proof.push(node.encoded.clone());
            }
            next = match &node.kind {
                Kind::Leaf => None,
                Kind::Extension { path, child } => rest.strip_prefix(path.as_slice()).map(|tail| {
                    rest = tail;
                    child.as_ref()
                }),
                Kind::Branch(children) => {
                    let (first, tail) = rest.split_first().expect("a key ends in a leaf");
                    rest = tail;
                    children[usize::from(*first)].as_ref()
                }
            };
        }
        proof
    }
}

impl Node {
    fn new(kind: Kind, rlp: &Rlp) -> Self {
        Self { kind, encoded: rlp.encode() }
    }

    fn reference(&self) -> Rlp {
        reference(&Rlp::Raw(self.encoded.clone()))
    }
}

/// What a parent holds for a child: its hash, or the node itself under 32 bytes.
pub fn reference(node: &Rlp) -> Rlp {
    let bytes = node.encode();
    if bytes.len() < 32 { Rlp::Raw(bytes) } else { Rlp::str(crate::keccak(&bytes)) }
}

/// The hex-prefix encoding of a path (Yellow Paper, appendix C).
pub fn hex_prefix(path: &[u8], leaf: bool) -> Rlp {
    let flag = if leaf { 2 } else { 0 };
    let odd = path.len() % 2 == 1;
    let head = if odd { vec![flag + 1] } else { vec![flag, 0] };
    let digits: Vec<u8> = head.iter().chain(path).copied().collect();
    Rlp::Str(digits.chunks_exact(2).map(|pair| (pair[0] << 4) | pair[1]).collect())
}

/// The nibbles of a key, high half of a byte first.
pub fn nibbles(key: &[u8; 32]) -> Vec<u8> {
    key.iter().flat_map(|byte| [byte >> 4, byte & 0x0f]).collect()
}

/// A path as deep as one wishes: `branches` full branches with unknown siblings above a leaf.
///
/// Returns the root and the nodes, root first. No one can know the preimages of the siblings, so it
/// stands for a trie of 16^branches keys.
pub fn deep_path(key: &[u8; 32], value: &[u8], branches: usize) -> ([u8; 32], Vec<Vec<u8>>) {
    let path = nibbles(key);
    let leaf = Rlp::list([hex_prefix(&path[branches..], true), Rlp::str(value)]);
    let mut nodes = vec![leaf.encode()];
    let mut child = reference(&leaf);
    for depth in (0..branches).rev() {
        let seed = crate::keccak(&child.encode());
        let mut slots: Vec<Rlp> = (0..16_u8)
            .map(|nibble| Rlp::str(crate::keccak(&[&seed[..], &[nibble]].concat())))
            .collect();
        slots[usize::from(path[depth])] = child;
        slots.push(Rlp::str([]));
        let branch = Rlp::List(slots);
        nodes.push(branch.encode());
        child = reference(&branch);
    }
    nodes.reverse();
    (crate::keccak(&nodes[0]), nodes)
}

fn build(entries: &[(Vec<u8>, &[u8])], depth: usize) -> Option<Node> {
    let (first, last) = (entries.first()?, entries.last()?);
    if entries.len() == 1 {
        let rlp = Rlp::list([hex_prefix(&first.0[depth..], true), Rlp::str(first.1)]);
        return Some(Node::new(Kind::Leaf, &rlp));
    }
    // The keys are sorted, so what the first and the last share, all share.
    let shared = first.0[depth..].iter().zip(&last.0[depth..]).take_while(|(a, b)| a == b).count();
    let fork = depth + shared;
    let children: [Option<Node>; 16] = std::array::from_fn(|nibble| {
        let from = entries.partition_point(|(key, _)| usize::from(key[fork]) < nibble);
        let to = entries.partition_point(|(key, _)| usize::from(key[fork]) <= nibble);
        build(&entries[from..to], fork + 1)
    });
    let empty = || Rlp::str([]);
    let slots = children.iter().map(|c| c.as_ref().map_or_else(empty, Node::reference));
    let rlp = Rlp::list(slots.chain([empty()]));
    let branch = Node::new(Kind::Branch(Box::new(children)), &rlp);
    if shared == 0 {
        return Some(branch);
    }
    let path = first.0[depth..fork].to_vec();
    let rlp = Rlp::list([hex_prefix(&path, false), branch.reference()]);
    Some(Node::new(Kind::Extension { path, child: Box::new(branch) }, &rlp))
}
