//! `balanceproofs/`: the authors' own proofs, re-checked by an independent program, and hinted ones
//! of a prototype. A file's form is read off its content.
//!
//! Files name index sets in a query *and* in the proof. Ours take them from the query alone, so a
//! proof that names others has no form here, and counts as refused.

pub(super) mod setup;

use std::path::Path;

use ark_bls12_381::Fr;
use lightproof_core::error::Span;
use lightproof_core::system::balanceproofs::BalanceProofs;
use lightproof_core::wire::{Bytes, scalar};
use lightproof_core::{Claim, Rejection, Root, verify};
use lightproof_testkit::{Rlp, hex};
use serde_json::Value;

use super::{Report, entries, say};
use setup::{Setup, bytes, number, texts};

/// A claim of a file.
struct Case {
    name: String,
    root: Vec<u8>,
    /// Nothing if the file's proof has no form of ours.
    parts: Option<Parts>,
    valid: bool,
}

pub(super) struct Parts {
    pub(super) positions: Vec<u64>,
    pub(super) values: Vec<u8>,
    pub(super) variant: &'static str,
    pub(super) points: Vec<u8>,
}

/// Runs every JSON file in `folder`.
pub(super) fn run(folder: &Path, report: &mut Report) {
    for path in entries(folder) {
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let file: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        if let Some(cases) = file["cases"].as_array() {
            report.files += 1;
            for (index, case) in cases.iter().enumerate() {
                hinted(folder, &format!("{name} {index}"), case, report);
            }
        } else if file.get("g1_must_reject").is_some() {
            report.files += 1;
            encodings(&name, &file, report);
        } else if file["vector"].is_array() || file["individual"].is_array() {
            report.files += 1;
            let setup = Setup::of(folder, &file);
            judge(&setup, cases(&name, &file, &setup), report);
        } else {
            say(&format!("{name}: not run, it holds no cases"));
        }
    }
}

/// Claims that hold together are checked together; false ones by themselves.
fn judge(setup: &Setup, cases: Vec<Case>, report: &mut Report) {
    let params = setup.prepared();
    let root = |case: &Case| Root::<BalanceProofs>::pinned(&params, &case.root, 0);
    let (valid, invalid): (Vec<Case>, Vec<Case>) = cases.into_iter().partition(|case| case.valid);
    let together: Vec<_> = valid
        .iter()
        .filter_map(|case| Some((case, root(case).ok()?, case.parts.as_ref()?.encode())))
        .collect();
    let claims: Vec<_> = together
        .iter()
        .map(|(case, root, (query, proof))| {
            let variant = case.parts.as_ref().unwrap().variant;
            Claim { root, query, variant, proof }
        })
        .collect();
    let mut verdicts = verify(&params, &claims, [3; 32], &mut ()).into_iter();
    for case in &valid {
        let read = together.iter().any(|(other, ..)| other.name == case.name);
        let verdict = if read { verdicts.next().unwrap().map(|_| ()) } else { Ok(()) };
        let complaint = verdict.map_err(|rejection| rejection.to_string());
        report.case(&case.name, if read { complaint } else { Err("not read".into()) });
    }
    for case in &invalid {
        let accepted = case.parts.as_ref().is_some_and(|parts| {
            let Ok(root) = root(case) else { return false };
            let (query, proof) = parts.encode();
            let claim = Claim { root: &root, query: &query, variant: parts.variant, proof: &proof };
            verify(&params, &[claim], [4; 32], &mut ()).remove(0).is_ok()
        });
        report.case(&case.name, if accepted { Err("accepted".into()) } else { Ok(()) });
    }
}

impl Parts {
    /// Query and proof, sorted by position as the API does; duplicates stay.
    pub(super) fn encode(&self) -> (Vec<u8>, Vec<u8>) {
        let mut pairs: Vec<_> = self.positions.iter().zip(self.values.chunks(32)).collect();
        pairs.sort_by_key(|(position, _)| **position);
        let query = Rlp::list(pairs.iter().map(|(position, _)| Rlp::uint(**position))).encode();
        let values: Vec<u8> = pairs.iter().flat_map(|(_, value)| value.to_vec()).collect();
        (query, Rlp::list([Rlp::str(values), Rlp::str(&self.points)]).encode())
    }
}

/// Every claim of a file about one vector.
fn cases(name: &str, file: &Value, setup: &Setup) -> Vec<Case> {
    let mut all = Vec::new();
    let mut add = |what: String, root: &Value, claim: &Value| {
        let root = hex::decode(claim.get("commitment").unwrap_or(root).as_str().unwrap());
        let valid = claim["valid"].as_bool().unwrap();
        let name = format!("{name} {what}");
        for (variant, parts) in setup.parts(claim) {
            let name = format!("{name} {variant}");
            all.push(Case { name, root: root.clone(), parts, valid });
        }
    };
    let root = &file["commitment"];
    for group in ["individual", "aggregate", "tampered"] {
        for (index, claim) in file[group].as_array().into_iter().flatten().enumerate() {
            let kind = claim["kind"].as_str().unwrap_or_default();
            add(format!("{group} {index} {kind}"), root, claim);
        }
    }
    for (index, snapshot) in file["snapshots"].as_array().into_iter().flatten().enumerate() {
        let root = &snapshot["commitment"];
        for claim in snapshot["individual"].as_array().into_iter().flatten() {
            add(format!("snapshot {index} individual {}", claim["index"]), root, claim);
        }
        for claim in ["aggregate", "stale", "stale2"] {
            if snapshot[claim].is_object() {
                add(format!("snapshot {index} {claim}"), root, &snapshot[claim]);
            }
        }
    }
    all
}

/// A hinted case refers to a file with the vector.
fn hinted(folder: &Path, name: &str, case: &Value, report: &mut Report) {
    let source = folder.join(case["source"].as_str().unwrap());
    let file: Value = serde_json::from_slice(&std::fs::read(source).unwrap()).unwrap();
    let setup = Setup::of(folder, &file);
    let positions: Vec<u64> = case["indices"].as_array().unwrap().iter().map(number).collect();
    let commitment = case.get("commitment").unwrap_or(&file["commitment"]);
    let valid = case["valid"].as_bool().unwrap();
    let mut all = Vec::new();
    let mut add = |variant, values: &[u8], points, valid| {
        let root = hex::decode(commitment.as_str().unwrap());
        let parts =
            Some(Parts { positions: positions.clone(), values: values.to_vec(), variant, points });
        all.push(Case { name: format!("{name} {variant} {valid}"), root, parts, valid });
    };
    let at = |position: &u64| bytes(&file["vector"][usize::try_from(*position).unwrap()]);
    // Files leave them out where the vector has them.
    let stated = case["values"].as_array().filter(|values| values.len() == positions.len());
    let values: Vec<u8> = match stated {
        Some(values) => values.iter().flat_map(bytes).collect(),
        None => positions.iter().flat_map(at).collect(),
    };
    // The file's own attack, on whatever set it holds: the last value, one up or down.
    let mut other = values.clone();
    *other.last_mut().unwrap() ^= 1;
    if case.get("q").is_some() {
        let points = [bytes(&case["q"]), bytes(&case["u"])].concat();
        add("hinted", &values, points.clone(), valid);
        add("hinted", &other, points, false);
    } else {
        let aggregates = file["aggregate"].as_array().unwrap();
        let aggregate = aggregates.iter().find(|one| one["indices"] == case["indices"]).unwrap();
        let first =
            [Setup::whole(aggregate), texts(&[&case["T1"]["E"], &case["T1"]["U"]])].concat();
        let third = [Setup::half(aggregate), bytes_of(&case["T3"]["Q"])].concat();
        for (variant, points) in [("T1", first), ("T3", third)] {
            add(variant, &values, setup::uncompressed(&points), valid);
            add(variant, &values, points.clone(), valid);
            add(variant, &other, points, false);
        }
    }
    judge(&setup, all, report);
}

fn bytes_of(list: &Value) -> Vec<u8> {
    list.as_array().unwrap().iter().flat_map(bytes).collect()
}

/// Points and scalars that decoders must take or refuse.
fn encodings(name: &str, file: &Value, report: &mut Report) {
    let setup = Setup::smallest();
    let params = setup.prepared();
    let groups = [
        ("g1_must_reject", true, false),
        ("g1_must_accept", true, true),
        ("fr_must_reject_big_endian", false, false),
        ("fr_must_accept", false, true),
    ];
    for (group, is_point, accept) in groups {
        for case in file[group].as_array().unwrap() {
            let read = hex::decode(case["hex"].as_str().unwrap());
            let accepted = if is_point {
                let root: Result<_, Rejection> = Root::<BalanceProofs>::pinned(&params, &read, 0);
                root.is_ok()
            } else {
                let span = Span { start: 0, end: read.len() };
                scalar::<Fr>(Bytes { bytes: &read, span }, "scalar").is_ok()
            };
            let verdict = if accepted == accept { Ok(()) } else { Err(format!("{accepted}")) };
            report.case(&format!("{name} {group} {}", case["why"]), verdict);
        }
    }
}
