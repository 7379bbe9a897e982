//! Records of the one file schema (vectors, proof files, bench cases) as core's entry takes them.

use serde_json::Value;

use crate::ask::{Claim, Source};
use crate::getproof::bytes;
use crate::rlp::Rlp;

/// RLP of a record's chain.
pub fn chain(json: &Value) -> Vec<u8> {
    let id = json["chainId"].as_u64().unwrap_or_else(|| panic!("no chain id: {json}"));
    let hash = Rlp::Str(bytes(&json["genesisHash"]));
    let parts = [Rlp::str(text(&json["kind"])), Rlp::uint(id), hash];
    Rlp::list(parts.into_iter().chain(json.get("consensus").map(consensus))).encode()
}

/// A devnet's committees, or the beacon chain's.
fn consensus(json: &Value) -> Rlp {
    let number = |name: &str| Rlp::uint(json[name].as_u64().unwrap_or_default());
    if json.get("periodLength").is_some() {
        let names = ["committeeSize", "periodLength"];
        let said = names.into_iter().filter(|name| json.get(name).is_some());
        return Rlp::list(said.map(number));
    }
    let forks = list(&json["forks"]).iter().map(|fork| {
        let epoch = Rlp::uint(fork["epoch"].as_u64().unwrap_or_default());
        Rlp::list([epoch, Rlp::Str(bytes(&fork["version"])), Rlp::str(text(&fork["shape"]))])
    });
    let names =
        ["committeeSize", "slotsPerEpoch", "epochsPerPeriod", "secondsPerSlot", "genesisTime"];
    let root = Rlp::Str(bytes(&json["genesisValidatorsRoot"]));
    Rlp::list(names.map(number).into_iter().chain([root, Rlp::list(forks)]))
}

/// RLP of a record's system configuration.
pub fn config(json: &Value) -> Vec<u8> {
    let digest = json.get("paramsDigest").map(bytes).unwrap_or_default();
    Rlp::list([Rlp::str(text(&json["format"])), Rlp::Str(digest)]).encode()
}

/// The public parameters that a configuration brings along; empty if it brings none.
pub fn params(json: &Value) -> Vec<u8> {
    json.get("params").map(bytes).unwrap_or_default()
}

/// The claim that a record makes.
pub fn claim(json: &Value) -> Claim {
    Claim {
        source: source(&json["source"]),
        query: bytes(&json["query"]),
        variant: text(&json["variant"]).to_owned(),
        proof: bytes(&json["proof"]),
    }
}

fn source(json: &Value) -> Source {
    match (json.get("header"), json.get("root")) {
        (Some(header), None) => Source::Header {
            hash: bytes(&header["hash"]),
            rlps: list(&header["rlps"]).iter().map(bytes).collect(),
        },
        (None, Some(root)) => Source::Root {
            number: u64::from_str_radix(text(&root["number"]).trim_start_matches("0x"), 16)
                .unwrap_or_else(|error| panic!("{error}: {root}")),
            bytes: bytes(&root["bytes"]),
        },
        _ => panic!("not a source: {json}"),
    }
}

/// A JSON string.
pub fn text(json: &Value) -> &str {
    json.as_str().unwrap_or_else(|| panic!("not a string: {json}"))
}

/// A JSON list.
pub fn list(json: &Value) -> &[Value] {
    json.as_array().unwrap_or_else(|| panic!("not a list: {json}"))
}
