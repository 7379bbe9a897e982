//! Every bit, byte, node, claim and header of honest proofs, changed: nothing else is ever proven.

use lightproof_core::Verifier;
use lightproof_core::system::mpt::Mpt;
use lightproof_core::verifier::headers;
use lightproof_testkit::{Chain, Claim, MptProof, Query, Rlp, Source, State};
use lightproof_testkit::{ask, header, keccak, sample};
use serde_json::Value;

const CHAIN: Chain = Chain { kind: "devnet", chain_id: 0x4c50, genesis_hash: [0x77; 32] };

struct Bench {
    verifier: Verifier<Mpt>,
    state: State,
    /// Hash and RLP of blocks 3, 2 and 1; each commits to the state.
    chain: Vec<([u8; 32], Vec<u8>)>,
}

impl Bench {
    fn new() -> Self {
        let state = sample::state();
        let mut chain = Vec::new();
        let mut parent = CHAIN.genesis_hash;
        for number in 1..=3 {
            let rlp = header::devnet(CHAIN.chain_id, &parent, number, &state.root());
            parent = keccak(&rlp);
            chain.insert(0, (parent, rlp));
        }
        let verifier = Verifier::new(&CHAIN.encode(), &ask::mpt_config(), &[]).unwrap();
        Self { verifier, state, chain }
    }

    /// The block's header as the source: only the header binds the root to the trusted hash.
    fn source(&self, depth: usize) -> Source {
        let rlps = self.chain[..=depth].iter().map(|(_, rlp)| rlp.clone()).collect();
        Source::Header { hash: self.chain[0].0.to_vec(), rlps }
    }

    fn claim(&self, query: &Query, proof: &[u8]) -> Claim {
        Claim::plain(self.source(0), query.encode(), proof.to_vec())
    }

    fn verdicts(&self, claims: &[u8]) -> Vec<Value> {
        serde_json::from_str(&self.verifier.verify(claims, [0; 32], &mut ())).unwrap()
    }

    fn verdict(&self, query: &Query, proof: &[u8]) -> Value {
        self.verdicts(&ask::claims(&[self.claim(query, proof)])).remove(0)
    }

    /// The code with which a reply is rejected for what the node sent.
    fn rejects(&self, query: &Query, proof: &[u8], what: &str) -> String {
        let verdict = self.verdict(query, proof);
        assert_eq!(verdict["status"], "rejected", "{what}: {verdict}");
        assert_ne!(verdict["kind"], "input", "{what}: {verdict}");
        if let Some(span) = verdict["span"].as_array() {
            let end = |index: usize| usize::try_from(span[index].as_u64().unwrap()).unwrap();
            assert!(end(0) <= end(1) && end(1) <= proof.len(), "{what}: {verdict}");
        }
        verdict["code"].as_str().unwrap().to_owned()
    }

    /// Questions with their honest proofs.
    fn honest(&self) -> Vec<(Query, MptProof)> {
        let queries = sample::queries().into_iter();
        queries.map(|query| (query.clone(), self.state.prove(&query))).collect()
    }
}

#[test]
fn honest_proofs_are_proven() {
    let bench = Bench::new();
    for (query, proof) in bench.honest() {
        let verdict = bench.verdict(&query, &proof.encode());
        assert_eq!(verdict["status"], "proven", "{verdict}");
        assert_eq!(verdict["fact"], bench.state.fact(&query));
    }
}

#[test]
fn every_flipped_bit_of_a_proof_is_rejected() {
    let bench = Bench::new();
    for (query, proof) in bench.honest() {
        let mut bytes = proof.encode();
        for at in 0..bytes.len() {
            // All bits where the form is decided, one bit elsewhere.
            let masks =
                if at < 200 { &[1, 2, 4, 8, 16, 32, 64, 128][..] } else { &[1_u8 << (at % 8)] };
            for mask in masks {
                bytes[at] ^= mask;
                bench.rejects(&query, &bytes, &format!("byte {at} ^ {mask}"));
                bytes[at] ^= mask;
            }
        }
    }
}

#[test]
fn every_cut_and_every_extension_of_a_proof_is_rejected() {
    let bench = Bench::new();
    for (query, proof) in bench.honest() {
        let bytes = proof.encode();
        for length in 0..bytes.len() {
            let code = bench.rejects(&query, &bytes[..length], &format!("cut at {length}"));
            assert!(code == "decode.rlp" || length == 0, "cut at {length}: {code}");
        }
        for tail in [&[0][..], &[0x80], &[0xc0], &bytes] {
            let code = bench.rejects(&query, &[&bytes, tail].concat(), "extended");
            assert_eq!(code, "decode.rlp");
        }
    }
}

/// Every list of nodes in a proof, to be changed.
fn node_lists(proof: &mut MptProof) -> impl Iterator<Item = &mut Vec<Vec<u8>>> {
    let slots = proof.slots.iter_mut().map(|slot| &mut slot.nodes);
    std::iter::once(&mut proof.nodes).chain(slots)
}

#[test]
fn every_removed_repeated_or_exchanged_node_is_rejected() {
    let bench = Bench::new();
    for (query, proof) in bench.honest() {
        let lists = proof.slots.len() + 1;
        for list in 0..lists {
            let length = node_lists(&mut proof.clone()).nth(list).unwrap().len();
            let changed = |change: &dyn Fn(&mut Vec<Vec<u8>>), what: &str| {
                let mut proof = proof.clone();
                change(node_lists(&mut proof).nth(list).unwrap());
                bench.rejects(&query, &proof.encode(), &format!("list {list}: {what}"));
            };
            for at in 0..length {
                changed(&|nodes| drop(nodes.remove(at)), "removed");
                changed(&|nodes| nodes.truncate(at), "truncated");
                changed(&|nodes| nodes.insert(at, nodes[at].clone()), "repeated");
                changed(&|nodes| nodes.push(nodes[at].clone()), "appended");
                for other in at + 1..length {
                    changed(&|nodes| nodes.swap(at, other), "exchanged");
                }
            }
            changed(&|nodes| nodes.push(vec![0xc2, 0x20, 0x01]), "a small leaf appended");
            changed(&|nodes| nodes.insert(0, vec![0x80]), "the empty trie put before");
        }
    }
}

#[test]
fn nodes_of_another_list_are_rejected() {
    let bench = Bench::new();
    let all = bench.honest();
    for (query, proof) in &all {
        for (_, other) in &all {
            let others = std::iter::once(&other.nodes).chain(other.slots.iter().map(|s| &s.nodes));
            for nodes in others {
                for list in 0..=proof.slots.len() {
                    let mut changed = proof.clone();
                    let place = node_lists(&mut changed).nth(list).unwrap();
                    if place != nodes {
                        place.clone_from(nodes);
                        bench.rejects(query, &changed.encode(), "foreign nodes");
                    }
                }
            }
        }
    }
}

#[test]
fn every_changed_claimed_field_is_rejected() {
    let bench = Bench::new();
    let edits: [fn(&mut MptProof); 10] = [
        |proof| proof.nonce = vec![9],
        |proof| proof.balance = vec![9],
        |proof| proof.balance = vec![0xff; 32],
        |proof| proof.storage_hash = vec![9; 32],
        |proof| proof.code_hash = vec![9; 32],
        |proof| proof.address[19] ^= 1,
        |proof| proof.slots.iter_mut().for_each(|slot| slot.value = vec![9]),
        |proof| proof.slots.iter_mut().for_each(|slot| slot.key[31] ^= 1),
        |proof| proof.slots.reverse(),
        |proof| proof.code.iter_mut().for_each(|code| code.push(0)),
    ];
    for (query, proof) in bench.honest() {
        for (index, edit) in edits.iter().enumerate() {
            let mut changed = proof.clone();
            edit(&mut changed);
            if changed != proof {
                bench.rejects(&query, &changed.encode(), &format!("edit {index}"));
            }
        }
    }
}

#[test]
fn zero_hashes_are_taken_of_an_absent_account_alone() {
    let bench = Bench::new();
    for (query, proof) in bench.honest() {
        let fact = bench.state.fact(&query);
        let absent = fact["account"]["status"] == "absent";
        for change in 1..4 {
            let mut changed = proof.clone();
            if change & 1 != 0 {
                changed.storage_hash = vec![0; 32];
            }
            if change & 2 != 0 {
                changed.code_hash = vec![0; 32];
            }
            let verdict = bench.verdict(&query, &changed.encode());
            assert_eq!(verdict["status"] == "proven", absent, "{verdict}");
            assert!(!absent || verdict["fact"] == fact);
        }
    }
}

#[test]
fn a_proof_of_another_question_is_rejected() {
    let bench = Bench::new();
    let all = bench.honest();
    for (asked, (query, _)) in all.iter().enumerate() {
        for (answered, (_, proof)) in all.iter().enumerate() {
            if asked != answered {
                let code = bench.rejects(query, &proof.encode(), "exchanged proofs");
                assert!(code == "verify.query" || code == "decode.shape", "{code}");
            }
        }
    }
}

#[test]
fn every_flipped_bit_of_a_header_is_rejected() {
    let bench = Bench::new();
    let (hash, rlp) = &bench.chain[0];
    for at in 0..rlp.len() {
        for bit in 0..8 {
            let mut changed = rlp.clone();
            changed[at] ^= 1 << bit;
            let answer = headers(&CHAIN.encode(), hash, &Rlp::strings([&changed]).encode());
            let answer: Value = serde_json::from_str(&answer).unwrap();
            assert_eq!(answer["code"], "verify.header");
        }
    }
}

#[test]
fn headers_out_of_order_are_rejected() {
    let bench = Bench::new();
    let hash = bench.chain[0].0;
    let rlps: Vec<&Vec<u8>> = bench.chain.iter().map(|(_, rlp)| rlp).collect();
    for order in [&[1][..], &[0, 2], &[0, 0], &[0, 2, 1], &[2, 1, 0], &[0, 1, 1], &[0, 1, 2, 2]] {
        let list = Rlp::strings(order.iter().map(|index| rlps[*index])).encode();
        let answer: Value = serde_json::from_str(&headers(&CHAIN.encode(), &hash, &list)).unwrap();
        assert_eq!(answer["code"], "verify.header", "{order:?}");
    }
}

#[test]
fn a_flipped_bit_anywhere_in_the_claims_proves_nothing_else() {
    let bench = Bench::new();
    let claims: Vec<Claim> = bench.honest()[1..3]
        .iter()
        .enumerate()
        .map(|(depth, (query, proof))| {
            Claim::plain(bench.source(depth), query.encode(), proof.encode())
        })
        .collect();
    let mut bytes = ask::claims(&claims);
    let honest = bench.verdicts(&bytes);
    assert!(honest.iter().all(|verdict| verdict["status"] == "proven"));
    for at in 0..bytes.len() {
        let mask = 1 << (at % 8);
        bytes[at] ^= mask;
        let verdicts = bench.verdicts(&bytes);
        let broken = verdicts.iter().filter(|verdict| verdict["status"] != "proven").count();
        assert_eq!(broken, 1, "byte {at}: {verdicts:?}");
        assert!(verdicts.len() == 1 || verdicts.iter().zip(&honest).any(|(got, was)| got == was));
        bytes[at] ^= mask;
    }
    for length in 0..bytes.len() {
        assert_eq!(bench.verdicts(&bytes[..length])[0]["code"], "input.request");
    }
}

#[test]
fn exchanged_claims_exchange_verdicts() {
    let bench = Bench::new();
    let claim = |(query, proof): &(Query, MptProof)| bench.claim(query, &proof.encode());
    let mut claims: Vec<Claim> = bench.honest().iter().map(claim).collect();
    claims[2].proof.pop();
    let straight = bench.verdicts(&ask::claims(&claims));
    claims.reverse();
    let mut reversed = bench.verdicts(&ask::claims(&claims));
    reversed.reverse();
    assert_eq!(straight, reversed);
    assert_eq!(straight[2]["code"], "decode.rlp");
}
