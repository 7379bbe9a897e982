//! The block that a call sees, its forks and its ancestors.

use lightproof_testkit::{header, hex, keccak};
use serde_json::json;

use super::world::{
    CHAIN_ID, COINBASE, HISTORY_CODE, NUMBER, READER, Request, World, block_hash, call, forks,
    history, word,
};

/// Returns NUMBER, TIMESTAMP, COINBASE, GASLIMIT, BASEFEE, PREVRANDAO, BLOBBASEFEE, CHAINID,
/// ORIGIN, GASPRICE.
fn context() -> String {
    let instructions = ["43", "42", "41", "45", "48", "44", "4a", "46", "32", "3a"];
    let stores = instructions.iter().enumerate();
    let stores: Vec<_> = stores.map(|(at, code)| format!("{code}61{:04x}52", at * 32)).collect();
    let stores = stores.concat();
    format!("{stores}6101406000f3")
}

#[test]
fn a_call_sees_the_block_of_the_proven_header() {
    let mut coinbase = [0; 32];
    coinbase[12..].copy_from_slice(&COINBASE);
    let expected = [
        word(NUMBER),
        word(0x6553_f100),
        coinbase,
        word(0x0225_5100),
        word(1_000_000_007),
        [0x3a; 32],
        // 2^25 / 5,007,716 = 6.7006, and e to that.
        word(812),
        word(CHAIN_ID),
        word(0),
        word(0),
    ]
    .concat();
    assert_eq!(
        hex::encode(&World::of(&context()).request(call()).output()),
        hex::encode(&expected)
    );
}

#[test]
fn a_header_that_does_not_hash_to_the_trusted_hash_is_rejected() {
    let mut request = World::of(&context()).request(call());
    request.hash[0] ^= 1;
    assert_eq!(request.first()["code"], "verify.header");
    let mut request = World::of(&context()).request(call());
    request.headers[0][100] ^= 1;
    assert_eq!(request.first()["code"], "verify.header");
    request.headers.clear();
    assert_eq!(request.first()["code"], "input.request");
}

#[test]
fn rules_that_are_not_known_are_refused() {
    let unknown = |forks: Vec<u8>| {
        let mut request = World::of(&context()).request(call());
        request.forks = forks;
        let answer = request.first();
        assert_eq!((&answer["kind"], &answer["code"]), (&json!("chain"), &json!("chain.fork")));
    };
    // A name that this version does not know, from this block on.
    unknown(forks(&[("prague", "block", 0, 5_007_716), ("hegota", "time", 0x6553_f100, 1)]));
    // Before the first entry.
    unknown(forks(&[("prague", "time", 0x6553_f101, 5_007_716)]));
    // The header has fields that these rules do not know, or lacks some.
    unknown(forks(&[("cancun", "block", 0, 3_338_477)]));
    unknown(forks(&[("london", "block", 0, 0)]));
    unknown(forks(&[("amsterdam", "block", 0, 5_007_716)]));
    let mut world = World::of(&context());
    world.header["blockAccessListHash"] = json!(hex::encode(&[0; 32]));
    assert_eq!(world.request(call()).first()["code"], "chain.fork");
    // Known until this block.
    let mut request = World::of(&context()).request(call());
    request.forks = forks(&[("prague", "block", 0, 5_007_716), ("hegota", "time", 0x6553_f101, 1)]);
    assert_eq!(request.first()["status"], "success");
}

#[test]
fn malformed_tables_are_refused() {
    let tables = [
        forks(&[]),
        forks(&[("prague", "slot", 0, 1)]),
        forks(&[("prague", "block", 0, 0)]),
        forks(&[("london", "block", 0, 1)]),
        forks(&[("prague", "block", 0, 1 << 33)]),
        forks(&[("prague", "time", 5, 1), ("osaka", "time", 5, 1)]),
        forks(&[("prague", "time", 5, 1), ("osaka", "block", 6, 1)]),
        vec![0xc1, 0x80],
        Vec::new(),
    ];
    for table in tables {
        let mut request = World::of(&context()).request(call());
        request.forks = table;
        assert_eq!(request.first()["code"], "input.chain");
    }
}

/// Rules decide what an instruction does: CLZ is none before Osaka.
#[test]
fn the_table_decides_the_rules() {
    // CLZ of 1.
    let mut world = World::of("60011e60005260206000f3");
    assert_eq!(world.request(call()).first()["status"], "halt");
    world.fork.0 = "osaka";
    assert_eq!(world.request(call()).output(), word(255));
}

/// A blob price that overflows is nothing that a chain has.
#[test]
fn a_blob_price_beyond_reason_is_refused() {
    let mut world = World::of(&context());
    world.header["excessBlobGas"] = json!("0xffffffffffffffff");
    assert_eq!(world.request(call()).first()["code"], "decode.header");
}

/// Returns the hash of block `NUMBER - back`.
fn block_hash_code(back: u16) -> String {
    format!("61{back:04x}43034060005260206000f3")
}

#[test]
fn the_parents_hash_needs_nothing_and_others_do() {
    let of = |back| World::of(&block_hash_code(back)).request(call());
    assert_eq!(of(1).output(), block_hash(NUMBER - 1));
    // Not ancestors that BLOCKHASH knows: zero by the rules.
    assert_eq!(of(0).output(), word(0));
    assert_eq!(of(257).output(), word(0));
    for back in [2, 256] {
        let number = format!("{:#x}", NUMBER - u64::from(back));
        assert_eq!(of(back).missing(), json!({ "kind": "blockHash", "number": number }));
    }
}

#[test]
fn the_history_contract_answers_only_with_what_it_holds() {
    let (number, mut world) = (NUMBER - 256, World::of(&block_hash_code(256)));
    let slot = (number % 8191, block_hash(number).to_vec());
    world.contract(history(), HISTORY_CODE, std::slice::from_ref(&slot));
    assert_eq!(world.request(call()).output(), block_hash(number));
    let missing = json!({ "kind": "blockHash", "number": format!("{number:#x}") });
    // An empty slot: the block is from before the contract. It is not zero.
    world.contract(history(), HISTORY_CODE, &[(slot.0 + 1, vec![1])]);
    assert_eq!(world.request(call()).missing(), missing);
    // Another contract at its address.
    world.contract(history(), "6001600255", std::slice::from_ref(&slot));
    assert_eq!(world.request(call()).missing(), missing);
    // Rules of before it.
    world.contract(history(), HISTORY_CODE, &[slot]);
    world.header.as_object_mut().unwrap().remove("requestsHash");
    world.fork = ("cancun", 3_338_477);
    assert_eq!(world.request(call()).missing(), missing);
}

/// Headers before the block, and the block on top of them.
fn with_ancestors(count: u64, back: u16) -> Request {
    let mut world = World::of(&block_hash_code(back));
    let mut parent = [0x77; 32];
    let mut ancestors = Vec::new();
    for number in (NUMBER - count..NUMBER).rev().collect::<Vec<_>>().into_iter().rev() {
        let mut header = world.header.clone();
        header["number"] = json!(format!("{number:#x}"));
        header["parentHash"] = json!(hex::encode(&parent));
        header["stateRoot"] = json!(hex::encode(&[1; 32]));
        let rlp = header::execution(&header);
        parent = keccak(&rlp);
        ancestors.insert(0, rlp);
    }
    world.header["parentHash"] = json!(hex::encode(&parent));
    let mut request = world.request(call());
    request.ancestors = ancestors;
    request
}

#[test]
fn ancestors_answer_as_far_as_they_link() {
    let request = with_ancestors(3, 3);
    let third = keccak(&request.ancestors[2]);
    assert_eq!(request.output(), third);
    // The hash of the block before the last one that is there stands in it.
    assert_eq!(with_ancestors(3, 4).output(), [0x77; 32]);
    let mut fewer = request.clone();
    fewer.ancestors.truncate(2);
    assert_eq!(fewer.output(), third);
    fewer.ancestors.truncate(1);
    assert_eq!(fewer.missing()["kind"], "blockHash");
    let mut gap = request.clone();
    gap.ancestors.remove(1);
    assert_eq!(gap.first()["code"], "verify.header");
    let mut forged = request;
    forged.ancestors[2][60] ^= 1;
    assert_eq!(forged.first()["code"], "verify.header");
}

/// The block may be an ancestor of the trusted one; calls read its state.
#[test]
fn the_source_leads_to_an_older_block() {
    let mut request = World::of(&context()).request(call());
    let world = World::of("00");
    let mut header = world.header.clone();
    header["number"] = json!(format!("{:#x}", NUMBER + 1));
    header["parentHash"] = json!(hex::encode(&request.hash));
    header["stateRoot"] = json!(hex::encode(&[2; 32]));
    let child = header::execution(&header);
    let trusted = keccak(&child);
    request.headers.insert(0, child);
    assert_eq!(request.first()["code"], "verify.header");
    request.hash = trusted;
    let answer = request.run();
    assert_eq!(answer["block"]["number"], format!("{NUMBER:#x}"));
    assert_eq!(answer["answers"][0]["status"], "success");
    request.headers.remove(1);
    assert_eq!(request.missing()["address"], hex::encode(&READER));
}
