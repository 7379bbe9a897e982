//! Whatever the bytes, every entry point answers; a debug build checks its arithmetic too.

use lightproof_core::error::CODES;
use lightproof_core::hash::Hash;
use lightproof_core::json::ToJson;
use lightproof_core::system::SystemConfig;
use lightproof_core::system::mpt::{Mpt, Query};
use lightproof_core::trie::TrieProof;
use lightproof_core::verifier::headers;
use lightproof_core::wire::Reader;
use lightproof_core::{Chain, InputError, Rejection, TrustedHeader, Verifier};
use lightproof_testkit::{Claim, Rlp, Source, ask, keccak};
use proptest::prelude::*;
use serde_json::Value;

fn chain(kind: &'static str) -> Vec<u8> {
    lightproof_testkit::Chain { kind, chain_id: 1, genesis_hash: [1; 32] }.encode()
}

/// Bytes that are RLP at least in part, of the lengths that formats ask for.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let raw = || prop::collection::vec(any::<u8>(), 0..120);
    let length = prop::sample::select(&[0, 1, 8, 20, 31, 32, 33, 256, 600, 601][..]);
    let string = prop_oneof![
        3 => (length, any::<u8>()).prop_map(|(length, byte)| Rlp::Str(vec![byte; length])),
        1 => raw().prop_map(Rlp::Str),
        1 => raw().prop_map(Rlp::Raw),
    ];
    let nested = string
        .prop_recursive(4, 60, 18, |inner| prop::collection::vec(inner, 0..19).prop_map(Rlp::List));
    let wrapped = nested.prop_map(|item| item.encode());
    prop_oneof![1 => raw(), 4 => wrapped]
}

/// An answer of the entry points: JSON whose rejections carry known codes.
fn answered(text: &str) {
    let answer: Value = serde_json::from_str(text).unwrap();
    let verdicts = answer.as_array().cloned().unwrap_or_else(|| vec![answer]);
    for verdict in verdicts {
        match verdict["status"].as_str().unwrap() {
            "rejected" => {
                assert!(CODES.contains(&verdict["code"].as_str().unwrap()), "{verdict}");
                assert!(!verdict["message"].as_str().unwrap().is_empty());
            }
            "proven" | "trusted" => {}
            status => panic!("status {status}"),
        }
    }
}

fn refused(error: InputError) {
    let mut out = String::new();
    Rejection::from(error).to_json(&mut out);
    answered(&out);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn every_entry_point_answers_any_bytes(a in bytes(), b in bytes(), c in bytes()) {
        for kind in ["ethereum", "devnet"] {
            answered(&headers(&chain(kind), &a, &b));
            answered(&headers(&chain(kind), &keccak(&a), &Rlp::strings([&a, &b]).encode()));
            let verifier = Verifier::<Mpt>::new(&chain(kind), &ask::mpt_config(), &[]).unwrap();
            answered(&verifier.verify(&a, [0; 32], &mut ()));
            let sources = [
                Source::root(keccak(&c)),
                Source::Root { number: 1, bytes: c.clone() },
                Source::Header { hash: keccak(&c).to_vec(), rlps: vec![c.clone(), a.clone()] },
            ];
            let claims = sources.map(|source| Claim::plain(source, a.clone(), b.clone()));
            answered(&verifier.verify(&ask::claims(&claims), [0; 32], &mut ()));
            let chain = Chain::from_rlp(&chain(kind)).unwrap();
            let _ = TrustedHeader::pinned(&chain, Hash(keccak(&a)), &a);
        }
        if let Err(error) = Verifier::<Mpt>::new(&a, &b, &c) {
            refused(error);
        }
        if let Err(error) = Query::from_rlp(&a) {
            refused(error);
        }
        if let Err(error) = SystemConfig::from_rlp(&b) {
            refused(error);
        }
    }

    #[test]
    fn every_walk_answers_any_nodes(
        nodes in prop::collection::vec(bytes(), 0..6),
        key in any::<[u8; 32]>(),
    ) {
        let encoded = Rlp::strings(&nodes).encode();
        let list = Reader::whole_list(&encoded, 0, "nodes").unwrap();
        if let Ok(proof) = TrieProof::read(list) {
            let root = nodes.first().map_or([0; 32], |node| keccak(node));
            let _ = proof.walk(Hash(root), &Hash(key), &mut ());
        }
    }
}

#[test]
fn deep_nesting_is_refused_without_deep_recursion() {
    let mut nested = Rlp::list([]).encode();
    for _ in 0..3_000 {
        nested = Rlp::list([Rlp::Raw(nested)]).encode();
    }
    let verifier = Verifier::<Mpt>::new(&chain("devnet"), &ask::mpt_config(), &[]).unwrap();
    answered(&verifier.verify(&nested, [0; 32], &mut ()));
    let claim = Claim::plain(Source::root([0; 32]), nested.clone(), nested.clone());
    answered(&verifier.verify(&ask::claims(&[claim]), [0; 32], &mut ()));
    let list = Rlp::strings([&nested[..]]).encode();
    assert!(TrieProof::read(Reader::whole_list(&list, 0, "nodes").unwrap()).is_err());
}

#[test]
fn embedded_nodes_nest_as_deep_as_31_bytes_allow() {
    // Extensions in extensions, two bytes each and no more: each must be refused, none overflows.
    let mut node = Rlp::list([Rlp::str([0x20]), Rlp::str([1])]).encode();
    for _ in 0..20 {
        node = Rlp::list([Rlp::str([0x11]), Rlp::Raw(node)]).encode();
        let list = Rlp::strings([&node]).encode();
        let read = TrieProof::read(Reader::whole_list(&list, 0, "nodes").unwrap());
        assert_eq!(read.unwrap_err().code(), "decode.node");
    }
}
