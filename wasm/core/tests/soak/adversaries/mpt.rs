//! Accounts and slots: paths of others, of another state, and claims that do not fit their paths.

use std::collections::{BTreeMap, BTreeSet};

use lightproof_core::Verifier;
use lightproof_core::system::mpt::Mpt;
use lightproof_testkit::state::{MptProof, SlotProof};
use lightproof_testkit::{Account, Chain, Claim, Query, Source, State, ask, hex, sample};
use serde_json::Value;

use super::adversaries;
use crate::dice::Dice;

const CHAIN: Chain = Chain { kind: "devnet", chain_id: 0x4c50, genesis_hash: [0x77; 32] };
/// Accounts that a state draws from, and slots: of two the leaves stand inside a branch.
const ACCOUNTS: u8 = 5;
const SLOTS: [u64; 4] = [sample::TWIN_SLOTS[0], sample::TWIN_SLOTS[1], 0, 1];

fn account(dice: &mut Dice) -> Account {
    let mut storage = BTreeMap::new();
    for number in SLOTS {
        if dice.below(2) == 0 {
            storage.insert(sample::slot(number), vec![1 + dice.byte() / 2]);
        }
    }
    let (nonce, balance) = (dice.next() % 3, u128::from(dice.next() % 1000));
    let count = dice.below(3);
    Account { nonce, balance, storage, code: dice.bytes(count) }
}

fn questions() -> Vec<Query> {
    let slots = SLOTS.map(|number| sample::slot(number).to_vec());
    let mut all = Vec::new();
    for index in 0..ACCOUNTS {
        let address = sample::address(index).to_vec();
        let ask = |slots: &[Vec<u8>], want_code| {
            let address = address.clone();
            Query { address, slots: slots.to_vec(), want_code }
        };
        all.extend([ask(&[], true), ask(&slots[..2], false)]);
        all.extend(slots.iter().map(|slot| ask(std::slice::from_ref(slot), false)));
    }
    all
}

/// What an adversary makes of a proof for another question: as it is, under the names of this one,
/// below this one's account, and with its claims.
fn made(query: &Query, honest: &MptProof, other: &MptProof) -> Vec<MptProof> {
    let named = |slot: (usize, &SlotProof)| {
        let key = query.slots.get(slot.0).unwrap_or(&slot.1.key).clone();
        SlotProof { key, ..slot.1.clone() }
    };
    let slots: Vec<_> = other.slots.iter().enumerate().map(named).collect();
    let renamed = MptProof { address: query.address.clone(), slots, ..other.clone() };
    let below = MptProof { nodes: honest.nodes.clone(), ..renamed.clone() };
    let MptProof { slots, code, .. } = renamed.clone();
    let claimed = MptProof { slots, code, ..honest.clone() };
    vec![other.clone(), renamed, below, claimed]
}

#[test]
fn mpt() {
    let verifier = Verifier::<Mpt>::new(&CHAIN.encode(), &ask::mpt_config(), &[]).unwrap();
    let questions = questions();
    adversaries("mpt", |dice, tally, seed| {
        let mut accounts = BTreeMap::new();
        for index in 0..ACCOUNTS {
            if dice.below(3) > 0 {
                accounts.insert(sample::address(index), account(dice));
            }
        }
        let before = State::new(accounts.clone());
        let index = dice.byte() % ACCOUNTS;
        if accounts.remove(&sample::address(index)).is_none() || dice.below(2) == 0 {
            accounts.insert(sample::address(index), account(dice));
        }
        let state = State::new(accounts);
        let proofs = |of: &State| questions.iter().map(|query| of.prove(query)).collect::<Vec<_>>();
        let (honest, old) = (proofs(&state), proofs(&before));
        for (query, own) in questions.iter().zip(&honest) {
            let made = honest.iter().chain(&old).flat_map(|other| made(query, own, other));
            let proofs: BTreeSet<_> = made.map(|proof| proof.encode()).collect();
            let source = || Source::root(state.root());
            let claim = |proof| Claim::plain(source(), query.encode(), proof);
            let claims: Vec<Claim> = proofs.into_iter().map(claim).collect();
            let verdicts = verifier.verify(&ask::claims(&claims), [0; 32], &mut ());
            let verdicts: Vec<Value> = serde_json::from_str(&verdicts).unwrap();
            assert_eq!(verdicts.len(), claims.len());
            let (truth, own) = (state.fact(query), own.encode());
            for (claim, verdict) in claims.iter().zip(&verdicts) {
                let proven = (verdict["status"] == "proven").then(|| &verdict["fact"]);
                tally.judge(claim.proof == own, proven, &truth, || {
                    let claim = hex::encode(&ask::claims(std::slice::from_ref(claim)));
                    format!("mpt by seed {seed}: {claim}")
                });
            }
        }
    });
}
