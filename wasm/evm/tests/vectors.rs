//! Every case of `test-vectors/calls.json`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use lightproof_evm::Native;
use lightproof_testkit::{calls, hex};
use serde_json::Value;

fn bytes(value: &Value) -> Vec<u8> {
    hex::decode(value.as_str().unwrap())
}

#[test]
fn every_call_ends_as_expected() {
    let text = include_str!("../../../test-vectors/calls.json");
    let file: Value = serde_json::from_str(text).unwrap();
    let mut count = 0;
    for group in file["groups"].as_array().unwrap() {
        assert_eq!(group["chain"]["chainId"], calls::CHAIN_ID);
        for test in group["tests"].as_array().unwrap() {
            count += 1;
            let name = format!("{}: {}", test["id"], test["comment"]);
            let (forks, request) = (bytes(&test["forks"]), bytes(&test["request"]));
            let text = lightproof_evm::interface::run(&calls::chain(), &forks, &request, &Native);
            let answer: Value = serde_json::from_str(&text).unwrap();
            let expected = &test["expected"];
            if expected["result"] == "invalid" {
                assert_eq!(answer["code"], expected["code"], "{name}: {answer}");
                continue;
            }
            let answers =
                answer["answers"].as_array().unwrap_or_else(|| panic!("{name}: {answer}"));
            let wanted = expected["answers"].as_array().unwrap();
            assert_eq!(answers.len(), wanted.len(), "{name}");
            for (answer, wanted) in answers.iter().zip(wanted) {
                for (field, value) in wanted.as_object().unwrap() {
                    let got = if field == "item" { &answer["items"][0] } else { &answer[field] };
                    assert_eq!(got, value, "{name}: {answer}");
                }
            }
        }
    }
    // The file's number is pinned by core's runner.
    assert_eq!(file["cases"], count);
}
