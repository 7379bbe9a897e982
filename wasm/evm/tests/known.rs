//! The known question of `wasm/bindings/known` that module `evm` answers before it is used: a call of
//! the vectors, and one on state that a bit is changed of.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use lightproof_evm::{Native, interface};
use lightproof_testkit::known::{holds, lie};
use lightproof_testkit::{calls, hex};
use serde_json::Value;

#[test]
fn a_call_is_known() {
    let file: Value =
        serde_json::from_str(include_str!("../../../test-vectors/calls.json")).unwrap();
    let tests = file["groups"][0]["tests"].as_array().unwrap();
    let case = tests.iter().find(|test| test["comment"] == "CLZ under Osaka").unwrap();
    let [forks, truth] = ["forks", "request"].map(|part| hex::decode(case[part].as_str().unwrap()));
    let run = |request: &[u8]| interface::run(&calls::chain(), &forks, request, &Native);
    let lie = lie(&truth, "missing", run);
    let answers = [&truth, &lie].map(|request| run(request));
    let answer: Value = serde_json::from_str(&answers[0]).unwrap();
    assert_eq!(answer["answers"][0]["status"], "success", "{answer}");
    holds(
        "calls",
        &[calls::chain(), forks.clone(), truth.clone(), lie],
        answers.concat().as_bytes(),
    );
}
