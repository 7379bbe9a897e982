//! Proofs of lvmt that are cut, longer or changed somewhere: nothing is proven but what is true.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::arithmetic_side_effects)]

use std::path::Path;

use lightproof_core::Verifier;
use lightproof_core::system::lvmt::Lvmt;
use lightproof_testkit::record::{list, text};
use lightproof_testkit::{Claim, ask, record};
use serde_json::Value;

type Honest = (Verifier<Lvmt>, Claim, Value);

/// Every so many of the honest claims, and what is true.
fn honest(step: usize) -> Vec<Honest> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-vectors/lvmt.json");
    let file: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let mut all = Vec::new();
    for group in list(&file["groups"]) {
        let valid = |case: &&Value| text(&case["expected"]["result"]) == "valid";
        for case in list(&group["tests"]).iter().filter(valid).step_by(step) {
            let (chain, config) = (record::chain(&group["chain"]), &group["config"]);
            let (config, params) = (record::config(config), record::params(config));
            let verifier = Verifier::new(&chain, &config, &params).unwrap();
            all.push((verifier, record::claim(case), case["expected"]["fact"].clone()));
        }
    }
    all
}

fn verdict(verifier: &Verifier<Lvmt>, claim: &Claim) -> Value {
    let verdicts = verifier.verify(&ask::claims(std::slice::from_ref(claim)), [0; 32], &mut ());
    serde_json::from_str::<Value>(&verdicts).unwrap()[0].clone()
}

#[test]
fn proofs_cut_at_any_byte_are_rejected() {
    let all = honest(13);
    assert!(all.len() > 8, "{}", all.len());
    for (verifier, claim, _) in &all {
        for end in 0..claim.proof.len() {
            let proof = claim.proof[..end].to_vec();
            let cut = Claim { proof, ..claim.clone() };
            assert_eq!(verdict(verifier, &cut)["kind"], "decode", "{end}");
        }
        let longer = Claim { proof: [claim.proof.as_slice(), &[0]].concat(), ..claim.clone() };
        assert_eq!(verdict(verifier, &longer)["code"], "decode.rlp");
    }
}

#[test]
fn a_changed_bit_proves_nothing_false() {
    let mut state = 0x9e37_79b9_u64;
    for (verifier, claim, fact) in &honest(5) {
        for _ in 0..12 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let at = usize::try_from(state >> 33).unwrap() % (claim.proof.len() * 8);
            let mut changed = claim.clone();
            changed.proof[at / 8] ^= 1 << (at % 8);
            let verdict = verdict(verifier, &changed);
            assert!(verdict["status"] == "rejected" || verdict["fact"] == *fact, "bit {at}");
        }
    }
}

#[test]
fn claims_are_settled_together_and_judged_apart() {
    let all = honest(1);
    let (verifier, ..) = &all[0];
    let mut claims: Vec<Claim> = all.iter().take(8).map(|(_, claim, _)| claim.clone()).collect();
    let at = claims[3].proof.len() / 2;
    claims[3].proof[at] ^= 1;
    let verdicts: Value =
        serde_json::from_str(&verifier.verify(&ask::claims(&claims), [1; 32], &mut ())).unwrap();
    for (index, verdict) in list(&verdicts).iter().enumerate() {
        assert_eq!(verdict["status"] == "proven", index != 3, "{verdict}");
    }
}
