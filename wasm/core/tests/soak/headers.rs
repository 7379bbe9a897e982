//! Steps of light clients: signed headers, checkpoints and kept stores.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use lightproof_core::header::light::LightText;
use lightproof_testkit::getproof::bytes;
use lightproof_testkit::record::{list, text};
use lightproof_testkit::{hex, record};
use serde_json::Value;

use crate::dice::Dice;
use crate::{read, soak, spans};

/// A step that an honest client takes, and the client before it.
struct Step {
    id: Value,
    client: LightText,
    before: String,
    /// The client's state after it.
    after: Value,
    pinned: Vec<u8>,
    form: String,
    bytes: Vec<u8>,
}

/// Later than every step of the file: what is refused is not refused for its time.
const NOW: u64 = u64::MAX;

fn take(client: &mut LightText, form: &str, bytes: &[u8], pinned: &[u8]) -> Value {
    let answer = match form {
        "bootstrap" => client.bootstrap(pinned, bytes, &mut ()),
        "import" => client.import(bytes, pinned, &mut ()),
        "force" => client.force(NOW, &mut ()),
        _ => client.apply(form, bytes, NOW, &mut ()),
    };
    serde_json::from_str(&answer).unwrap()
}

fn state(client: &LightText) -> Value {
    serde_json::from_str(&client.state()).unwrap()
}

/// Roots of the headers that a client holds.
fn roots(state: &Value) -> Vec<String> {
    ["finalized", "safe", "head"].iter().map(|name| state[name]["root"].to_string()).collect()
}

/// The steps that the file's clients take.
fn steps() -> Vec<Step> {
    let mut all = Vec::new();
    for group in list(&read("headers.json")["groups"]) {
        let Ok(fresh) = LightText::new(&record::chain(&group["chain"])) else { continue };
        for case in list(&group["tests"]) {
            let mut client = fresh.clone();
            let pinned = bytes(&case["checkpoint"]);
            for step in list(&case["steps"]) {
                let (form, bytes) = (text(&step["form"]).to_owned(), bytes(&step["bytes"]));
                let before = client.clone();
                if take(&mut client, &form, &bytes, &pinned)["status"] != "trusted" {
                    break;
                }
                let kept = before.state();
                let (id, after) = (case["id"].clone(), state(&client));
                let pinned = pinned.clone();
                // What has no bytes cannot be changed.
                if form != "force" {
                    all.push(Step { id, client: before, before: kept, after, pinned, form, bytes });
                }
            }
        }
    }
    all
}

#[test]
fn headers() {
    let all = steps();
    assert!(!all.is_empty(), "no step is taken");
    let known: BTreeSet<String> = all.iter().flat_map(|step| roots(&step.after)).collect();
    soak("headers", |seed| {
        let mut dice = Dice::new(seed);
        let (one, donor) = (dice.below(all.len()), dice.below(all.len()));
        let (step, donor) = (&all[one], &all[donor]);
        let mut bytes = step.bytes.clone();
        if dice.below(10) == 0 {
            bytes.clone_from(&donor.bytes);
        } else {
            (0..=dice.below(2)).for_each(|_| spans::edit(&mut bytes, &donor.bytes, &mut dice));
        }
        if bytes == step.bytes {
            return None;
        }
        let shown = || {
            let Step { id, form, .. } = step;
            format!("{id} {form} by seed {seed}: {}", hex::encode(&bytes))
        };
        let mut client = step.client.clone();
        let taken =
            catch_unwind(AssertUnwindSafe(|| take(&mut client, &step.form, &bytes, &step.pinned)));
        let answer = taken.unwrap_or_else(|_| panic!("a trap: {}", shown()));
        if answer["status"] != "trusted" {
            assert_eq!(client.state(), step.before, "what is refused changes nothing: {}", shown());
            return Some(true);
        }
        // Signed for a client that was further: this one takes headers of it that nobody else took.
        if all.iter().any(|honest| honest.bytes == bytes) {
            return Some(false);
        }
        for root in roots(&state(&client)) {
            assert!(known.contains(&root), "{root} is signed by nobody: {}", shown());
        }
        Some(false)
    });
}
