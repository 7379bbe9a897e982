//! `lvmt/`: proofs of the authors' own implementation, honest and tampered, in format
//! `lvmt/osdi23`, and openings of single AMTs. A file's form is read off its content; k stands in
//! the parameters that it names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ark_bn254::{Bn254, Fr};
use lightproof_core::algebra::Equations;
use lightproof_core::error::Span;
use lightproof_core::hash::{Hash, keccak256};
use lightproof_core::system::lvmt::amt::{Form, Openings};
use lightproof_core::system::lvmt::tuple::{KeyTuple, TreeTuple};
use lightproof_core::system::lvmt::{Fact, Format, Lvmt, Params, merkle};
use lightproof_core::system::{Equations as _, System, SystemConfig};
use lightproof_core::wire::{Bytes, bn254, scalar};
use lightproof_core::{Claim, Presence, Rejection, Root, verify};
use lightproof_testkit::{Rlp, hex};
use serde_json::Value;

use super::{Report, entries, say};

/// Runs every JSON file in `folder`.
pub(super) fn run(folder: &Path, report: &mut Report) {
    for path in entries(folder) {
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let file = read(&path);
        if file.get("tau_pow2_g2").is_some() {
            continue;
        }
        report.files += 1;
        let before = report.cases;
        if file.get("trees").is_some() {
            tuples_and_trees(&name, &file, report);
        } else {
            let params = params(&read(&folder.join(text(&file["params"]))));
            openings(&params, &name, &file, report);
            states(&params, &name, &file, report);
        }
        if report.cases == before {
            say(&format!("{name}: NOT RUN, of unknown form"));
        }
    }
}

fn read(path: &Path) -> Value {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&bytes).unwrap()
}

fn params(file: &Value) -> Params {
    let mut bytes = vec![u8::try_from(number(&file["k"])).unwrap()];
    bytes.extend(items(&file["tau_pow2_g2"]).iter().flat_map(|point| hex::decode(text(point))));
    let config = SystemConfig { format: b"lvmt/osdi23", params_digest: Some(keccak256(&bytes)) };
    Lvmt::params(&config, &bytes).unwrap()
}

// Single AMTs.

fn openings(params: &Params, name: &str, file: &Value, report: &mut Report) {
    let mut together = BTreeMap::<&str, Vec<&Value>>::new();
    for (index, case) in items(&file["valid"]).iter().enumerate() {
        together.entry(text(&case["commitment"])).or_default().push(case);
        for form in forms(params, case) {
            let opened = open(params, form, &[case]);
            report.case(&format!("{name} valid {index} {form:?}"), opened);
        }
    }
    for cases in together.values() {
        for form in [Form::Pairs, Form::Fold(params.k())] {
            let opened = open(params, form, cases);
            report.case(&format!("{name} {} openings of one AMT, {form:?}", cases.len()), opened);
        }
    }
    for case in items(&file["invalid"]) {
        let verdict = match open(params, Form::Pairs, &[case]) {
            Ok(()) => Err("a false opening was accepted".into()),
            Err(_) => Ok(()),
        };
        report.case(&format!("{name} {}", text(&case["name"])), verdict);
    }
}

/// The forms that a case has points for.
fn forms(params: &Params, case: &Value) -> Vec<Form> {
    let mut forms = vec![Form::Pairs, Form::Fold(params.k())];
    if case.get("ext_kzg_proof").is_some() {
        forms.push(Form::Fold(0));
    }
    if let Some(hybrid) = case.get("ext_hybrid") {
        forms.push(Form::Fold(u8::try_from(number(&hybrid["D"])).unwrap()));
    }
    forms
}

/// Opens leaves of one AMT; each leaf once.
fn open(params: &Params, form: Form, cases: &[&Value]) -> Result<(), String> {
    let mut leaves: Vec<(u32, Fr, Vec<u8>)> = Vec::new();
    let mut known = BTreeSet::new();
    for case in cases {
        let index = u32::try_from(number(&case["index"])).unwrap();
        if leaves.iter().any(|(read, ..)| *read == index) {
            continue;
        }
        let value: Fr = scalar(bytes(&hex::decode(text(&case["value"]))), "value").unwrap();
        let mut points = nodes(params, form, index, case, &mut known);
        match form {
            Form::Fold(0) => points.extend(hex::decode(text(&case["ext_kzg_proof"]))),
            Form::Fold(depth) if depth < params.k() => {
                points.extend(hex::decode(text(&case["ext_hybrid"]["q"])));
            }
            Form::Fold(_) | Form::Pairs => {}
        }
        leaves.push((index, value, points));
    }
    let (mut openings, mut given) = (Openings::new(form), Vec::new());
    for (index, value, points) in &leaves {
        let read = openings.read(params, (*index, *value), bytes(points), &mut given);
        read.map_err(|error| error.to_string())?;
    }
    let commitment = hex::decode(text(&cases[0]["commitment"]));
    let commitment = bn254::g1_affine(bytes(&commitment), "commitment").unwrap();
    let mut todo = Equations::<Bn254>::default();
    todo.read(params, &given).map_err(|error| error.to_string())?;
    let commitment = todo.given(commitment);
    openings.push(params, commitment, &mut todo);
    match todo.settle(params, Hash([7; 32]), &mut ()).as_slice() {
        [] => Ok(()),
        failed => Err(format!("{failed:?}")),
    }
}

/// Points of the nodes of an opening, without those that are known.
fn nodes(
    params: &Params,
    form: Form,
    index: u32,
    opening: &Value,
    known: &mut BTreeSet<(u32, u32)>,
) -> Vec<u8> {
    let siblings = items(opening.get("siblings").unwrap_or(&opening["amt_siblings"]));
    let path = items(opening.get("path_h").unwrap_or(&opening["amt_path_h"]));
    let to = match form {
        // A tampered proof may have too few or too many.
        Form::Pairs => siblings.len(),
        Form::Fold(depth) => usize::from(depth),
    };
    let mut points = Vec::new();
    for (depth, at) in (1..=u32::try_from(to).unwrap()).zip(0..) {
        let own = index & ((1 << depth) - 1);
        let sibling = own ^ (1 << (depth - 1));
        let is_new = known.insert((depth, sibling));
        if form == Form::Pairs {
            if is_new {
                points.extend(siblings[at].as_array().unwrap().iter().flat_map(point));
            }
            continue;
        }
        if depth < u32::from(params.k()) && known.insert((depth, own)) {
            points.extend(point(&path[at]));
        }
        if is_new {
            points.extend(point(&siblings[at][1]));
        }
    }
    points
}

fn point(hex: &Value) -> Vec<u8> {
    hex::decode(text(hex))
}

// Whole states.

fn states(params: &Params, name: &str, file: &Value, report: &mut Report) {
    let header = &file["header"];
    let proofs = items(&file["proofs"]);
    for proof in proofs {
        let root = root(params, header, &header["aroot"]);
        for variant in ["pairs", "fold"] {
            let verdict = judge(&proof["expected"], || {
                present(params, &root, &header["aroot"], proof, variant)
            });
            report.case(&format!("{name} {} {variant}", text(&proof["key"])), verdict);
        }
    }
    if !proofs.is_empty() {
        let root = root(params, header, &header["aroot"]);
        for variant in ["pairs", "fold"] {
            let verdict = batch(params, &root, proofs, variant);
            report.case(&format!("{name} all keys in one proof, {variant}"), verdict);
        }
    }
    for case in items(&file["cases"]) {
        let aroot = case.get("aroot").unwrap_or(&header["aroot"]);
        let root = root(params, header, aroot);
        if case.get("terminal").is_some() {
            for variant in ["pairs", "fold"] {
                let verdict = absent(params, &root, case, variant);
                report.case(&format!("{name} {} {variant}", text(&case["class"])), verdict);
            }
            continue;
        }
        let name = format!("{name} {}", text(&case["name"]));
        for proof in ["proof", "proof_second"] {
            if let Some(proof) = case.get(proof) {
                let verdict =
                    judge(&case["expected"], || present(params, &root, aroot, proof, "pairs"));
                report.case(&name, verdict);
            }
        }
    }
}

/// What a trusted header would hold: `aroot`, and root and depth of every block.
fn root(params: &Params, header: &Value, aroot: &Value) -> Root<Lvmt> {
    let mut bytes = point(aroot);
    let blocks = items(&header["block_merkle_roots"]).iter();
    for (root, depth) in blocks.zip(items(&header["block_merkle_depths"])) {
        bytes.extend(point(root));
        bytes.push(u8::try_from(number(depth)).unwrap());
    }
    let last = items(&header["block_merkle_roots"]).len() as u64 - 1;
    Root::pinned(params, &bytes, last).unwrap()
}

fn judge(expected: &Value, verdict: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    match (text(expected), verdict()) {
        ("accept" | "one of the two must not exist", verdict) => verdict,
        ("reject", Err(_)) | ("reject_or_ignore", _) => Ok(()),
        ("reject", Ok(())) => Err("a false proof was accepted".into()),
        (other, _) => Err(format!("a verdict of unknown form: {other}")),
    }
}

/// A proof holds if core proves what it claims of the key.
fn present(
    params: &Params,
    root: &Root<Lvmt>,
    aroot: &Value,
    proof: &Value,
    variant: &str,
) -> Result<(), String> {
    // Our bytes do not repeat it.
    if proof["levels"].get(0).is_some_and(|level| level["commitment"] != *aroot) {
        return Err("another root AMT than the trusted one".into());
    }
    let fact = prove(params, root, &[proof], variant).map_err(|error| describe(&error))?;
    claims(params, &fact, 0, proof)
}

fn batch(
    params: &Params,
    root: &Root<Lvmt>,
    proofs: &[Value],
    variant: &str,
) -> Result<(), String> {
    let all: Vec<&Value> = proofs.iter().collect();
    let fact = prove(params, root, &all, variant).map_err(|error| describe(&error))?;
    let mut proofs = proofs.iter().enumerate();
    proofs.try_for_each(|(index, proof)| claims(params, &fact, index, proof))
}

fn absent(params: &Params, root: &Root<Lvmt>, case: &Value, variant: &str) -> Result<(), String> {
    let fact = prove(params, root, &[case], variant).map_err(|error| describe(&error))?;
    match &fact.answers[..] {
        [(_, Presence::Absent)] => Ok(()),
        other => Err(format!("{other:?}")),
    }
}

/// What the record says twice, or beside the proof, must be what was proven.
fn claims(params: &Params, fact: &Fact, index: usize, proof: &Value) -> Result<(), String> {
    let (_, Presence::Present(proven)) = &fact.answers[index] else {
        return Err("not present".into());
    };
    let info = &proof["ver_info"];
    let same = proof["value"].as_str().map(hex::decode).as_ref() == Some(&proven.value)
        && number(&info["version"]) == proven.version
        && number(&info["level"]) == proven.level as u64
        && number(&info["slot_index"]) + 1 == proven.slot as u64;
    if !same {
        return Err(format!("proven {proven:?}, claimed {info}"));
    }
    let key = hex::decode(text(&proof["key"]));
    for (number, level) in items(&proof["levels"]).iter().enumerate() {
        if level["index"] != bits(params, &key, number) {
            return Err(format!("another index than the key's: {}", level["index"]));
        }
        let value = level["node_versions"].as_array().unwrap().iter().rev();
        let split: Vec<u8> = value
            .flat_map(|version| version.as_u64().unwrap().to_be_bytes()[3..].to_vec())
            .collect();
        if hex::decode(text(&level["node_value"]))[2..] != split {
            return Err("versions that do not split the value".into());
        }
    }
    Ok(())
}

fn prove(
    params: &Params,
    root: &Root<Lvmt>,
    proofs: &[&Value],
    variant: &str,
) -> Result<Fact, Rejection> {
    let query = Rlp::strings(proofs.iter().map(|proof| hex::decode(text(&proof["key"])))).encode();
    let proof = encode(params, proofs, variant).encode();
    let claim = Claim { root, query: &query, variant, proof: &proof };
    verify(params, &[claim], [3; 32], &mut ()).remove(0).map(|proven| proven.fact().clone())
}

/// Records in our bytes, each node once.
fn encode(params: &Params, proofs: &[&Value], variant: &str) -> Rlp {
    let form = if variant == "pairs" { Form::Pairs } else { Form::Fold(params.k()) };
    let places = proofs.iter().flat_map(|proof| places(proof));
    let epochs: BTreeSet<u64> = places.map(|place| number(&place["epoch"])).collect();
    let epochs: Vec<u64> = epochs.into_iter().collect();
    let mut writer =
        Writer { params, form, epochs, nodes: BTreeMap::new(), owners: BTreeSet::new() };
    let answers: Vec<Rlp> = proofs.iter().map(|proof| writer.answer(proof)).collect();
    let depth = if form == Form::Pairs { 0 } else { u64::from(params.k()) };
    let blocks = writer.epochs.iter().map(|epoch| Rlp::list([Rlp::uint(*epoch)]));
    Rlp::list([Rlp::uint(depth), Rlp::list(blocks), Rlp::list(answers)])
}

/// Every place of a tuple in a record.
fn places(proof: &Value) -> Vec<&Value> {
    let mut places = Vec::new();
    for level in items(&proof["levels"]) {
        places.extend(["merkle", "subamt_merkle"].iter().filter_map(|name| level.get(name)));
        places.extend(items(&level["owners"]).iter().map(|owner| &owner["merkle"]));
    }
    places
}

struct Writer<'a> {
    params: &'a Params,
    form: Form,
    epochs: Vec<u64>,
    /// Nodes given, by AMT; and its leaves, at a depth that no node has.
    nodes: BTreeMap<Vec<u32>, BTreeSet<(u32, u32)>>,
    owners: BTreeSet<Vec<u32>>,
}

const LEAF: u32 = 99;

impl Writer<'_> {
    fn answer(&mut self, proof: &Value) -> Rlp {
        let levels = items(&proof["levels"]);
        let key = hex::decode(text(&proof["key"]));
        let (mut leaves, mut owners, mut path) = (Vec::new(), Vec::new(), Vec::new());
        for (number, level) in levels.iter().enumerate() {
            let index = bits(self.params, &key, number);
            if number > 0 && !self.nodes.contains_key(&path) {
                let above = &levels[number - 1];
                let place = above.get("subamt_merkle").unwrap_or(&above["merkle"]);
                leaves.push(Rlp::list([Rlp::str(point(&level["commitment"])), self.place(place)]));
            }
            let known = self.nodes.entry(path.clone()).or_default();
            if known.insert((LEAF, index)) {
                let points = nodes(self.params, self.form, index, level, known);
                let value = hex::minimal(&hex::decode(text(&level["node_value"])));
                leaves.push(Rlp::list([Rlp::str(value), Rlp::str(points)]));
            }
            path.push(index);
            if let Some(list) = level.get("owners").filter(|_| self.owners.insert(path.clone())) {
                owners.push(Rlp::list(items(list).iter().map(|owner| self.owner(owner))));
            }
        }
        let level = Rlp::uint((levels.len() as u64).saturating_sub(1));
        if proof.get("terminal").is_some() {
            return Rlp::list([Rlp::uint(0), level, Rlp::list(leaves), Rlp::list(owners)]);
        }
        let slot = Rlp::uint(number(&proof["ver_info"]["slot_index"]) + 1);
        let mut answer = vec![Rlp::uint(1), level, Rlp::list(leaves), slot];
        answer.extend(proof["value"].as_str().map(|value| Rlp::str(hex::decode(value))));
        answer.extend(levels.last().map(|last| self.place(&last["merkle"])));
        Rlp::list(answer)
    }

    fn owner(&self, owner: &Value) -> Rlp {
        let [key, value] = ["key", "value"].map(|field| Rlp::str(hex::decode(text(&owner[field]))));
        Rlp::list([key, Rlp::uint(number(&owner["version"])), value, self.place(&owner["merkle"])])
    }

    fn place(&self, place: &Value) -> Rlp {
        let block = self.epochs.binary_search(&number(&place["epoch"])).unwrap();
        let path: Vec<u8> = items(&place["path"]).iter().flat_map(point).collect();
        Rlp::list([Rlp::uint(block as u64), Rlp::uint(number(&place["position"])), Rlp::str(path)])
    }
}

/// Chunk of the raw key.
fn bits(params: &Params, key: &[u8], level: usize) -> u32 {
    let k = usize::from(params.k());
    let bits = (level * k..(level + 1) * k).map(|bit| (key[bit / 8] >> (7 - bit % 8)) & 1);
    bits.fold(0, |index, bit| index << 1 | u32::from(bit))
}

// Tuples and trees of blocks.

fn tuples_and_trees(name: &str, file: &Value, report: &mut Report) {
    for tuple in items(&file["tuples"]) {
        let kind = text(&tuple["kind"]);
        // The last one has the identity, which no proof may hold.
        if kind == "KeyValue" || kind == "TreeValue" {
            let is_same = hash_of(tuple).0 == hex::array(text(&tuple["keccak"]));
            report.case(&format!("{name} {kind}"), is_same.then_some(()).ok_or("differs".into()));
        }
    }
    for tree in items(&file["trees"]) {
        let root = Hash(hex::array(text(&tree["root"])));
        for proof in items(&tree["proofs"]) {
            let position = number(&proof["position"]);
            let leaf = keccak256(&[u8::try_from(position).unwrap()]);
            let path: Vec<[u8; 32]> =
                items(&proof["path"]).iter().map(|hash| hex::array(text(hash))).collect();
            let depth = u8::try_from(path.len()).unwrap();
            let climbed = merkle::climb_osdi23(leaf, position, depth, &path);
            let high = merkle::climb_osdi23(leaf, position + (1 << depth), depth, &path);
            let verdict = if climbed == Some(root) && high.is_none() { Ok(()) } else { Err(()) };
            let name = format!("{name} tree of {}, position {position}", tree["m"]);
            report.case(&name, verdict.map_err(|()| format!("leads to {climbed:?}")));
        }
    }
}

fn hash_of(tuple: &Value) -> Hash {
    let version = number(&tuple["version"]);
    if text(&tuple["kind"]) == "TreeValue" {
        let path: Vec<u32> = items(&tuple["path"])
            .iter()
            .map(|index| u32::try_from(number(index)).unwrap())
            .collect();
        let commitment = point(&tuple["commitment"]);
        return TreeTuple { path: &path, version, commitment: &commitment }.hash(Format::Osdi23);
    }
    let [key, value] = ["key", "value"].map(|field| hex::decode(text(&tuple[field])));
    let level = usize::try_from(number(&tuple["level"])).unwrap();
    let slot = usize::try_from(number(&tuple["slot_index"])).unwrap() + 1;
    KeyTuple { key: &key, version, level, slot, value: &value }.hash(Format::Osdi23)
}

fn bytes(bytes: &[u8]) -> Bytes<'_> {
    Bytes { bytes, span: Span::default() }
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
