//! Times calls natively for `npm run bench`, which runs the same requests in WebAssembly beside it.
//!
//! `cargo bench -p lightproof-evm --bench calls -- --cases FILE [--seconds S]`
//!
//! * `FILE`: JSON `{forks, cases: [{id, chain, request}]}`, bytes in hex.
//! * `S`: seconds per case, 1 by default.
//!
//! Prints one line of JSON per case: `{"case", "result", "runs", "medianUs"}`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::arithmetic_side_effects, clippy::cast_precision_loss)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use lightproof_evm::Native;
use lightproof_evm::interface::run;
use lightproof_testkit::hex;
use serde_json::{Value, json};

/// Median microseconds of a run, and how many there were.
fn measure(run: impl Fn(), time: Duration) -> (f64, usize) {
    let (mut samples, start) = (Vec::new(), Instant::now());
    while samples.is_empty() || start.elapsed() < time {
        let began = Instant::now();
        run();
        samples.push(began.elapsed().as_nanos() as f64 / 1000.0);
    }
    samples.sort_by(f64::total_cmp);
    (samples[samples.len() / 2], samples.len())
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let option = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        Some(arguments.get(at + 1).unwrap_or_else(|| panic!("{name} takes a value")).as_str())
    };
    let seconds =
        option("--seconds").map_or(1.0, |text| text.parse().expect("--seconds: a number"));
    // `cargo bench` without arguments runs every bench: this one has nothing to time then.
    let Some(path) = option("--cases") else { return };
    let text = std::fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let file: Value = serde_json::from_slice(&text).expect("JSON");
    let bytes = |value: &Value| hex::decode(value.as_str().expect("hex"));
    let forks = bytes(&file["forks"]);
    for case in file["cases"].as_array().expect("cases") {
        let (chain, request) = (bytes(&case["chain"]), bytes(&case["request"]));
        let answer = || run(black_box(&chain), &forks, &request, &Native);
        let result = answer();
        let time = Duration::from_secs_f64(seconds);
        let (median, runs) = measure(|| drop(black_box(answer())), time);
        let line =
            json!({ "case": case["id"], "result": result, "runs": runs, "medianUs": median });
        println!("{line}");
    }
}
