//! The block that a call sees, its rules, its ancestors, and what the caller alters of it.

use lightproof_prover::hex;
use lightproof_testkit::calls::{
    Altered, CHAIN_ID, COINBASE, HISTORY_CODE, NUMBER, READER, Request, World, block_hash, call,
    forks, history, word,
};
use lightproof_testkit::{header, keccak};
use serde_json::{Value, json};

use super::{Answer, Case, case, item, refused};

/// NUMBER, TIMESTAMP, COINBASE, GASLIMIT, BASEFEE, PREVRANDAO, BLOBBASEFEE, CHAINID, ORIGIN,
/// GASPRICE, each a word.
fn context() -> String {
    let instructions = ["43", "42", "41", "45", "48", "44", "4a", "46", "32", "3a"];
    let stores = instructions.iter().enumerate();
    let stores: Vec<_> = stores.map(|(at, code)| format!("{code}61{:04x}52", at * 32)).collect();
    format!("{}6101406000f3", stores.concat())
}

fn returned(value: [u8; 32]) -> Answer {
    Answer::Success(value.to_vec())
}

fn blocks() -> Vec<Case> {
    let world = World::of(&context());
    let whole = world.request(call());
    let mut coinbase = [0; 32];
    coinbase[12..].copy_from_slice(&COINBASE);
    let seen = [
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
    ];
    let mut hash = whole.clone();
    hash.hash[0] ^= 1;
    let mut forged = whole.clone();
    forged.headers[0][100] ^= 1;
    let mut none = whole.clone();
    none.headers.clear();
    let mut dear = world.clone();
    dear.header["excessBlobGas"] = json!("0xffffffffffffffff");
    // A child of the block, which is what is trusted then.
    let mut fields = World::of("00").header;
    fields["number"] = json!(format!("{:#x}", NUMBER + 1));
    fields["parentHash"] = json!(hex::encode(&whole.hash));
    fields["stateRoot"] = json!(hex::encode(&[2; 32]));
    let child = header::execution(&fields);
    let mut older = whole.clone();
    older.hash = keccak(&child);
    older.headers.insert(0, child.clone());
    let mut alone = older.clone();
    alone.headers.pop();
    let mut loose = older.clone();
    loose.headers[1].clone_from(&World::of("00").request(call()).headers[0]);
    vec![
        case("Block", "the block's fields", whole, Answer::Success(seen.concat())),
        refused("Block", "a hash that no header has", hash, "verify.header"),
        refused("Block", "a header that was changed", forged, "verify.header"),
        refused("Request", "no header", none, "input.request"),
        refused("Block", "a blob price that overflows", dear.request(call()), "decode.header"),
        case("Block", "the parent of the trusted block", older, Answer::Success(seen.concat())),
        case(
            "Block",
            "the trusted block, whose state is not there",
            alone,
            Answer::Missing(item("account", READER)),
        ),
        refused("Block", "another header in the parent's place", loose, "verify.header"),
    ]
}

fn rules() -> Vec<Case> {
    let with = |forks: Vec<u8>| {
        let mut request = World::of("00").request(call());
        request.forks = forks;
        request
    };
    let known = ("prague", "block", 0, 5_007_716);
    let unknown = [
        (
            "a fork that this version does not know",
            forks(&[known, ("hegota", "time", 0x6553_f100, 1)]),
        ),
        ("a block before the first entry", forks(&[("prague", "time", 0x6553_f101, 5_007_716)])),
        ("a header with a field too many", forks(&[("cancun", "block", 0, 3_338_477)])),
        ("a header with five fields too many", forks(&[("london", "block", 0, 0)])),
        ("a header that lacks a field", forks(&[("amsterdam", "block", 0, 5_007_716)])),
    ];
    let malformed = [
        ("no entry", forks(&[])),
        ("an entry by slot", forks(&[("prague", "slot", 0, 1)])),
        ("a blob fraction over 32 bits", forks(&[("prague", "block", 0, 1 << 33)])),
        ("no blob fraction", forks(&[("prague", "block", 0, 0)])),
        ("a blob fraction before blobs", forks(&[("london", "block", 0, 1)])),
        ("two entries of one time", forks(&[("prague", "time", 5, 1), ("osaka", "time", 5, 1)])),
        ("a block after a time", forks(&[("prague", "time", 5, 1), ("osaka", "block", 6, 1)])),
        ("no bytes", Vec::new()),
        ("an entry that is no list", vec![0xc1, 0x80]),
    ];
    let later = forks(&[known, ("hegota", "time", 0x6553_f101, 1)]);
    // CLZ of 1.
    let mut osaka = World::of("60011e60005260206000f3");
    let before = osaka.request(call());
    osaka.fork.0 = "osaka";
    let mut amsterdam = World::of("00");
    amsterdam.header["blockAccessListHash"] = json!(hex::encode(&[0; 32]));
    let surplus = "a header with Amsterdam's field";
    let mut cases = vec![
        refused("Fork", surplus, amsterdam.request(call()), "chain.fork"),
        case("Fork", "a fork to come", with(later), Answer::Success(Vec::new())),
        case("Fork", "CLZ before Osaka", before, Answer::Halt),
        case("Fork", "CLZ under Osaka", osaka.request(call()), returned(word(255))),
    ];
    cases.extend(
        unknown.map(|(comment, table)| refused("Fork", comment, with(table), "chain.fork")),
    );
    cases.extend(malformed.map(|(comment, table)| {
        refused("Fork", &format!("a table with {comment}"), with(table), "input.chain")
    }));
    cases
}

/// Returns the hash of block `NUMBER - back`.
fn hash_of(back: u64) -> World {
    World::of(&format!("61{back:04x}43034060005260206000f3"))
}

fn missing_hash(number: u64) -> Answer {
    Answer::Missing(json!({ "kind": "blockHash", "number": format!("{number:#x}") }))
}

/// Three headers before the block, and the block on top of them.
fn with_ancestors(back: u64) -> Request {
    let mut world = hash_of(back);
    let mut parent = [0x77; 32];
    let mut ancestors = Vec::new();
    for number in NUMBER - 3..NUMBER {
        let mut fields: Value = world.header.clone();
        fields["number"] = json!(format!("{number:#x}"));
        fields["parentHash"] = json!(hex::encode(&parent));
        fields["stateRoot"] = json!(hex::encode(&[1; 32]));
        let rlp = header::execution(&fields);
        parent = keccak(&rlp);
        ancestors.insert(0, rlp);
    }
    world.header["parentHash"] = json!(hex::encode(&parent));
    let mut request = world.request(call());
    request.ancestors = ancestors;
    request
}

fn ancestors() -> Vec<Case> {
    let kept = |number: u64, code: &str| {
        let mut world = hash_of(256);
        let slot = (number % 8191, block_hash(NUMBER - 256).to_vec());
        world.contract(history(), code, &[slot]);
        world
    };
    let number = NUMBER - 256;
    let mut early = kept(number, HISTORY_CODE);
    if let Some(fields) = early.header.as_object_mut() {
        fields.remove("requestsHash");
    }
    early.fork = ("cancun", 3_338_477);
    let linked = with_ancestors(3);
    let third = keccak(&linked.ancestors[2]);
    let fewer = |count| {
        let mut request = linked.clone();
        request.ancestors.truncate(count);
        request
    };
    let mut gap = linked.clone();
    gap.ancestors.remove(1);
    let mut forged = linked.clone();
    forged.ancestors[2][60] ^= 1;
    let of = |back| hash_of(back).request(call());
    vec![
        case("Ancestor", "the parent's hash", of(1), returned(block_hash(NUMBER - 1))),
        case("Ancestor", "the block's own hash is zero", of(0), returned(word(0))),
        case("Ancestor", "the 257th before is zero", of(257), returned(word(0))),
        case("Omitted", "the second before", of(2), missing_hash(NUMBER - 2)),
        case("Omitted", "the 256th before", of(256), missing_hash(number)),
        case(
            "Ancestor",
            "a hash that the history contract holds",
            kept(number, HISTORY_CODE).request(call()),
            returned(block_hash(number)),
        ),
        case(
            "Ancestor",
            "an empty slot of the history contract is not zero",
            kept(number + 1, HISTORY_CODE).request(call()),
            missing_hash(number),
        ),
        case(
            "Ancestor",
            "another contract at its address",
            kept(number, "6001600255").request(call()),
            missing_hash(number),
        ),
        case("Ancestor", "rules of before it", early.request(call()), missing_hash(number)),
        case("Ancestor", "headers that link", linked.clone(), returned(third)),
        case(
            "Ancestor",
            "the hash that the last of them names",
            with_ancestors(4),
            returned([0x77; 32]),
        ),
        case("Ancestor", "one header less, which names it too", fewer(2), returned(third)),
        case("Omitted", "two headers less", fewer(1), missing_hash(NUMBER - 3)),
        refused("Swapped", "a header of the middle is not there", gap, "verify.header"),
        refused("Swapped", "a header was changed", forged, "verify.header"),
    ]
}

fn overrides() -> Vec<Case> {
    // Its own balance, and its slots 0 and 1.
    let mut world = World::of("");
    let code = "47600052600054602052600154604052 60606000f3".replace(' ', "");
    world.contract(READER, &code, &[(0, vec![8]), (1, vec![9])]);
    let with = |altered: Altered| {
        let mut request = world.request(call());
        request.altered = vec![Altered { address: READER, ..altered }];
        request
    };
    let words = |words: [u64; 3]| Answer::Success(words.map(word).concat());
    let mut clock = World::of(&context()).request(call());
    clock.block[1] = Some(vec![0x77]);
    clock.calls[0].to = READER.to_vec();
    let mut four = [0; 20];
    four[19] = 4;
    let mut precompile = world.request(call());
    precompile.altered = vec![Altered { address: four, code: Some(vec![0]), ..Altered::default() }];
    let mut twice = with(Altered::default());
    twice.altered.push(Altered { address: READER, ..Altered::default() });
    // Returns slot 0, then adds one to it.
    let mut counter = World::of("");
    counter.contract(READER, "5f54805f526001015f5560205ff3", &[(0, vec![9])]);
    let mut apart = counter.request(call());
    apart.calls.push(call());
    let mut sequence = apart.clone();
    sequence.in_sequence = true;
    let answers = |numbers: [u64; 2]| {
        super::Expected::Answers(numbers.map(|number| returned(word(number))).to_vec())
    };
    let several = |comment: &str, request: Request, numbers| Case {
        flag: "Override",
        comment: comment.to_owned(),
        request,
        expected: answers(numbers),
    };
    vec![
        case("Override", "nothing altered", world.request(call()), words([1, 8, 9])),
        case(
            "Override",
            "a balance",
            with(Altered { balance: Some(5), ..Altered::default() }),
            words([5, 8, 9]),
        ),
        case(
            "Override",
            "one slot",
            with(Altered { slots: vec![(0, 7)], ..Altered::default() }),
            words([1, 7, 9]),
        ),
        case(
            "Override",
            "all slots",
            with(Altered { storage: Some(vec![(1, 6)]), ..Altered::default() }),
            words([1, 0, 6]),
        ),
        case(
            "Override",
            "a code",
            with(Altered { code: Some(vec![0]), ..Altered::default() }),
            Answer::Success(Vec::new()),
        ),
        refused("Request", "one account twice", twice, "input.request"),
        refused("Request", "code in the place of a precompile", precompile, "input.request"),
        several("two calls do not see each other", apart, [9, 9]),
        several("two calls in sequence do", sequence, [9, 10]),
    ]
}

pub(super) fn cases() -> Vec<Case> {
    let mut cases = blocks();
    cases.extend(rules());
    cases.extend(ancestors());
    cases.extend(overrides());
    cases
}
