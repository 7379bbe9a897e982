//! Proofs of every system, and the headers above them.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use lightproof_core::Verifier;
use lightproof_core::body::Body;
use lightproof_core::error::CODES;
use lightproof_core::system::System;
use lightproof_testkit::record::{list, text};
use lightproof_testkit::{Claim, Source, ask, hex, record};
use serde_json::Value;

use crate::dice::Dice;
use crate::items::Item;
use crate::{read, soak};

/// A claim that is proven.
struct Honest {
    id: Value,
    verifier: usize,
    claim: Claim,
    fact: Value,
    proof: Item,
}

/// Every fact that the file states of a root.
type Truth = BTreeMap<Vec<u8>, Vec<Value>>;

/// What decides the root of a claim.
fn root(claim: &Claim) -> Vec<u8> {
    match &claim.source {
        Source::Header { hash, rlps } => [hash, rlps.concat().as_slice()].concat(),
        Source::Root { bytes, .. } => bytes.clone(),
    }
}

/// Whether a fact says what the honest one says, and no more than is true: a proof may show what
/// the honest one leaves open, if another fact of the root states it.
fn is_true(fact: &Value, honest: &Value, known: &[Value]) -> bool {
    match (fact, honest) {
        (Value::Object(fact), Value::Object(open))
            if open.get("status").is_some_and(|status| status == "notProven") =>
        {
            let told = fact.get("value").and_then(Value::as_str);
            let told = told.and_then(|value| value.strip_prefix("0x"));
            told.is_some_and(|value| known.iter().any(|fact| fact.to_string().contains(value)))
        }
        (Value::Object(fact), Value::Object(honest)) => {
            fact.len() == honest.len()
                && fact.iter().all(|(name, value)| {
                    honest.get(name).is_some_and(|other| is_true(value, other, known))
                })
        }
        _ => fact == honest,
    }
}

/// All valid claims of a file, the verifiers of its groups, and what is true.
fn honest<S: System>(file: &str) -> (Vec<Verifier<S>>, Vec<Honest>, Truth) {
    let (mut verifiers, mut all, mut truth) = (Vec::new(), Vec::new(), Truth::new());
    for group in list(&read(&format!("{file}.json"))["groups"]) {
        let chain = record::chain(&group["chain"]);
        let (config, params) = (record::config(&group["config"]), record::params(&group["config"]));
        let valid = list(&group["tests"]).iter().filter(|case| {
            // Those with a chain of their own test chains.
            let own = case.get("chain").or(case.get("config"));
            own.is_none() && text(&case["expected"]["result"]) == "valid"
        });
        let Ok(verifier) = Verifier::new(&chain, &config, &params) else { continue };
        let number = verifiers.len();
        verifiers.push(verifier);
        all.extend(valid.map(|case| {
            let claim = record::claim(case);
            let proof = Item::of(&claim.proof);
            let fact = case["expected"]["fact"].clone();
            truth.entry(root(&claim)).or_default().push(fact.clone());
            Honest { id: case["id"].clone(), verifier: number, claim, fact, proof }
        }));
    }
    assert!(!all.is_empty(), "{file} has no valid claim");
    (verifiers, all, truth)
}

/// A changed claim, and whether its headers are what was changed.
fn changed(honest: &Honest, donor: &Honest, dice: &mut Dice) -> (Claim, bool) {
    let mut claim = honest.claim.clone();
    let edits = 1 + dice.below(2);
    match (dice.below(8), &mut claim.source) {
        (0, Source::Header { rlps, .. }) => {
            let at = dice.below(rlps.len());
            let other = match &donor.claim.source {
                Source::Header { rlps, .. } => dice.one(rlps).map(|rlp| Item::of(rlp)),
                Source::Root { .. } => None,
            };
            let mut header = Item::of(&rlps[at]);
            let other = other.unwrap_or_else(|| donor.proof.clone());
            (0..edits).for_each(|_| header.edit(&other, dice));
            rlps[at] = header.bytes();
            return (claim, true);
        }
        (1, _) => claim.proof.clone_from(&donor.claim.proof),
        (2, _) => crate::spans::edit(&mut claim.proof, &donor.claim.proof, dice),
        _ => {
            let mut proof = honest.proof.clone();
            (0..edits).for_each(|_| proof.edit(&donor.proof, dice));
            claim.proof = proof.bytes();
        }
    }
    (claim, false)
}

fn run<S: System>(file: &str) {
    let (verifiers, all, truth) = honest::<S>(file);
    soak(file, |seed| {
        let mut dice = Dice::new(seed);
        let (one, donor) = (dice.below(all.len()), dice.below(all.len()));
        let (honest, donor) = (&all[one], &all[donor]);
        let (claim, is_header) = changed(honest, donor, &mut dice);
        if claim == honest.claim {
            return None;
        }
        let shown = || {
            let claims = hex::encode(&ask::claims(std::slice::from_ref(&claim)));
            format!("{file} {} by seed {seed}: {claims}", honest.id)
        };
        let claims = ask::claims(std::slice::from_ref(&claim));
        let verifier = &verifiers[honest.verifier];
        let verdict = catch_unwind(AssertUnwindSafe(|| verifier.verify(&claims, [0; 32], &mut ())))
            .unwrap_or_else(|_| panic!("a trap: {}", shown()));
        let verdict: Value = serde_json::from_str(&verdict).unwrap();
        let verdict = &verdict[0];
        if verdict["status"] == "proven" {
            assert!(!is_header, "another header under a trusted hash: {}", shown());
            let known = &truth[&root(&honest.claim)];
            let is_true = is_true(&verdict["fact"], &honest.fact, known);
            assert!(is_true, "a false fact: {verdict}: {}", shown());
            return Some(false);
        }
        let code = verdict["code"].as_str().unwrap_or_default();
        assert!(CODES.contains(&code), "no code: {verdict}: {}", shown());
        Some(true)
    });
}

macro_rules! runs {
    ($($module:ident $system:ident,)*) => {
        $(#[test]
        fn $module() {
            run::<lightproof_core::system::$module::$system>(stringify!($module));
        })*
    };
}

lightproof_core::systems!(runs);

#[test]
fn inclusion() {
    run::<Body>("inclusion");
}
