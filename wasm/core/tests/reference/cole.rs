//! `cole/`: proofs of the authors' own implementation, honest and tampered, in format
//! `cole/fast24`.
//!
//! A record describes itself: fanout, size ratio, system, block and query stand in it, so files
//! made with other parameters, or without filters, run too.

use std::collections::BTreeMap;
use std::path::Path;

use lightproof_core::hash::keccak256;
use lightproof_core::system::cole::{Cole, Fact, Params, Predecessor, Version};
use lightproof_core::system::{System, SystemConfig};
use lightproof_core::{Claim, Presence, Rejection, Root, verify};
use lightproof_testkit::{Rlp, hex};
use serde_json::Value;

use super::{Report, entries, say};

/// Filters by name: the bytes that the authors hash.
type Filters = BTreeMap<String, Vec<u8>>;

/// Runs every file of records in `folder`.
pub(super) fn run(folder: &Path, report: &mut Report) {
    let named = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    // A set without filters may leave them out.
    let blooms = entries(folder).into_iter().filter(|path| named(path).starts_with("blooms"));
    let filters: Filters = blooms.flat_map(|path| filters(&read(&path))).collect();
    for path in entries(folder) {
        let name = named(&path);
        // The prover's tests rebuild the headers from the data set.
        let inputs = ["README", "blooms", "dataset", "headers_"];
        if inputs.iter().any(|input| name.starts_with(input)) {
            continue;
        }
        let Some(records) = read(&path).as_array().cloned() else {
            say(&format!("{name}: NOT RUN, no list of records"));
            continue;
        };
        report.files += 1;
        for record in &records {
            let name = format!("{name} {}", record["id"].as_str().unwrap_or("?"));
            report.case(&name, judge(record, &filters));
        }
    }
}

fn read(path: &Path) -> Value {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&bytes).unwrap()
}

fn judge(record: &Value, filters: &Filters) -> Result<(), String> {
    let query = &record["query"];
    let address: [u8; 52] = hex::array(text(&query["addr"]));
    let (from, to) = (number(&query["blk_l"]), number(&query["blk_u"]));
    let asked = rlp_query(0, &address, from, to);
    let proof = proof(&record["proof"], filters).encode();
    let verdict = prove(record, &asked, &proof);
    match text(&record["expected"]) {
        "reject" => match verdict {
            Err(Rejection::Decode(_) | Rejection::Verify(_)) => Ok(()),
            Err(rejection) => Err(format!("blamed on the caller: {}", describe(&rejection))),
            Ok(fact) => Err(format!("a false proof gave {fact:?}")),
        },
        // A range that begins after the root's block: refused, since nothing is known of it.
        "accept"
            if matches!(&verdict, Err(Rejection::Verify(error)) if error.code() == "verify.query")
                && record["truth"]["results"].as_array().is_some_and(Vec::is_empty)
                && from > number(&record["height"]) =>
        {
            Ok(())
        }
        "accept" => {
            let fact = verdict.map_err(|rejection| describe(&rejection))?;
            let known = compare(&fact, record)?;
            as_of(record, &address, from, to, &proof, known)
        }
        other => Err(format!("a verdict of unknown form: {other}")),
    }
}

/// The proven history against the plain map; whether the predecessor was proven.
fn compare(fact: &Fact, record: &Value) -> Result<bool, String> {
    let Fact::History(history) = fact else { return Err(format!("not a history: {fact:?}")) };
    let truth = &record["truth"];
    let expected: Vec<Version> = truth["results"].as_array().unwrap().iter().map(version).collect();
    let versions: Vec<Version> = history.versions().collect();
    if versions != expected {
        return Err(format!("proven {versions:?}, the truth is {expected:?}"));
    }
    // Control records of the tampered file leave it out.
    let Some(before) = truth.get("predecessor") else { return Ok(false) };
    let before = (!before.is_null()).then(|| version(before));
    match history.predecessor {
        Predecessor::Proven(proven) if Some(proven) != before => {
            Err(format!("proven predecessor {proven:?}, the truth is {before:?}"))
        }
        Predecessor::None if before.is_some() => Err(format!("no predecessor, but {before:?}")),
        Predecessor::NotProven => Ok(false),
        Predecessor::Proven(_) | Predecessor::None => Ok(true),
    }
}

/// A range of one block also tells the value as of that block, if it holds a version or its
/// predecessor is proven.
fn as_of(
    record: &Value,
    address: &[u8; 52],
    from: u64,
    to: u64,
    proof: &[u8],
    known: bool,
) -> Result<(), String> {
    let truth = &record["truth"];
    if from != to || truth.get("predecessor").is_none() {
        return Ok(());
    }
    let inside = truth["results"].as_array().unwrap().last();
    let newest = inside.or(Some(&truth["predecessor"]).filter(|before| !before.is_null()));
    let expected = newest.map_or(Presence::Absent, |pair| Presence::Present(version(pair)));
    match prove(record, &rlp_query(1, address, to, to), proof) {
        Ok(Fact::AsOf { value, .. }) if value == expected && (known || inside.is_some()) => Ok(()),
        Err(rejection) if !known && rejection.code() == "verify.incomplete" => Ok(()),
        other => Err(format!("as of {to}: {other:?}, the truth is {expected:?}")),
    }
}

fn prove(record: &Value, query: &[u8], proof: &[u8]) -> Result<Fact, Rejection> {
    let params = params(record);
    let digest = hex::decode(text(&record["h_state"]));
    let root = Root::<Cole>::pinned(&params, &digest, number(&record["height"]))?;
    let claim = Claim { root: &root, query, variant: "plain", proof };
    verify(&params, &[claim], [0; 32], &mut ()).remove(0).map(|proven| proven.fact().clone())
}

fn params(record: &Value) -> Params {
    let system = match text(&record["system"]) {
        "cole" => 0,
        "cole_star" => 1,
        other => panic!("unknown system {other}"),
    };
    let params = &record["params"];
    let (fanout, ratio) = (number(&params["fanout"]), number(&params["size_ratio"]));
    let bytes = Rlp::list([system, fanout, ratio].map(Rlp::uint)).encode();
    let config = SystemConfig { format: b"cole/fast24", params_digest: Some(keccak256(&bytes)) };
    Cole::params(&config, &bytes).unwrap()
}

fn rlp_query(mode: u64, address: &[u8; 52], from: u64, to: u64) -> Vec<u8> {
    Rlp::list([Rlp::uint(mode), Rlp::str(address), Rlp::uint(from), Rlp::uint(to)]).encode()
}

/// The record's proof in our bytes; claims that contradict each other stay as they are.
fn proof(proof: &Value, filters: &Filters) -> Rlp {
    let levels = items(&proof["levels"]).iter();
    let level = |level: &Value| Rlp::list(items(level).iter().map(|one| sorted_run(one, filters)));
    Rlp::list([Rlp::list(items(&proof["mem"]).iter().map(memory)), Rlp::list(levels.map(level))])
}

fn memory(memory: &Value) -> Rlp {
    let depths = items(&memory["levels"]);
    if memory["results"].is_null() && depths.is_empty() {
        return Rlp::list([]);
    }
    let depth = |depth: &Value| Rlp::list(items(depth).iter().map(node));
    Rlp::list([packed_entries(&memory["results"]), Rlp::list(depths.iter().map(depth))])
}

fn node(node: &Value) -> Rlp {
    let claims = [Rlp::uint(number(&node["start"])), Rlp::uint(number(&node["end"]))];
    let content = match text(&node["kind"]) {
        "leaf" => vec![packed_entries(&node["kvs"])],
        "inner" => vec![packed(&node["keys"]), packed(&node["child_hashes"])],
        other => panic!("unknown node {other}"),
    };
    Rlp::list(claims.into_iter().chain(content))
}

fn sorted_run(run: &Value, filters: &Filters) -> Rlp {
    let form = match text(&run["kind"]) {
        "range" => vec![
            Rlp::uint(0),
            Rlp::uint(number(&run["l"])),
            Rlp::uint(number(&run["r"])),
            packed_entries(&run["entries"]),
            Rlp::list(items(&run["layers"]).iter().map(packed)),
            Rlp::str(run["filter_hash"].as_str().map_or_else(Vec::new, hex::decode)),
        ],
        "bloom" => vec![
            Rlp::uint(1),
            Rlp::str(hex::decode(text(&run["mht_root"]))),
            Rlp::str(&filters[text(&run["filter_ref"])]),
        ],
        "hash" => {
            let digest = [Rlp::uint(2), Rlp::str(hex::decode(text(&run["digest"])))];
            // Results attached to a closed run.
            digest.into_iter().chain(run.get("entries").map(packed_entries)).collect()
        }
        other => panic!("unknown run {other}"),
    };
    Rlp::list(form)
}

/// The authors' bincode of each filter.
fn filters(blooms: &Value) -> Filters {
    let bincode = |filter: &Value| {
        let partitions = items(&filter["blooms"]);
        let mut out = (partitions.len() as u64).to_le_bytes().to_vec();
        for partition in partitions {
            let bits = hex::decode(text(&partition["buffer"]));
            out.extend((bits.len() as u64).to_le_bytes());
            out.extend(bits);
            out.extend(number(&partition["num_slices"]).to_le_bytes());
        }
        let rest = FILTER_FIELDS.map(|field| &filter[field]);
        out.extend(rest[0].as_f64().unwrap().to_le_bytes());
        for field in &rest[1..] {
            out.extend(number(field).to_le_bytes());
        }
        out
    };
    let named = blooms.as_object().unwrap().iter();
    named.map(|(name, filter)| (name.clone(), bincode(filter))).collect()
}

const FILTER_FIELDS: [&str; 4] = ["desired_error_prob", "est_insertions", "inserts", "capacity"];

fn version(pair: &Value) -> Version {
    Version { block: number(&pair[0]).try_into().unwrap(), value: hex::array(text(&pair[1])) }
}

/// Fixed-size records, one after the other.
fn packed(list: &Value) -> Rlp {
    Rlp::str(items(list).iter().flat_map(|item| hex::decode(text(item))).collect::<Vec<u8>>())
}

fn packed_entries(list: &Value) -> Rlp {
    let pairs = items(list).iter().flat_map(items);
    Rlp::str(pairs.flat_map(|item| hex::decode(text(item))).collect::<Vec<u8>>())
}

fn items(list: &Value) -> &[Value] {
    list.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("not a string: {value}"))
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("not an integer: {value}"))
}

fn describe(rejection: &Rejection) -> String {
    format!("{}: {rejection}", rejection.code())
}
