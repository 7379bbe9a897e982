//! Times a light client natively for `npm run bench`, which times the same bytes in WebAssembly
//! beside it.
//!
//! `cargo bench -p lightproof-core --bench light -- --cases FILE [--seconds S]`
//!
//! * `FILE`: JSON of hex strings `{chain, checkpoint, bootstrap, update, finality}`: RLP of the
//!   chain, the root that is pinned, and SSZ as beacon nodes serve it.
//! * `S`: seconds per case, 1 by default.
//!
//! Prints one line of JSON per case: `{"case", "result", "runs", "medianUs"}`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::arithmetic_side_effects, clippy::cast_precision_loss)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use lightproof_core::header::light::{Form, LightClient};
use lightproof_testkit::getproof::bytes;
use serde_json::{Value, json};

struct Data {
    chain: Vec<u8>,
    checkpoint: Vec<u8>,
    bootstrap: Vec<u8>,
    update: Vec<u8>,
    finality: Vec<u8>,
}

impl Data {
    fn read(path: &str) -> Self {
        let text = std::fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let json: Value =
            serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
        let field = |name: &str| bytes(&json[name]);
        Self {
            chain: field("chain"),
            checkpoint: field("checkpoint"),
            bootstrap: field("bootstrap"),
            update: field("update"),
            finality: field("finality"),
        }
    }

    fn started(&self) -> LightClient {
        let mut client = LightClient::new(&self.chain).expect("a chain");
        client.bootstrap(&self.checkpoint, &self.bootstrap, &mut ()).expect("a bootstrap");
        client
    }
}

/// Median microseconds of `run` on what `ready` makes, which is not timed, and how many ran.
fn measure<S>(ready: impl Fn() -> S, run: impl Fn(&mut S), time: Duration) -> (f64, usize) {
    let (mut samples, start) = (Vec::new(), Instant::now());
    while samples.is_empty() || start.elapsed() < time {
        let mut state = ready();
        let began = Instant::now();
        run(black_box(&mut state));
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
    let (data, time) = (Data::read(path), Duration::from_secs_f64(seconds));
    let apply = |form, bytes: &[u8], client: &mut LightClient| {
        let applied = client.apply(form, bytes, u64::MAX, &mut ()).expect("an update");
        assert!(applied.changed.finalized, "nothing was finalized");
    };
    let update = |client: &mut LightClient| apply(Form::Update, &data.update, client);
    let finality = |client: &mut LightClient| apply(Form::Finality, &data.finality, client);
    let points = {
        let mut client = data.started();
        update(&mut client);
        client.points()
    };
    let cached = || {
        let mut client = data.started();
        client.load_points(&points).expect("points");
        client
    };
    let fresh = || LightClient::new(&data.chain).expect("a chain");
    let bootstrap = |client: &mut LightClient| {
        client.bootstrap(&data.checkpoint, &data.bootstrap, &mut ()).expect("a bootstrap");
    };
    for (case, (median, runs)) in [
        ("bootstrap", measure(fresh, bootstrap, time)),
        ("cold", measure(|| data.started(), update, time)),
        ("cached", measure(cached, update, time)),
        ("finality", measure(cached, finality, time)),
    ] {
        println!(
            "{}",
            json!({ "case": case, "result": "valid", "runs": runs, "medianUs": median })
        );
    }
}
