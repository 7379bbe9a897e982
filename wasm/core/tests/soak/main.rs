//! Honest proofs and headers of the shared vectors, changed at random for as long as
//! `LIGHTPROOF_SOAK_SECONDS` says (default: a fixed number of changes): whatever is proven of a
//! question is its one true answer, and no panic. `LIGHTPROOF_SOAK_SEED` is the first seed
//! (default: 0), so that each search is another one.
//!
//! Beside them, adversaries who put proofs of small random states together as they like, judged by
//! plain maps.
//!
//! A failure prints the claim's id or the seed, and the bytes, which are judged alike by every build.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::arithmetic_side_effects)]

mod adversaries;
mod dice;
mod headers;
mod items;
mod proofs;
mod spans;

use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

/// Changes of one test where no time is given: a test of every run, and not a search.
const CHANGES: u64 = 150;

fn read(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-vectors").join(name);
    let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&text).unwrap()
}

/// What became of the changed bytes. Whatever else would happen to them fails the test.
#[derive(Default)]
struct Counts {
    tried: u64,
    refused: u64,
    /// Proven, and what is proven is what the honest bytes prove.
    same: u64,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tried, refused, same } = self;
        write!(f, "{tried} tried, {refused} refused, {same} same meaning, 0 accepted")
    }
}

/// A whole number in the environment.
fn given(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|error| panic!("{name}={text}: {error}")))
}

/// Does it once a seed, from the first one on, until the time is over.
///
/// * `usual`: how often where no time is given.
fn turns(usual: u64, mut turn: impl FnMut(u64)) {
    let time = given("LIGHTPROOF_SOAK_SECONDS").map(Duration::from_secs);
    let (began, first) = (Instant::now(), given("LIGHTPROOF_SOAK_SEED").unwrap_or(0));
    for seed in first.. {
        if time.map_or(seed - first >= usual, |time| began.elapsed() >= time) {
            break;
        }
        turn(seed);
    }
}

/// Changes things until the time is over, and prints the counts.
///
/// * `change`: one change by the number of its seed; whether it was refused, `None` where it
///   changed nothing.
fn soak(name: &str, mut change: impl FnMut(u64) -> Option<bool>) {
    let mut counts = Counts::default();
    turns(CHANGES, |seed| {
        let Some(is_refused) = change(seed) else { return };
        counts.tried += 1;
        counts.refused += u64::from(is_refused);
        counts.same += u64::from(!is_refused);
    });
    assert!(counts.refused > 0, "{name}: nothing was refused");
    println!("soak {name}: {counts}");
}
