//! `lmpt-conflux/`: proofs of Conflux's storage crate. A file's form is read off its content.

use std::path::Path;

use lightproof_core::system::lmpt::Lmpt;
use lightproof_core::system::{System, SystemConfig};
use lightproof_core::{Claim, Rejection, Root, verify};
use lightproof_testkit::{Rlp, hex};
use serde_json::Value;

use super::{Report, entries, say};
use lightproof_core::json::ToJson;

/// Runs every JSON file in `folder`.
pub(super) fn run(folder: &Path, report: &mut Report) {
    for path in entries(folder) {
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let file: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let Some(cases) = file["cases"].as_array() else {
            say(&format!("{name}: not run, it holds no cases"));
            continue;
        };
        report.files += 1;
        for (index, case) in cases.iter().enumerate() {
            let verdict = if case.get("storageRoot").is_some() {
                storage_root(&file, case)
            } else {
                state_proof(&file, case)
            };
            let id = case["id"].as_str().map_or_else(|| index.to_string(), str::to_owned);
            report.case(&format!("{name} {id}"), verdict);
        }
    }
}

/// `expect` says whether the proof shows `claimedValue`.
fn state_proof(file: &Value, case: &Value) -> Result<(), String> {
    let expect = case["expect"].as_bool().ok_or("no expectation")?;
    let claimed = &case["claimedValue"];
    let shown = match prove(file, case, "stateProofRlp", 0) {
        Ok(fact) => {
            let fact: Value = serde_json::from_str(&fact).map_err(|error| error.to_string())?;
            let value = &fact["values"][0]["value"];
            if value == claimed { Ok(()) } else { Err(format!("shows {fact}")) }
        }
        Err(Rejection::Input(error)) if expect => Err(format!("the caller's mistake: {error}")),
        Err(rejection) => Err(rejection.to_string()),
    };
    match (expect, shown) {
        (true, Err(complaint)) => Err(complaint),
        (false, Ok(())) => Err("accepted".into()),
        _ => Ok(()),
    }
}

fn storage_root(file: &Value, case: &Value) -> Result<(), String> {
    let fact = prove(file, case, "proofRlp", 1).map_err(|rejection| rejection.to_string())?;
    let fact: Value = serde_json::from_str(&fact).map_err(|error| error.to_string())?;
    let expected = &case["storageRoot"];
    let same = ["delta", "intermediate", "snapshot"]
        .iter()
        .all(|layer| fact["values"][0]["storageRoots"][layer] == expected[layer]);
    if same { Ok(()) } else { Err(format!("shows {fact}, expected {expected}")) }
}

fn prove(file: &Value, case: &Value, proof: &str, form: u64) -> Result<String, Rejection> {
    let field = |name: &str| case.get(name).unwrap_or(&file[name]);
    let (current, previous) = (field("stateRoot"), field("prevSnapshotStateRoot"));
    // What a client has from headers; where a file leaves the hash out, the triple is honest.
    let mut root = trusted(&file["stateRootHash"], current);
    if previous_exists(file, case) {
        root.extend(trusted(&file["prevSnapshotStateRootHash"], previous));
    }
    let raw = hex::decode(case[proof].as_str().unwrap());
    let mut items = triple(current);
    items.push(if previous.is_null() { Rlp::list([]) } else { Rlp::list(triple(previous)) });
    items.push(Rlp::list([Rlp::Raw(raw)]));
    let proof = Rlp::list(items).encode();
    let key = hex::decode(case["key"].as_str().unwrap());
    let question = if form == 0 { Rlp::str(key) } else { Rlp::list([Rlp::str(key)]) };
    let query = Rlp::list([question]).encode();
    let config = Rlp::list([Rlp::str("lmpt/conflux"), Rlp::str([])]).encode();
    let params = Lmpt::params(&SystemConfig::from_rlp(&config)?, &[])?;
    let root = Root::<Lmpt>::pinned(&params, &root, 0)?;
    let claim = Claim { root: &root, query: &query, variant: "plain", proof: &proof };
    let proven = verify(&params, &[claim], [0; 32], &mut ()).remove(0)?;
    let mut json = String::new();
    proven.fact().to_json(&mut json);
    Ok(json)
}

fn previous_exists(file: &Value, case: &Value) -> bool {
    !file["prevSnapshotStateRootHash"].is_null()
        || (file.get("prevSnapshotStateRootHash").is_none()
            && case.get("prevSnapshotStateRoot").is_some_and(|previous| !previous.is_null()))
}

fn trusted(hash: &Value, roots: &Value) -> Vec<u8> {
    if let Some(hash) = hash.as_str() {
        return hex::decode(hash);
    }
    let joined: Vec<u8> = ROOTS.iter().flat_map(|name| root(roots, name)).collect();
    lightproof_testkit::keccak(&joined).to_vec()
}

/// The three roots of a file's triple, in the order in which they are hashed.
const ROOTS: [&str; 3] = ["snapshotRoot", "intermediateDeltaRoot", "deltaRoot"];

fn root(roots: &Value, name: &str) -> Vec<u8> {
    hex::decode(roots[name].as_str().unwrap())
}

fn triple(roots: &Value) -> Vec<Rlp> {
    ROOTS.iter().map(|name| Rlp::str(root(roots, name))).collect()
}
