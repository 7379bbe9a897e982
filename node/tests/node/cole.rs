//! cole on the devnet: every header commits to it, the window is provable, also after a restart.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use lightproof_core::system::cole::Cole;
use lightproof_node::service::Service;
use lightproof_node::system::{self, find_lie};
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::workload::block_writes;
use lightproof_prover::hex;
use lightproof_prover::rng::Rng;
use lightproof_prover::system::cole::key::Address;
use lightproof_prover::system::cole::prove::Query;
use lightproof_prover::system::cole::{self, Format, Kind};
use serde_json::{Value, json};

use crate::client::Client;
use crate::lies::lies_of;
use crate::model::Model;

const SEED: u64 = 21;
const HEAD: u64 = 45;
const WINDOW: u64 = 8;

/// Versions of every slot: address ‖ slot, then block.
type Versions = BTreeMap<Address, BTreeMap<u64, [u8; 32]>>;

fn versions() -> Versions {
    let (mut model, mut versions) = (Model::default(), Versions::new());
    for block in 0..=HEAD {
        let writes = block_writes(SEED, block, &model).unwrap();
        for (key, value) in writes.key_values() {
            versions.entry(key).or_default().insert(block, value.unwrap_or_default());
        }
        model.apply(&writes);
    }
    versions
}

fn open(directory: &Path, format: Format, kind: Kind) -> Service {
    try_open(directory, format, kind).unwrap()
}

fn try_open(directory: &Path, format: Format, kind: Kind) -> Result<Service, String> {
    Ok(Service::new(Arc::new(node(directory, format, kind)?), None))
}

fn node(directory: &Path, format: Format, kind: Kind) -> Result<Chain, String> {
    let cole =
        cole::Config { format, kind, capacity: 40, window: WINDOW, ..cole::Config::default() };
    Chain::of_workload(directory, system::config(SEED, 16).with(cole))
        .map_err(|error| error.to_string())
}

/// Asks the node, verifies the reply under its header, and returns the fact.
fn prove(service: &Service, block: u64, query: &Query) -> Result<Value, i64> {
    let verdict = verdict(service, block, query)?;
    assert_eq!(verdict["status"], "proven", "{verdict}");
    Ok(verdict["fact"].clone())
}

/// The verdict on what a client is answered.
fn verdict(service: &Service, block: u64, query: &Query) -> Result<Value, i64> {
    Client::<Cole>::of(service).ask(service, block, &query.encode(), &["plain"])
}

fn check(service: &Service, versions: &Versions, rng: &mut Rng, block: u64) {
    let addresses: Vec<_> = versions.keys().copied().collect();
    let address = rng.pick(&addresses);
    let known = &versions[&address];
    let from = rng.below(block + 1);
    let number = |block: u64| u32::try_from(block).unwrap();
    let range = Query { as_of: false, address, from: number(from), to: number(block) };
    let fact = prove(service, block, &range).unwrap();
    let packed =
        |(block, value): (&u64, &[u8; 32])| [&number(*block).to_be_bytes(), &value[..]].concat();
    let expected: Vec<u8> = known.range(from..=block).flat_map(packed).collect();
    let expected = json!(hex::encode(&expected));
    assert_eq!((&fact["complete"], &fact["versions"]), (&json!(true), &expected));
    let latest = Query { as_of: true, address, from: u32::MAX, to: u32::MAX };
    let fact = prove(service, block, &latest).unwrap();
    let expected = known.range(..=block).next_back().map_or(json!({ "status": "absent" }), |(block, value)| {
        json!({ "status": "present", "block": hex::quantity(*block), "value": hex::encode(value) })
    });
    assert_eq!(fact["value"], expected);
}

#[test]
fn the_window_is_provable_before_and_after_a_restart_in_every_configuration() {
    let versions = versions();
    let formats = [Format::One, Format::Fast24 { filters: true }];
    for (format, kind) in
        formats.into_iter().flat_map(|one| [(one, Kind::Cole), (one, Kind::ColeStar)])
    {
        let directory = tempfile::tempdir().unwrap();
        let mut rng = Rng::new(SEED, "cole-node", 0);
        let service = open(directory.path(), format, kind);
        service.node().produce(HEAD - 5).unwrap();
        for _ in 0..5 {
            service.node().produce(1).unwrap();
        }
        let mut service = Some(service);
        for _ in 0..2 {
            let running = service.take().unwrap_or_else(|| open(directory.path(), format, kind));
            for block in HEAD + 1 - WINDOW..=HEAD {
                for _ in 0..4 {
                    check(&running, &versions, &mut rng, block);
                }
            }
            let old = Query { as_of: true, address: [1; 52], from: 0, to: 0 };
            assert_eq!(prove(&running, HEAD - WINDOW, &old), Err(-32_012));
        }
    }
}

#[test]
fn a_directory_of_another_configuration_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    drop(open(directory.path(), Format::One, Kind::Cole));
    let cole = cole::Config {
        kind: Kind::ColeStar,
        capacity: 40,
        window: WINDOW,
        ..cole::Config::default()
    };
    let error =
        Chain::of_workload(directory.path(), system::config(SEED, 16).with(cole)).unwrap_err();
    assert!(error.to_string().contains("cole"), "{error}");
}

#[test]
fn a_damaged_run_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let service = open(directory.path(), Format::One, Kind::Cole);
    service.node().produce(HEAD).unwrap();
    drop(service);
    for extension in ["val", "idx", "mht", "flt"] {
        let runs = std::fs::read_dir(directory.path().join("cole")).unwrap();
        let mut runs = runs.map(|file| file.unwrap().path());
        let path = runs.find(|path| path.extension().is_some_and(|one| one == extension)).unwrap();
        let whole = std::fs::read(&path).unwrap();
        for damaged in [whole[..whole.len() - 1].to_vec(), flipped(&whole), Vec::new()] {
            std::fs::write(&path, damaged).unwrap();
            let error = try_open(directory.path(), Format::One, Kind::Cole).unwrap_err();
            assert!(error.contains(&path.display().to_string()), "{error}");
        }
        std::fs::write(&path, whole).unwrap();
    }
    let service = open(directory.path(), Format::One, Kind::Cole);
    assert_eq!(service.node().produce(1).unwrap().len(), 1);
}

fn flipped(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    bytes
}

/// The lies, and what the verifier must answer to each about a range in the middle of a slot's
/// history: where the newest version stands in memory, and where it stands in a run.
const LIES: &[(&str, [&str; 2])] = &[
    ("cole-version-omitted", ["verify.incomplete", "verify.surplus"]),
    ("cole-version-forged", ["verify.root", "verify.root"]),
    ("cole-version-moved", ["verify.root", "verify.root"]),
    ("cole-predecessor-hidden", ["verify.path", "verify.path"]),
    ("cole-source-skipped", ["verify.source", "verify.source"]),
    ("cole-source-closed", ["verify.source", "verify.source"]),
    ("cole-stale", ["verify.root", "verify.root"]),
    ("cole-other-address", ["verify.boundary", "verify.boundary"]),
    ("cole-range-narrowed", ["verify.source", "verify.source"]),
];

#[test]
fn lies_about_histories_are_rejected() {
    let tested: Vec<_> = LIES.iter().map(|(name, _)| *name).collect();
    assert_eq!(tested, lies_of("cole").map(|lie| lie.name).collect::<Vec<_>>());
    let versions = versions();
    // A slot that is written often, first among those of its account that are: entries stand on
    // both sides.
    let (address, known) = versions.iter().find(|(_, known)| known.len() > 9).unwrap();
    let blocks: Vec<u32> = known.keys().map(|block| u32::try_from(*block).unwrap()).collect();
    let range = Query { as_of: false, address: *address, from: blocks[2], to: u32::MAX };
    let value = Query { as_of: true, from: u32::MAX, ..range };
    for (index, kind) in [Kind::Cole, Kind::ColeStar].into_iter().enumerate() {
        let directory = tempfile::tempdir().unwrap();
        let node = Arc::new(node(directory.path(), Format::One, kind).unwrap());
        node.produce(HEAD).unwrap();
        let honest = Service::new(Arc::clone(&node), None);
        for query in [&range, &value] {
            prove(&honest, HEAD, query).unwrap();
        }
        let mut codes = Vec::new();
        for (name, _) in LIES {
            let liar = Service::new(Arc::clone(&node), find_lie(name));
            let verdict = verdict(&liar, HEAD, &range).unwrap();
            codes.push((*name, verdict["code"].as_str().unwrap_or("none").to_owned()));
            // Whatever a lie makes of the latest value, it is refused, or the truth.
            let answer = self::verdict(&liar, HEAD, &value).unwrap();
            if answer["status"] == "proven" {
                assert_eq!(answer["fact"], prove(&honest, HEAD, &value).unwrap(), "{name}");
            }
        }
        let expected: Vec<_> =
            LIES.iter().map(|(name, codes)| (*name, codes[index].to_owned())).collect();
        assert_eq!(codes, expected, "{kind:?}");
    }
}
