//! Accounts that a call creates, destroys or runs in another one's place.

use std::collections::BTreeSet;

use lightproof_testkit::{hex, keccak};

use super::witness::{missing, without, world};
use super::world::{CALLED, Call, READER, Run as _, World, call, word};

/// CREATE2 of nothing, from READER with salt 0; then the code hash of what was made.
const CREATES: &str = "6000600060006000f53f60005260206000f3";

fn created() -> [u8; 20] {
    let parts: [&[u8]; 4] = [&[0xff], &READER, &[0; 32], &keccak(&[])];
    keccak(&parts.concat())[12..].try_into().unwrap()
}

#[test]
fn a_created_account_must_be_proven_not_to_be_there() {
    let mut world = World::of(CREATES);
    for other in 1..40_u8 {
        world.contract([other; 20], "", &[]);
    }
    let whole = world.request(call());
    assert_eq!(whole.output(), keccak(&[]));
    let shared: BTreeSet<_> = world.proof(READER, &[]).into_iter().collect();
    let own = world.proof(created(), &[]).into_iter().filter(|node| !shared.contains(node));
    let own: Vec<_> = own.collect();
    assert!(!own.is_empty(), "the paths part below the root");
    let mut request = whole;
    request.nodes.retain(|node| !own.contains(node));
    assert_eq!(request.missing(), missing("account", created()));
}

/// EIP-7610: an account with storage alone is in the way of a creation, which then gives address 0.
#[test]
fn storage_alone_is_in_the_way_of_a_creation() {
    let mut world = World::of("6000600060006000f560005260206000f3");
    world.contract(created(), "", &[(0, vec![1])]);
    world.accounts.get_mut(&created()).unwrap().nonce = 0;
    assert_eq!(world.request(call()).output(), word(0));
    world.accounts.get_mut(&created()).unwrap().storage.clear();
    assert_eq!(world.request(call()).output()[12..], created());
}

/// The same where an earlier call of a sequence touched the account: a wei does not clear the way.
#[test]
fn storage_is_in_the_way_after_a_transfer_too() {
    let address = hex::encode(&created());
    // With input: sends it a wei. Without: creates it.
    let code = format!(
        "36 6015 57 6000600060006000f5 60005260206000f3 5b 5f5f5f5f6001 73{} 5af1 00",
        &address[2..]
    )
    .replace(' ', "");
    let mut world = World::of(&code);
    world.contract(created(), "", &[(0, vec![1])]);
    world.accounts.get_mut(&created()).unwrap().nonce = 0;
    let mut request = world.request(call());
    request.calls.insert(0, call());
    request.calls[0].data = vec![1];
    request.in_sequence = true;
    let answers = request.run();
    let moved = &answers["answers"][0]["changes"];
    assert!(moved.to_string().contains("[\"0x1\",\"0x2\"]"), "{answers}");
    assert_eq!(answers["answers"][1]["output"], hex::encode(&word(0)), "{answers}");
}

/// EIP-2929: the caller is warm, also where it was not read before and little gas is left.
#[test]
fn the_caller_is_warm_where_less_gas_is_left_than_a_cold_read_costs() {
    let caller = [0x77; 20];
    // Calls CALLED with 1,000 gas and returns whether that went well.
    let to = hex::encode(&CALLED);
    let code = format!("{}73{}6103e8f160005260206000f3", "6000".repeat(5), &to[2..]);
    let mut world = World::of(&code);
    // The balance of ORIGIN, and the size of its code.
    world.contract(CALLED, "323150323b5000", &[]);
    world.contract(caller, "", &[]);
    let whole = world.request(Call { from: caller, ..call() });
    for (fork, fields) in [("london", 16), ("prague", 21)] {
        downgrade(&mut world, fork, fields);
        let request = world.request(Call { from: caller, ..call() });
        assert_eq!(request.output(), word(1), "{fork}");
    }
    let mut request = whole;
    request.nodes.retain(|node| !world.proof(caller, &[]).ends_with(core::slice::from_ref(node)));
    assert_eq!(request.missing(), missing("account", caller));
}

/// EIP-7702: an account that delegates runs another one's code, and both have to be proven; a
/// precompile that is delegated to is no code.
#[test]
fn a_delegate_has_to_be_proven() {
    let to = |address: [u8; 20]| format!("ef0100{}", &hex::encode(&address)[2..]);
    let mut world = world();
    world.contract(READER, &to(CALLED), &[]);
    world.contract(CALLED, "602a5f5260205ff3", &[]);
    assert_eq!(world.request(call()).output(), word(42));
    assert_eq!(without(&world, CALLED).missing(), missing("account", CALLED));
    let mut request = world.request(call());
    request.codes.retain(|code| *code != hex::decode("602a5f5260205ff3"));
    assert_eq!(request.missing()["kind"], "code");
    world.contract(READER, &to(word(4)[12..].try_into().unwrap()), &[]);
    let mut identity = world.request(call());
    identity.calls[0].data = vec![7];
    let answer = identity.first();
    assert_eq!(answer["status"], "success", "{answer}");
    assert_eq!(answer["output"], "0x");
}

/// Before Cancun a contract that destroys itself keeps its storage to the end of the transaction.
#[test]
fn storage_of_a_destroyed_account_is_read_until_the_end() {
    // SELFDESTRUCT in CALLED, then it is called again and returns its slot 7.
    let called = hex::encode(&CALLED);
    let once =
        |size: &str| format!("6020600060{size}600060007 3{}5af150", &called[2..]).replace(' ', "");
    let code = format!("{}{}60206000f3", once("20"), once("00"));
    let mut world = World::of(&code);
    // With input: destroy. Without: return slot 7.
    world.contract(
        CALLED,
        "3615600757 30ff5b60075460005260206000f3".replace(' ', "").as_str(),
        &[(7, vec![7]), (8, vec![8])],
    );
    for (fork, fields) in [("london", 16), ("prague", 21)] {
        downgrade(&mut world, fork, fields);
        let whole = world.request(call());
        assert_eq!(whole.output(), word(7), "{fork}");
        let mut hidden = 0;
        for index in 0..whole.nodes.len() {
            let mut smaller = whole.clone();
            smaller.nodes.remove(index);
            let answer = smaller.first();
            hidden += usize::from(answer["status"] == "missing");
            assert!(answer["status"] == "missing" || answer == whole.first());
        }
        assert!(hidden >= 4);
    }
}

/// Turns the block into one of other rules.
fn downgrade(world: &mut World, fork: &'static str, fields: usize) {
    let later = [
        "withdrawalsRoot",
        "blobGasUsed",
        "excessBlobGas",
        "parentBeaconBlockRoot",
        "requestsHash",
    ];
    if fields == 16 {
        for field in later {
            world.header.as_object_mut().unwrap().remove(field);
        }
        world.fork = (fork, 0);
    } else {
        let fresh = World::of("");
        (world.header, world.fork) = (fresh.header, fresh.fork);
    }
}
