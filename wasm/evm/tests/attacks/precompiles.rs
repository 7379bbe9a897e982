//! Precompiles: which are here, which are asked for, and which address is one.

use lightproof_core::precompile::Outcome;
use lightproof_evm::Heavy;
use lightproof_testkit::{hex, keccak};
use serde_json::json;

use super::world::{Request, Run as _, World, call, first, missing_of, output as returned, word};

/// Calls precompile `number` with the call's data and returns what it returns; a failure reverts.
fn through(number: u64, data: &[u8]) -> Request {
    let code = format!("365f5f375f5f365f5f61{number:04x}5af115601d573d5f5f3e3d5ff35bfe");
    let mut request = World::of(&code).request(call());
    request.calls[0].data = data.to_vec();
    request
}

#[test]
fn cheap_precompiles_are_here() {
    let sha = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(through(2, b"").output(), hex::decode(sha));
    let ripemd = "0000000000000000000000009c1185a5c5e9fc54612808977ee8f548b2258d31";
    assert_eq!(through(3, b"").output(), hex::decode(ripemd));
    assert_eq!(through(4, b"same").output(), b"same");
    // 3^2 mod 5.
    let lengths = [word(1), word(1), word(1)].concat();
    assert_eq!(through(5, &[&lengths[..], &[3, 2, 5]].concat()).output(), [4]);
    // A signature that is none recovers nobody.
    assert_eq!(through(1, &[1; 128]).output(), b"");
}

/// Knows what one precompile does with one input.
struct Known(u64, Vec<u8>, Outcome);

impl Heavy for Known {
    fn run(&self, number: u64, input: &[u8]) -> Outcome {
        let Self(known, its, outcome) = self;
        if (number, input) == (*known, its) { outcome.clone() } else { Outcome::Unknown }
    }
}

#[test]
fn heavy_precompiles_are_the_callers() {
    let cases = [(6, 128), (7, 96), (8, 192), (0x0a, 192), (0x0b, 256), (0x0c, 160), (0x11, 128)];
    for (number, length) in cases {
        let input = vec![7; length];
        let address = hex::encode(&word(number)[12..]);
        let item = json!({ "kind": "precompile", "address": address });
        let request = through(number, &input);
        assert_eq!(request.missing(), item);
        let output = Outcome::Output(b"output".to_vec());
        let with = |known: Known| first(request.run_with(&known));
        assert_eq!(returned(&with(Known(number, input.clone(), output.clone()))), b"output");
        assert_eq!(with(Known(number, input.clone(), Outcome::Failure))["status"], "halt");
        // What is said of another input, or of another precompile, is not taken.
        assert_eq!(missing_of(&with(Known(number, vec![8; length], output.clone()))), item);
        assert_eq!(missing_of(&with(Known(number + 0x20, input, output))), item);
    }
}

/// As one module hands it to another; other bytes are no outcome.
#[test]
fn outcomes_cross_between_modules() {
    let full = Outcome::Output(vec![1, 2]);
    for (outcome, bytes) in [
        (full, &[1, 1, 2][..]),
        (Outcome::Output(Vec::new()), &[1]),
        (Outcome::Failure, &[0]),
        (Outcome::Unknown, &[]),
    ] {
        assert_eq!(outcome.clone().encode(), bytes);
        assert_eq!(Outcome::decode(bytes), outcome);
    }
    for bytes in [&[0, 0][..], &[2], &[2, 1]] {
        assert_eq!(Outcome::decode(bytes), Outcome::Unknown);
    }
}

/// An input of a length that fails whatever it holds, and a part of one that is not read, are not
/// handed over: gas does not pay for their length.
#[test]
fn only_what_is_read_is_handed_over() {
    let long = vec![7; 5000];
    let output = Outcome::Output(b"output".to_vec());
    let answer = through(6, &long).run_with(&Known(6, long[..128].to_vec(), output));
    assert_eq!(returned(&first(answer)), b"output");
    for (number, length) in
        [(0x08, 191), (0x0a, 191), (0x0b, 255), (0x0c, 0), (0x0f, 1), (0x10, 65)]
    {
        assert_eq!(through(number, &long[..length]).first()["status"], "halt", "{number}");
    }
}

/// Before its fork an address is an account like others: it has to be proven, and is cold.
#[test]
fn the_fork_decides_what_is_a_precompile() {
    // The gas between two GASes, with BALANCE(0x0b) between them.
    let gas = |world: &World| {
        let output = world.request(call()).output();
        u64::from_be_bytes(output[24..].try_into().unwrap())
    };
    let mut world = World::of("5a61000b31505a90035f5260205ff3");
    let warm = gas(&world);
    world.header.as_object_mut().unwrap().remove("requestsHash");
    world.fork = ("cancun", 3_338_477);
    assert_eq!(gas(&world) - warm, 2_500);
    // 0x0b is an account then: called, it does nothing.
    let mut request = through(0x0b, &[7; 256]);
    assert_eq!(request.missing()["kind"], "precompile");
    request = {
        let mut before = World::of("5f5f5f5f5f600b5af15f5260205ff3");
        before.header.as_object_mut().unwrap().remove("requestsHash");
        before.fork = ("cancun", 3_338_477);
        before.request(call())
    };
    assert_eq!(request.output(), word(1));
}

/// The account at a precompile's address is an account too: its balance has to be proven.
#[test]
fn a_precompiles_account_is_read_by_proof() {
    let mut world = World::of("60043160005260206000f3");
    for other in 1..60_u8 {
        world.contract([other; 20], "", &[]);
    }
    let address: [u8; 20] = word(4)[12..].try_into().unwrap();
    world.contract(address, "", &[]);
    let mut request = world.request(call());
    assert_eq!(request.output(), word(1));
    let leaf = world.proof(address, &[]).pop().unwrap();
    request.nodes.retain(|node| keccak(node) != keccak(&leaf));
    assert_eq!(request.missing()["address"], hex::encode(&address));
}
