//! A block's lists: all windows of them, items left out, repeated and exchanged, and other lists.

use alloy_trie::root::ordered_trie_root_with_encoder;
use lightproof_core::Verifier;
use lightproof_core::body::Body;
use lightproof_testkit::{Chain, Claim, Rlp, Source, ask, body, hex, keccak};
use serde_json::Value;

use super::adversaries;
use crate::dice::Dice;

const CHAIN: Chain = Chain { kind: "devnet", chain_id: 0x4c50, genesis_hash: [0x77; 32] };
/// Most items of a list.
const ITEMS: usize = 5;
const ADDRESSES: [[u8; 20]; 2] = [[0xaa; 20], [0xbb; 20]];

type List = Vec<Vec<u8>>;

struct Block {
    transactions: List,
    receipts: List,
    withdrawals: List,
    /// Addresses of the logs, by receipt.
    logs: Vec<Vec<[u8; 20]>>,
}

fn block(dice: &mut Dice) -> Block {
    let count = dice.below(ITEMS + 1);
    let transaction = |dice: &mut Dice| {
        let numbers = [dice.next() % 100, 7, 21_000].map(Rlp::uint);
        let to = [Rlp::str(ADDRESSES[0]), Rlp::uint(dice.next() % 1000), Rlp::str([])];
        let signature = [27, 5, 6].map(Rlp::uint);
        Rlp::list(numbers.into_iter().chain(to).chain(signature)).encode()
    };
    let transactions = (0..count).map(|_| transaction(dice)).collect();
    let logs: Vec<Vec<_>> = (0..count)
        .map(|_| (0..dice.below(3)).map(|_| ADDRESSES[dice.below(2)]).collect())
        .collect();
    let receipt = |(index, logs): (u64, &Vec<[u8; 20]>)| {
        let log = |address| Rlp::list([Rlp::str(address), Rlp::list([]), Rlp::uint(index)]);
        let logs = Rlp::list(logs.iter().copied().map(log));
        let head = [Rlp::uint(1), Rlp::uint(21_000 * (index + 1)), Rlp::str([0; 256])];
        Rlp::list(head.into_iter().chain([logs])).encode()
    };
    let receipts = (0..).zip(&logs).map(receipt).collect();
    let paid = |index: u64, dice: &mut Dice| {
        let head = [Rlp::uint(index), Rlp::uint(3), Rlp::str(ADDRESSES[1])];
        Rlp::list(head.into_iter().chain([Rlp::uint(dice.next() % 1000)])).encode()
    };
    let count = u64::try_from(dice.below(ITEMS + 1)).unwrap();
    let withdrawals = (0..count).map(|index| paid(index, dice)).collect();
    Block { transactions, receipts, withdrawals, logs }
}

fn root(list: &List) -> [u8; 32] {
    ordered_trie_root_with_encoder(list, |item, out| out.extend_from_slice(item)).0
}

/// What is asked, with the lists of its honest proof, and what the model says of the fact.
struct Question {
    query: Vec<u8>,
    lists: Vec<List>,
    check: Box<dyn Fn(&Value) -> bool>,
}

/// Whether a list of the fact has these items of the model, by their hashes.
fn has(fact: &Value, list: &str, hash: &str, expected: &[String]) -> bool {
    let items = fact[list].as_array().unwrap();
    let found: Vec<_> = items.iter().map(|item| item[hash].as_str().unwrap().to_owned()).collect();
    found == expected
}

impl Block {
    fn root(&self) -> Vec<u8> {
        let lists = [&self.transactions, &self.receipts].map(|list| Rlp::str(root(list)));
        let rest = [Rlp::str([0xff; 256]), Rlp::uint(7), Rlp::str(root(&self.withdrawals))];
        Rlp::list(lists.into_iter().chain(rest)).encode()
    }

    fn questions(&self) -> Vec<Question> {
        let Self { transactions, receipts, withdrawals, logs } = self;
        let hashes: Vec<_> = transactions.iter().map(|bytes| hex::encode(&keccak(bytes))).collect();
        let mut all = Vec::new();
        let both = || vec![transactions.clone(), receipts.clone()];
        let indices = (0..=u64::try_from(ITEMS).unwrap()).map(|index| vec![index]);
        for indices in indices.chain([vec![]]) {
            let chosen: Vec<String> = match indices.first() {
                None => hashes.clone(),
                Some(index) => {
                    hashes.get(usize::try_from(*index).unwrap()).cloned().into_iter().collect()
                }
            };
            let (one, other) = (chosen.clone(), chosen);
            all.push(Question {
                query: body::query("transactions", &indices),
                lists: vec![transactions.clone()],
                check: Box::new(move |fact| has(fact, "transactions", "hash", &one)),
            });
            all.push(Question {
                query: body::query("receipts", &indices),
                lists: both(),
                check: Box::new(move |fact| has(fact, "receipts", "transactionHash", &other)),
            });
        }
        let paid = withdrawals.len();
        all.push(Question {
            query: Rlp::strings(["withdrawals"]).encode(),
            lists: vec![withdrawals.clone()],
            check: Box::new(move |fact| fact["withdrawals"].as_array().unwrap().len() == paid),
        });
        for address in ADDRESSES {
            let count = logs.iter().flatten().filter(|found| **found == address).count();
            all.push(Question {
                query: body::filter("logs", &[address.to_vec()], &[], Some(false)),
                lists: vec![receipts.clone()],
                check: Box::new(move |fact| fact["logs"].as_array().unwrap().len() == count),
            });
        }
        all
    }
}

/// What an adversary makes of a list.
fn made(list: &List) -> Vec<List> {
    let length = list.len();
    let mut all = Vec::new();
    for start in 0..length {
        all.extend((start..=length).map(|end| list[start..end].to_vec()));
        let mut without = list.clone();
        let item = without.remove(start);
        all.push(without);
        for place in 0..=length {
            let mut repeated = list.clone();
            repeated.insert(place, item.clone());
            all.push(repeated);
        }
        for other in 0..start {
            let mut swapped = list.clone();
            swapped.swap(start, other);
            all.push(swapped);
        }
    }
    all
}

#[test]
fn inclusion() {
    let config = Rlp::list([Rlp::str("body/1"), Rlp::str([])]).encode();
    let verifier = Verifier::<Body>::new(&CHAIN.encode(), &config, &[]).unwrap();
    adversaries("inclusion", |dice, tally, seed| {
        let (block, other) = (block(dice), block(dice));
        let foreign = [&other.transactions, &other.receipts, &other.withdrawals];
        let own = [&block.transactions, &block.receipts, &block.withdrawals];
        for Question { query, lists, check } in block.questions() {
            let mut proofs = vec![lists.clone()];
            for place in 0..lists.len() {
                let lies = made(&lists[place]).into_iter();
                for lie in lies.chain(foreign.iter().chain(&own).map(|list| (*list).clone())) {
                    let mut changed = lists.clone();
                    changed[place] = lie;
                    if !proofs.contains(&changed) {
                        proofs.push(changed);
                    }
                }
            }
            proofs.push(lists[1..].to_vec());
            if lists.len() > 1 {
                proofs.push(lists.iter().rev().cloned().collect());
            }
            let claims: Vec<Claim> = proofs
                .iter()
                .map(|lists| {
                    let lists: Vec<&[Vec<u8>]> = lists.iter().map(Vec::as_slice).collect();
                    let source = Source::Root { number: 9, bytes: block.root() };
                    Claim::plain(source, query.clone(), body::proof(&lists))
                })
                .collect();
            let verdicts = verifier.verify(&ask::claims(&claims), [0; 32], &mut ());
            let verdicts: Vec<Value> = serde_json::from_str(&verdicts).unwrap();
            let truth = &verdicts[0]["fact"];
            let shown = |claim: &Claim| {
                let claim = hex::encode(&ask::claims(std::slice::from_ref(claim)));
                format!("inclusion by seed {seed}: {claim}")
            };
            for ((claim, verdict), lists_of) in claims.iter().zip(&verdicts).zip(&proofs) {
                let proven = (verdict["status"] == "proven").then(|| &verdict["fact"]);
                if let Some(fact) = proven {
                    assert!(check(fact), "a false fact: {fact}: {}", shown(claim));
                }
                tally.judge(*lists_of == lists, proven, truth, || shown(claim));
            }
        }
    });
}
