//! `H_state` of every block of the authors' data set, from outside the repository.

use std::path::{Path, PathBuf};

use lightproof_prover::store::blobs::Directory;
use lightproof_prover::system::cole::Kind;
use lightproof_prover::system::cole::config::{Config, Format};
use lightproof_prover::system::cole::engine::Engine;
use lightproof_prover::system::cole::key::Address;
use serde_json::Value;
use sha3::Digest as _;

use super::model::scratch;

const VARIABLE: &str = "LIGHTPROOF_REFERENCE_VECTORS";

fn folder() -> Option<PathBuf> {
    let set = std::env::var_os(VARIABLE).map(PathBuf::from);
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/vectors");
    let folder = set.unwrap_or(default).join("cole");
    folder.is_dir().then_some(folder)
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn bytes<const N: usize>(hex: &Value) -> [u8; N] {
    let hex = hex.as_str().unwrap();
    std::array::from_fn(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).unwrap())
}

fn number<T: TryFrom<u64>>(value: &Value) -> T {
    T::try_from(value.as_u64().unwrap()).unwrap_or_else(|_| panic!("{value} is too large"))
}

type Writes = Vec<(Address, [u8; 32])>;

/// Writes of every block, from block 1 on.
fn blocks(dataset: &Value) -> Vec<Writes> {
    let addresses: Vec<Address> =
        dataset["addresses"].as_array().unwrap().iter().map(bytes).collect();
    let blocks = dataset["blocks"].as_array().unwrap().iter().enumerate().skip(1);
    let writes = |(block, indices): (usize, &Value)| {
        let block = u32::try_from(block).unwrap().to_be_bytes();
        let write = |index: &Value| {
            let address = addresses[number::<usize>(index)];
            let value = blake2::Blake2b::<blake2::digest::consts::U32>::new_with_prefix(address);
            (address, value.chain_update(block).finalize().into())
        };
        let mut writes: Writes = indices.as_array().unwrap().iter().map(write).collect();
        writes.sort_unstable();
        writes
    };
    blocks.map(writes).collect()
}

#[test]
fn rebuilds_every_header_of_the_authors_data_set() {
    let Some(folder) = folder() else {
        eprintln!(
            "SKIPPED: no folder ../shared/vectors/cole beside the repository; set {VARIABLE}"
        );
        return;
    };
    let blocks = blocks(&read(&folder.join("dataset.json")));
    let mut files = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.starts_with("headers_") {
            headers(&name, &read(&path), &blocks);
            files += 1;
        }
    }
    assert!(files > 0, "no headers in {}", folder.display());
}

fn headers(name: &str, headers: &Value, blocks: &[Writes]) {
    let directory = scratch();
    let params = &headers["params"];
    let runs = || {
        headers["structures"].as_array().unwrap().iter().flat_map(|one| {
            one["levels"]
                .as_array()
                .unwrap()
                .iter()
                .flat_map(|level| level["runs"].as_array().unwrap())
        })
    };
    let filters = runs().any(|run| !run["filter_hash"].is_null());
    let config = Config {
        format: Format::Fast24 { filters },
        kind: match headers["system"].as_str().unwrap() {
            "cole" => Kind::Cole,
            "cole_star" => Kind::ColeStar,
            other => panic!("unknown system {other}"),
        },
        fanout: number(&params["fanout"]),
        ratio: number(&params["size_ratio"]),
        capacity: number(&params["base_state_num"]),
        epsilon: 23,
        window: 8,
    };
    let mut engine = Engine::create(Directory::files(directory.path()), config).unwrap();
    let expected = headers["h_state_after_block"].as_array().unwrap();
    assert_eq!(expected.len(), blocks.len());
    for ((block, writes), state) in (1..).zip(blocks).zip(expected) {
        let applied = engine.apply(block, writes).unwrap();
        assert_eq!(applied.state, bytes::<32>(state), "{name}: block {block}");
        engine.durable().unwrap();
    }
}
