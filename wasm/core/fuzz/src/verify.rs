//! What the targets of verifiers have in common: a system's shared vectors, attacked.

use std::sync::OnceLock;

use lightproof_core::Verifier;
use lightproof_core::system::System;
use lightproof_testkit::record::{list, text};
use lightproof_testkit::{Claim, ask, record};
use serde_json::Value;

use crate::verdicts;

/// The valid vectors of a system, and their verifiers: one for each group, made when an input first asks for it.
pub struct Vectors<S: System> {
    groups: Vec<Group<S>>,
    /// Number of the group, claim, and the fact that it proves.
    cases: Vec<(usize, Claim, Value)>,
}

struct Group<S: System> {
    json: Value,
    verifier: OnceLock<Verifier<S>>,
}

impl<S: System> Default for Vectors<S> {
    /// Those in `test-vectors/`.
    fn default() -> Self {
        let path = format!("{}/../../../test-vectors/{}.json", env!("CARGO_MANIFEST_DIR"), S::NAME);
        let bytes = std::fs::read(path).expect("the shared vectors");
        let file: Value = serde_json::from_slice(&bytes).expect("JSON");
        let (mut groups, mut cases) = (Vec::new(), Vec::new());
        for group in list(&file["groups"]) {
            for case in list(&group["tests"]) {
                if text(&case["expected"]["result"]) == "valid" {
                    let fact = case["expected"]["fact"].clone();
                    cases.push((groups.len(), record::claim(case), fact));
                }
            }
            groups.push(Group { json: group.clone(), verifier: OnceLock::new() });
        }
        Self { groups, cases }
    }
}

impl<S: System> Vectors<S> {
    /// Attacks one of them. Under its root nothing is proven but what is true.
    ///
    /// * `data`: the number of the vector, then a proof for its question (first byte from 0xc0 on) or edits of its honest
    ///   proof, four bytes each.
    pub fn attack(&self, data: &[u8]) {
        let [number, rest @ ..] = data else { return };
        let (group, claim, fact) = &self.cases[usize::from(*number) % self.cases.len()];
        let mut claim = claim.clone();
        if let [0xc0..=0xff, ..] = rest {
            claim.proof = rest.to_vec();
        } else {
            rest.as_chunks().0.iter().for_each(|change| edit(&mut claim.proof, change));
        }
        let verifier = self.groups[*group].verifier();
        let verdicts = verdicts(&verifier.verify(&ask::claims(&[claim]), [0; 32], &mut ()));
        assert_eq!(verdicts.len(), 1);
        if verdicts[0]["status"] == "proven" {
            assert_eq!(verdicts[0]["fact"], *fact);
        }
    }
}

impl<S: System> Group<S> {
    fn verifier(&self) -> &Verifier<S> {
        self.verifier.get_or_init(|| {
            let (chain, config) = (record::chain(&self.json["chain"]), &self.json["config"]);
            let (config, params) = (record::config(config), record::params(config));
            Verifier::new(&chain, &config, &params).expect("well-formed")
        })
    }
}

fn edit(proof: &mut Vec<u8>, [kind, high, low, value]: &[u8; 4]) {
    let at = usize::from(u16::from_be_bytes([*high, *low])) % proof.len().max(1);
    match kind % 3 {
        0 => proof[at] = *value,
        1 => proof.insert(at, *value),
        _ if proof.len() > 1 => drop(proof.remove(at)),
        _ => {}
    }
}
