//! Headers of a beacon chain whose states and bodies are filled trees: epochs of 8 slots, periods
//! of 8 epochs, and a fork every second period, so that each shape meets the one before it.

use std::collections::BTreeMap;

use lightproof_core::hash::sha256;
use lightproof_testkit::Rlp;

pub(crate) const SLOTS: u64 = 64;
pub(crate) const SECONDS: u64 = 6;
pub(crate) const VALIDATORS: [u8; 32] = [0x42; 32];
pub(crate) const GENESIS: [u8; 32] = [0x77; 32];

/// First epoch, version, shape.
pub(crate) const FORKS: [(u64, [u8; 4], &str); 5] = [
    (0, [1, 0, 0, 1], "altair"),
    (16, [2, 0, 0, 1], "capella"),
    (32, [3, 0, 0, 1], "deneb"),
    (48, [4, 0, 0, 1], "electra"),
    (64, [5, 0, 0, 1], "gloas"),
];

/// A slot of the second half of each shape's first period; the shape's fork is past.
pub(crate) const FIRST_SLOTS: [u64; 5] = [40, 168, 296, 424, 552];

pub(crate) type Node = [u8; 32];

pub(crate) fn fork(slot: u64) -> (u64, [u8; 4], &'static str) {
    *FORKS.iter().rev().find(|(epoch, ..)| *epoch <= slot / 8).unwrap()
}

pub(crate) fn shape(slot: u64) -> &'static str {
    fork(slot).2
}

/// The chain in RLP, of committees of `size` keys, signing for `validators`.
pub(crate) fn chain_of(size: usize, validators: Node) -> Vec<u8> {
    let fork = |(epoch, version, shape): &(u64, [u8; 4], &str)| {
        Rlp::list([Rlp::uint(*epoch), Rlp::str(version), Rlp::str(shape)])
    };
    let mut consensus = [size as u64, 8, 8, SECONDS, 0].map(Rlp::uint).to_vec();
    consensus.extend([Rlp::str(validators), Rlp::list(FORKS.iter().map(fork))]);
    let fields = [Rlp::str("ethereum"), Rlp::uint(1), Rlp::str(GENESIS), Rlp::List(consensus)];
    Rlp::List(fields.to_vec()).encode()
}

pub(crate) fn pair(left: &Node, right: &Node) -> Node {
    sha256(&[left, right]).0
}

/// Node `index` of a tree with these nodes in it and filler beside them.
pub(crate) fn node(nodes: &BTreeMap<u64, Node>, index: u64) -> Node {
    if let Some(node) = nodes.get(&index) {
        return *node;
    }
    let below = |other: &u64| {
        let levels = other.ilog2().saturating_sub(index.ilog2());
        *other > index && other >> levels == index
    };
    if nodes.keys().any(below) {
        pair(&node(nodes, 2 * index), &node(nodes, 2 * index + 1))
    } else {
        sha256(&[b"filler", &index.to_be_bytes()]).0
    }
}

/// The branch from a node of such a tree to its root.
pub(crate) fn branch(nodes: &BTreeMap<u64, Node>, index: u64) -> Vec<Node> {
    let up = std::iter::successors(Some(index), |index| Some(index / 2));
    up.take_while(|index| *index > 1).map(|index| node(nodes, index ^ 1)).collect()
}

/// Root of leaves, padded with zero ones to a power of two.
fn root_of(mut nodes: Vec<Node>) -> Node {
    nodes.resize(nodes.len().next_power_of_two(), [0; 32]);
    while nodes.len() > 1 {
        nodes = nodes.chunks(2).map(|nodes| pair(&nodes[0], &nodes[1])).collect();
    }
    nodes[0]
}

pub(crate) fn leaf(bytes: &[u8]) -> Node {
    let mut leaf = [0; 32];
    leaf[..bytes.len()].copy_from_slice(bytes);
    leaf
}

/// An execution payload header; `blobs` only from Deneb on.
#[derive(Clone, Debug)]
pub(crate) struct Payload {
    pub(crate) number: u64,
    pub(crate) hash: Node,
    pub(crate) extra: Vec<u8>,
    pub(crate) blobs: [u64; 2],
}

impl Payload {
    fn leaves(&self, own: &str) -> Vec<Node> {
        let bloom: Vec<Node> = (1..=8).map(|byte| [byte; 32]).collect();
        let extra = pair(&leaf(&self.extra), &leaf(&(self.extra.len() as u64).to_le_bytes()));
        let mut leaves = vec![[1; 32], leaf(&[2; 20]), [3; 32], [4; 32], root_of(bloom), [5; 32]];
        leaves.extend([self.number, 30, 20, 10].map(|value| leaf(&value.to_le_bytes())));
        leaves.extend([extra, [6; 32], self.hash, [7; 32], [8; 32]]);
        if own != "capella" {
            leaves.extend(self.blobs.map(|value| leaf(&value.to_le_bytes())));
        }
        leaves
    }

    /// In a container of `shape`.
    fn ssz(&self, shape: &str) -> Vec<u8> {
        let bloom: Vec<u8> = (1..=8).flat_map(|byte| [byte; 32]).collect();
        let mut out = [&[1; 32][..], &[2; 20], &[3; 32], &[4; 32], &bloom, &[5; 32]].concat();
        out.extend([self.number, 30, 20, 10].iter().flat_map(|value| value.to_le_bytes()));
        let size: u32 = if shape == "capella" { 568 } else { 584 };
        out.extend(size.to_le_bytes());
        out.extend([[6; 32], self.hash, [7; 32], [8; 32]].concat());
        if shape != "capella" {
            out.extend(self.blobs.iter().flat_map(|value| value.to_le_bytes()));
        }
        out.extend(&self.extra);
        out
    }
}

/// A light-client header, its parts free to be tampered with.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    pub(crate) slot: u64,
    pub(crate) state_root: Node,
    pub(crate) body_root: Node,
    pub(crate) payload: Payload,
    /// In the container's length.
    pub(crate) execution_branch: Vec<Node>,
    container: &'static str,
}

impl Header {
    /// A block at `slot` over a state, in a container of `container`'s shape.
    pub(crate) fn new(slot: u64, state_root: Node, container: &'static str) -> Self {
        let own = shape(slot);
        let blobs = if own == "capella" { [0; 2] } else { [slot, 1] };
        let hash = sha256(&[b"block", &slot.to_be_bytes()]).0;
        let payload = Payload { number: slot + 1000, hash, extra: b"extra".to_vec(), blobs };
        let mut body = BTreeMap::new();
        let mut index = 0;
        match own {
            "altair" => drop(body.insert(8, [8; 32])),
            "gloas" => {
                index = 2856;
                body.insert(index, hash);
            }
            _ => {
                let leaves = payload.leaves(own);
                let width = leaves.len().next_power_of_two() as u64;
                for (at, leaf) in
                    (0..width).zip(leaves.into_iter().chain(std::iter::repeat([0; 32])))
                {
                    body.insert(25 * width + at, leaf);
                }
                index = if container == "gloas" { 25 * width + 12 } else { 25 };
            }
        }
        let mut execution_branch = if index == 0 { Vec::new() } else { branch(&body, index) };
        let length = match container {
            "altair" => 0,
            "gloas" => 11,
            _ => 4,
        };
        while execution_branch.len() < length {
            execution_branch.insert(0, [0; 32]);
        }
        let body_root = node(&body, 1);
        Self { slot, state_root, body_root, payload, execution_branch, container }
    }

    /// The default of its container.
    pub(crate) fn default_of(container: &'static str) -> Self {
        Self { slot: u64::MAX, ..Self::new(0, [0; 32], container) }
    }

    fn is_default(&self) -> bool {
        self.slot == u64::MAX
    }

    pub(crate) fn root(&self) -> Node {
        let integers = [self.slot, 9].map(|value| leaf(&value.to_le_bytes()));
        root_of(vec![integers[0], integers[1], [0xaa; 32], self.state_root, self.body_root])
    }

    /// SSZ; no execution before Capella.
    pub(crate) fn ssz(&self) -> Vec<u8> {
        let has_payload = !self.is_default() && shape(self.slot) != "altair";
        let mut out = if self.is_default() {
            vec![0; 112]
        } else {
            let integers = [self.slot.to_le_bytes(), 9_u64.to_le_bytes()].concat();
            [integers, [[0xaa; 32], self.state_root, self.body_root].concat()].concat()
        };
        let branch = self.execution_branch.concat();
        match self.container {
            "altair" => {}
            "gloas" => {
                out.extend(if has_payload { self.payload.hash } else { [0; 32] });
                out.extend(if has_payload { branch } else { vec![0; 11 * 32] });
            }
            container => {
                out.extend(244_u32.to_le_bytes());
                out.extend(if has_payload { branch } else { vec![0; 4 * 32] });
                out.extend(if has_payload {
                    self.payload.ssz(container)
                } else {
                    let size = if container == "capella" { 568_usize } else { 584 };
                    let mut empty = vec![0; size];
                    empty[436..440].copy_from_slice(&u32::try_from(size).unwrap().to_le_bytes());
                    empty
                });
            }
        }
        out
    }
}
