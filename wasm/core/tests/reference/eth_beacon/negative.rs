//! Tampered files: patches on captured ones, and the word for why each must be refused.

use std::path::Path;

use lightproof_core::Root;
use lightproof_core::header::light::{Form, LightClient};
use lightproof_core::system::mpt::Mpt;
use lightproof_testkit::{getproof, hex};
use serde_json::Value;

use super::mainnet::{open, shape};
use super::{config, describe, prove, ssz};
use crate::Report;

/// The vectors' words and the codes that core gives for them.
const CODES: [(&str, &[&str]); 13] = [
    ("ACCOUNT_MISMATCH", &["verify.claim"]),
    ("CHECKPOINT_MISMATCH", &["verify.checkpoint"]),
    ("CURRENT_COMMITTEE_BRANCH", &["verify.committee"]),
    ("EXECUTION_BRANCH", &["verify.execution"]),
    ("FINALITY_BRANCH", &["verify.finality"]),
    // Another key's path or another root: the first node differs, or a later one.
    ("MPT_HASH", &["verify.root", "verify.merkle"]),
    ("MPT_SHORT", &["verify.incomplete"]),
    ("NEXT_COMMITTEE_BRANCH", &["verify.committee"]),
    ("NO_PARTICIPANTS", &["verify.participation"]),
    ("PERIOD_SKIP", &["verify.period"]),
    ("SIGNATURE", &["verify.signature"]),
    ("SIGNATURE_ENCODING", &["decode.point"]),
    ("SLOT_ORDER", &["verify.time"]),
];

/// SSZ has one length for a branch, so a padded one cannot be written in it at all.
const UNWRITABLE: &[&str] = &["decode.ssz"];

pub(super) fn run(path: &Path, report: &mut Report) {
    let cases: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    report.files += 1;
    for case in cases.as_array().unwrap() {
        let verdict = judge(path.parent().unwrap(), case);
        report.case(&format!("negative.json: {}", case["name"]), verdict);
    }
}

fn judge(folder: &Path, case: &Value) -> Result<(), String> {
    let base = load(folder, &case["base"])?;
    let mut reply = base.clone();
    let inner = if reply.get("data").is_some() { "data" } else { "result" };
    for patch in case["patch"].as_array().unwrap() {
        apply_patch(&mut reply[inner], patch);
    }
    let word = case["expect"].as_str().unwrap();
    let (_, codes) =
        CODES.iter().find(|(known, _)| *known == word).ok_or(format!("unknown word {word}"))?;
    let same_length = branch_lengths(&base["data"]) == branch_lengths(&reply["data"]);
    let codes = if same_length { *codes } else { UNWRITABLE };
    let code = match case["kind"].as_str().unwrap_or("update") {
        "update" => update(folder, case, &reply)?,
        "bootstrap" => bootstrap(case, &base, &reply),
        "proof" => proof(case, &reply),
        other => return Err(format!("unknown kind {other}")),
    };
    match code {
        Some(code) if codes.contains(&code) => Ok(()),
        Some(code) => Err(format!("{word}: {code} instead of {codes:?}")),
        None => Err(format!("{word}: accepted")),
    }
}

fn update(folder: &Path, case: &Value, reply: &Value) -> Result<Option<&'static str>, String> {
    let mut client = open(&load(folder, &serde_json::json!({ "file": case["bootstrap"] }))?)?;
    for prior in case["prior"].as_array().into_iter().flatten() {
        let prior = load(folder, prior)?;
        let bytes = ssz::update(&prior["data"], shape(&prior));
        client
            .apply(form(&prior["data"]), &bytes, u64::MAX, &mut ())
            .map_err(|error| format!("prior: {}", describe(&error)))?;
    }
    let bytes = ssz::update(&reply["data"], shape(reply));
    let before = client.export();
    let verdict = client.apply(form(&reply["data"]), &bytes, u64::MAX, &mut ());
    if client.export() != before {
        return Err("the store moved".into());
    }
    Ok(verdict.err().map(|error| error.code()))
}

fn bootstrap(case: &Value, base: &Value, reply: &Value) -> Option<&'static str> {
    let own = ssz::root(&base["data"]["header"]["beacon"]);
    let checkpoint = case["checkpoint"].as_str().map_or(own, hex::array);
    let bytes = ssz::bootstrap(&reply["data"], shape(reply));
    let mut client = LightClient::new(&config::mainnet()).unwrap();
    client.bootstrap(&checkpoint, &bytes, &mut ()).err().map(|error| error.code())
}

fn proof(case: &Value, reply: &Value) -> Option<&'static str> {
    let root = getproof::bytes(&case["stateRoot"]);
    let root = Root::<Mpt>::pinned(&(), &root, 0).unwrap();
    prove(&root, &reply["result"]).err().map(|error| error.code())
}

fn form(data: &Value) -> Form {
    match (data.get("next_sync_committee"), data.get("finalized_header")) {
        (Some(_), _) => Form::Update,
        (None, Some(_)) => Form::Finality,
        (None, None) => Form::Optimistic,
    }
}

/// A file, or one update of a file that lists several.
fn load(folder: &Path, at: &Value) -> Result<Value, String> {
    let file = folder.join(at["file"].as_str().ok_or("no file is named")?);
    let text = std::fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let json: Value = serde_json::from_slice(&text).map_err(|error| error.to_string())?;
    Ok(match at["index"].as_u64() {
        Some(index) => json[usize::try_from(index).unwrap()].clone(),
        None => json,
    })
}

/// Sets or deletes what a dotted path leads to.
fn apply_patch(json: &mut Value, change: &Value) {
    let path = change["path"].as_str().unwrap();
    let (parent, last) = path.rsplit_once('.').unwrap_or(("", path));
    let pointer =
        if parent.is_empty() { String::new() } else { format!("/{}", parent.replace('.', "/")) };
    let parent = json.pointer_mut(&pointer).unwrap_or_else(|| panic!("no {path}"));
    let index = last.parse::<usize>();
    if change["delete"].as_bool() == Some(true) {
        match index {
            Ok(index) => drop(parent.as_array_mut().unwrap().remove(index)),
            Err(_) => drop(parent.as_object_mut().unwrap().remove(last)),
        }
    } else {
        match index {
            Ok(index) => parent[index] = change["value"].clone(),
            Err(_) => parent[last] = change["value"].clone(),
        }
    }
}

/// Lengths of every branch in an update or bootstrap.
fn branch_lengths(data: &Value) -> Vec<Option<usize>> {
    ["finality_branch", "next_sync_committee_branch", "current_sync_committee_branch"]
        .iter()
        .map(|name| data[*name].as_array().map(Vec::len))
        .collect()
}
