//! Contracts that run for ever, fill the memory, call deep, or touch everything.

use super::world::{Request, Run as _, World, call, word};
use lightproof_testkit::hex;

fn request(code: &str) -> Request {
    World::of(code).request(call())
}

#[test]
fn gas_ends_every_loop() {
    // JUMPDEST, jump back; and the same with keccak of 64 kB each time.
    for code in ["5b600056", "5b62010000600020505f56"] {
        let answer = request(code).first();
        assert_eq!(answer["status"], "halt", "{code}");
        assert_eq!(answer["gasUsed"], "0x1000000");
    }
}

/// Calls itself with all of its gas, and returns how deep that went.
#[test]
fn calls_go_as_deep_as_gas_lets_them() {
    // mem[0] = calldata[0] + 1; what the call below gave stands in mem[32].
    let code = "5f356001015f5260206020602060205f5f305af1602002f3";
    let output = request(code).output();
    let depth = u64::from_be_bytes(output[24..].try_into().unwrap());
    assert!((200..=1025).contains(&depth), "{depth}");
}

/// 512 kB in every frame, and a call of itself.
#[test]
fn memory_over_the_limit_stops_the_run() {
    let code = "5f6207ffe0525f5f5f5f5f305af100";
    let mut request = request(code);
    assert_eq!(request.first()["status"], "success");
    request.limits[1] = 2 << 20;
    let answer = request.first();
    assert_eq!(answer["code"], "call.limit");
    assert!(answer["message"].as_str().unwrap().contains("memory"));
}

/// Reads one account after the other, all of them proven absent.
#[test]
fn a_contract_that_touches_everything_reaches_the_limit_of_items() {
    // i = 1000; loop: BALANCE(i); i += 1; jump.
    let code = "6103e85b803150600101600356";
    let mut few = request(code);
    few.limits[2] = 100;
    let answer = few.first();
    assert_eq!(answer["code"], "call.limit");
    assert!(answer["message"].as_str().unwrap().contains("items"));
    // Without the nodes: it stops at the first, and what is named beside that is bounded too.
    let mut world = World::of(code);
    for other in 1..60_u8 {
        world.contract([other; 20], "", &[]);
    }
    let mut bare = world.request(call());
    let own = world.proof([0xaa; 20], &[]);
    bare.nodes.retain(|node| own.contains(node));
    bare.limits[2] = 200;
    let answer = bare.first();
    assert_eq!(answer["status"], "missing");
    assert!(answer["items"].as_array().unwrap().len() <= 201);
}

#[test]
fn logs_are_those_of_what_succeeded() {
    // LOG1 with topic 5 and one byte of data.
    let answer = request("600560015fa100").first();
    assert_eq!(answer["logs"].as_array().unwrap().len(), 1);
    assert_eq!(answer["logs"][0]["topics"][0], hex::encode(&word(5)));
    assert_eq!(answer["logs"][0]["data"], "0x00");
    let answer = request("600560015fa15f5ffd").first();
    assert_eq!(answer["logs"], serde_json::json!([]));
}
