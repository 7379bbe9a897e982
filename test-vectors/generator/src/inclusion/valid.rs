//! What is true, in blocks of several forks.

use serde_json::{Value, json};

use super::model::{Block, Filter, Outcome};
use super::scene::{
    A, ALICE, B, BOB, C, Lists, Question, TRANSFER, full, header_of, lists, transaction,
};
use crate::case::{Case, Expected, Source};
use lightproof_prover::system::PLAIN;

fn fact(block: &Block, question: &Question, may: bool) -> Value {
    match question {
        Question::Transactions(indices) => block.transactions_fact(indices),
        Question::Receipts(indices) => block.receipts_fact(indices),
        Question::Withdrawals => block.withdrawals_fact(),
        Question::Bloom(_) => json!({ "bloom": may }),
        Question::Logs(filter, hashes) => block.logs_fact(filter, *hashes),
    }
}

struct Scene {
    block: Block,
    lists: Lists,
    source: Source,
}

impl Scene {
    fn new(block: Block, fields: usize) -> Self {
        let lists = lists(&block);
        let source = lists.root(&block, fields);
        Self { block, lists, source }
    }

    /// * `may`: of a Bloom filter, what it says.
    fn case(&self, flag: &'static str, comment: &str, question: &Question, may: bool) -> Case {
        Case {
            comment: comment.to_owned(),
            flags: vec![flag],
            source: self.source.clone(),
            query: question.encode(),
            variant: PLAIN,
            proof: self.lists.proof(question),
            expected: Expected::Valid(fact(&self.block, question, may)),
        }
    }
}

pub(super) fn cases() -> Vec<Case> {
    let mut cases = lists_of_one_block();
    cases.extend(logs());
    cases.extend(filters());
    cases.extend(sizes());
    cases.extend(forks());
    cases
}

fn lists_of_one_block() -> Vec<Case> {
    let scene = Scene::new(full(), 5);
    let of = |flag, comment: &str, question| scene.case(flag, comment, &question, false);
    let [transactions, receipts] = [Question::Transactions, Question::Receipts];
    vec![
        of("Transactions", "all, of every type", transactions(vec![])),
        of("Transactions", "the first", transactions(vec![0])),
        of("Transactions", "some, and an index beyond the last", transactions(vec![1, 4, 7])),
        of("Transactions", "only an index beyond the last", transactions(vec![1_000_000])),
        of("Receipts", "all, with what follows from transactions", receipts(vec![])),
        of("Receipts", "the one with the fourth log", receipts(vec![3])),
        of(
            "Receipts",
            "of a transaction that failed, and of one that made a contract",
            receipts(vec![2, 5]),
        ),
        of("Withdrawals", "all", Question::Withdrawals),
    ]
}

fn filter(addresses: &[[u8; 20]], topics: &[&[[u8; 32]]]) -> Filter {
    (addresses.to_vec(), topics.iter().map(|any| any.to_vec()).collect())
}

fn logs() -> Vec<Case> {
    let scene = Scene::new(full(), 5);
    let table: [(&str, Filter, bool); 11] = [
        ("all", filter(&[], &[]), false),
        ("all, with hashes of transactions", filter(&[], &[]), true),
        ("of one contract", filter(&[A], &[]), false),
        ("of either of two contracts, with hashes", filter(&[C, B], &[]), true),
        ("with a topic in its place", filter(&[], &[&[TRANSFER]]), false),
        ("with any first topic and this second one", filter(&[], &[&[], &[BOB]]), false),
        ("of a contract, to one of two", filter(&[A], &[&[TRANSFER], &[], &[ALICE, BOB]]), true),
        ("with four topics", filter(&[], &[&[], &[], &[], &[]]), false),
        ("of a contract without any", filter(&[[0xdd; 20]], &[]), false),
        ("with a topic that stands in another place", filter(&[A], &[&[ALICE]]), false),
        ("with a topic of a log of another contract", filter(&[C], &[&[TRANSFER]]), true),
    ];
    let case = |(comment, filter, hashes)| {
        scene.case("Logs", comment, &Question::Logs(filter, hashes), false)
    };
    table.into_iter().map(case).collect()
}

fn filters() -> Vec<Case> {
    let scene = Scene::new(full(), 5);
    let table: [(&str, Filter, bool); 6] = [
        ("of a contract with logs", filter(&[A], &[]), true),
        ("of a contract without any", filter(&[[0xdd; 20]], &[]), false),
        ("of either of two", filter(&[[0xdd; 20], B], &[]), true),
        ("with a topic that is nowhere", filter(&[A], &[&[TRANSFER], &[[0x44; 32]]]), false),
        ("with a topic in another place, which bits do not tell", filter(&[A], &[&[ALICE]]), true),
        ("of everything", filter(&[], &[]), true),
    ];
    let case = |(comment, filter, may)| scene.case("Bloom", comment, &Question::Bloom(filter), may);
    table.into_iter().map(case).collect()
}

fn sizes() -> Vec<Case> {
    let empty = Scene::new(Block { base_fee: Some(7), ..Block::default() }, 5);
    let (all, every) = (Question::Transactions(vec![]), Question::Receipts(vec![]));
    let none = Question::Logs(filter(&[], &[]), true);
    let mut cases = vec![
        empty.case("Empty", "no transactions", &all, false),
        empty.case("Empty", "no receipts", &every, false),
        empty.case("Empty", "no withdrawals", &Question::Withdrawals, false),
        empty.case("Empty", "no logs", &none, false),
        empty.case(
            "Empty",
            "a Bloom filter without bits",
            &Question::Bloom(filter(&[A], &[])),
            false,
        ),
        empty.case(
            "Empty",
            "which excludes no filter without entries",
            &Question::Bloom(filter(&[], &[])),
            true,
        ),
    ];
    // Keys of one byte, of two, and of three; 0 stands between 127 and 128.
    for count in [1, 2, 127, 128, 129, 257] {
        let mut block = Block { base_fee: Some(7), ..Block::default() };
        let mut one = full().withdrawals[0].clone();
        for index in 0..count {
            one.index = index;
            block.withdrawals.push(one.clone());
        }
        let comment = format!("{count} withdrawals");
        let scene = Scene::new(block, 5);
        cases.push(scene.case("Sizes", &comment, &Question::Withdrawals, false));
    }
    cases
}

fn forks() -> Vec<Case> {
    let mut byzantium = full();
    byzantium.transactions = vec![transaction(0, 0), transaction(0, 1)];
    byzantium.receipts.truncate(2);
    byzantium.receipts.iter_mut().for_each(|receipt| receipt.kind = 0);
    byzantium.withdrawals.clear();
    byzantium.base_fee = None;
    let mut frontier = byzantium.clone();
    for (receipt, byte) in frontier.receipts.iter_mut().zip(1_u8..) {
        receipt.outcome = Outcome::StateRoot([byte; 32]);
    }
    let mut london = full();
    london.withdrawals.clear();
    let mut low = full();
    // The base fee leaves less than the tip, and nothing.
    low.base_fee = Some(39);
    let mut level = full();
    level.base_fee = Some(40);
    let mut cases = Vec::new();
    let all = Question::Receipts(vec![]);
    for (comment, block, fields) in [
        ("receipts with state roots, before Byzantium", &frontier, 3),
        ("without a base fee, before London", &byzantium, 3),
        ("a base fee that leaves less than the tip", &low, 5),
        ("a base fee that leaves nothing", &level, 5),
    ] {
        cases.push(Scene::new(block.clone(), fields).case("Forks", comment, &all, false));
    }
    let early = Scene::new(london.clone(), 4);
    cases.push(early.case(
        "Forks",
        "no withdrawals before Shanghai",
        &Question::Withdrawals,
        false,
    ));
    for (fork, block, fields) in [
        ("Istanbul", &byzantium, 15),
        ("London", &london, 16),
        ("Shanghai", &full(), 17),
        ("Cancun", &full(), 20),
        ("Prague", &full(), 21),
        ("Amsterdam", &full(), 23),
    ] {
        for (what, question) in [
            ("receipts", Question::Receipts(vec![])),
            ("withdrawals", Question::Withdrawals),
            ("logs", Question::Logs(filter(&[A], &[]), true)),
        ] {
            let mut scene = Scene::new(block.clone(), 5);
            scene.source = header_of(block, fields);
            let comment = format!("{what}, under a header of {fork}");
            cases.push(scene.case("Header", &comment, &question, false));
        }
    }
    cases
}
