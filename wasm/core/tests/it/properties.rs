//! What a prover proves, core learns: over random states, present and absent, against plain maps.

use std::collections::BTreeMap;

use lightproof_core::hash::Hash;
use lightproof_core::system::mpt::Mpt;
use lightproof_core::trie::TrieProof;
use lightproof_core::verifier::headers;
use lightproof_core::wire::Reader;
use lightproof_core::{Rejection, Verifier};
use lightproof_testkit::{Account, Chain, Claim, Query, Rlp, Source, State, Trie};
use lightproof_testkit::{ask, header, hex, keccak, sample};
use proptest::prelude::*;
use serde_json::{Value, json};

const CHAIN: Chain = Chain { kind: "devnet", chain_id: 0x4c50, genesis_hash: [0x77; 32] };

fn verdicts(claims: &[Claim]) -> Vec<Value> {
    let verifier = Verifier::<Mpt>::new(&CHAIN.encode(), &ask::mpt_config(), &[]).unwrap();
    serde_json::from_str(&verifier.verify(&ask::claims(claims), [0; 32], &mut ())).unwrap()
}

fn proven(number: u64, hash: Option<[u8; 32]>, fact: &Value) -> Value {
    let hash = hash.map(|hash| hex::encode(&hash));
    json!({
        "status": "proven",
        "block": { "number": format!("{number:#x}"), "hash": hash },
        "fact": fact,
    })
}

/// Linked devnet headers of blocks `1..=roots.len()` with their hashes, newest first.
fn linked(roots: &[[u8; 32]]) -> Vec<([u8; 32], Vec<u8>)> {
    let mut chain: Vec<([u8; 32], Vec<u8>)> = Vec::new();
    for (index, root) in roots.iter().enumerate() {
        let parent = chain.last().map_or(CHAIN.genesis_hash, |(hash, _)| *hash);
        let rlp = header::devnet(CHAIN.chain_id, &parent, index as u64 + 1, root);
        chain.push((keccak(&rlp), rlp));
    }
    chain.reverse();
    chain
}

fn slot_key() -> impl Strategy<Value = [u8; 32]> {
    prop_oneof![
        4 => (0..24_u64).prop_map(sample::slot),
        2 => prop::sample::select(&sample::TWIN_SLOTS[..]).prop_map(sample::slot),
        1 => any::<[u8; 32]>(),
    ]
}

fn slot_value() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        (1_u8..).prop_map(|byte| vec![byte]),
        (1_u8.., prop::collection::vec(any::<u8>(), 0..32)).prop_map(|(first, rest)| [
            vec![first],
            rest
        ]
        .concat()),
    ]
}

/// One of 48 addresses, so that questions meet accounts.
fn address() -> impl Strategy<Value = [u8; 20]> {
    (0..48_u8).prop_map(sample::address)
}

fn account() -> impl Strategy<Value = Account> {
    let storage = prop::collection::btree_map(slot_key(), slot_value(), 0..24);
    let small = prop_oneof![Just(0), 0..300_u64, any::<u64>()];
    (small, any::<u128>(), 0..128_u32, storage, prop::collection::vec(any::<u8>(), 0..90)).prop_map(
        |(nonce, balance, shift, storage, code)| Account {
            nonce,
            balance: balance >> shift,
            storage,
            code,
        },
    )
}

fn state() -> impl Strategy<Value = State> {
    prop::collection::btree_map(address(), account(), 0..32).prop_map(State::new)
}

fn query() -> impl Strategy<Value = Query> {
    let slots = prop::collection::btree_set(slot_key(), 0..6);
    (address(), slots, any::<bool>()).prop_map(|(address, slots, want_code)| Query {
        address: address.to_vec(),
        slots: slots.into_iter().rev().map(Vec::from).collect(),
        want_code,
    })
}

/// Keys that share long prefixes, so that leaves and branches stand inside their parents.
fn crowded_map() -> impl Strategy<Value = BTreeMap<[u8; 32], Vec<u8>>> {
    let value = prop::collection::vec(any::<u8>(), 1..40);
    let short = prop::collection::vec(any::<u8>(), 1..4);
    prop::collection::btree_map(crowded_key(), prop_oneof![value, short], 0..24)
}

fn crowded_key() -> impl Strategy<Value = [u8; 32]> {
    (0..4_usize, prop::collection::vec(0..4_u8, 4)).prop_map(|(at, tail)| {
        let mut key = [0; 32];
        let start = [0, 9, 26, 28][at];
        key[start..start + 4].copy_from_slice(&tail);
        key
    })
}

fn learn(root: [u8; 32], key: [u8; 32], nodes: &[Vec<u8>]) -> Result<Option<Vec<u8>>, Rejection> {
    let encoded = Rlp::strings(nodes).encode();
    let proof = TrieProof::read(Reader::whole_list(&encoded, 0, "nodes")?)?;
    Ok(proof.walk(Hash(root), &Hash(key), &mut ())?.map(|leaf| leaf.bytes.to_vec()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn proves_what_the_maps_hold(
        state in state(),
        queries in prop::collection::vec(query(), 1..5),
    ) {
        let claim = |query: &Query| {
            let proof = state.prove(query).encode();
            Claim::plain(Source::root(state.root()), query.encode(), proof)
        };
        let expected: Vec<Value> =
            queries.iter().map(|query| proven(0, None, &state.fact(query))).collect();
        prop_assert_eq!(verdicts(&queries.iter().map(claim).collect::<Vec<_>>()), expected);
    }

    #[test]
    fn proves_under_ancestors_of_the_trusted_block_alone(
        states in prop::collection::vec(state(), 1..5),
        query in query(),
    ) {
        let roots: Vec<[u8; 32]> = states.iter().map(State::root).collect();
        let chain = linked(&roots);
        let trusted = chain[0].0;
        let claim = |index: usize, rlps: Vec<Vec<u8>>| {
            let source = Source::Header { hash: trusted.to_vec(), rlps };
            Claim::plain(source, query.encode(), states[index].prove(&query).encode())
        };
        let rlps: Vec<Vec<u8>> = chain.iter().map(|(_, rlp)| rlp.clone()).collect();
        for (depth, (hash, _)) in chain.iter().enumerate() {
            let index = states.len() - 1 - depth;
            let verdict = &verdicts(&[claim(index, rlps[..=depth].to_vec())])[0];
            let block = (index as u64 + 1, Some(*hash));
            prop_assert_eq!(verdict, &proven(block.0, block.1, &states[index].fact(&query)));
            if depth > 0 {
                let verdict = &verdicts(&[claim(index, rlps[depth..].to_vec())])[0];
                prop_assert_eq!(&verdict["code"], "verify.header");
            }
        }
        let child = header::devnet(CHAIN.chain_id, &trusted, states.len() as u64 + 1, &roots[0]);
        for rlps in [vec![child.clone()], vec![rlps[0].clone(), child]] {
            prop_assert_eq!(&verdicts(&[claim(0, rlps)])[0]["code"], "verify.header");
        }
    }

    #[test]
    fn gives_every_claim_its_own_verdict(
        state in state(),
        claims in prop::collection::vec((query(), any::<bool>()), 1..6),
    ) {
        let sent = claims.iter().map(|(query, broken)| {
            let mut proof = state.prove(query);
            if *broken {
                proof.balance.push(1);
                proof.balance[0] |= 1;
            }
            Claim::plain(Source::root(state.root()), query.encode(), proof.encode())
        });
        let got = verdicts(&sent.collect::<Vec<_>>());
        prop_assert_eq!(got.len(), claims.len());
        for ((query, broken), verdict) in claims.iter().zip(&got) {
            if *broken {
                prop_assert!(verdict["code"] == "verify.claim" || verdict["code"] == "decode.shape");
            } else {
                prop_assert_eq!(verdict, &proven(0, None, &state.fact(query)));
            }
        }
    }

}

proptest! {
    #[test]
    fn learns_every_key_of_a_crowded_trie(map in crowded_map(), others in prop::collection::vec(crowded_key(), 0..24)) {
        let trie = Trie::new(&map);
        for key in map.keys().chain(&others) {
            let learned = learn(trie.root(), *key, &trie.prove(key));
            prop_assert_eq!(learned, Ok(map.get(key).cloned()));
        }
    }

    #[test]
    fn no_other_keys_proof_is_taken(map in crowded_map(), key in crowded_key()) {
        let trie = Trie::new(&map);
        for other in map.keys() {
            if let Ok(learned) = learn(trie.root(), key, &trie.prove(other)) {
                prop_assert_eq!(learned, map.get(&key).cloned());
            }
        }
    }

    #[test]
    fn headers_are_read_back(count in 1..6_usize) {
        let chain = linked(&vec![[3; 32]; count]);
        let rlps = Rlp::strings(chain.iter().map(|(_, rlp)| rlp)).encode();
        let answer: Value =
            serde_json::from_str(&headers(&CHAIN.encode(), &chain[0].0, &rlps)).unwrap();
        prop_assert_eq!(&answer["status"], "trusted");
        let hashes: Vec<String> = chain.iter().map(|(hash, _)| hex::encode(hash)).collect();
        let listed = answer["headers"].as_array().unwrap().iter();
        prop_assert_eq!(listed.map(|header| header["hash"].clone()).collect::<Vec<_>>(), hashes);
    }
}

#[test]
fn the_sample_state_holds_embedded_leaves() {
    let state = sample::state();
    let query = &sample::queries()[1];
    let proof = state.prove(query);
    let last = proof.slots[0].nodes.last().unwrap();
    let embedded = |node: &Vec<u8>| {
        let mut items = Reader::whole_list(node, 0, "node").unwrap();
        std::iter::from_fn(|| (!items.is_empty()).then(|| items.item("item").unwrap()))
            .filter(|item| matches!(item, lightproof_core::wire::Item::List { .. }))
            .count()
    };
    assert_eq!(embedded(last), 2);
}
