//! Questions and configurations that are malformed.

use super::scene::{A, Question, TRANSFER, full, lists, setting};
use crate::case::{Case, Group, Setting, Source, invalid};
use crate::edit::Edit as _;
use lightproof_prover::rlp::Item;
use lightproof_prover::system::PLAIN;

fn asked(query: Vec<u8>) -> (Source, Vec<u8>, &'static str, Vec<u8>) {
    let own = lists(&full());
    (own.root(&full(), 5), query, PLAIN, own.proof(&Question::Transactions(vec![])))
}

pub(super) fn cases() -> Vec<Case> {
    let list = |items: Vec<Item>| Item::List(items);
    let numbers = |all: &[u64]| list(all.iter().map(|number| Item::uint(*number)).collect());
    let kind = |name: &str, rest: Vec<Item>| list([vec![Item::bytes(name)], rest].concat());
    let none = || list(vec![]);
    let logs = |change: &dyn Fn(&mut Item)| {
        let mut query = list(Question::Logs((vec![A], vec![vec![TRANSFER]]), false).items());
        change(&mut query);
        query
    };
    let many = |count: usize, item: Item| list(vec![item; count]);
    let table = [
        ("nothing asked", none()),
        ("a string", Item::bytes("withdrawals")),
        ("a kind that is not there", kind("uncles", vec![])),
        ("transactions without indices", kind("transactions", vec![])),
        ("transactions and something behind", kind("transactions", vec![none(), none()])),
        ("indices that fall", kind("transactions", vec![numbers(&[2, 1])])),
        ("an index twice", kind("receipts", vec![numbers(&[1, 1])])),
        ("1,025 indices", kind("receipts", vec![numbers(&(0..1025).collect::<Vec<_>>())])),
        ("an index of 9 bytes", kind("receipts", vec![list(vec![Item::bytes([1; 9])])])),
        ("withdrawals of an index", kind("withdrawals", vec![none()])),
        ("logs without hashes or none", logs(&|query| query.items(|items| drop(items.pop())))),
        ("hashes neither 0 nor 1", logs(&|query| *query.at(&[3]) = Item::uint(2_u8))),
        ("an address of 19 bytes", logs(&|query| *query.at(&[1, 0]) = Item::bytes([1; 19]))),
        ("a topic of 33 bytes", logs(&|query| *query.at(&[2, 0, 0]) = Item::bytes([1; 33]))),
        (
            "a topic where a position belongs",
            logs(&|query| *query.at(&[2, 0]) = Item::bytes([1; 32])),
        ),
        ("five positions", logs(&|query| *query.at(&[2]) = many(5, none()))),
        ("1,025 addresses", logs(&|query| *query.at(&[1]) = many(1025, Item::bytes(A)))),
        (
            "1,025 topics of a position",
            logs(&|query| *query.at(&[2, 0]) = many(1025, Item::bytes(TRANSFER))),
        ),
        ("a Bloom filter with hashes", kind("bloom", vec![none(), none(), Item::uint(0_u8)])),
    ];
    let case = |(comment, query): (&str, Item)| {
        invalid("BadQuery", comment, asked(query.encode()), "input.query")
    };
    let mut cases: Vec<_> = table.into_iter().map(case).collect();
    let longer = [Question::Withdrawals.encode(), vec![0]].concat();
    cases.push(invalid("BadQuery", "a byte behind", asked(longer), "input.query"));
    cases
}

pub(super) fn settings() -> Vec<Group> {
    let honest = || asked(Question::Transactions(vec![]).encode());
    let of = |comment: &str, setting: Setting, code| {
        let cases = vec![invalid("BadConfig", comment, honest(), code)];
        Group { setting, cases }
    };
    vec![
        of("a format that is not there", Setting { format: "body/2", ..setting() }, "input.config"),
        of(
            "a digest of parameters",
            Setting { params_digest: Some([1; 32]), ..setting() },
            "input.params",
        ),
        of("parameters", Setting { params: vec![1], ..setting() }, "input.params"),
    ]
}
