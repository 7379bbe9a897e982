//! What each fork's rules change, in the block before it and in its own: instructions that begin,
//! and what they cost. Values are those of the EIPs, by hand; `@ethereumjs/evm` 10.1.3, asked
//! afterwards, gives the same.

use lightproof_prover::hex;
use lightproof_testkit::calls::{
    CALLED, COINBASE, READER, RULES, Request, SLOT, World, call, word,
};
use lightproof_testkit::{Rlp, hex as digits, keccak};

use super::{Answer, Case, case};

/// Returns the word on the stack; rules before Shanghai have no PUSH0.
const RETURN: &str = "60005260206000f3";

/// Rules, and gas.
type Cost = (&'static str, u64);

/// The contract, which calls one that is destroyed in favour of its caller.
fn world(rules: &'static str, code: &str) -> World {
    let mut world = World::of("").under(rules);
    world.contract(READER, code, &[(0, vec![0x2a])]);
    world.contract(CALLED, "33ff", &[]);
    world.contract(COINBASE, "", &[]);
    if ["byzantium", "petersburg", "istanbul", "berlin", "london"].contains(&rules) {
        world.header["difficulty"] = serde_json::json!("0x20000");
    }
    world
}

fn request(rules: &'static str, code: &str) -> Request {
    world(rules, code).request(call())
}

fn address_of(preimage: &[u8]) -> [u8; 20] {
    let mut address = [0; 20];
    address.copy_from_slice(&keccak(preimage)[12..]);
    address
}

fn padded(address: [u8; 20]) -> Vec<u8> {
    [&[0; 12][..], &address].concat()
}

/// The rules before these.
fn before(rules: &str) -> &'static str {
    RULES[RULES.iter().position(|known| *known == rules).unwrap_or(1) - 1]
}

/// Instructions: the first rules that have them, and the word that they leave.
fn instructions() -> Vec<Case> {
    let called = hex::encode(&CALLED)[2..].to_owned();
    let made = address_of(&[&[0xff], &READER[..], &[0; 32], &keccak(&[])].concat());
    let hash = keccak(&digits::decode("33ff"));
    let one = |number: u64| word(number).to_vec();
    let all: [(&str, &str, &str, Vec<u8>); 15] = [
        ("petersburg", "SHL", "600160041b", one(16)),
        ("petersburg", "SHR", "601060041c", one(1)),
        ("petersburg", "SAR", "601060041d", one(1)),
        ("petersburg", "EXTCODEHASH", &format!("73{called}3f"), hash.to_vec()),
        ("petersburg", "CREATE2", "6000600060006000f5", padded(made)),
        ("istanbul", "CHAINID", "46", one(7)),
        ("istanbul", "SELFBALANCE", "47", one(1)),
        ("london", "BASEFEE", "48", one(0x3b9a_ca07)),
        ("shanghai", "PUSH0", "5f", one(0)),
        ("cancun", "BLOBHASH", "600049", one(0)),
        ("cancun", "TLOAD", "60005c", one(0)),
        ("cancun", "TSTORE", "602a60015d60015c", one(0x2a)),
        ("cancun", "MCOPY", "602a6000526020600060405e604051", one(0x2a)),
        ("osaka", "CLZ", "60011e", one(255)),
        ("amsterdam", "SLOTNUM", "4b", one(SLOT)),
    ];
    let pair = |(rules, name, code, output): (&'static str, &str, &str, Vec<u8>)| {
        let code = format!("{code}{RETURN}");
        let before = before(rules);
        [
            case("Rules", &format!("{name} in {before}"), request(before, &code), Answer::Halt),
            case(
                "Rules",
                &format!("{name} in {rules}"),
                request(rules, &code),
                Answer::Success(output),
            ),
        ]
    };
    all.into_iter().flat_map(pair).collect()
}

/// What a sequence costs, by what is left before and after it; the latter look costs 2 itself.
fn costs() -> Vec<Case> {
    let called = hex::encode(&CALLED)[2..].to_owned();
    let calling = |address: &str| format!("60006000600060006000{address}6000f150");
    let stopped = "7300000000000000000000000000000000000000a0";
    let all: [(&str, String, &[Cost]); 9] = [
        ("SLOAD", "60005450".into(), &[("petersburg", 200), ("istanbul", 800), ("berlin", 2100)]),
        ("SLOAD again", "600054506000545060005450".into(), &[("istanbul", 2410), ("berlin", 2310)]),
        (
            "BALANCE",
            format!("73{called}3150"),
            &[("petersburg", 400), ("istanbul", 700), ("berlin", 2600)],
        ),
        ("EXTCODESIZE", format!("73{called}3b50"), &[("istanbul", 700), ("berlin", 2600)]),
        (
            "EXTCODEHASH",
            format!("73{called}3f50"),
            &[("petersburg", 400), ("istanbul", 700), ("berlin", 2600)],
        ),
        ("CALL", calling(stopped), &[("istanbul", 718), ("berlin", 2618)]),
        (
            "SSTORE that changes nothing",
            "6000600955".into(),
            &[("petersburg", 5001), ("istanbul", 801), ("berlin", 2201)],
        ),
        ("BALANCE of the beneficiary", "413150".into(), &[("paris", 2599), ("shanghai", 99)]),
        (
            "MODEXP of nothing",
            "60006000600060006000600561fffff150".into(),
            &[("istanbul", 718), ("berlin", 318), ("prague", 318), ("osaka", 618)],
        ),
    ];
    let each = |(name, code, rows): (&str, String, &[Cost])| {
        let code = format!("5a{code}5a9003{RETURN}");
        let row = |(rules, cost): &Cost| {
            // A push before, a pop and the second look behind: 7.
            let output = word(cost + 7).to_vec();
            let comment = format!("cost of {name} in {rules}");
            case("Rules", &comment, request(rules, &code), Answer::Success(output))
        };
        rows.iter().map(row).collect::<Vec<_>>()
    };
    all.into_iter().flat_map(each).collect()
}

/// What a whole call uses, its refunds taken off; its data; and a contract of EIP-3541.
fn wholes() -> Vec<Case> {
    let called = hex::encode(&CALLED)[2..].to_owned();
    let destroyed = format!("6000600060006000600073{called}61fffff15000");
    let used = |name: &str, code: &str, rows: &[Cost]| {
        let row = |(rules, gas): &Cost| {
            let comment = format!("gas of {name} in {rules}");
            case("Rules", &comment, request(rules, code), Answer::Used(*gas))
        };
        rows.iter().map(row).collect::<Vec<_>>()
    };
    let mut cases = used(
        "a slot that is cleared",
        "600060005500",
        &[("petersburg", 13_003), ("istanbul", 13_003), ("berlin", 13_003), ("london", 21_206)],
    );
    cases.extend(used(
        "a contract that is destroyed",
        &destroyed,
        &[("istanbul", 13_363), ("berlin", 14_313), ("london", 28_625), ("cancun", 28_625)],
    ));
    for (rules, byte) in [("petersburg", 68), ("istanbul", 16)] {
        let mut request = request(rules, &format!("5a{RETURN}"));
        request.calls[0].data = vec![1];
        let left = (1 << 24) - 21_000 - byte - 2;
        let comment = format!("gas left after a byte of data in {rules}");
        cases.push(case("Rules", &comment, request, Answer::Success(word(left).to_vec())));
    }
    let made = address_of(&Rlp::list([Rlp::str(READER), Rlp::uint(1)]).encode());
    let code = format!("6960ef60005360016000f3600052600a60166000f0{RETURN}");
    for (rules, output) in [("berlin", padded(made)), ("london", vec![0; 32])] {
        let comment = format!("a contract that begins with 0xef in {rules}");
        let request = request(rules, &code);
        cases.push(case("Rules", &comment, request, Answer::Success(output)));
    }
    for (rules, output) in [("london", word(0x20000)), ("paris", [0x3a; 32])] {
        let comment = format!("difficulty or random value in {rules}");
        let request = request(rules, &format!("44{RETURN}"));
        cases.push(case("Rules", &comment, request, Answer::Success(output.to_vec())));
    }
    cases
}

pub(super) fn cases() -> Vec<Case> {
    let mut cases = instructions();
    cases.extend(costs());
    cases.extend(wholes());
    cases
}
