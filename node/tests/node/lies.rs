//! Every lie is caught, and with the code that its kind deserves; without a lie the same questions
//! are proven.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::http::Server;
use crate::verify::{query, reply, setting, verify, verify_headers};
use lightproof_generator::case::Source;
use lightproof_node::lies::Lie;
use lightproof_node::service::Service;
use lightproof_node::system::{self, find_lie};
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::header::Header;
use lightproof_prover::chain::workload::population::{Population, Sample};
use lightproof_prover::hash::{Word, keccak256};
use lightproof_prover::hex;
use serde_json::{Value, json};

/// The reply is no proof at all: whoever reads the JSON must say so.
const TRANSPORT: &str = "transport";

/// The lies about proofs: the sample that is asked for, and what the verifier must answer.
const PROOFS: &[(&str, usize, &str)] = &[
    ("claim-balance", 2, "verify.claim"),
    ("claim-nonce", 2, "verify.claim"),
    ("claim-code-hash", 2, "verify.claim"),
    ("claim-storage-hash", 2, "verify.claim"),
    ("claim-slot-value", 2, "verify.claim"),
    ("claim-absent", 2, "verify.claim"),
    ("claim-present", 7, "verify.claim"),
    ("forged-leaf", 2, "verify.merkle"),
    ("forged-slot-leaf", 2, "verify.merkle"),
    ("forged-root", 2, "verify.root"),
    ("absent-truncated", 2, "verify.incomplete"),
    ("absent-root-only", 2, "verify.incomplete"),
    ("absent-no-nodes", 2, "verify.incomplete"),
    ("absent-empty-node", 2, "verify.incomplete"),
    ("slot-absent-truncated", 2, "verify.incomplete"),
    ("slot-absent-root-only", 2, "verify.incomplete"),
    ("slot-absent-no-nodes", 2, "verify.incomplete"),
    ("other-account", 2, "verify.query"),
    ("other-account-renamed", 2, "verify.merkle"),
    ("stale-proof", 2, "verify.root"),
    ("slot-swapped", 2, "verify.merkle"),
    ("slot-reordered", 2, "verify.query"),
    ("slot-missing", 2, "verify.query"),
    ("slot-extra", 2, "verify.query"),
    ("slot-duplicate", 2, "verify.query"),
    ("slot-other-contract", 2, "verify.root"),
    ("slot-key-33", 2, "decode.shape"),
    ("absent-with-storage", 7, "verify.surplus"),
    ("node-reordered", 2, "verify.root"),
    ("node-duplicated", 2, "verify.surplus"),
    ("node-foreign", 2, "verify.surplus"),
    ("node-missing", 2, "verify.merkle"),
    ("bad-code", 2, "verify.code"),
    ("oversize-proof", 2, "decode.limit"),
    ("oversize-node", 2, "decode.limit"),
    ("deep-nesting", 2, "decode.limit"),
    ("non-canonical-node", 2, "decode.rlp"),
    ("malformed-types", 2, TRANSPORT),
    ("malformed-hex", 2, TRANSPORT),
    ("malformed-quantity", 2, "decode.shape"),
    ("missing-field", 2, TRANSPORT),
    ("null-reply", 2, TRANSPORT),
];

/// The lies about headers: each is told by `lp_getHeader` and `lp_getHeaders` alike.
const HEADERS: &[&str] = &[
    "header-root",
    "header-number",
    "header-timestamp",
    "header-extra-field",
    "header-other-block",
    "other-chain",
];

struct Scene {
    node: Arc<Chain>,
    _directory: tempfile::TempDir,
}

impl Scene {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let node = Chain::of_workload(directory.path(), system::config(7, 64)).unwrap();
        node.produce(20).unwrap();
        Self { node: Arc::new(node), _directory: directory }
    }

    fn ask(&self, lie: Option<&'static Lie>, method: &str, params: &Value) -> Value {
        let service = Service::new(Arc::clone(&self.node), lie);
        service.call(&service.snapshot().unwrap(), method, params).unwrap()
    }

    fn header(&self, number: u64) -> Header {
        self.node.snapshot().unwrap().header(number).unwrap().unwrap()
    }

    /// Asks for a sample with its slots and code, and verifies the reply under the honest head.
    fn verdict(&self, lie: Option<&'static Lie>, sample: &Sample) -> Value {
        let head = self.header(20);
        let (address, block) =
            (hex::encode(&sample.address), json!({ "blockHash": hex::encode(&head.hash()) }));
        let slots: Vec<_> = sample.slots.iter().map(|slot| hex::encode(slot)).collect();
        let proof = self.ask(lie, "eth_getProof", &json!([address, slots, block]));
        let code = self.ask(lie, "eth_getCode", &json!([address, block]));
        let Some(reply) = reply(&proof, Some(&code)) else { return json!({ "code": TRANSPORT }) };
        let source = Source::Header { hash: head.hash(), rlps: vec![head.encode()] };
        verify(&setting(&self.node), source, &query(sample.address, &sample.slots, true), &reply)
    }
}

fn lie(name: &str) -> &'static Lie {
    find_lie(name).unwrap()
}

/// The lies about a system, headers or signatures.
pub(crate) fn lies_of(wanted: &str) -> impl Iterator<Item = &'static Lie> {
    system::lies().filter(move |(subject, _)| *subject == wanted).map(|(_, lie)| lie)
}

fn samples() -> Vec<Sample> {
    Population::new(7, 0).samples()
}

#[test]
fn every_lie_is_tested() {
    let tested: BTreeSet<_> = PROOFS
        .iter()
        .map(|(name, ..)| *name)
        .chain(HEADERS.iter().copied())
        .chain(["forged-child"])
        .collect();
    assert_eq!(tested, lies_of("mpt").chain(lies_of("headers")).map(|lie| lie.name).collect());
}

#[test]
fn honest_replies_are_proven() {
    let chain = Scene::new();
    for sample in samples() {
        let verdict = chain.verdict(None, &sample);
        assert_eq!(verdict["status"], "proven", "{sample:?}: {verdict}");
        let status = if sample.kind == "absent" { "absent" } else { "present" };
        assert_eq!(verdict["fact"]["account"]["status"], status);
        // The last slot of a sample is absent, the others are not.
        let slots = verdict["fact"]["slots"].as_array().unwrap();
        for (index, slot) in slots.iter().enumerate() {
            let expected = if index + 1 == slots.len() { "absent" } else { "present" };
            assert_eq!(slot["status"], expected, "{sample:?}");
        }
    }
}

#[test]
fn lies_about_proofs_are_rejected() {
    let chain = Scene::new();
    for (name, sample, code) in PROOFS {
        let verdict = chain.verdict(Some(lie(name)), &samples()[*sample]);
        assert_eq!(verdict["code"], *code, "{name}: {verdict}");
    }
}

#[test]
fn lies_about_headers_are_rejected() {
    let chain = Scene::new();
    let hash = chain.header(19).hash();
    let setting = setting(&chain.node);
    let trusted = |rlp: &Value| {
        let rlp = hex::decode(rlp.as_str().unwrap()).unwrap();
        verify_headers(&setting, &hash, &[rlp])
    };
    let one = |lie| chain.ask(lie, "lp_getHeader", &json!([hex::encode(&hash)]));
    let many = |lie| chain.ask(lie, "lp_getHeaders", &json!(["0x13", 1]))[0].clone();
    assert_eq!(trusted(&one(None))["status"], "trusted");
    assert_eq!(one(None), many(None));
    for name in HEADERS {
        for reply in [one(Some(lie(name))), many(Some(lie(name)))] {
            assert_eq!(trusted(&reply)["code"], "verify.header", "{name}");
        }
    }
    assert_eq!(chain.ask(Some(lie("other-chain")), "eth_chainId", &json!([])), "0x4c51");
}

#[test]
fn a_forged_child_is_consistent_and_still_not_trusted() {
    let chain = Scene::new();
    let lie = Some(lie("forged-child"));
    let head = chain.header(20);
    let status = chain.ask(lie, "lp_status", &json!([]));
    assert_eq!(status["head"]["number"], "0x15");
    let rlp = chain.ask(lie, "lp_getHeader", &json!([status["head"]["hash"]]));
    let rlp = hex::decode(rlp.as_str().unwrap()).unwrap();
    let child: Word = keccak256(&rlp);
    assert_eq!(json!(hex::encode(&child)), status["head"]["hash"]);
    assert_eq!(chain.ask(lie, "lp_getHeaders", &json!([20, 10]))[1], json!(hex::encode(&rlp)));
    // The forgery holds together: whoever trusted the child would believe the balance.
    let victim = &samples()[0];
    let block = json!({ "blockHash": hex::encode(&child) });
    let proof = chain.ask(lie, "eth_getProof", &json!([hex::encode(&victim.address), [], block]));
    let (asked, reply) = (query(victim.address, &[], false), reply(&proof, None).unwrap());
    let setting = setting(&chain.node);
    let believed = Source::Header { hash: child, rlps: vec![rlp.clone()] };
    assert_eq!(verify(&setting, believed, &asked, &reply)["status"], "proven");
    // But a link to the real head makes nothing trusted.
    let linked = Source::Header { hash: head.hash(), rlps: vec![head.encode(), rlp] };
    assert_eq!(verify(&setting, linked, &asked, &reply)["code"], "verify.header");
    // What is not about the forged block stays honest.
    let honest = chain.ask(lie, "lp_getHeader", &json!([hex::encode(&head.hash())]));
    assert_eq!(honest, json!(hex::encode(&head.encode())));
}

#[test]
fn lies_have_paths_of_their_own_only_on_request() {
    let config = system::config(7, 8);
    let honest = Server::of(1, config.clone());
    let server = Server::serving(1, config, Service::with_lies_by_path);
    let address = hex::encode(&Population::new(7, 1).eoa(0));
    let call = json!({
        "jsonrpc": "2.0", "id": 1, "method": "eth_getBalance", "params": [address, "latest"],
    });
    let at = |server: &Server, path: &str| {
        let head = format!("POST {path} HTTP/1.1\r\ncontent-type: application/json");
        server.request(&head, call.to_string().as_bytes())
    };
    let (head, _) = at(&honest, "/lie/claim-balance");
    assert!(head.starts_with("HTTP/1.1 404"), "{head}");

    let (_, truth) = at(&server, "/");
    assert_eq!(at(&honest, "/").1, truth);
    let (head, lie) = at(&server, "/lie/claim-balance");
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert_ne!(lie, truth);
    assert!(at(&server, "/lie/no-such").0.starts_with("HTTP/1.1 404"));
    let (_, list) = server.request("GET /lie HTTP/1.1", b"");
    let listed: Vec<Value> = serde_json::from_str(&list).unwrap();
    assert_eq!(listed.len(), system::lies().count());
}
