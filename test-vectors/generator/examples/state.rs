//! Prints proofs of mpt over a large state of our own making, for `npm run bench`: a JSON array of
//! `{id, title, stateRoot, accountExists, proof}`, `proof` as nodes answer `eth_getProof`.
//!
//! `cargo run -p lightproof-generator --example state -- [--accounts N]`
//!
//! * `--accounts`: 1,000,000 by default; one contract beside them has a quarter as many slots.
//!
//! Of 2,000 accounts, and of as many slots, those with the most nodes are proven: at a million
//! accounts they have as many as mainnet's, 7 to 9.

#![allow(clippy::unwrap_used)]

use lightproof_prover::chain::writes::WriteSet;
use lightproof_prover::chain::{Address, Slot};
use lightproof_prover::hash::Word;
use lightproof_prover::hex;
use lightproof_prover::rng::digest;
use lightproof_prover::store::embedded::Embedded;
use lightproof_prover::store::{self, Store as _};
use lightproof_prover::system::System as _;
use lightproof_prover::system::mpt::{Mpt, State};
use serde_json::{Value, json};

const CONTRACT: Address = [0xc0; 20];
/// As many accounts, and slots, are looked at for the deepest ones.
const LOOKED_AT: u64 = 2_000;
/// Accounts of a transaction: what one changes is in memory until it ends.
const BLOCK: u64 = 100_000;

fn address(number: u64) -> Address {
    *digest(1, "bench-account", number).first_chunk().unwrap()
}

fn slot(number: u64) -> Slot {
    digest(1, "bench-slot", number)
}

/// The state in blocks of [`BLOCK`] accounts; the root after the last of them, and its number.
fn fill(database: &Embedded, accounts: u64) -> (Word, u64) {
    let system = Mpt::new(1);
    let mut root = Vec::new();
    let last = accounts.div_ceil(BLOCK).max(1) - 1;
    for block in 0..=last {
        let mut writes = WriteSet::default();
        for number in block * BLOCK..((block + 1) * BLOCK).min(accounts) {
            writes.account(address(number), number % 1_000, u128::from(number + 1) << 50);
        }
        if block == last {
            writes.contract(CONTRACT, 1, 10_u128.pow(18), vec![0xfe]);
            (0..accounts / 4).for_each(|number| {
                writes.slot(CONTRACT, slot(number), digest(1, "bench-value", number));
            });
        }
        root = store::write(database, |batch| system.commit(batch, block, &writes)).unwrap();
    }
    (root.try_into().unwrap(), last)
}

fn proof(state: &State<'_>, address: &Address, slots: &[Slot]) -> Value {
    let shown = state.account(address).unwrap();
    let account = shown.account.unwrap_or_default();
    let nodes = |nodes: &[Vec<u8>]| nodes.iter().map(|node| hex::encode(node)).collect::<Vec<_>>();
    let slot = |key: &Slot| {
        let shown = state.slot(address, key).unwrap();
        json!({
            "key": hex::encode(key),
            "value": hex::encode(&shown.value),
            "proof": nodes(&shown.nodes),
        })
    };
    json!({
        "address": hex::encode(address),
        "nonce": hex::quantity(account.nonce),
        "balance": hex::encode(&account.balance.0),
        "storageHash": hex::encode(&account.storage_root),
        "codeHash": hex::encode(&account.code_hash),
        "accountProof": nodes(&shown.nodes),
        "storageProof": slots.iter().map(slot).collect::<Vec<_>>(),
    })
}

/// Of `0..count`, those with the most nodes first.
fn deepest(count: u64, nodes: impl Fn(u64) -> usize) -> Vec<u64> {
    let mut all: Vec<u64> = (0..count.min(LOOKED_AT)).collect();
    all.sort_by_cached_key(|number| std::cmp::Reverse(nodes(*number)));
    all
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let accounts = match arguments.as_slice() {
        [] => 1_000_000,
        [name, number] if name == "--accounts" => number.parse().unwrap(),
        _ => panic!("usage: state [--accounts N]"),
    };
    let directory = tempfile::tempdir().unwrap();
    let database = Embedded::create(&directory.path().join("state.redb"), 1 << 30).unwrap();
    let (root, head) = fill(&database, accounts);
    let reader = database.reader().unwrap();
    let state = State::after(&*reader, head);

    let deep = deepest(accounts, |number| state.account(&address(number)).unwrap().nodes.len());
    let deep_slots =
        deepest(accounts / 4, |number| state.slot(&CONTRACT, &slot(number)).unwrap().nodes.len());
    let slots: Vec<Slot> = deep_slots.iter().take(3).map(|number| slot(*number)).collect();
    let (account, nobody, unset) = (address(deep[0]), address(accounts), slot(accounts));
    let cases = [
        ("account", "account", account, &[] as &[Slot]),
        ("slot", "account and 1 slot", CONTRACT, &slots[..1]),
        ("3-slots", "account and 3 slots", CONTRACT, &slots),
        ("absent-slot", "account, slot absent", CONTRACT, &[unset]),
        ("absent-account", "account absent", nobody, &[]),
    ];
    let case = |(id, title, address, slots): (&str, &str, Address, &[Slot])| {
        json!({
            "id": format!("made-{id}"),
            "title": title,
            "stateRoot": hex::encode(&root),
            "accountExists": state.account(&address).unwrap().account.is_some(),
            "proof": proof(&state, &address, slots),
        })
    };
    println!("{}", json!(cases.map(case)));
}
