//! Core against alloy-trie: the same roots and proofs, and no proof taken that alloy refuses.

mod wild;

use std::collections::BTreeMap;

use alloy_primitives::{B256, Bytes};
use alloy_trie::proof::{ProofRetainer, verify_proof};
use alloy_trie::{HashBuilder, Nibbles};
use lightproof_core::Rejection;
use lightproof_core::hash::Hash;
use lightproof_core::trie::TrieProof;
use lightproof_core::wire::Reader;
use lightproof_testkit::{Rlp, Trie};
use proptest::prelude::*;

type Map = BTreeMap<[u8; 32], Vec<u8>>;
type Learned = Result<Option<Vec<u8>>, Rejection>;

fn core_learns(root: [u8; 32], key: [u8; 32], nodes: &[Vec<u8>]) -> Learned {
    let encoded = Rlp::strings(nodes).encode();
    let proof = TrieProof::read(Reader::whole_list(&encoded, 0, "nodes")?)?;
    Ok(proof.walk(Hash(root), &Hash(key), &mut ())?.map(|leaf| leaf.bytes.to_vec()))
}

fn alloy_accepts(
    root: [u8; 32],
    key: [u8; 32],
    value: Option<&Vec<u8>>,
    nodes: &[Vec<u8>],
) -> bool {
    let nodes: Vec<Bytes> = nodes.iter().map(|node| Bytes::from(node.clone())).collect();
    verify_proof(B256::from(root), Nibbles::unpack(key), value.cloned(), &nodes).is_ok()
}

/// The root and the proof of `key` as alloy makes them.
fn alloy_proves(map: &Map, key: [u8; 32]) -> ([u8; 32], Vec<Vec<u8>>) {
    let target = Nibbles::unpack(key);
    let mut builder = HashBuilder::default().with_proof_retainer(ProofRetainer::new(vec![target]));
    for (key, value) in map {
        builder.add_leaf(Nibbles::unpack(key), value);
    }
    let root = builder.root().0;
    let nodes = builder.take_proof_nodes().into_nodes_sorted();
    let nodes = nodes.into_iter().map(|(_, node)| node.to_vec());
    // alloy hands out embedded nodes too; in a proof they stand inside their parent alone.
    let kept = nodes.enumerate().filter(|(index, node)| *index == 0 || node.len() >= 32);
    (root, kept.map(|(_, node)| node).collect())
}

fn key() -> impl Strategy<Value = [u8; 32]> {
    (0..4_usize, prop::collection::vec(0..4_u8, 4)).prop_map(|(at, tail)| {
        let mut key = [0; 32];
        let start = [0, 9, 26, 28][at];
        key[start..start + 4].copy_from_slice(&tail);
        key
    })
}

fn map() -> impl Strategy<Value = Map> {
    let value = prop::collection::vec(any::<u8>(), 1..40);
    let short = prop::collection::vec(any::<u8>(), 1..4);
    prop::collection::btree_map(key(), prop_oneof![value, short], 1..24)
}

#[derive(Clone, Debug)]
enum Change {
    Flip { node: usize, at: usize, mask: u8 },
    Cut { node: usize, at: usize },
    Extend { node: usize, byte: u8 },
    Remove { node: usize },
    Repeat { node: usize },
    Swap { node: usize, with: usize },
    Append { foreign: usize },
    Replace { node: usize, foreign: usize },
}

fn change() -> impl Strategy<Value = Change> {
    let index = any::<usize>;
    prop_oneof![
        (index(), index(), 1_u8..).prop_map(|(node, at, mask)| Change::Flip { node, at, mask }),
        (index(), index()).prop_map(|(node, at)| Change::Cut { node, at }),
        (index(), any::<u8>()).prop_map(|(node, byte)| Change::Extend { node, byte }),
        index().prop_map(|node| Change::Remove { node }),
        index().prop_map(|node| Change::Repeat { node }),
        (index(), index()).prop_map(|(node, with)| Change::Swap { node, with }),
        index().prop_map(|foreign| Change::Append { foreign }),
        (index(), index()).prop_map(|(node, foreign)| Change::Replace { node, foreign }),
    ]
}

fn apply(change: &Change, nodes: &mut Vec<Vec<u8>>, foreign: &[Vec<u8>]) {
    let len = nodes.len();
    match *change {
        Change::Append { foreign: index } => nodes.push(foreign[index % foreign.len()].clone()),
        _ if len == 0 => {}
        Change::Flip { node, at, mask } => {
            let node = &mut nodes[node % len];
            let at = at % node.len().max(1);
            if let Some(byte) = node.get_mut(at) {
                *byte ^= mask;
            }
        }
        Change::Cut { node, at } => {
            let node = &mut nodes[node % len];
            node.truncate(at % node.len().max(1));
        }
        Change::Extend { node, byte } => nodes[node % len].push(byte),
        Change::Remove { node } => drop(nodes.remove(node % len)),
        Change::Repeat { node } => nodes.insert(node % len, nodes[node % len].clone()),
        Change::Swap { node, with } => nodes.swap(node % len, with % len),
        Change::Replace { node, foreign: index } => {
            nodes[node % len].clone_from(&foreign[index % foreign.len()]);
        }
    }
}

proptest! {
    #[test]
    fn takes_the_proofs_that_alloy_makes(map in map(), asked in key()) {
        let trie = Trie::new(&map);
        for key in map.keys().chain([&asked]) {
            let (root, nodes) = alloy_proves(&map, *key);
            prop_assert_eq!(root, trie.root());
            prop_assert_eq!(&nodes, &trie.prove(key));
            prop_assert_eq!(core_learns(root, *key, &nodes), Ok(map.get(key).cloned()));
            // alloy takes the root's bytes for its reference, so it knows no root under 32 bytes.
            if nodes[0].len() >= 32 {
                prop_assert!(alloy_accepts(root, *key, map.get(key), &nodes));
            }
        }
    }

    #[test]
    fn a_changed_proof_shows_nothing_but_the_truth(
        map in map(),
        other in map(),
        key in key(),
        pick in any::<Option<prop::sample::Index>>(),
        changes in prop::collection::vec(change(), 1..4),
    ) {
        let key = pick.map_or(key, |pick| *pick.get(&map.keys().copied().collect::<Vec<_>>()));
        let trie = Trie::new(&map);
        let mut nodes = trie.prove(&key);
        let honest = nodes.clone();
        let foreign = Trie::new(&other).prove(&key);
        for change in &changes {
            apply(change, &mut nodes, &foreign);
        }
        let truth = map.get(&key).cloned();
        let learned = core_learns(trie.root(), key, &nodes);
        prop_assert_eq!(learned.is_ok(), nodes == honest, "one proof per key: {:?}", learned);
        if learned.is_ok() {
            prop_assert_eq!(learned, Ok(truth));
        } else if nodes[..].starts_with(&honest) {
            // The one case where a looser verifier could have said the truth.
            prop_assert!(["verify.surplus", "decode.rlp", "decode.shape", "decode.node"]
                .contains(&learned.unwrap_err().code()));
        } else {
            let told = alloy_accepts(trie.root(), key, truth.as_ref(), &nodes);
            prop_assert!(!told, "alloy takes what core refuses: {:?}", learned);
        }
    }

    #[test]
    fn takes_a_wild_trie_exactly_if_it_is_canonical(wild in wild::wild()) {
        let built = wild.build();
        let learned = core_learns(built.root, built.key, &built.nodes);
        match (&learned, built.broken) {
            (Ok(learned), None) => prop_assert_eq!(learned, &built.value),
            (Err(error), Some(_)) => {
                let code = error.code();
                prop_assert!(
                    ["decode.rlp", "decode.node", "decode.shape", "decode.limit", "verify.path"]
                        .contains(&code),
                    "{}", code
                );
            }
            (learned, broken) => prop_assert!(false, "{learned:?} though broken: {broken:?}"),
        }
        if learned.is_ok() && built.nodes.first().is_none_or(|root| root.len() >= 32) {
            prop_assert!(alloy_accepts(built.root, built.key, built.value.as_ref(), &built.nodes));
        }
    }
}
