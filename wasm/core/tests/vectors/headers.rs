//! Every step of every case of signed headers: the answer that the file states, with and without
//! its steps told, and steps about its bytes.

use lightproof_core::header::light::LightText;
use lightproof_core::observer::Observer;
use lightproof_testkit::getproof::bytes;
use lightproof_testkit::record::{self, list, text};
use serde_json::{Value, json};

use super::read;
use super::steps::Steps;

/// An answer as the file states it.
fn answer(verdict: &Value, state: &Value) -> Value {
    if verdict["status"] != "trusted" {
        return json!({ "result": "invalid", "code": verdict["code"] });
    }
    let block = |header: &Value| {
        let mut block = json!({ "number": header["slot"], "hash": header["root"] });
        if let Some(hash) = header["execution"].get("hash").filter(|hash| **hash != header["root"])
        {
            block["execution"] = hash.clone();
        }
        block
    };
    let [finalized, head, safe] = ["finalized", "head", "safe"].map(|name| &state[name]);
    let mut answer = json!({
        "period": state["period"], "nextKnown": state["nextKnown"], "finalized": block(finalized)
    });
    if head["root"] != finalized["root"] {
        answer["head"] = block(head);
    }
    if safe["root"] != head["root"] {
        answer["safe"] = block(safe);
    }
    if state["forced"] == true {
        answer["forced"] = true.into();
    }
    json!({ "result": "valid", "state": answer })
}

#[test]
fn signed_headers_are_judged_as_stated_and_alike_when_their_steps_are_told() {
    let file = read("headers.json");
    let mut run = 0;
    for group in list(&file["groups"]) {
        let chain = record::chain(&group["chain"]);
        for case in list(&group["tests"]) {
            let Ok(mut plain) = LightText::new(&chain) else {
                run += list(&case["steps"]).len();
                continue;
            };
            let mut traced = plain.clone();
            let pinned = bytes(&case["checkpoint"]);
            for step in list(&case["steps"]) {
                let (form, given) = (text(&step["form"]), bytes(&step["bytes"]));
                let now = step.get("now").map_or(0, number);
                let expected = take(&mut plain, form, &given, &pinned, now, &mut ());
                let mut steps = Steps::default();
                let got = take(&mut traced, form, &given, &pinned, now, &mut steps);
                assert_eq!(got, expected, "{case}");
                assert_eq!(traced.state(), plain.state());
                let verdict: Value = serde_json::from_str(&got).unwrap();
                let state = serde_json::from_str(&plain.state()).unwrap();
                let said = answer(&verdict, &state);
                assert_eq!(said, step["expected"], "{}: {}", case["id"], case["comment"]);
                run += 1;
                // A forced step has no bytes to check.
                let fewest = if form == "force" { 0 } else { 4 };
                let complaint = steps.complaint_of_header(&verdict, given.len(), fewest);
                assert_eq!(complaint, None, "{}: {}", case["id"], case["comment"]);
            }
        }
    }
    assert_eq!(file["steps"], run);
}

/// Gives a step to the client by the name of its form.
fn take(
    client: &mut LightText,
    form: &str,
    bytes: &[u8],
    pinned: &[u8],
    now: u64,
    observer: &mut impl Observer,
) -> String {
    match form {
        "bootstrap" => client.bootstrap(pinned, bytes, observer),
        "import" => client.import(bytes, pinned, observer),
        "force" => client.force(now, observer),
        _ => client.apply(form, bytes, now, observer),
    }
}

fn number(json: &Value) -> u64 {
    let digits = json.as_str().unwrap();
    match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).unwrap(),
        None => digits.parse().unwrap(),
    }
}

#[test]
fn an_honest_way_is_told_from_the_checkpoint_to_the_signature() {
    let file = read("headers.json");
    let told = |form: &str| {
        let mut steps = Steps::default();
        for group in list(&file["groups"]) {
            let Ok(mut client) = LightText::new(&record::chain(&group["chain"])) else { continue };
            let case = list(&group["tests"]).iter().find(|case| {
                let steps = list(&case["steps"]);
                steps.iter().any(|step| step["form"] == form)
                    && steps.iter().all(|step| step["expected"]["result"] == "valid")
            });
            for step in case.into_iter().flat_map(|case| list(&case["steps"])) {
                let (given, now) = (bytes(&step["bytes"]), step.get("now").map_or(0, number));
                let pinned = bytes(&case.unwrap()["checkpoint"]);
                take(&mut client, text(&step["form"]), &given, &pinned, now, &mut steps);
            }
        }
        steps.words()
    };
    let update = told("update");
    let words =
        ["update", "checkpoint", "committee", "committee root", "participation", "signature"];
    for word in words.into_iter().chain(["rules"]) {
        assert!(update.contains(&word), "{word} in {}", json!(update));
    }
    for form in ["finality", "optimistic", "import"] {
        assert!(told(form).contains(&form), "{form}");
    }
}
