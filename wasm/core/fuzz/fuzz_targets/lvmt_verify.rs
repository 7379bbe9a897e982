//! Input: the number of a shared vector, then a proof for its question (first byte from 0xc0 on) or edits of its honest
//! proof, four bytes each. Under its root nothing is proven but what is true.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use lightproof_core::Verifier;
use lightproof_core::system::lvmt::Lvmt;
use lightproof_fuzz::verdicts;
use lightproof_testkit::record::{list, text};
use lightproof_testkit::{Claim, ask, record};
use serde_json::Value;

static CASES: LazyLock<Vec<(Verifier<Lvmt>, Claim, Value)>> = LazyLock::new(|| {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../test-vectors/lvmt.json");
    let bytes = std::fs::read(path).expect("the shared vectors");
    let file: Value = serde_json::from_slice(&bytes).expect("JSON");
    let mut cases = Vec::new();
    for group in list(&file["groups"]) {
        for case in list(&group["tests"]) {
            if text(&case["expected"]["result"]) == "valid" {
                let (chain, config) = (record::chain(&group["chain"]), &group["config"]);
                let (config, params) = (record::config(config), record::params(config));
                let verifier = Verifier::new(&chain, &config, &params).expect("well-formed");
                cases.push((verifier, record::claim(case), case["expected"]["fact"].clone()));
            }
        }
    }
    cases
});

fuzz_target!(|data: &[u8]| {
    let [number, rest @ ..] = data else { return };
    let (verifier, claim, fact) = &CASES[usize::from(*number) % CASES.len()];
    let mut claim = claim.clone();
    if let [0xc0..=0xff, ..] = rest {
        claim.proof = rest.to_vec();
    } else {
        for [kind, high, low, value] in rest.as_chunks::<4>().0 {
            let at = usize::from(u16::from_be_bytes([*high, *low])) % claim.proof.len().max(1);
            match kind % 3 {
                0 => claim.proof[at] = *value,
                1 => claim.proof.insert(at, *value),
                _ if claim.proof.len() > 1 => drop(claim.proof.remove(at)),
                _ => {}
            }
        }
    }
    let verdicts = verdicts(&verifier.verify(&ask::claims(&[claim]), [0; 32]));
    assert_eq!(verdicts.len(), 1);
    if verdicts[0]["status"] == "proven" {
        assert_eq!(verdicts[0]["fact"], *fact);
    }
});
