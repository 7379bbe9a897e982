//! Captured sets: one checkpoint, its updates, later headers, and state proofs under them.

use std::collections::BTreeMap;
use std::path::Path;

use ark_bls12_381::{G1Affine, G1Projective};
use ark_serialize::CanonicalDeserialize;
use lightproof_core::hash::{Hash, sha256};
use lightproof_core::header::committee::Committee;
use lightproof_core::header::light::{Form, LightClient, Signed, verify_attested};
use lightproof_core::system::mpt::Mpt;
use lightproof_core::{Chain, Root, TrustedHeader};
use lightproof_testkit::{getproof, header, hex};
use serde_json::Value;

use super::ssz::{self, u64_of};
use super::{config, describe, prove};
use crate::{Report, entries, say};

/// Slots of a committee's period.
const PERIOD: u64 = 32 * 256;

/// Files of a folder, by what they hold.
#[derive(Default)]
struct Set {
    bootstraps: Vec<(String, Value)>,
    /// SSZ by attested slot: one update may stand in two files, in JSON and in SSZ.
    updates: Vec<(String, u64, Vec<u8>)>,
    /// Finality and optimistic updates.
    headers: Vec<(String, Value)>,
    proofs: Vec<(String, Value)>,
    blocks: Vec<(String, Value)>,
}

/// What the walk has proven.
#[derive(Default)]
struct Known {
    committees: BTreeMap<u64, Committee>,
    /// State roots of signed execution payloads, by slot and by block number.
    state_roots: BTreeMap<u64, [u8; 32]>,
    signed: Vec<Signed>,
}

pub(super) fn run(folder: &Path, report: &mut Report) {
    let mut set = Set::default();
    for path in entries(folder) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).unwrap();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("json") => set.add_json(name, serde_json::from_slice(&bytes).unwrap()),
            Some("ssz") => set.add_stream(&name, &bytes),
            _ => say(&format!("{}: NOT RUN, neither JSON nor SSZ", path.display())),
        }
        report.files += 1;
    }
    let name = folder.file_name().unwrap().to_string_lossy().into_owned();
    let mut known = Known::default();
    for (file, json) in &set.bootstraps {
        report.case(&format!("{name}/{file}"), open(json).map(drop));
        let committee = &json["data"]["current_sync_committee"];
        report.case(&format!("{name}/{file} aggregate"), adds_up(committee));
    }
    set.updates.sort_by_key(|(_, slot, _)| *slot);
    match set.bootstraps.iter().min_by_key(|(_, json)| slot(&json["data"]["header"])) {
        Some((_, first)) => walk(&name, &set, &mut known, &open(first), report),
        None => report.failures.push(format!("{name}: no bootstrap in it")),
    }
    for (file, json) in &set.bootstraps {
        report.case(&format!("{name}/{file} committee"), known.agrees(json));
    }
    for (file, json) in &set.headers {
        report.case(&format!("{name}/{file} stateless"), known.stateless(json));
    }
    for (file, json) in &set.proofs {
        report.case(&format!("{name}/{file}"), known.account(file, json));
    }
    for (file, json) in &set.blocks {
        report.case(&format!("{name}/{file}"), known.block(json));
    }
}

impl Set {
    fn add_json(&mut self, name: String, json: Value) {
        if let Some(updates) = json.as_array() {
            for (index, update) in updates.iter().enumerate() {
                let ssz = ssz::update(&update["data"], shape(update));
                let slot = slot(&update["data"]["attested_header"]);
                self.updates.push((format!("{name}[{index}]"), slot, ssz));
            }
        } else if json["data"].get("current_sync_committee").is_some() {
            self.bootstraps.push((name, json));
        } else if json["data"].get("attested_header").is_some() {
            self.headers.push((name, json));
        } else if json["result"].get("accountProof").is_some() {
            self.proofs.push((name, json));
        } else if json["result"].get("stateRoot").is_some() {
            self.blocks.push((name, json));
        } else {
            say(&format!("{name}: NOT RUN, of unknown form"));
        }
    }

    /// Splits a stream: u64-LE length, then a fork digest and an update in that many bytes.
    fn add_stream(&mut self, name: &str, mut rest: &[u8]) {
        let mut index = 0;
        while let Some((length, tail)) = rest.split_first_chunk::<8>() {
            let length = usize::try_from(u64::from_le_bytes(*length)).unwrap();
            let (chunk, tail) = tail.split_at(length);
            let (digest, ssz) = chunk.split_first_chunk::<4>().unwrap();
            let at = u32::from_le_bytes(*ssz.first_chunk().unwrap()) as usize;
            let slot = u64::from_le_bytes(*ssz[at..].first_chunk().unwrap());
            assert_eq!(*digest, fork_digest(slot), "{name}[{index}]");
            self.updates.push((format!("{name}[{index}]"), slot, ssz.to_vec()));
            rest = tail;
            index += 1;
        }
        assert!(rest.is_empty(), "{name}: trailing bytes");
    }
}

/// Digest of a fork before Fulu: the first bytes of its `ForkData` root.
fn fork_digest(slot: u64) -> [u8; 4] {
    let mut version = [0; 32];
    version[..4].copy_from_slice(&config::mainnet_version(slot));
    let validators: [u8; 32] = hex::array(config::MAINNET_VALIDATORS);
    *sha256(&[&version, &validators]).0.first_chunk().unwrap()
}

/// A client at a bootstrap's checkpoint.
pub(super) fn open(json: &Value) -> Result<LightClient, String> {
    let data = &json["data"];
    let mut client = LightClient::new(&config::mainnet()).unwrap();
    let checkpoint = ssz::root(&data["header"]["beacon"]);
    let bytes = ssz::bootstrap(data, shape(json));
    client.bootstrap(&checkpoint, &bytes, &mut ()).map_err(|rejection| describe(&rejection))?;
    Ok(client)
}

/// Applies the updates in order, then the later headers.
fn walk(
    name: &str,
    set: &Set,
    known: &mut Known,
    client: &Result<LightClient, String>,
    report: &mut Report,
) {
    let Ok(mut client) = client.clone() else { return };
    known.record(&client);
    let mut last = None;
    for (file, _, ssz) in &set.updates {
        // The same update from a second file is no news to the store.
        let verdict = if last == Some(ssz) {
            Ok(())
        } else {
            client
                .apply(Form::Update, ssz, u64::MAX, &mut ())
                .map(drop)
                .map_err(|error| describe(&error))
        };
        report.case(&format!("{name}/{file}"), verdict);
        known.record(&client);
        reopen(name, &client, report);
        last = Some(ssz);
    }
    for (file, json) in &set.headers {
        let data = &json["data"];
        let form =
            if data.get("finalized_header").is_some() { Form::Finality } else { Form::Optimistic };
        let old = client.state().unwrap().finalized.slot >= slot(&data["attested_header"]);
        let verdict = match client.apply(form, &ssz::update(data, shape(json)), u64::MAX, &mut ()) {
            Ok(_) if !old => Ok(()),
            Err(error) if old && ["verify.relevance", "verify.period"].contains(&error.code()) => {
                Ok(())
            }
            Ok(_) => Err("an older header was taken".into()),
            Err(error) => Err(describe(&error)),
        };
        report.case(&format!("{name}/{file} store"), verdict);
        known.record(&client);
    }
}

/// A store survives export and import, within its size, and only under its own anchor.
fn reopen(name: &str, client: &LightClient, report: &mut Report) {
    let bytes = client.export();
    let state = client.state().unwrap();
    let verdict = || {
        if bytes.len() > 56_000 || bytes.is_empty() {
            return Err(format!("{} bytes", bytes.len()));
        }
        let mut again = LightClient::new(&config::mainnet()).unwrap();
        again.import(&bytes, &state.anchor.0, &mut ()).map_err(|error| describe(&error))?;
        let opened = again.state().unwrap();
        let same = (opened.period, opened.next_known) == (state.period, state.next_known)
            && opened.finalized == state.finalized
            && again.export() == bytes;
        if !same {
            return Err("the reopened store differs".into());
        }
        match again.import(&bytes, &[7; 32], &mut ()).map_err(|error| error.code()) {
            Err("verify.checkpoint") => Ok(()),
            other => Err(format!("under another anchor: {other:?}")),
        }
    };
    report.case(&format!("{name} store at period {}", state.period), verdict());
}

impl Known {
    fn record(&mut self, client: &LightClient) {
        let state = client.state().unwrap();
        for period in [state.period, state.period + 1] {
            if let Some(committee) = client.committee(period) {
                self.committees.entry(period).or_insert_with(|| committee.clone());
            }
        }
        for header in [state.finalized, state.head] {
            if !self.signed.contains(header) {
                self.signed.push(header.clone());
            }
        }
    }

    /// The walk and an independent bootstrap name the same committee.
    fn agrees(&self, json: &Value) -> Result<(), String> {
        let period = slot(&json["data"]["header"]) / PERIOD;
        let own = open(json)?.committee(period).unwrap().root();
        match self.committees.get(&period) {
            Some(walked) if walked.root() == own => Ok(()),
            Some(_) => Err("the walk came to another committee".into()),
            None => Err(format!("the walk did not come to period {period}")),
        }
    }

    /// A header by the committee of its signature's period, whatever the store says.
    fn stateless(&mut self, json: &Value) -> Result<(), String> {
        let (data, shape) = (&json["data"], shape(json));
        let signature_slot = u64_of(&data["signature_slot"]);
        let period = signature_slot / PERIOD;
        let committee =
            self.committees.get_mut(&period).ok_or(format!("no committee of period {period}"))?;
        let chain = Chain::from_rlp(&config::mainnet()).unwrap();
        let attested = &data["attested_header"];
        let header = ssz::light_header(attested, shape);
        let aggregate = ssz::aggregate(data);
        let signed = verify_attested(&chain, committee, &header, &aggregate, signature_slot)
            .map_err(|error| describe(&error))?;
        let payload = &attested["execution"];
        let execution = signed.execution.ok_or("no execution block")?;
        if execution.hash.0.to_vec() != getproof::bytes(&payload["block_hash"])
            || execution.number != Some(u64_of(&payload["block_number"]))
        {
            return Err("another execution block than the file's".into());
        }
        let state_root = hex::array(payload["state_root"].as_str().unwrap());
        self.state_roots.insert(signed.slot, state_root);
        self.state_roots.insert(u64_of(&payload["block_number"]), state_root);
        self.signed.push(signed);
        Ok(())
    }

    /// A recorded `eth_getProof` reply under the signed payload that its name points at, by slot in
    /// decimal or by block number in hex.
    fn account(&self, file: &str, json: &Value) -> Result<(), String> {
        let digits = file.trim_start_matches("eth_getProof_").split(['_', '.']).next().unwrap();
        let number = match digits.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16),
            None => digits.parse(),
        };
        let number = number.map_err(|_| format!("no number in the name {file}"))?;
        let root = self.state_roots.get(&number).ok_or("no signed header of this block")?;
        let root = Root::<Mpt>::pinned(&(), root, number).unwrap();
        prove(&root, &json["result"]).map(drop).map_err(|error| describe(&error))
    }

    /// A block's header RLP under the hash that was signed; or, in a file of the block after it, a
    /// header that says so of its parent (which trusts nothing, but shows that both hashes are
    /// right).
    fn block(&self, json: &Value) -> Result<(), String> {
        let block = &json["result"];
        let hash = Hash(hex::array(block["hash"].as_str().unwrap()));
        let chain = Chain::from_rlp(&config::mainnet()).unwrap();
        let header = TrustedHeader::pinned(&chain, hash, &header::execution(block))
            .map_err(|error| describe(&error))?;
        let is_signed = |hash: Hash| {
            let hashes = self.signed.iter().filter_map(|signed| signed.execution);
            hashes.into_iter().any(|block| block.hash == hash)
        };
        if !is_signed(hash) && !is_signed(header.parent_hash()) {
            return Err("no signed header of this block".into());
        }
        if header.commitment("mpt") == Some(&getproof::bytes(&block["stateRoot"])) {
            Ok(())
        } else {
            Err("another state root".into())
        }
    }
}

/// The aggregate is the sum of the keys: what lets a client subtract the absent ones from it.
fn adds_up(committee: &Value) -> Result<(), String> {
    let point = |json: &Value| {
        G1Affine::deserialize_compressed_unchecked(getproof::bytes(json).as_slice()).unwrap()
    };
    let keys = committee["pubkeys"].as_array().unwrap();
    let sum: G1Projective = keys.iter().map(point).sum();
    if sum == point(&committee["aggregate_pubkey"]) {
        Ok(())
    } else {
        Err("the aggregate is not the sum of the keys".into())
    }
}

/// Slot of a `LightClientHeader`.
fn slot(header: &Value) -> u64 {
    u64_of(&header["beacon"]["slot"])
}

/// Shape of the containers in a reply of the Beacon API.
pub(super) fn shape(json: &Value) -> &'static str {
    ssz::shape(json["version"].as_str().unwrap())
}
