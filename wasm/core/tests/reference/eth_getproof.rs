//! `eth-getproof/`, and `test-vectors/geth/` of this repository: replies of real nodes, and
//! tampered ones. A file's form is read off its content.

use std::path::Path;

use lightproof_core::chain::{Chain, ChainKind};
use lightproof_core::hash::{Hash, keccak256};
use lightproof_core::system::mpt::{Fact, Mpt};
use lightproof_core::trie::TrieProof;
use lightproof_core::wire::Reader;
use lightproof_core::{Claim, Presence, Rejection, Root, TrustedHeader, verify};
use lightproof_testkit::{MptProof, Query, Rlp, getproof, header, hex};
use serde_json::Value;

use super::{Report, entries, say};

/// Runs every JSON file in `folder` and below.
pub(super) fn run(folder: &Path, report: &mut Report) {
    for path in entries(folder) {
        if path.is_dir() {
            run(&path, report);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            file(&path, report);
        } else if path.file_name().is_none_or(|name| name != "README.md") {
            say(&format!("{}: NOT RUN, no JSON file", path.display()));
        }
    }
}

fn file(path: &Path, report: &mut Report) {
    let name = path.file_name().unwrap().to_string_lossy();
    let json: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    if json.get("alloc").is_some() {
        // The genesis file of a local node: an input of the integration suite.
        return;
    }
    report.files += 1;
    let before = report.cases;
    if json.get("proof").is_some() {
        report.case(&name, captured(&json, &json));
    }
    for case in json["cases"].as_array().into_iter().flatten() {
        let verdict = if case.get("response").is_some() {
            tampered_response(case)
        } else if case.get("root").is_some() {
            tampered_trie(case)
        } else if case.get("request").is_some() {
            captured(&json, case)
        } else {
            Err("a case of unknown form".into())
        };
        report.case(&format!("{name} {}", case["id"]), verdict);
    }
    if report.cases == before {
        report.failures.push(format!("{name}: no case in it"));
    }
}

/// A reply captured from a node, under its header or a bare state root.
fn captured(file: &Value, case: &Value) -> Result<(), String> {
    let (query, reply) = asked(case);
    let root = root(file)?;
    let verdict = prove(&root, &query, &reply);
    if !case["strict"].as_str().is_none_or(|verdict| verdict.starts_with("accept")) {
        return refused(verdict.map(drop));
    }
    let fact = verdict.map_err(|rejection| describe(&rejection))?;
    compare(&fact, case)
}

/// What was asked, and the reply; with the account's code if it was captured too.
fn asked(case: &Value) -> (Query, MptProof) {
    let mut query = match case.get("request").and_then(Value::as_array) {
        Some(request) => getproof::query(&request[0], request[1].as_array().unwrap()),
        None => getproof::query_of(&case["proof"]),
    };
    let mut reply = getproof::reply(&case["proof"]);
    reply.code = case.get("code").map(getproof::bytes);
    query.want_code = reply.code.is_some();
    (query, reply)
}

/// A captured reply is refused once one thing in it is changed: each claimed field, each node, the
/// code; and so is the honest one under another root.
pub(super) fn changes_are_refused(file: &Value, case: &Value) -> Result<usize, String> {
    let (query, honest) = asked(case);
    let root = root(file)?;
    let mut changed = vec![];
    let mut change = |name: String, edit: &dyn Fn(&mut MptProof)| {
        let mut reply = honest.clone();
        edit(&mut reply);
        changed.push((name, reply));
    };
    change("nonce".into(), &|it| it.nonce.push(1));
    change("balance".into(), &|it| it.balance.push(1));
    change("storage hash".into(), &|it| it.storage_hash[0] ^= 1);
    change("code hash".into(), &|it| it.code_hash[0] ^= 1);
    change("no node".into(), &|it| it.nodes.clear());
    for node in 0..honest.nodes.len() {
        change(format!("node {node}"), &|it| *it.nodes[node].last_mut().unwrap() ^= 1);
    }
    for (at, slot) in honest.slots.iter().enumerate() {
        change(format!("slot {at}: value"), &|it| it.slots[at].value.push(1));
        for node in 0..slot.nodes.len() {
            let name = format!("slot {at}: node {node}");
            change(name, &|it| *it.slots[at].nodes[node].last_mut().unwrap() ^= 1);
        }
    }
    if honest.code.is_some() {
        change("code".into(), &|it| it.code.as_mut().unwrap().push(0));
        change("code missing".into(), &|it| it.code = None);
    }
    for (name, reply) in &changed {
        refused(prove(&root, &query, reply).map(drop)).map_err(|why| format!("{name}: {why}"))?;
    }
    let other = Root::pinned(&(), &[0x5a; 32], 0).map_err(|rejection| describe(&rejection))?;
    refused(prove(&other, &query, &honest).map(drop)).map_err(|why| format!("root: {why}"))?;
    Ok(changed.len() + 1)
}

/// The proven fact against what the file says of the account and its slots.
fn compare(fact: &Fact, case: &Value) -> Result<(), String> {
    let reply = getproof::reply(&case["proof"]);
    match (&fact.account, case["accountExists"].as_bool()) {
        (Presence::Present(account), Some(true) | None) => {
            let same = hex::minimal(&account.nonce.to_be_bytes()) == reply.nonce
                && hex::minimal(&account.balance.0) == reply.balance
                && account.storage_hash.0[..] == reply.storage_hash
                && account.code_hash.0[..] == reply.code_hash;
            if !same {
                return Err("the proven account differs from the reply's".into());
            }
        }
        (Presence::Absent, Some(false) | None) => {}
        (proven, _) => return Err(format!("proven {proven:?}")),
    }
    if fact.code != case.get("code").map(getproof::bytes) {
        return Err(format!("the proven code is {:?}", fact.code));
    }
    let expected = case["slots"].as_object().ok_or("the case lists no slots")?;
    for slot in &fact.slots {
        let (_, value) = expected
            .iter()
            .find(|(key, _)| getproof::slot_key(&Value::from(key.as_str())) == slot.key)
            .ok_or("a slot that the case does not list")?;
        let proven = match &slot.value {
            Presence::Present(value) => hex::minimal(&value.0),
            Presence::Absent | Presence::Deleted => Vec::new(),
        };
        if proven != hex::minimal(&getproof::bytes(value)) {
            return Err(format!(
                "slot {} is proven {}",
                hex::encode(&slot.key),
                hex::encode(&proven)
            ));
        }
    }
    if fact.slots.len() == expected.len() { Ok(()) } else { Err("slots are missing".into()) }
}

/// The root by the file's header if it has one, else its bare state root.
fn root(file: &Value) -> Result<Root<Mpt>, String> {
    let state_root: [u8; 32] = hex::array(file["stateRoot"].as_str().unwrap());
    let built = file.get("header").filter(|header| !header.is_null()).map(header::execution);
    let given = file.get("headerRlp").and_then(Value::as_str).map(hex::decode);
    let Some(rlp) = built.as_ref().or(given.as_ref()) else {
        return Root::pinned(&(), &state_root, 0).map_err(|rejection| describe(&rejection));
    };
    if built.is_some() && given.is_some() && built != given {
        return Err("the JSON header and headerRlp differ".into());
    }
    let hash =
        file["blockHash"].as_str().map_or_else(|| keccak256(rlp), |hex| Hash(hex::array(hex)));
    let chain = chain(file["network"].as_str().unwrap_or_default(), hash);
    let header =
        TrustedHeader::pinned(&chain, hash, rlp).map_err(|rejection| describe(&rejection))?;
    let committed = header.commitment("mpt").ok_or("no commitment")?;
    if committed != state_root {
        return Err("the header commits to another state root".into());
    }
    header_is_bound(&chain, hash, rlp, header.number())?;
    Root::committed(&(), &header).map_err(|rejection| describe(&rejection))
}

/// The same header with a changed byte, or of a chain with another genesis block, is refused.
fn header_is_bound(chain: &Chain, hash: Hash, rlp: &[u8], number: u64) -> Result<(), String> {
    for position in [3, rlp.len() / 2, rlp.len() - 1] {
        let mut changed = rlp.to_vec();
        changed[position] ^= 1;
        match TrustedHeader::pinned(chain, hash, &changed) {
            Err(rejection) if rejection.code() == "verify.header" => {}
            other => return Err(format!("a changed header gave {other:?}")),
        }
    }
    let foreign = Chain { genesis_hash: Hash([0x11; 32]), ..chain.clone() };
    match (number, TrustedHeader::pinned(&foreign, hash, rlp)) {
        (0, Err(rejection)) if rejection.code() == "verify.chain" => Ok(()),
        (1.., Ok(_)) => Ok(()),
        (_, other) => Err(format!("another chain's genesis block gave {other:?}")),
    }
}

/// The chain that a file names. A local network's genesis hash is known only from its own block 0.
fn chain(network: &str, hash: Hash) -> Chain {
    const KNOWN: [(&str, u64, &str); 4] = [
        ("mainnet", 1, "d4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3"),
        ("sepolia", 11_155_111, "25a5cc106eea7138acab33231d7160d69cb777ee0c2c553fcddf5138993e6dd9"),
        ("hoodi", 560_048, "bbe312868b376a3001692a646dd2d7d1e4406380dfd86b98aa8a34d1557c971b"),
        ("holesky", 17_000, "b5f7f912443c940f21fd611f12828d75b534364ed9e95ca4e307729a4661bde4"),
    ];
    let known = KNOWN.iter().find(|(name, ..)| network.starts_with(name));
    let (chain_id, genesis_hash) =
        known.map_or((1337, hash), |(_, id, genesis)| (*id, Hash(hex::array(genesis))));
    Chain { kind: ChainKind::Ethereum, chain_id, genesis_hash, consensus: None }
}

/// A whole reply to a request, honest or not.
fn tampered_response(case: &Value) -> Result<(), String> {
    let (request, root) = (&case["request"], getproof::bytes(&case["stateRoot"]));
    let root = Root::pinned(&(), &root, 0).map_err(|rejection| describe(&rejection))?;
    let mut query = getproof::query(&request["address"], request["slots"].as_array().unwrap());
    let reply = getproof::reply(&case["response"]);
    if query.slots.iter().any(|slot| slot.len() != 32) {
        // Nobody can ask for such a slot; what can be asked must not be answered by it either.
        match prove(&root, &query, &reply) {
            Err(Rejection::Input(_)) => {}
            other => return Err(format!("a malformed request gave {other:?}")),
        }
        for slot in &mut query.slots {
            *slot = slot[slot.len() - 32..].to_vec();
        }
    }
    judge(case, prove(&root, &query, &reply).map(drop))
}

/// Nodes, a root, a key and a claimed value, honest or not.
fn tampered_trie(case: &Value) -> Result<(), String> {
    let mut nodes = getproof::nodes(&case["proof"]);
    if let (Some(length), Some(first)) = (case["padTo"].as_u64(), nodes.first_mut()) {
        first.resize(usize::try_from(length).unwrap().max(first.len()), 0);
    }
    if let (Some(times), Some(first)) = (case["repeatFirstNode"].as_u64(), nodes.first().cloned()) {
        nodes.splice(..1, std::iter::repeat_n(first, usize::try_from(times).unwrap()));
    }
    let encoded = Rlp::strings(&nodes).encode();
    let root = Hash(hex::array(case["root"].as_str().unwrap()));
    let key = Hash(hex::array(case["key"].as_str().unwrap()));
    let learn = || {
        let proof = TrieProof::read(Reader::whole_list(&encoded, 0, "nodes")?)?;
        Ok::<_, Rejection>(proof.walk(root, &key, &mut ())?.map(|leaf| leaf.bytes.to_vec()))
    };
    let claimed = case["value"].as_str().map(hex::decode);
    match learn() {
        // Well proven, and not what was claimed.
        Ok(learned) if learned != claimed && case["expect"] == false => Ok(()),
        Ok(learned) if learned != claimed => Err(format!("learned {learned:?}")),
        verdict => judge(case, verdict.map(drop)),
    }
}

fn judge(case: &Value, verdict: Result<(), Rejection>) -> Result<(), String> {
    match (case["expect"].as_bool(), verdict) {
        (Some(true), verdict) => verdict.map_err(|rejection| describe(&rejection)),
        (Some(false), verdict) => refused(verdict),
        (None, _) => Err("the case says no verdict".into()),
    }
}

/// Refused for what the node sent, not for what was asked.
fn refused(verdict: Result<(), Rejection>) -> Result<(), String> {
    match verdict {
        Err(Rejection::Decode(_) | Rejection::Verify(_)) => Ok(()),
        Err(rejection) => Err(format!("blamed on the caller: {}", describe(&rejection))),
        Ok(()) => Err("a false claim was proven".into()),
    }
}

fn prove(root: &Root<Mpt>, query: &Query, reply: &MptProof) -> Result<Fact, Rejection> {
    let (query, proof) = (query.encode(), reply.encode());
    let claim = Claim { root, query: &query, variant: "plain", proof: &proof };
    let verdict = verify(&(), &[claim], [0; 32], &mut ()).remove(0);
    verdict.map(|proven| proven.fact().clone())
}

fn describe(rejection: &Rejection) -> String {
    format!("{}: {rejection}", rejection.code())
}
