//! Honest proofs of cole, changed: nothing else is ever proven, and no bytes make core panic.

mod made;
mod told;

use std::path::Path;

use lightproof_core::Verifier;
use lightproof_core::system::cole::Cole;
use lightproof_testkit::record::{list, text};
use lightproof_testkit::{Claim, ask, record};
use proptest::prelude::*;
use serde_json::Value;

struct Honest {
    verifier: Verifier<Cole>,
    claim: Claim,
    fact: Value,
}

impl Honest {
    /// The verdict on the claim with other proof bytes.
    fn verdict(&self, proof: Vec<u8>) -> Value {
        let claim = Claim { proof, ..self.claim.clone() };
        let verdicts = self.verifier.verify(&ask::claims(&[claim]), [0; 32], &mut ());
        let verdict = serde_json::from_str::<Value>(&verdicts).unwrap()[0].clone();
        if let Some(span) = verdict["span"].as_array() {
            assert!(span[0].as_u64() <= span[1].as_u64(), "{verdict}");
        }
        verdict
    }

    /// Changed bytes are refused, and the node is blamed for it.
    fn refuses(&self, proof: Vec<u8>, what: &str) {
        let verdict = self.verdict(proof);
        assert_eq!(verdict["status"], "rejected", "{what}: {verdict}");
        assert_ne!(verdict["kind"], "input", "{what}: {verdict}");
    }
}

/// The valid cases of the shared vectors.
fn honest() -> Vec<Honest> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-vectors/cole.json");
    let file: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let mut all = Vec::new();
    for group in list(&file["groups"]) {
        let (chain, config) = (record::chain(&group["chain"]), &group["config"]);
        for case in list(&group["tests"]) {
            if text(&case["expected"]["result"]) == "valid" {
                let (config, params) = (record::config(config), record::params(config));
                let verifier = Verifier::new(&chain, &config, &params).unwrap();
                let fact = case["expected"]["fact"].clone();
                all.push(Honest { verifier, claim: record::claim(case), fact });
            }
        }
    }
    assert!(all.len() > 100);
    all
}

#[test]
fn no_byte_of_a_proof_can_be_changed() {
    for (number, honest) in honest().iter().enumerate() {
        let proof = &honest.claim.proof;
        assert_eq!(honest.verdict(proof.clone())["fact"], honest.fact);
        // A sample; the proptest and the fuzz target reach the rest.
        for at in (number % 61..proof.len()).step_by(61) {
            for bit in [0x01, 0x80] {
                let mut changed = proof.clone();
                changed[at] ^= bit;
                honest.refuses(changed, &format!("case {number}, byte {at}, bit {bit:#x}"));
            }
        }
    }
}

#[test]
fn no_proof_can_be_cut_or_continued() {
    for (number, honest) in honest().iter().enumerate() {
        let proof = &honest.claim.proof;
        for end in (0..proof.len()).step_by(151) {
            honest.refuses(proof[..end].to_vec(), &format!("case {number}, first {end} bytes"));
        }
        honest.refuses([proof.as_slice(), &[0]].concat(), "a byte more");
    }
}

#[test]
fn no_proof_answers_another_question() {
    let all = honest();
    for (number, honest) in all.iter().enumerate() {
        for other in all.iter().skip(number % 19).step_by(19) {
            if other.claim.query == honest.claim.query && other.claim.source == honest.claim.source
            {
                continue;
            }
            let verdict = honest.verdict(other.claim.proof.clone());
            // A proof of cole/fast24 does not say what it answers: it may prove a neighbouring
            // question, truly.
            if verdict["status"] == "proven" {
                let mut fact = verdict["fact"].clone();
                let mut expected = honest.fact.clone();
                for one in [&mut fact, &mut expected] {
                    one["predecessor"] = Value::Null;
                }
                assert_eq!(fact, expected, "case {number}");
            }
        }
    }
}

proptest! {
    #[test]
    fn edited_proofs_prove_nothing_else(
        number in 0_usize..133,
        edits in prop::collection::vec((any::<u16>(), any::<u8>(), 0_u8..4), 1..6),
    ) {
        thread_local!(static HONEST: Vec<Honest> = honest());
        HONEST.with(|all| {
            let honest = &all[number % all.len()];
            let mut proof = honest.claim.proof.clone();
            for (at, value, kind) in edits {
                let at = usize::from(at) % proof.len().max(1);
                match kind {
                    0 => proof[at] = value,
                    1 => proof.insert(at, value),
                    2 if proof.len() > 1 => drop(proof.remove(at)),
                    _ => {
                        let end = (at + usize::from(value)).min(proof.len());
                        let piece = proof[at..end].to_vec();
                        proof.splice(at..at, piece);
                    }
                }
            }
            let verdict = honest.verdict(proof);
            if verdict["status"] == "proven" {
                assert_eq!(verdict["fact"], honest.fact);
            }
        });
    }

    #[test]
    fn any_bytes_get_a_verdict(proof in prop::collection::vec(any::<u8>(), 0..300), number in 0_usize..133) {
        thread_local!(static HONEST: Vec<Honest> = honest());
        HONEST.with(|all| {
            let verdict = all[number % all.len()].verdict(proof);
            assert_eq!(verdict["status"], "rejected");
        });
    }
}
