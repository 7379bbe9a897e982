//! Lies about lists: each is a well-formed list that the header does not commit to, or lists that
//! do not fit each other.

use super::model::{Block, Receipt, Transaction, Withdrawal};
use super::scene::{
    A, ALICE, BOB, C, Lists, Question, claim, full, lists, log, other, transaction,
};
use crate::case::{Case, Source, invalid};

/// Under the root of the honest block.
fn lie(
    flag: &'static str,
    comment: &str,
    question: &Question,
    change: impl FnOnce(&mut Lists),
) -> Case {
    let honest = lists(&full());
    let source = honest.root(&full(), 5);
    let mut told = honest;
    change(&mut told);
    invalid(flag, comment, claim(source, question, &told), "verify.root")
}

pub(super) fn cases() -> Vec<Case> {
    let mut cases = transactions();
    cases.extend(receipts());
    cases.extend(logs());
    cases.extend(withdrawals());
    cases.extend(pairs());
    cases.extend(types());
    cases
}

/// What is special about a case, and its change to a record.
type Edit<T> = (&'static str, fn(&mut T));

/// What a liar does to any list.
type Change = fn(&mut Vec<Vec<u8>>, Vec<Vec<u8>>);

/// * second argument: the same list of the block beside it.
const CHANGES: [(&str, &str, Change); 9] = [
    ("LeftOut", "without the first", |list, _| drop(list.remove(0))),
    ("LeftOut", "without one in the middle", |list, _| drop(list.remove(1))),
    ("LeftOut", "without the last", |list, _| drop(list.pop())),
    ("LeftOut", "without any", |list, _| list.clear()),
    ("Moved", "two exchanged", |list, _| list.swap(0, 2)),
    ("Moved", "the last one first", |list, _| list.rotate_right(1)),
    ("Invented", "one twice", |list, _| list.push(list[0].clone())),
    ("Invented", "one more, of another block", |list, other| list.extend(other.last().cloned())),
    ("OtherBlock", "those of another block", |list, other| *list = other),
];

fn changes(
    what: &str,
    question: &Question,
    list: fn(&mut Lists) -> &mut Vec<Vec<u8>>,
) -> Vec<Case> {
    let case = |(flag, how, change): &(&'static str, &str, Change)| {
        lie(flag, &format!("{what}: {how}"), question, |told| {
            change(list(told), list(&mut lists(&other())).clone());
        })
    };
    CHANGES.iter().map(case).collect()
}

fn transactions() -> Vec<Case> {
    let all = Question::Transactions(vec![]);
    let mut cases = changes("transactions", &all, |told| &mut told.transactions);
    // Whoever asks for one gets no shorter proof: what is left out would move the others.
    let one = Question::Transactions(vec![0]);
    cases.push(lie("LeftOut", "the one that is asked for, alone", &one, |told| {
        told.transactions.truncate(1);
    }));
    let table: [Edit<Transaction>; 8] = [
        ("another value", |one| one.value += 1),
        ("another receiver", |one| one.to = Some(A)),
        ("a contract in place of a call", |one| one.to = None),
        ("other input", |one| one.input.push(0)),
        ("another nonce", |one| one.nonce += 1),
        ("another price", |one| one.price += 1),
        ("another signature", |one| one.signature.s[31] ^= 1),
        ("the other parity", |one| one.signature.v ^= 1),
    ];
    for (comment, change) in table {
        let mut block = full();
        change(&mut block.transactions[2]);
        let changed = lists(&block).transactions;
        let two = Question::Transactions(vec![2]);
        cases.push(lie("Changed", comment, &two, |told| told.transactions = changed));
    }
    cases
}

fn receipts() -> Vec<Case> {
    let all = Question::Receipts(vec![]);
    let mut cases = changes("receipts", &all, |told| &mut told.receipts);
    cases.extend(changes("transactions of receipts", &all, |told| &mut told.transactions));
    let table: [Edit<Receipt>; 3] = [
        ("success of what failed", |one| one.outcome = full().receipts[0].outcome.clone()),
        ("less gas", |one| one.cumulative_gas -= 1),
        ("a log of its own", |one| one.logs.push(log(A, &[ALICE]))),
    ];
    for (comment, change) in table {
        let mut block = full();
        change(&mut block.receipts[2]);
        let changed = lists(&block).receipts;
        let two = Question::Receipts(vec![2]);
        cases.push(lie("Changed", comment, &two, |told| told.receipts = changed));
    }
    cases
}

fn logs() -> Vec<Case> {
    let table: [(&'static str, Edit<Block>); 9] = [
        ("LeftOut", ("the first log", |block| drop(block.receipts[1].logs.remove(0)))),
        ("LeftOut", ("the only log of a receipt", |block| block.receipts[3].logs.clear())),
        (
            "LeftOut",
            ("every log", |block| {
                block.receipts.iter_mut().for_each(|one| one.logs.clear());
            }),
        ),
        ("Moved", ("two logs of a receipt exchanged", |block| block.receipts[1].logs.swap(0, 2))),
        (
            "Moved",
            ("a log in another receipt", |block| {
                let moved = block.receipts[1].logs.remove(0);
                block.receipts[0].logs.push(moved);
            }),
        ),
        ("Changed", ("another contract", |block| block.receipts[3].logs[0].address = C)),
        ("Changed", ("another receiver", |block| block.receipts[1].logs[0].topics[2] = ALICE)),
        ("Changed", ("a topic less", |block| block.receipts[3].logs[0].topics.truncate(3))),
        ("Changed", ("other data", |block| block.receipts[3].logs[0].data[0] ^= 1)),
    ];
    let mut cases = Vec::new();
    for hashes in [false, true] {
        let question = Question::Logs((vec![A], vec![]), hashes);
        for (flag, (comment, change)) in table {
            let mut block = full();
            change(&mut block);
            let receipts = lists(&block).receipts;
            let comment = format!("{comment}{}", if hashes { ", with hashes" } else { "" });
            cases.push(lie(flag, &comment, &question, |told| told.receipts = receipts));
        }
    }
    // Hashes are the transactions': another list of them gives other ones.
    let question = Question::Logs((vec![A], vec![vec![], vec![], vec![BOB]]), true);
    cases.extend(changes("transactions of logs", &question, |told| &mut told.transactions));
    cases
}

fn withdrawals() -> Vec<Case> {
    let mut cases = changes("withdrawals", &Question::Withdrawals, |told| &mut told.withdrawals);
    let table: [Edit<Withdrawal>; 3] = [
        ("another amount", |one| one.amount += 1),
        ("another receiver", |one| one.address = A),
        ("another validator", |one| one.validator += 1),
    ];
    for (comment, change) in table {
        let mut block = full();
        change(&mut block.withdrawals[1]);
        let changed = lists(&block).withdrawals;
        cases.push(lie("Changed", comment, &Question::Withdrawals, |told| {
            told.withdrawals = changed;
        }));
    }
    let honest = lists(&full());
    let early = claim(honest.root(&full(), 4), &Question::Withdrawals, &honest);
    cases.push(invalid("Invented", "withdrawals before Shanghai", early, "verify.root"));
    cases
}

/// Under a root that commits to them: what consensus never makes, and a header may still say.
fn pairs() -> Vec<Case> {
    let table: [Edit<Block>; 5] = [
        ("a receipt too few", |block| drop(block.receipts.pop())),
        ("a receipt too many", |block| {
            let mut last = block.receipts[0].clone();
            last.cumulative_gas = 1 << 30;
            block.receipts.push(last);
        }),
        ("a receipt of another type", |block| block.receipts[2].kind = 1),
        ("gas that falls", |block| block.receipts[2].cumulative_gas = 41_999),
        ("gas that falls at the last one", |block| block.receipts[6].cumulative_gas = 0),
    ];
    let mut cases = Vec::new();
    for (comment, change) in table {
        let mut block = full();
        change(&mut block);
        let own = lists(&block);
        // Whichever receipt is asked for.
        for (indices, which) in [(vec![], "all"), (vec![0], "the first")] {
            let claim = claim(own.root(&block, 5), &Question::Receipts(indices), &own);
            cases.push(invalid("Mismatch", &format!("{comment}; {which}"), claim, "verify.claim"));
        }
    }
    for (comment, change) in [table[0], table[1]] {
        let mut block = full();
        change(&mut block);
        let own = lists(&block);
        let claim = claim(own.root(&block, 5), &Question::Logs((vec![], vec![]), true), &own);
        cases.push(invalid("Mismatch", &format!("{comment}; logs"), claim, "verify.claim"));
    }
    cases
}

/// A fork's new types are no lie, and nothing is proven of their block.
fn types() -> Vec<Case> {
    let mut block = full();
    block.transactions[1] = transaction(5, 1);
    block.receipts[1].kind = 5;
    let own = lists(&block);
    let unknown = |comment: &str, question: &Question, source: Source, code| {
        invalid("Unsupported", comment, claim(source, question, &own), code)
    };
    let root = || own.root(&block, 5);
    let honest = || lists(&full()).root(&full(), 5);
    let (first, receipt) = (Question::Transactions(vec![0]), Question::Receipts(vec![0]));
    let logs = Question::Logs((vec![A], vec![]), false);
    vec![
        unknown("a transaction of a later type", &first, root(), "verify.unsupported"),
        unknown("a receipt of a later type", &receipt, root(), "verify.unsupported"),
        unknown("logs beside a receipt of a later type", &logs, root(), "verify.unsupported"),
        unknown("a later type that the header knows nothing of", &first, honest(), "verify.root"),
        unknown("logs with such a receipt", &logs, honest(), "verify.root"),
    ]
}
