//! A chain that commits to some of the systems.

use std::process::Command;

use lightproof_node::system::Selection;
use lightproof_prover::chain::config::Config;
use lightproof_prover::chain::database::Chain;
use lightproof_prover::chain::header::Header;
use serde_json::json;

use crate::http::Server;

fn config(names: &str) -> Config {
    Selection::parse(names).unwrap().usual(7, 64)
}

fn produce(names: &str, count: u64) -> Vec<Header> {
    let directory = tempfile::tempdir().unwrap();
    Chain::of_workload(directory.path(), config(names)).unwrap().produce(count).unwrap()
}

#[test]
fn headers_commit_to_what_was_chosen_and_to_nothing_else() {
    let all = produce("cole,mpt", 9);
    for names in ["mpt", "cole"] {
        let some = produce(names, 9);
        for (some, all) in some.iter().zip(&all) {
            let listed: Vec<_> = some.commitments.iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(listed, [names]);
            // The same writes, whatever is committed to: without mpt, balances still decide them.
            assert_eq!(some.commitment(names), all.commitment(names));
        }
    }
}

#[test]
fn a_node_serves_and_names_what_was_chosen_alone() {
    let server = Server::of(3, config("cole"));
    let status = server.result("lp_status", json!([]));
    let systems: Vec<_> = status["systems"].as_object().unwrap().keys().collect();
    assert_eq!(systems, ["cole"]);
    let address = json!("0x0000000000000000000000000000000000000001");
    for (method, params) in [
        ("eth_getProof", json!([address, [], "latest"])),
        ("lp_getProof", json!(["mpt", "0xc0", { "blockHash": status["head"]["hash"] }])),
    ] {
        let error = &server.call(method, params)["error"];
        assert_eq!(
            (&error["code"], &error["data"]),
            (&json!(-32_014), &json!({ "systems": ["cole"] })),
            "{method}"
        );
    }
    // Wallets that verify nothing still see balances.
    assert_eq!(server.result("eth_getBalance", json!([address, "latest"])), "0x0");
}

#[test]
fn a_directory_keeps_its_systems() {
    let directory = tempfile::tempdir().unwrap();
    let open = |names| Chain::of_workload(directory.path(), config(names));
    let node = open("mpt").unwrap();
    node.produce(2).unwrap();
    drop(node);
    for other in ["cole", "cole,mpt"] {
        let error = open(other).unwrap_err().to_string();
        assert!(error.contains(&format!("systems mpt, not systems {other};")), "{error}");
    }
    assert_eq!(open("mpt").unwrap().snapshot().unwrap().head(), 2);
}

#[test]
fn an_unknown_system_lists_the_known_ones() {
    let output = Command::new(env!("CARGO_BIN_EXE_lightproof-node"))
        .args(["run", "--data", "unused", "--systems", "mpt,nonsense"])
        .output()
        .unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && message.contains("no system \"nonsense\""), "{message}");
    assert!(message.contains(&format!("there are: {}", Selection::all())), "{message}");
}
