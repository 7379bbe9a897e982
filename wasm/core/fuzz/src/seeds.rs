//! Corpora from the shared vectors, and from what the fuzzer found before: it starts from bytes that
//! get far into the code.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use lightproof_testkit::getproof::bytes;
use lightproof_testkit::record::{self, list};
use lightproof_testkit::{ask, hex};
use serde_json::Value;

use crate::light::STEPS;

/// Writes the seeds of a target into a directory, one file each, and returns their number.
///
/// # Errors
/// If the directory cannot be written.
///
/// # Panics
/// If the vectors hold fewer seeds than they should: the fuzzer would start from nothing.
pub fn write(target: &str, dir: &Path) -> io::Result<usize> {
    let seeds = of(target);
    let least = match target {
        "light_beacon" => 15,
        "evm_call" => 30,
        "header" => 50,
        "light_steps" => 400,
        _ => 100,
    };
    assert!(seeds.len() >= least, "{target} has {} seeds of at least {least}", seeds.len());
    fs::create_dir_all(dir)?;
    let found = found(target)?;
    for (number, seed) in seeds.iter().chain(&found).enumerate() {
        fs::write(dir.join(format!("seed-{number:05}")), seed)?;
    }
    Ok(seeds.len() + found.len())
}

/// What the fuzzer found before, a line of hex for each input; nothing of a new target.
fn found(target: &str) -> io::Result<Vec<Vec<u8>>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("kept").join(format!("{target}.hex"));
    if !path.exists() {
        return Ok(Vec::new());
    }
    Ok(fs::read_to_string(path)?.lines().map(hex::decode).collect())
}

/// The seeds of a target; of one that is not named here, the proofs of all systems.
fn of(target: &str) -> BTreeSet<Vec<u8>> {
    match target {
        "light_beacon" => {
            (0..3).flat_map(|form| (0..5).map(move |shape| vec![form, shape, 0, 0, 9, 1])).collect()
        }
        "light_steps" => (0_u16..)
            .zip(&STEPS.steps)
            .map(|(number, step)| [&number.to_be_bytes(), &[0xff][..], step.bytes()].concat())
            .collect(),
        "evm_call" => calls(),
        "chain_config" => groups()
            .iter()
            .flat_map(|group| [record::chain(&group["chain"]), record::config(&group["config"])])
            .collect(),
        "claims" => cases(|case| vec![ask::claims(&[record::claim(case)])]),
        "header" => cases(|case| match case["source"].get("header") {
            Some(header) => list(&header["rlps"]).iter().map(bytes).collect(),
            None => Vec::new(),
        }),
        "query" => cases(|case| vec![bytes(&case["query"])]),
        _ => cases(|case| vec![bytes(&case["proof"])]),
    }
}

/// What `seeds` makes of each case of each system.
fn cases(seeds: impl Fn(&Value) -> Vec<Vec<u8>>) -> BTreeSet<Vec<u8>> {
    groups().iter().flat_map(|group| list(&group["tests"])).flat_map(seeds).collect()
}

/// The groups of every file of vectors.
fn groups() -> Vec<Value> {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../test-vectors");
    let entries = fs::read_dir(dir).expect("the shared vectors");
    let paths = entries.map(|entry| entry.expect("the shared vectors").path());
    let mut files: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|end| end == "json")).collect();
    files.sort();
    files
        .iter()
        .map(|path| fs::read(path).expect("the shared vectors"))
        .map(|text| serde_json::from_slice::<Value>(&text).expect("JSON"))
        .filter(|file| file["kind"] == "vectors")
        .flat_map(|file| list(&file["groups"]).to_vec())
        .collect()
}

/// Under each of the target's rules: contracts that read everything, create, and call each other.
fn calls() -> BTreeSet<Vec<u8>> {
    let (friend, other) = ("01".repeat(20), "02".repeat(20));
    let codes = [
        format!("5f545f5260015460205260073160405273{friend}3f60605260806000f3"),
        "6000600060006000f53f60005260206000f3".to_owned(),
        format!("5f5f5f5f5f73{other}5af15f5260205ff3"),
        "4360024303405f5241424544484a60205260406000f3".to_owned(),
        "365f5f375f5f365f5f60025af1503d5f5f3e3d5ff3".to_owned(),
        format!("60017f{}098055", "ff".repeat(32)),
    ];
    let call = |rules: u8, index: u8, code: &str| {
        let code = hex::decode(code);
        let length = u8::try_from(code.len()).expect("a short contract");
        [&[rules, index, length][..], &code, &[0, index]].concat()
    };
    (0..5)
        .flat_map(|rules| (0..).zip(&codes).map(move |(index, code)| call(rules, index, code)))
        .collect()
}
