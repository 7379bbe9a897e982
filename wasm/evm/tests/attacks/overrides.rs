//! What a caller overrides, what it does not, and calls one after the other.

use lightproof_testkit::{Rlp, hex, keccak};
use serde_json::json;

use super::world::{
    ABSENT, Altered, CALLED, Call, HISTORY_CODE, NUMBER, READER, Run as _, World, block_hash, call,
    history, word,
};

/// Returns slot 0, slot 1, and the balance of [`CALLED`].
fn reads() -> String {
    let called = hex::encode(&CALLED);
    format!("5f545f52600154602052 73{}3160405260605ff3", &called[2..]).replace(' ', "")
}

fn world() -> World {
    let mut world = World::of("");
    world.contract(READER, &reads(), &[(0, vec![7]), (1, vec![8])]);
    world
}

fn altered(address: [u8; 20]) -> Altered {
    Altered { address, ..Altered::default() }
}

#[test]
fn overrides_alter_what_they_name_and_nothing_else() {
    let mut request = world().request(call());
    assert_eq!(request.output(), [word(7), word(8), word(1)].concat());
    request.altered = vec![
        Altered { slots: vec![(0, 70)], ..altered(READER) },
        Altered { balance: Some(9), ..altered(CALLED) },
    ];
    assert_eq!(request.output(), [word(70), word(8), word(9)].concat());
    request.altered[0] = Altered { storage: Some(vec![(1, 80)]), ..altered(READER) };
    assert_eq!(request.output(), [word(0), word(80), word(9)].concat());
    // Code in the place of code, and where no account is.
    let answers = hex::decode("602a5f5260205ff3");
    request.altered = vec![Altered { code: Some(answers.clone()), ..altered(READER) }];
    assert_eq!(request.output(), word(42));
    request.altered = vec![Altered { code: Some(answers), ..altered(ABSENT) }];
    request.calls[0].to = ABSENT.to_vec();
    assert_eq!(request.output(), word(42));
    // Not twice, and not in the place of a precompile.
    let mut wrong = request.clone();
    wrong.altered.push(altered(ABSENT));
    assert_eq!(wrong.first()["code"], "input.request");
    request.altered[0].address = word(2)[12..].try_into().unwrap();
    assert_eq!(request.first()["code"], "input.request");
}

/// An override is no proof: what is not named is missing as ever.
#[test]
fn what_is_not_overridden_has_to_be_proven() {
    let whole = world().request(call());
    let mut bare = whole.clone();
    (bare.nodes, bare.codes) = (Vec::new(), Vec::new());
    let code = Some(hex::decode(&reads()));
    for (balance, nonce) in [(None, None), (Some(1), None), (None, Some(1))] {
        bare.altered = vec![Altered { balance, nonce, code: code.clone(), ..altered(READER) }];
        let expected = json!({ "kind": "account", "address": hex::encode(&READER) });
        assert_eq!(bare.missing(), expected);
    }
    // Without a proof of its account a slot is not known, though all else of it is given.
    let account = Altered { balance: Some(1), nonce: Some(1), code, ..altered(READER) };
    bare.altered = vec![Altered { slots: vec![(0, 1)], ..account.clone() }];
    assert_eq!(bare.missing()["address"], hex::encode(&READER));
    bare.altered[0] = Altered { storage: Some(vec![(0, 1)]), ..account };
    assert_eq!(bare.missing()["address"], hex::encode(&CALLED));
    bare.nodes = whole.nodes;
    assert_eq!(bare.output(), [word(1), word(0), word(1)].concat());
}

/// NUMBER, TIMESTAMP, GASLIMIT, COINBASE, PREVRANDAO, BASEFEE, BLOBBASEFEE.
#[test]
fn the_block_is_overridden_field_by_field() {
    let instructions = ["43", "42", "45", "41", "44", "48", "4a"];
    let value = |field: usize| vec![0x5c; [1, 1, 4, 20, 32, 1, 1][field]];
    for (index, code) in instructions.into_iter().enumerate() {
        let mut request = World::of(&format!("{code}5f5260205ff3")).request(call());
        let proven = request.output();
        let mut expected = vec![0; 32 - value(index).len()];
        expected.extend(value(index));
        for other in 0..7 {
            request.block = Default::default();
            request.block[other] = Some(value(other));
            let output = request.output();
            assert_eq!(output, if other == index { expected.clone() } else { proven.clone() });
        }
        // The answer tells the number of the proven block.
        assert_eq!(request.run()["block"]["number"], format!("{NUMBER:#x}"));
    }
}

/// The history contract holds a ring: a number that it does not hold has another block's slot.
#[test]
fn an_overridden_number_does_not_shift_block_hashes() {
    // BLOCKHASH of the call's data.
    let mut world = World::of("5f35405f5260205ff3");
    let ring = |number: u64| (number % 8191, block_hash(number).to_vec());
    world.contract(history(), HISTORY_CODE, &[ring(NUMBER - 8191), ring(NUMBER - 8190)]);
    let mut request = world.request(call());
    let own = request.hash;
    let mut ask = |number: u64, asked: u64| {
        request.block[0] = Some(hex::minimal(&number.to_be_bytes()));
        request.calls[0].data = word(asked).to_vec();
        request.clone()
    };
    // Blocks after the proven one: their slots hold what stands 8,191 blocks before.
    assert_eq!(ask(NUMBER + 5, NUMBER + 1).first()["code"], "call.refused");
    assert_eq!(ask(NUMBER + 5, NUMBER).output(), own);
    assert_eq!(ask(NUMBER - 8000, NUMBER - 8191).output(), block_hash(NUMBER - 8191));
    // Older than the ring reaches.
    assert_eq!(ask(NUMBER - 8100, NUMBER - 8192).missing()["kind"], "blockHash");
}

/// Adds one to slot 0 and returns it.
#[test]
fn calls_in_sequence_see_each_other() {
    let mut world = World::of("");
    world.contract(READER, "5f54600101805f555f5260205ff3", &[(0, vec![9])]);
    let mut request = world.request(call());
    request.calls = vec![call(); 3];
    let outputs = |request: &super::world::Request| {
        let all = request.run();
        let answers = all["answers"].as_array().unwrap().clone();
        answers.into_iter().map(|answer| answer["output"].clone()).collect::<Vec<_>>()
    };
    let expected = |numbers: [u64; 3]| numbers.map(|number| json!(hex::encode(&word(number))));
    assert_eq!(outputs(&request), expected([10, 10, 10]));
    request.in_sequence = true;
    assert_eq!(outputs(&request), expected([10, 11, 12]));
    let first = request.first();
    let changes = first["changes"].as_array().unwrap();
    let change = changes.iter().find(|one| one["address"] == hex::encode(&READER)).unwrap();
    assert_eq!(changes.len(), 2, "the other is the caller's nonce");
    let slot = json!([{ "key": hex::encode(&word(0)), "value": hex::encode(&word(10)) }]);
    assert_eq!(change["slots"], slot);
}

/// Where a contract is created follows from its creator's nonce: a call that pays nothing counts.
#[test]
fn every_call_of_a_sequence_raises_its_senders_nonce() {
    let mut world = World::of("00");
    let sender = [0xee; 20];
    world.contract(sender, "", &[]);
    let mut request = world.request(call());
    let free = Call { from: sender, ..call() };
    let create = Call { from: sender, to: Vec::new(), data: Vec::new(), ..call() };
    request.calls = vec![free.clone(), create.clone(), free, create];
    let created = |request: &super::world::Request| {
        let all = request.run();
        [1, 3].map(|at: usize| all["answers"][at]["created"].clone())
    };
    let address = |nonce: u64| {
        let list = Rlp::list([Rlp::str(sender), Rlp::uint(nonce)]).encode();
        json!(hex::encode(&keccak(&list)[12..]))
    };
    assert_eq!(created(&request), [address(1), address(1)]);
    request.in_sequence = true;
    assert_eq!(created(&request), [address(2), address(4)]);
}

#[test]
fn changes_tell_what_a_transfer_moves() {
    let mut world = World::of("00");
    world.contract([0xee; 20], "", &[]);
    let mut request = world.request(call());
    (request.calls[0].from, request.calls[0].value) = ([0xee; 20], 1);
    let answer = request.first();
    let changes = answer["changes"].as_array().unwrap();
    let of = |address: [u8; 20]| {
        changes.iter().find(|one| one["address"] == hex::encode(&address)).unwrap()
    };
    assert_eq!(of([0xee; 20])["balance"], json!(["0x1", "0x0"]));
    assert_eq!(of([0xee; 20])["nonce"], json!(["0x1", "0x2"]));
    assert_eq!(of(READER)["balance"], json!(["0x1", "0x2"]));
    assert_eq!(changes.len(), 2);
}
