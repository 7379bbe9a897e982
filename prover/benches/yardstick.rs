//! Work of other crates, timed before and after a run of `npm run bench`: where it takes another
//! time at the end, the run says nothing. One JSON object per row on stdout; times are the
//! processor's.
//!
//! `cargo bench -p lightproof-prover --bench yardstick`

#[path = "support/clock.rs"]
mod clock;
#[path = "support/yardstick.rs"]
mod yardstick;

use std::hint::black_box;
use std::time::Duration;

use ark_bn254::{Fr, G1Affine};
use ark_ec::AffineRepr;
use ark_ff::Field;
use serde_json::json;

/// Samples of each piece of work.
const SAMPLES: usize = 45;

/// Between two samples: all of them take seconds, so that what ends just then does not decide.
const PAUSE: Duration = Duration::from_millis(60);

/// Microseconds of one piece of work, each sample of `runs` of them: the sample that only a tenth
/// falls below. On a shared machine the median of an idle minute differs from that of the next by a
/// third, while this one follows what the machine itself does.
fn micros(runs: u32, mut work: impl FnMut()) -> f64 {
    let mut samples: Vec<f64> = (0..SAMPLES)
        .map(|_| {
            std::thread::sleep(PAUSE);
            let start = clock::used();
            (0..runs).for_each(|_| work());
            clock::micros_since(start) / f64::from(runs)
        })
        .collect();
    samples.sort_by(f64::total_cmp);
    samples[SAMPLES / 10]
}

/// A thousand multiplications of a point of BN254 by scalars of full length.
fn multiplications() {
    let point = G1Affine::generator();
    let mut scalar = Fr::from(3u8).inverse().unwrap_or_default();
    for _ in 0..1_000 {
        let product = black_box(point).into_group() * scalar;
        black_box(&product);
        scalar += scalar;
    }
}

fn main() {
    let entries = yardstick::entries();
    let hashed = micros(500, || yardstick::keccaks(&entries));
    println!("{}", json!({ "id": "keccaks", "us": hashed }));
    println!("{}", json!({ "id": "multiplications", "us": micros(1, multiplications) }));
}
