//! The spec's own tests: a store, and what each step makes of it.

use std::collections::BTreeMap;
use std::path::Path;

use lightproof_core::header::light::{Form, LightClient};
use lightproof_testkit::hex;

use super::{config, describe};
use crate::Report;

/// One step: its name, its values and the two headers that it must lead to.
#[derive(Debug, Default)]
struct Step {
    name: String,
    values: BTreeMap<String, String>,
    /// `finalized_header` and `optimistic_header`: slot and root.
    checks: BTreeMap<String, BTreeMap<String, String>>,
}

pub(super) fn run(folder: &Path, name: &str, report: &mut Report) {
    let read = |file: &str| std::fs::read_to_string(folder.join(file)).unwrap();
    let meta = values(&read("meta.yaml"));
    let validators = hex::array(&meta["genesis_validators_root"]);
    let (chain, seconds) = config::of_yaml(&read("config.yaml"), &validators);
    let mut client = LightClient::new(&chain).unwrap();
    report.files += 1;
    let checkpoint = hex::decode(&meta["trusted_block_root"]);
    let opened =
        client.bootstrap(&checkpoint, &unpack(&folder.join("bootstrap.ssz_snappy")), &mut ());
    let failed = opened.is_err();
    report.case(&format!("{name} bootstrap"), opened.map(drop).map_err(|error| describe(&error)));
    if failed {
        return;
    }
    for (index, step) in steps(&read("steps.yaml")).iter().enumerate() {
        let verdict = take(&mut client, folder, step, seconds);
        report.files += usize::from(step.name == "process_update");
        report.case(&format!("{name} step {index} {}", step.name), verdict);
    }
}

fn take(client: &mut LightClient, folder: &Path, step: &Step, seconds: u64) -> Result<(), String> {
    let now = || step.values["current_slot"].parse::<u64>().unwrap() * seconds;
    match step.name.as_str() {
        "process_update" => {
            let file = folder.join(format!("{}.ssz_snappy", step.values["update"]));
            client
                .apply(Form::Update, &unpack(&file), now(), &mut ())
                .map_err(|error| describe(&error))?;
        }
        "force_update" => {
            client.force(now()).map_err(|error| error.to_string())?;
        }
        // The store holds no containers of a fork: there is nothing to upgrade.
        "upgrade_store" => {}
        other => return Err(format!("unknown step {other}")),
    }
    let state = client.state().unwrap();
    for (name, header) in [("finalized_header", state.finalized), ("optimistic_header", state.head)]
    {
        let expected = step.checks.get(name).ok_or(format!("no check of {name}"))?;
        let root: [u8; 32] = hex::array(&expected["beacon_root"]);
        // The root binds the body, and the body's branch was checked: so the execution root is
        // right.
        if (header.slot.to_string(), header.root.0) != (expected["slot"].clone(), root) {
            return Err(format!("{name} is at {}, expected {}", header.slot, expected["slot"]));
        }
    }
    Ok(())
}

/// A file in snappy's block format.
fn unpack(path: &Path) -> Vec<u8> {
    let packed = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    snap::raw::Decoder::new().decompress_vec(&packed).unwrap()
}

/// Words of YAML in block or flow style, as far as these files use it.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let separators = |c: char| c.is_whitespace() || ['{', '}', ','].contains(&c);
    text.split(separators).filter(|word| !word.is_empty()).map(|word| word.trim_matches('\''))
}

/// Flat keys and values.
fn values(text: &str) -> BTreeMap<String, String> {
    let mut values = BTreeMap::new();
    let mut words = words(text);
    while let Some(key) = words.next() {
        let key = key.trim_end_matches(':').to_owned();
        values.insert(key, words.next().unwrap().to_owned());
    }
    values
}

fn steps(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut words = words(text).peekable();
    let mut header = None;
    while let Some(word) = words.next() {
        if word == "-" {
            let name = words.next().unwrap().trim_end_matches(':').to_owned();
            steps.push(Step { name, ..Step::default() });
            header = None;
            continue;
        }
        let key = word.trim_end_matches(':').to_owned();
        let step = steps.last_mut().unwrap();
        match key.as_str() {
            "checks" => {}
            "finalized_header" | "optimistic_header" => header = Some(key),
            _ => {
                let value = words.next().unwrap().to_owned();
                match &header {
                    Some(header) => {
                        step.checks.entry(header.clone()).or_default().insert(key, value);
                    }
                    None => {
                        step.values.insert(key, value);
                    }
                }
            }
        }
    }
    steps
}
