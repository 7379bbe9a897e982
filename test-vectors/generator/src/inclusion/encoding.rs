//! Bytes that are of no canonical form. Each list has its root in the header: form is looked at
//! first.

use super::scene::{Lists, Question, claim, full, lists};
use crate::case::{Case, invalid};
use crate::edit::{Edit as _, changed};
use lightproof_prover::rlp::Item;
use lightproof_prover::system::PLAIN;

pub(super) fn cases() -> Vec<Case> {
    let mut cases = proofs();
    cases.extend(transactions());
    cases.extend(receipts());
    cases.extend(withdrawals());
    cases
}

fn all() -> Question {
    Question::Transactions(vec![])
}

fn proofs() -> Vec<Case> {
    let honest = lists(&full());
    let of = |comment: &str, question: &Question, proof: Vec<u8>, code| {
        let claim = (honest.root(&full(), 5), question.encode(), PLAIN, proof);
        invalid("Encoding", comment, claim, code)
    };
    let with = |comment: &str, question: &Question, change: &dyn Fn(&mut Item), code| {
        of(comment, question, changed(&honest.proof(question), change), code)
    };
    let logs = Question::Logs((vec![], vec![]), false);
    let bloom = Question::Bloom((vec![], vec![]));
    let longer = [honest.proof(&all()), vec![0]].concat();
    let whole = honest.proof(&all());
    let mut cases = vec![
        of("nothing", &all(), vec![], "decode.rlp"),
        of("a string", &all(), vec![0x80], "decode.shape"),
        of("a byte behind", &all(), longer, "decode.rlp"),
        of("cut off", &all(), whole[..whole.len() - 1].to_vec(), "decode.rlp"),
        of("no list", &all(), Item::List(vec![]).encode(), "decode.shape"),
        with(
            "a list too many",
            &all(),
            &|proof| proof.items(|items| items.push(Item::List(vec![]))),
            "decode.shape",
        ),
        with(
            "a list too few",
            &Question::Receipts(vec![]),
            &|proof| proof.items(|items| drop(items.pop())),
            "decode.shape",
        ),
        with(
            "transactions beside receipts that need none",
            &logs,
            &|proof| proof.items(|items| items.push(Item::List(vec![]))),
            "decode.shape",
        ),
        with(
            "a list beside a Bloom filter, which needs none",
            &bloom,
            &|proof| proof.items(|items| items.push(Item::List(vec![]))),
            "decode.shape",
        ),
        with(
            "a transaction that is a list, not its bytes",
            &all(),
            &|proof| *proof.at(&[0, 0]) = Item::List(full().transactions[0].fields()),
            "decode.shape",
        ),
        with(
            "a transaction that is empty",
            &all(),
            &|proof| *proof.at(&[0, 0]) = Item::bytes([]),
            "decode.shape",
        ),
        with(
            "a transaction of nine bytes",
            &all(),
            &|proof| *proof.at(&[0, 0]) = Item::bytes([0xc8, 1, 1, 1, 1, 1, 1, 1, 1]),
            "decode.shape",
        ),
    ];
    let variant = (honest.root(&full(), 5), all().encode(), "partial", honest.proof(&all()));
    cases.push(invalid("BadVariant", "a variant that is not there", variant, "decode.variant"));
    cases
}

/// A change to the fields of an envelope, and its code.
type Change<'c> = (&'c str, &'c dyn Fn(&mut Item), &'static str);

/// The claim that an item of a list is these bytes, under a root that commits to it.
fn swapped(
    comment: &str,
    question: &Question,
    put: impl FnOnce(&mut Lists),
    code: &'static str,
) -> Case {
    let mut own = lists(&full());
    put(&mut own);
    invalid("Encoding", comment, claim(own.root(&full(), 5), question, &own), code)
}

/// An envelope with its fields changed.
fn edited(envelope: &[u8], change: &dyn Fn(&mut Item)) -> Vec<u8> {
    let (kind, list) = match envelope {
        [kind @ ..0x80, list @ ..] => (vec![*kind], list),
        list => (vec![], list),
    };
    [kind, changed(list, change)].concat()
}

fn transactions() -> Vec<Case> {
    let put = |at: usize, comment: &str, bytes: Vec<u8>, code| {
        let question = Question::Transactions(vec![0]);
        swapped(comment, &question, |own| own.transactions[at] = bytes, code)
    };
    let honest = lists(&full()).transactions;
    let typed = |kind: u8, at: usize| [&[kind], &honest[at][1..]].concat();
    let mut cases = vec![
        put(2, "type 0 in front of a list", typed(0, 2), "decode.shape"),
        put(2, "a type from 128 on", typed(0x80, 2), "decode.shape"),
        put(2, "type 2 in the envelope of type 1", typed(1, 2), "decode.shape"),
        put(1, "type 1 in the envelope of type 2", typed(2, 1), "decode.shape"),
        put(2, "type 2 in the envelope of type 3", typed(3, 2), "decode.shape"),
        put(3, "type 3 in the envelope of type 2", typed(2, 3), "decode.shape"),
        put(
            0,
            "a legacy one in the envelope of type 1",
            [vec![1], honest[0].clone()].concat(),
            "decode.shape",
        ),
        put(2, "an envelope in a string", Item::bytes(&honest[2]).encode(), "decode.shape"),
        put(2, "a byte behind", [honest[2].clone(), vec![0]].concat(), "decode.rlp"),
    ];
    let table: [(usize, Change<'_>); 15] = [
        (0, ("a field too few", &|list| list.items(|items| drop(items.pop())), "decode.shape")),
        (
            0,
            (
                "a field too many",
                &|list| list.items(|items| items.push(Item::uint(1_u8))),
                "decode.shape",
            ),
        ),
        (0, ("a zero before a number", &|list| *list.at(&[0]) = Item::bytes([0]), "decode.rlp")),
        (0, ("a nonce of 9 bytes", &|list| *list.at(&[0]) = Item::bytes([1; 9]), "decode.shape")),
        (
            0,
            (
                "a receiver of 19 bytes",
                &|list| *list.at(&[3]) = Item::bytes([1; 19]),
                "decode.shape",
            ),
        ),
        (0, ("a value of 33 bytes", &|list| *list.at(&[4]) = Item::bytes([1; 33]), "decode.shape")),
        (0, ("an s of 33 bytes", &|list| *list.at(&[8]) = Item::bytes([1; 33]), "decode.shape")),
        (2, ("a parity of 2", &|list| *list.at(&[9]) = Item::uint(2_u8), "decode.shape")),
        (2, ("a parity of 27", &|list| *list.at(&[9]) = Item::uint(27_u8), "decode.shape")),
        (
            1,
            (
                "a slot of 31 bytes",
                &|list| *list.at(&[7, 0, 1, 0]) = Item::bytes([1; 31]),
                "decode.shape",
            ),
        ),
        (
            1,
            (
                "an access without slots",
                &|list| list.at(&[7, 0]).items(|items| drop(items.pop())),
                "decode.shape",
            ),
        ),
        (
            3,
            (
                "blobs that make a contract",
                &|list| *list.at(&[5]) = Item::bytes([]),
                "decode.shape",
            ),
        ),
        (
            3,
            (
                "a versioned hash of 33 bytes",
                &|list| *list.at(&[10, 0]) = Item::bytes([1; 33]),
                "decode.shape",
            ),
        ),
        (
            4,
            (
                "authorizations that make a contract",
                &|list| *list.at(&[5]) = Item::bytes([]),
                "decode.shape",
            ),
        ),
        (
            4,
            (
                "an authorization without its signature's end",
                &|list| list.at(&[9, 0]).items(|items| drop(items.pop())),
                "decode.shape",
            ),
        ),
    ];
    for (at, (comment, change, code)) in table {
        cases.push(put(at, comment, edited(&honest[at], change), code));
    }
    cases
}

fn receipts() -> Vec<Case> {
    let honest = lists(&full()).receipts;
    let table: [Change<'_>; 12] = [
        ("a status of 2", &|list| *list.at(&[0]) = Item::uint(2_u8), "decode.shape"),
        ("a status of one zero byte", &|list| *list.at(&[0]) = Item::bytes([0]), "decode.shape"),
        ("a state root of 31 bytes", &|list| *list.at(&[0]) = Item::bytes([1; 31]), "decode.shape"),
        ("gas of 9 bytes", &|list| *list.at(&[1]) = Item::bytes([1; 9]), "decode.shape"),
        (
            "a Bloom filter of 255 bytes",
            &|list| *list.at(&[2]) = Item::bytes([0; 255]),
            "decode.shape",
        ),
        ("logs that are a string", &|list| *list.at(&[3]) = Item::bytes([]), "decode.shape"),
        (
            "an address of 21 bytes",
            &|list| *list.at(&[3, 0, 0]) = Item::bytes([1; 21]),
            "decode.shape",
        ),
        (
            "a topic of 31 bytes",
            &|list| *list.at(&[3, 0, 1, 0]) = Item::bytes([1; 31]),
            "decode.shape",
        ),
        (
            "five topics",
            &|list| {
                list.at(&[3, 0, 1])
                    .items(|items| items.extend([Item::bytes([1; 32]), Item::bytes([2; 32])]));
            },
            "decode.limit",
        ),
        ("data that is a list", &|list| *list.at(&[3, 0, 2]) = Item::List(vec![]), "decode.shape"),
        (
            "a log without data",
            &|list| list.at(&[3, 0]).items(|items| drop(items.pop())),
            "decode.shape",
        ),
        (
            "a field too many",
            &|list| list.items(|items| items.push(Item::uint(1_u8))),
            "decode.shape",
        ),
    ];
    let mut cases = Vec::new();
    for question in [Question::Receipts(vec![0]), Question::Logs((vec![], vec![]), false)] {
        let what = if matches!(question, Question::Receipts(_)) { "receipt" } else { "logs" };
        for (comment, change, code) in table {
            let bytes = edited(&honest[1], change);
            let comment = format!("{what}: {comment}");
            cases.push(swapped(&comment, &question, |own| own.receipts[1] = bytes, code));
        }
    }
    cases
}

fn withdrawals() -> Vec<Case> {
    let honest = lists(&full()).withdrawals;
    let table: [Change<'_>; 5] = [
        (
            "a withdrawal's address of 19 bytes",
            &|list| *list.at(&[2]) = Item::bytes([1; 19]),
            "decode.shape",
        ),
        (
            "a withdrawal's amount of 9 bytes",
            &|list| *list.at(&[3]) = Item::bytes([1; 9]),
            "decode.shape",
        ),
        (
            "a withdrawal's index with a zero in front",
            &|list| *list.at(&[0]) = Item::bytes([0, 1]),
            "decode.rlp",
        ),
        (
            "a withdrawal of three fields",
            &|list| list.items(|items| drop(items.pop())),
            "decode.shape",
        ),
        (
            "a withdrawal of five fields",
            &|list| list.items(|items| items.push(Item::uint(1_u8))),
            "decode.shape",
        ),
    ];
    let case = |(comment, change, code): Change<'_>| {
        let bytes = edited(&honest[1], change);
        swapped(comment, &Question::Withdrawals, |own| own.withdrawals[1] = bytes, code)
    };
    table.into_iter().map(case).collect()
}
