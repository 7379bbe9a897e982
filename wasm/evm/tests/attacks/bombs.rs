//! Contracts that run for ever, fill the memory, call deep, or touch everything.

use super::world::{Request, World, call, word};
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

#[test]
fn more_gas_than_the_limit_is_refused() {
    let mut request = request("00");
    request.calls[0].gas += 1;
    let answer = request.first();
    assert_eq!(
        (answer["code"].as_str(), answer["kind"].as_str()),
        (Some("call.limit"), Some("call"))
    );
}

#[test]
fn too_little_gas_to_begin_is_refused() {
    let mut request = request("00");
    request.calls[0].gas = 20_999;
    assert_eq!(request.first()["code"], "call.refused");
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

/// RETURN of 4 GiB, and of 2^64 bytes: out of gas, and nothing is allocated.
#[test]
fn a_return_of_4_gib_is_out_of_gas() {
    for size in ["63ffffffff", "67ffffffffffffffff"] {
        assert_eq!(request(&format!("{size}5ff3")).first()["status"], "halt");
        // In a frame below, whose caller goes on and sees that it failed.
        let mut world =
            World::of("5f5f5f5f5f73bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb61fffff15f5260205ff3");
        world.contract([0xbb; 20], &format!("{size}5ff3"), &[]);
        assert_eq!(world.request(call()).output(), word(0));
    }
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
fn a_revert_is_an_answer_with_its_data() {
    let answer = request("602a5f5260205ffd").first();
    assert_eq!(answer["status"], "revert");
    assert_eq!(answer["output"], hex::encode(&word(0x2a)));
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

/// Each call of a request runs on the block's state, not on what the one before it left.
#[test]
fn calls_do_not_see_each_other() {
    // Returns slot 0, then adds one to it.
    let mut world = World::of("5f54805f526001015f5560205ff3");
    world.contract([0xaa; 20], "5f54805f526001015f5560205ff3", &[(0, vec![9])]);
    let mut request = world.request(call());
    request.calls.push(call());
    let answers = request.run();
    for answer in answers["answers"].as_array().unwrap() {
        assert_eq!(answer["output"], hex::encode(&word(9)));
    }
    request.calls = vec![call(); 1025];
    assert_eq!(request.first()["code"], "input.request");
}
