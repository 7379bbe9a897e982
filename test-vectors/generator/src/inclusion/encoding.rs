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
    let all = all();
    let logs = Question::Logs((vec![], vec![]), false);
    let bloom = Question::Bloom((vec![], vec![]));
    let longer = [honest.proof(&all), vec![0]].concat();
    let whole = honest.proof(&all);
    let mut cases = vec![
        of("nothing", &all, vec![], "decode.rlp"),
        of("a string", &all, vec![0x80], "decode.shape"),
        of("a byte behind", &all, longer, "decode.rlp"),
        of("cut off", &all, whole[..whole.len() - 1].to_vec(), "decode.rlp"),
        of("no list", &all, Item::List(vec![]).encode(), "decode.shape"),
    ];
    let receipts = Question::Receipts(vec![]);
    let table: [(&Question, &str, &'static str, Edit<'_>); 7] = [
        (&all, "a list too many", "decode.shape", &|proof| proof.push(Item::List(vec![]))),
        (&receipts, "a list too few", "decode.shape", &|proof| proof.pop()),
        (&logs, "transactions beside receipts that need none", "decode.shape", &|proof| {
            proof.push(Item::List(vec![]));
        }),
        (&bloom, "a list beside a Bloom filter, which needs none", "decode.shape", &|proof| {
            proof.push(Item::List(vec![]));
        }),
        (&all, "a transaction that is a list, not its bytes", "decode.shape", &|proof| {
            proof.set(&[0, 0], Item::List(full().transactions[0].fields()));
        }),
        (&all, "a transaction that is empty", "decode.shape", &|proof| {
            proof.set(&[0, 0], Item::bytes([]));
        }),
        (&all, "a transaction of nine bytes", "decode.shape", &|proof| {
            proof.set(&[0, 0], Item::bytes([0xc8, 1, 1, 1, 1, 1, 1, 1, 1]));
        }),
    ];
    for (question, comment, code, edit) in table {
        let claim = claim(honest.root(&full(), 5), question, &honest);
        cases.push(claim.edited(edit).refused("Encoding", comment, code));
    }
    let variant = (honest.root(&full(), 5), all.encode(), "partial", honest.proof(&all));
    cases.push(invalid("BadVariant", "a variant that is not there", variant, "decode.variant"));
    cases
}

/// An edit of the fields of an envelope.
type Edit<'a> = &'a dyn Fn(&mut Item);

/// A row of a table: comment, code, edit.
type Change<'a> = (&'a str, &'static str, Edit<'a>);

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
    let table: [(usize, &str, &'static str, Edit<'_>); 15] = [
        (0, "a field too few", "decode.shape", &|list| list.pop()),
        (0, "a field too many", "decode.shape", &|list| list.push(Item::uint(1_u8))),
        (0, "a zero before a number", "decode.rlp", &|list| list.set(&[0], Item::bytes([0]))),
        (0, "a nonce of 9 bytes", "decode.shape", &|list| list.set(&[0], Item::bytes([1; 9]))),
        (0, "a receiver of 19 bytes", "decode.shape", &|list| list.set(&[3], Item::bytes([1; 19]))),
        (0, "a value of 33 bytes", "decode.shape", &|list| list.set(&[4], Item::bytes([1; 33]))),
        (0, "an s of 33 bytes", "decode.shape", &|list| list.set(&[8], Item::bytes([1; 33]))),
        (2, "a parity of 2", "decode.shape", &|list| list.set(&[9], Item::uint(2_u8))),
        (2, "a parity of 27", "decode.shape", &|list| list.set(&[9], Item::uint(27_u8))),
        (1, "a slot of 31 bytes", "decode.shape", &|list| {
            list.set(&[7, 0, 1, 0], Item::bytes([1; 31]));
        }),
        (1, "an access without slots", "decode.shape", &|list| list.at(&[7, 0]).pop()),
        (3, "blobs that make a contract", "decode.shape", &|list| list.set(&[5], Item::bytes([]))),
        (3, "a versioned hash of 33 bytes", "decode.shape", &|list| {
            list.set(&[10, 0], Item::bytes([1; 33]));
        }),
        (4, "authorizations that make a contract", "decode.shape", &|list| {
            list.set(&[5], Item::bytes([]));
        }),
        (4, "an authorization without its signature's end", "decode.shape", &|list| {
            list.at(&[9, 0]).pop();
        }),
    ];
    for (at, comment, code, change) in table {
        cases.push(put(at, comment, edited(&honest[at], change), code));
    }
    cases
}

fn receipts() -> Vec<Case> {
    let honest = lists(&full()).receipts;
    let table: [Change<'_>; 12] = [
        ("a status of 2", "decode.shape", &|list| list.set(&[0], Item::uint(2_u8))),
        ("a status of one zero byte", "decode.shape", &|list| list.set(&[0], Item::bytes([0]))),
        ("a state root of 31 bytes", "decode.shape", &|list| list.set(&[0], Item::bytes([1; 31]))),
        ("gas of 9 bytes", "decode.shape", &|list| list.set(&[1], Item::bytes([1; 9]))),
        ("a Bloom filter of 255 bytes", "decode.shape", &|list| {
            list.set(&[2], Item::bytes([0; 255]));
        }),
        ("logs that are a string", "decode.shape", &|list| list.set(&[3], Item::bytes([]))),
        ("an address of 21 bytes", "decode.shape", &|list| {
            list.set(&[3, 0, 0], Item::bytes([1; 21]));
        }),
        ("a topic of 31 bytes", "decode.shape", &|list| {
            list.set(&[3, 0, 1, 0], Item::bytes([1; 31]));
        }),
        ("five topics", "decode.limit", &|list| {
            list.at(&[3, 0, 1])
                .items(|items| items.extend([Item::bytes([1; 32]), Item::bytes([2; 32])]));
        }),
        ("data that is a list", "decode.shape", &|list| list.set(&[3, 0, 2], Item::List(vec![]))),
        ("a log without data", "decode.shape", &|list| list.at(&[3, 0]).pop()),
        ("a field too many", "decode.shape", &|list| list.push(Item::uint(1_u8))),
    ];
    let mut cases = Vec::new();
    for question in [Question::Receipts(vec![0]), Question::Logs((vec![], vec![]), false)] {
        let what = if matches!(question, Question::Receipts(_)) { "receipt" } else { "logs" };
        for (comment, code, change) in table {
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
        ("a withdrawal's address of 19 bytes", "decode.shape", &|list| {
            list.set(&[2], Item::bytes([1; 19]));
        }),
        ("a withdrawal's amount of 9 bytes", "decode.shape", &|list| {
            list.set(&[3], Item::bytes([1; 9]));
        }),
        ("a withdrawal's index with a zero in front", "decode.rlp", &|list| {
            list.set(&[0], Item::bytes([0, 1]));
        }),
        ("a withdrawal of three fields", "decode.shape", &|list| list.pop()),
        ("a withdrawal of five fields", "decode.shape", &|list| list.push(Item::uint(1_u8))),
    ];
    let case = |(comment, code, change): Change<'_>| {
        let bytes = edited(&honest[1], change);
        swapped(comment, &Question::Withdrawals, |own| own.withdrawals[1] = bytes, code)
    };
    table.into_iter().map(case).collect()
}
