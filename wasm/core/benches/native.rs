//! Times claims natively for `npm run bench`, which times the same claims in WebAssembly beside it.
//!
//! `cargo bench -p lightproof-core --bench native -- [--cases FILE] [--seconds S]`
//!
//! * `FILE`: a JSON array of records of the one file schema, each with an `id`; without it, an
//!   account and a slot of synthetic tries of Ethereum's size.
//! * `S`: seconds per case, 1 by default.
//!
//! Prints one line of JSON per case: `{"case", "result", "runs", "medianUs", "proofBytes"}`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::arithmetic_side_effects, clippy::cast_precision_loss)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use lightproof_core::Verifier;
use lightproof_core::system::System;
use lightproof_core::system::lmpt::Lmpt;
use lightproof_core::system::mpt::Mpt;
use lightproof_testkit::{ask, large, record};
use serde_json::{Value, json};

/// Long enough that reading the clock does not count.
const SAMPLE: Duration = Duration::from_millis(2);

/// Verifies claims of one system.
type Verify = Box<dyn Fn(&[u8]) -> String>;

struct Case {
    id: String,
    verify: Verify,
    claims: Vec<u8>,
    proof_bytes: usize,
}

fn verifier<S: System>(chain: &[u8], config: &[u8]) -> Verify
where
    Verifier<S>: 'static,
{
    let verifier = Verifier::<S>::new(chain, config, &[]);
    let verifier = verifier.unwrap_or_else(|error| panic!("{error}"));
    Box::new(move |claims| verifier.verify(claims, [0; 32], &mut ()))
}

fn verifier_of(system: &str, chain: &[u8], config: &[u8]) -> Verify {
    match system {
        "lmpt" => verifier::<Lmpt>(chain, config),
        "mpt" => verifier::<Mpt>(chain, config),
        other => panic!("no cases of {other}"),
    }
}

fn synthetic() -> Vec<Case> {
    let case = |(id, with_slot): (&str, bool)| {
        let claim = large::claim(with_slot);
        Case {
            id: id.to_owned(),
            verify: verifier::<Mpt>(&large::CHAIN.encode(), &ask::mpt_config()),
            proof_bytes: claim.proof.len(),
            claims: ask::claims(&[claim]),
        }
    };
    [("account", false), ("account and slot", true)].map(case).into()
}

fn from_file(path: &str) -> Vec<Case> {
    let text = std::fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let json: Value =
        serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
    let case = |json: &Value| {
        let claim = record::claim(json);
        let (chain, config) = (record::chain(&json["chain"]), record::config(&json["config"]));
        Case {
            id: record::text(&json["id"]).to_owned(),
            verify: verifier_of(record::text(&json["system"]), &chain, &config),
            proof_bytes: claim.proof.len(),
            claims: ask::claims(&[claim]),
        }
    };
    record::list(&json).iter().map(case).collect()
}

/// Nanoseconds per verification, and how many ran.
fn measure(case: &Case, time: Duration) -> (f64, u64) {
    let run = |times: u32| {
        let start = Instant::now();
        for _ in 0..times {
            black_box((case.verify)(black_box(&case.claims)));
        }
        start.elapsed()
    };
    let mut batch = 1;
    while run(batch) < SAMPLE {
        batch *= 2;
    }
    let (mut samples, start) = (Vec::new(), Instant::now());
    while samples.is_empty() || start.elapsed() < time {
        samples.push(run(batch).as_nanos() as f64 / f64::from(batch));
    }
    samples.sort_by(f64::total_cmp);
    (samples[samples.len() / 2], samples.len() as u64 * u64::from(batch))
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let option = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        Some(arguments.get(at + 1).unwrap_or_else(|| panic!("{name} takes a value")).as_str())
    };
    let seconds =
        option("--seconds").map_or(1.0, |text| text.parse().expect("--seconds: a number"));
    for case in option("--cases").map_or_else(synthetic, from_file) {
        let verdicts: Value = serde_json::from_str(&(case.verify)(&case.claims)).unwrap();
        let valid = verdicts[0]["status"] == "proven";
        let (nanoseconds, runs) = measure(&case, Duration::from_secs_f64(seconds));
        let line = json!({
            "case": case.id,
            "result": if valid { "valid" } else { "invalid" },
            "runs": runs,
            "medianUs": nanoseconds / 1000.0,
            "proofBytes": case.proof_bytes,
        });
        println!("{line}");
    }
}
