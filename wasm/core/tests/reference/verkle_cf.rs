//! `verkle-cf/`: a tree of Catalano-Fiore commitments, made by an arkworks model and checked by one
//! on `py_ecc`. Any k that core has, any number of cases.

use std::path::Path;

use lightproof_core::hash::sha256;
use lightproof_core::json::ToJson;
use lightproof_core::system::verkle::{Params, Verkle};
use lightproof_core::system::{System, SystemConfig};
use lightproof_core::{Claim, Rejection, Root, verify};
use lightproof_testkit::{Rlp, hex};
use serde_json::Value;

use super::{Report, entries};

/// Runs every JSON file in `folder`.
pub(super) fn run(folder: &Path, report: &mut Report) {
    for path in entries(folder) {
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let file: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        run_file(&name, &file, report);
    }
}

/// Runs every case of a file.
pub(super) fn run_file(name: &str, file: &Value, report: &mut Report) {
    report.files += 1;
    let params = params(file).unwrap_or_else(|error| panic!("{name}: {error}"));
    for (index, case) in file["cases"].as_array().unwrap().iter().enumerate() {
        let label = case["name"].as_str().unwrap_or("case");
        report.case(&format!("{name} {index} {label}"), judge(file, &params, case));
    }
}

fn params(file: &Value) -> Result<Params, Rejection> {
    let k = u32::try_from(file["k"].as_u64().unwrap()).unwrap();
    let given = &file["verifierParams"];
    let lists = ["h", "hhat"].map(|name| given[name].as_array().unwrap());
    let points: Vec<u8> = lists
        .into_iter()
        .flatten()
        .flat_map(|point| hex::decode(point.as_str().unwrap()))
        .collect();
    let digest = sha256(&[b"KVT-CF-v1", &k.to_be_bytes(), &points]);
    let config = Rlp::list([Rlp::str(format!("verkle/cf-{k}")), Rlp::str(digest.0)]).encode();
    Ok(Verkle::params(&SystemConfig::from_rlp(&config)?, &points)?)
}

/// `value` is what the case claims, `null` absence; `expect` says whether its proof shows that.
fn judge(file: &Value, params: &Params, case: &Value) -> Result<(), String> {
    let expect = case["expect"].as_bool().ok_or("no expectation")?;
    let shown = prove(file, params, case);
    match (expect, shown) {
        (true, Err(rejection)) => Err(rejection.to_string()),
        (false, Ok(fact)) if shows(&fact, case) => Err(format!("accepted: {fact}")),
        (true, Ok(fact)) if !shows(&fact, case) => Err(format!("shows {fact}")),
        (false, Err(Rejection::Input(error))) => Err(format!("the caller's mistake: {error}")),
        _ => Ok(()),
    }
}

fn shows(fact: &str, case: &Value) -> bool {
    let fact: Value = serde_json::from_str(fact).unwrap();
    let shown = &fact["values"][0];
    match case["value"].as_str() {
        Some(value) => shown["value"] == hex::encode(value.as_bytes()),
        None => shown["status"] == "absent",
    }
}

fn prove(file: &Value, params: &Params, case: &Value) -> Result<String, Rejection> {
    let text = |json: &Value| hex::decode(json.as_str().unwrap());
    let root = Root::<Verkle>::pinned(params, &text(&file["root"]), 0)?;
    let query = Rlp::strings([case["key"].as_str().unwrap().as_bytes()]).encode();
    let value = case["value"].as_str().unwrap_or_default();
    let proof = Rlp::list([Rlp::str(value), Rlp::Str(text(&case["proof"]))]).encode();
    let claim = Claim { root: &root, query: &query, variant: "plain", proof: &proof };
    let proven = verify(params, &[claim], [7; 32], &mut ()).remove(0)?;
    let mut json = String::new();
    proven.fact().to_json(&mut json);
    Ok(json)
}
