//! Input: an `mpt` proof (RLP, first byte from 0xc0 on), whose walks are taken under their own first
//! nodes; or a program that builds nodes upwards from a leaf, keeping or breaking the rules.
//!
//! What core learns from nodes, alloy-trie accepts; a cut or longer list of nodes shows nothing.

use alloy_primitives::{B256, Bytes};
use alloy_trie::Nibbles;
use alloy_trie::proof::verify_proof;
use lightproof_core::Rejection;
use lightproof_core::hash::Hash;
use lightproof_core::trie::{EMPTY_ROOT, TrieProof};
use lightproof_core::wire::Reader;
use lightproof_testkit::{Rlp, keccak, trie};

type Nodes = Vec<Vec<u8>>;

fn learn(root: [u8; 32], key: [u8; 32], nodes: &[Vec<u8>]) -> Result<Option<Vec<u8>>, Rejection> {
    let encoded = Rlp::strings(nodes).encode();
    let proof = TrieProof::read(Reader::whole_list(&encoded, 0, "nodes")?)?;
    Ok(proof.walk(Hash(root), &Hash(key), &mut ())?.map(|leaf| leaf.bytes.to_vec()))
}

fn check(key: [u8; 32], nodes: &[Vec<u8>]) {
    let root = nodes.first().map_or(EMPTY_ROOT.0, |node| keccak(node));
    let Ok(value) = learn(root, key, nodes) else { return };
    let Some((last, cut)) = nodes.split_last() else { return assert_eq!(value, None) };
    assert!(learn(root, key, cut).is_err(), "a cut proof proves nothing");
    assert!(learn(root, key, &[nodes, &[last.clone()]].concat()).is_err(), "one proof per key");
    if let Some(value) = &value {
        assert!(last.windows(value.len()).any(|window| window == value));
    }
    // alloy takes the root's bytes for its reference, so it knows no root under 32 bytes.
    if nodes[0].len() >= 32 {
        let nodes: Vec<Bytes> = nodes.iter().map(|node| Bytes::from(node.clone())).collect();
        let verdict = verify_proof(B256::from(root), Nibbles::unpack(key), value, &nodes);
        verdict.expect("alloy accepts what core learns");
    }
}

/// The walks of an `mpt` proof: the account's, then the slots'.
fn walks(proof: &[u8]) -> Option<Vec<([u8; 32], Nodes)>> {
    let nodes = |mut list: Reader<'_>| {
        let mut nodes = Vec::new();
        while !list.is_empty() {
            nodes.push(list.string("node").ok()?.bytes.to_vec());
        }
        Some(nodes)
    };
    let mut items = Reader::whole_list(proof, 0, "proof").ok()?;
    let address = items.array::<20>("address").ok()?;
    for field in ["nonce", "balance", "storageHash", "codeHash"] {
        items.item(field).ok()?;
    }
    let mut walks = vec![(keccak(&address), nodes(items.list("nodes").ok()?)?)];
    let mut slots = items.list("slots").ok()?;
    while !slots.is_empty() {
        let mut slot = slots.list("slot").ok()?;
        let key = slot.array::<32>("key").ok()?;
        slot.item("value").ok()?;
        walks.push((keccak(&key), nodes(slot.list("nodes").ok()?)?));
    }
    Some(walks)
}

/// Takes bytes off the program; zeros after its end.
struct Program<'a>(&'a [u8]);

impl Program<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.byte()).collect()
    }
}

/// Builds nodes upwards; the key is what the path nodes and branches on the way say, top to bottom.
fn build(mut program: Program<'_>) -> ([u8; 32], Nodes) {
    let (mut path, mut nodes, mut child) = (Vec::new(), Vec::new(), Rlp::str([]));
    while !program.0.is_empty() && nodes.len() < 66 {
        let op = program.byte();
        let length = usize::from(program.byte() % 66);
        let nibbles: Vec<u8> =
            program.bytes(length.div_ceil(2)).iter().flat_map(|b| [b >> 4, b & 15]).collect();
        let node = match op & 3 {
            0 => {
                let nibbles = &nibbles[..length];
                path.splice(..0, nibbles.iter().copied());
                let count = usize::from(program.byte() % 48);
                Rlp::list([trie::hex_prefix(nibbles, true), Rlp::Str(program.bytes(count))])
            }
            1 => {
                let nibbles = &nibbles[..length];
                path.splice(..0, nibbles.iter().copied());
                Rlp::list([
                    trie::hex_prefix(nibbles, false),
                    std::mem::replace(&mut child, Rlp::str([])),
                ])
            }
            2 => {
                let at = program.byte() & 15;
                path.insert(0, at);
                let mask = u16::from_be_bytes([program.byte(), program.byte()]);
                let sibling = |nibble: u8| {
                    if mask >> nibble & 1 == 1 { Rlp::str([nibble; 32]) } else { Rlp::str([]) }
                };
                let mut slots: Vec<Rlp> = (0..16).map(sibling).collect();
                slots[usize::from(at)] = std::mem::replace(&mut child, Rlp::str([]));
                slots.push(Rlp::str([]));
                Rlp::List(slots)
            }
            _ => Rlp::Raw(program.bytes(length)),
        };
        let bytes = node.encode();
        // Bits of the op choose a wrong way to refer to the node.
        let inline = match op >> 2 & 7 {
            1 => true,
            2 => false,
            _ => bytes.len() < 32,
        };
        if inline && !program.0.is_empty() {
            child = Rlp::Raw(bytes);
        } else {
            child = Rlp::str(keccak(&bytes));
            nodes.insert(0, bytes);
        }
    }
    path.resize(64, 0);
    let key = std::array::from_fn(|at| path[2 * at] << 4 | path[2 * at + 1]);
    (key, nodes)
}

/// One input.
pub fn fuzz(data: &[u8]) {
    if data.first().is_some_and(|first| *first >= 0xc0) {
        for (key, nodes) in walks(data).unwrap_or_default() {
            check(key, &nodes);
        }
    } else {
        let (key, nodes) = build(Program(data));
        check(key, &nodes);
    }
}
