//! The known questions of `wasm/bindings/known`, which every module answers before it is used: their
//! cases stand in the vectors, and native code gives the answers that they hold.
//!
//! [`holds`] says how they are written.

use std::path::Path;

use lightproof_core::precompile::{Outcome, bls12_381, bn254};
use lightproof_core::system::{cole::Cole, lmpt::Lmpt, mpt::Mpt};
use lightproof_core::{System, Verifier};
use lightproof_testkit::known::{holds, lie};
use lightproof_testkit::record::{self, list, text};
use lightproof_testkit::{Claim, ask, hex, keccak};
use serde_json::Value;

fn read(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-vectors").join(name);
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// A case of a vector file, and its group.
fn case<'a>(file: &'a Value, comment: &str) -> (&'a Value, &'a Value) {
    let groups = list(&file["groups"]).iter();
    let mut cases =
        groups.flat_map(|group| list(&group["tests"]).iter().map(move |case| (group, case)));
    cases.find(|(_, case)| text(&case["comment"]) == comment).unwrap()
}

/// A true claim, and a false one, of which a bit of the proof is changed.
#[track_caller]
fn system<S: System>(comment: &str, code: &str) {
    let file = read(&format!("{}.json", S::NAME));
    let (group, case) = case(&file, comment);
    let chain = record::chain(&group["chain"]);
    let (config, params) = (record::config(&group["config"]), record::params(&group["config"]));
    let verifier = Verifier::<S>::new(&chain, &config, &params).unwrap();
    let verify = |claims: &[u8]| verifier.verify(claims, [0; 32], &mut ());
    let claim = record::claim(case);
    let with = |proof: &[u8]| ask::claims(&[Claim { proof: proof.to_vec(), ..claim.clone() }]);
    let truth = with(&claim.proof);
    let lie = with(&lie(&claim.proof, code, |proof| verify(&with(proof))));
    let answers = [&truth, &lie].map(|claims| verify(claims));
    assert!(answers[0].contains("\"status\":\"proven\""), "{}", answers[0]);
    holds(S::NAME, &[chain, config, params, truth, lie], answers.concat().as_bytes());
}

#[test]
fn a_trie_is_known() {
    system::<Mpt>("exclusion ends in an embedded leaf", "verify.root");
}

#[test]
fn layered_tries_are_known() {
    system::<Lmpt>("a first delta, no intermediate layer: hot", "verify.root");
}

#[test]
fn versions_are_known() {
    system::<Cole>("the first block's state: all in memory", "verify.root");
}

/// Questions for precompiled contracts: the number of each, an input that it has an output for, and
/// the byte of it in which a bit is changed, so that it has none.
#[track_caller]
fn curve(name: &str, run: impl Fn(u64, &[u8]) -> Outcome, questions: &[(u64, Vec<u8>, usize)]) {
    let (mut inputs, mut answers) = (Vec::new(), Vec::new());
    for (number, truth, at) in questions {
        let mut lie = truth.clone();
        lie[*at] ^= 1;
        for (input, is_answered) in [(truth.clone(), true), (lie, false)] {
            let answer = run(*number, &input);
            match &answer {
                Outcome::Output(_) => assert!(is_answered),
                Outcome::Failure => assert!(!is_answered),
                Outcome::Unknown => panic!("no contract {number}"),
            }
            answers.extend(answer.encode());
            inputs.push(input);
        }
    }
    holds(name, &inputs, &answers);
}

/// A sum in G1, and the pairing of infinity with G2's generator: it tests the generator's order, and
/// squares one in the tower of every pairing. Both also with a point that is not on the curve.
#[test]
fn points_and_squares_of_bn254_are_known() {
    let word = |number| [vec![0; 31], vec![number]].concat();
    let one = [word(1), word(2)].concat();
    let Outcome::Output(two) = bn254::run(6, &one.repeat(2)) else { panic!("no sum") };
    let generator = [
        "198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2",
        "1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed",
        "090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b",
        "12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa",
    ];
    let pair = [vec![0; 64], hex::decode(&generator.concat())].concat();
    curve("bn254", bn254::run, &[(6, [one, two].concat(), 63), (8, pair, 191)]);
}

/// The point of G2 that an element of Fq2 is mapped to, by square roots, an isogeny and a multiple;
/// and an element that is not reduced.
#[test]
fn a_map_to_bls12_381_is_known() {
    let part = |name: &[u8]| [vec![0; 32], keccak(name).to_vec()].concat();
    let input = [part(b"c0"), part(b"c1")].concat();
    curve("bls12_381", bls12_381::run, &[(0x11, input, 0)]);
}
