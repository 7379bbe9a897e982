//! Figures for Prometheus.

use std::collections::BTreeMap;

use lightproof_prover::hex;
use lightproof_prover::rlp::Item;
use serde_json::{Value, json};

use crate::http::{Server, request};

/// Every sample but sums of times, by its name and labels.
type Samples = BTreeMap<String, u64>;

fn text(server: &Server) -> String {
    let (head, body) = request(server.operators, "GET /metrics HTTP/1.1", &[]);
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    let head = head.to_lowercase();
    assert!(head.contains("content-type: application/openmetrics-text; version=1.0.0"), "{head}");
    assert!(head.contains("cache-control: no-store"), "{head}");
    assert!(!head.contains("access-control"), "a page may not read the figures: {head}");
    assert!(body.ends_with("# EOF\n"), "{body}");
    body
}

fn samples(server: &Server) -> Samples {
    let text = text(server);
    let is_count = |line: &&str| !line.starts_with('#') && !line.contains("_sum");
    let lines = text.lines().filter(is_count);
    lines
        .map(|line| {
            let (name, value) = line.rsplit_once(' ').unwrap();
            (name.to_owned(), value.parse().unwrap())
        })
        .collect()
}

/// What a scrape has more than the one before: of the samples that count.
fn more(before: &Samples, after: &Samples) -> Vec<(String, u64)> {
    let counts = after.iter().filter(|(name, _)| {
        name.contains("_total") || name.starts_with("lightproof_request_seconds_count")
    });
    counts
        .map(|(name, value)| (name.clone(), value - before.get(name).unwrap_or(&0)))
        .filter(|(_, more)| *more != 0)
        .collect()
}

fn proof(server: &Server, key: u8) {
    let hash = server.result("lp_status", json!([]))["head"]["hash"].clone();
    let query = Item::List(vec![Item::bytes([key; 52])]).encode();
    let params = json!(["lmpt", hex::encode(&query), { "blockHash": hash }]);
    server.result("lp_getProof", params);
}

#[test]
fn two_scrapes_differ_by_what_was_asked() {
    let server = Server::start(3, 64);
    let address = "0x0000000000000000000000000000000000000001";
    let before = samples(&server);
    assert_eq!(before["lightproof_head_block"], 3);
    assert_eq!(before["lightproof_oldest_block{system=\"lmpt\"}"], 0);
    assert!(before["lightproof_head_age_seconds"] > 1_000);
    #[cfg(target_os = "linux")]
    assert!(before["process_resident_memory_bytes"] > 1_000_000);
    proof(&server, 1);
    proof(&server, 1);
    proof(&server, 2);
    server.result("eth_getProof", json!([address, [], "latest"]));
    server.call("eth_getBalance", json!(["nonsense"]));
    server.call("lp_getHeaders", json!([0, 1_000_000]));
    server.call("eth_coinbase", json!([]));
    server.request("POST / HTTP/1.1", b"no JSON");
    server.request("GET /eth_getCode?params=%5b%5d HTTP/1.1", &[]);
    server.service.node().produce(2).unwrap();
    let after = samples(&server);
    let one = |method, outcome| {
        format!("lightproof_requests_total{{method=\"{method}\",outcome=\"{outcome}\"}}")
    };
    let took = |method| format!("lightproof_request_seconds_count{{method=\"{method}\"}}");
    let proofs = |system, source| {
        format!("lightproof_proofs_total{{system=\"{system}\",source=\"{source}\"}}")
    };
    let mut expected = vec![
        (one("eth_getBalance", "invalid params"), 1),
        (one("eth_getCode", "invalid params"), 1),
        (one("eth_getProof", "ok"), 1),
        (one("lp_getHeaders", "limit"), 1),
        (one("lp_getProof", "ok"), 3),
        (one("lp_status", "ok"), 3),
        (one("other", "not JSON"), 1),
        (one("other", "unknown method"), 1),
        (took("eth_getBalance"), 1),
        (took("eth_getCode"), 1),
        (took("eth_getProof"), 1),
        (took("lp_getHeaders"), 1),
        (took("lp_getProof"), 3),
        (took("lp_status"), 3),
        (took("other"), 2),
        (proofs("lmpt", "kept"), 1),
        (proofs("lmpt", "made"), 2),
        (proofs("mpt", "made"), 1),
    ];
    expected.sort_by(|(one, _), (other, _)| one.cmp(other));
    assert_eq!(more(&before, &after), expected);
    assert_eq!(after["lightproof_head_block"], 5);
}

#[test]
fn made_up_names_make_no_figures() {
    let server = Server::start(1, 64);
    let ask = |round: u64| {
        let calls = (0..50_u64).flat_map(|number| {
            let name = format!("made_up_{}", round * 50 + number);
            let params = json!([name, "0xc0", { "blockHash": name, "variants": [name] }]);
            let call = |method: &str| {
                json!({ "jsonrpc": "2", "id": name, "method": method, "params": params })
            };
            [call(&name), call("lp_getProof")]
        });
        let replies = server.post(&calls.collect::<Vec<_>>().into());
        assert!(replies.as_array().unwrap().iter().all(|reply| reply["error"] != Value::Null));
    };
    ask(0);
    let names = |text: &str| {
        let lines = text.lines().map(|line| line.split(' ').next().unwrap().to_owned());
        let mut names: Vec<_> = lines.collect();
        names.sort_unstable();
        names
    };
    let before = text(&server);
    assert!(!before.contains("made_up"), "{before}");
    (1..200).for_each(ask);
    let after = text(&server);
    assert_eq!(names(&after), names(&before));
    // Numbers get longer.
    assert!(after.len() < before.len() + 500, "{} and {}", before.len(), after.len());
}

#[test]
fn clients_do_not_see_the_figures() {
    let server = Server::start(1, 64);
    let (head, body) = server.request("GET /metrics HTTP/1.1", &[]);
    assert!(head.starts_with("HTTP/1.1 404"), "{head}");
    assert!(!body.contains("lightproof_"), "{body}");
    for path in ["/live", "/ready"] {
        let (head, _) = request(server.operators, &format!("GET {path} HTTP/1.1"), &[]);
        assert!(head.starts_with("HTTP/1.1 200"), "{path}: {head}");
    }
    let (head, _) = request(server.operators, "POST / HTTP/1.1", b"{}");
    assert!(head.starts_with("HTTP/1.1 404"), "{head}");
}
