//! Proofs of lvmt that are cut, longer or changed somewhere: nothing is proven but what is true.

use std::path::Path;

use lightproof_core::Verifier;
use lightproof_core::observer::{Cost, Field, Observer, Step};
use lightproof_core::system::lvmt::Lvmt;
use lightproof_core::system::{System, SystemConfig};
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

/// The seed of the batching coefficients binds it.
#[test]
fn parameters_are_named_by_the_digest_that_pins_them() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-vectors/lvmt.json");
    let file: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let mut named = 0;
    for group in list(&file["groups"]) {
        let config = record::config(&group["config"]);
        let config = SystemConfig::from_rlp(&config).unwrap();
        let Ok(params) = Lvmt::params(&config, &record::params(&group["config"])) else { continue };
        assert_eq!(Some(Lvmt::digest(&params)), config.params_digest);
        named += 1;
    }
    assert!(named > 0);
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

/// Leaves of each AMT, by index, size and depth down to which it is folded; and how many equations
/// were settled.
#[derive(Default)]
struct Opened {
    trees: Vec<Vec<[u64; 3]>>,
    equations: u64,
}

impl Observer for Opened {
    fn step(&mut self, step: Step<'_>) {
        let number = |wanted| {
            let mut fields = step.fields.iter();
            match fields.find(|(name, _)| *name == wanted) {
                Some((_, Field::Number(number))) => *number,
                other => panic!("{wanted}: {other:?}"),
            }
        };
        match step.what {
            "tree" => self.trees.push(Vec::new()),
            "leaf" => {
                let leaf = ["index", "size", "folded"].map(number);
                self.trees.last_mut().unwrap().push(leaf);
            }
            "equations" => self.equations = number("equations"),
            _ => {}
        }
    }

    fn cost(&mut self, _cost: Cost) {}
}

/// Equations that the leaves of an AMT take where those of shared nodes are settled once.
fn equations(leaves: &[[u64; 3]], is_pairs: bool) -> u64 {
    let mut sum = 0;
    for (number, [index, size, folded]) in leaves.iter().enumerate() {
        let shares = |bits: u64| {
            leaves[..number].iter().any(|[before, ..]| (before ^ index) % (1 << bits) == 0)
        };
        // In pairs a sibling is shared by leaves of the same node, in a fold both nodes by leaves
        // of the same parent.
        let above = if is_pairs { *folded } else { (*folded).min(size - 1) };
        let new = (1..=above).filter(|depth| !shares(if is_pairs { *depth } else { depth - 1 }));
        // And what holds the leaf's value.
        sum += u64::try_from(new.count()).unwrap() + 1;
    }
    sum
}

#[test]
fn equations_of_shared_nodes_are_settled_once() {
    let mut shared = 0;
    for (verifier, claim, _) in honest(1) {
        let mut opened = Opened::default();
        verifier.verify(&ask::claims(std::slice::from_ref(&claim)), [0; 32], &mut opened);
        let is_pairs = claim.variant == "pairs";
        let expected = opened.trees.iter().map(|leaves| equations(leaves, is_pairs)).sum::<u64>();
        assert_eq!(opened.equations, expected, "{}", claim.variant);
        for (number, leaves) in opened.trees.iter().enumerate() {
            for [_, size, folded] in leaves {
                let right = match (claim.variant.as_str(), number) {
                    ("pairs" | "fold", _) => folded == size,
                    ("hybrid", 0) => (1..*size).contains(folded),
                    _ => *folded == 0,
                };
                assert!(right, "{} {number}: {folded} of {size}", claim.variant);
            }
            shared += usize::from(leaves.len() > 1);
        }
    }
    assert!(shared > 20, "{shared}");
}

/// A proof that would be one of the variant in all other bytes, and of another depth; and a hybrid
/// that is none.
#[test]
fn the_depth_is_the_variants() {
    let mut tried = 0;
    for (verifier, claim, _) in honest(1).iter().filter(|(_, claim, _)| claim.variant != "hybrid") {
        let at = 1 + usize::from(claim.proof[0].saturating_sub(0xf7));
        let mut other = claim.clone();
        other.proof[at] = match claim.proof[at] {
            0x80 => 1,
            1 => 0x80,
            depth => depth - 1,
        };
        assert_eq!(verdict(verifier, &other)["code"], "decode.shape");
        let hybrid = Claim { variant: "hybrid".into(), ..claim.clone() };
        assert_eq!(verdict(verifier, &hybrid)["code"], "decode.shape");
        tried += 1;
    }
    assert!(tried > 20, "{tried}");
}
