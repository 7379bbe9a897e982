//! Headers that do not say what the lists are.

use super::scene::{NUMBER, Question, claim, full, header, header_of, lists, other, setting};
use crate::case::{Case, Group, Setting, Source, header_source, invalid};
use lightproof_prover::chain::header::Header;
use lightproof_prover::hash::keccak256;
use lightproof_prover::rlp::Item;

pub(super) fn cases() -> Vec<Case> {
    let own = lists(&full());
    let all = Question::Receipts(vec![]);
    let honest = Item::List(header(&full(), 21)).encode();
    let tampered = |at: usize, item: Item| {
        let mut fields = header(&full(), 21);
        fields[at] = item;
        Source::Header { hash: keccak256(&honest), rlps: vec![Item::List(fields).encode()] }
    };
    let of =
        |flag, comment: &str, source, code| invalid(flag, comment, claim(source, &all, &own), code);
    vec![
        of(
            "HeaderChanged",
            "another root of transactions",
            tampered(4, Item::bytes([1; 32])),
            "verify.header",
        ),
        of(
            "HeaderChanged",
            "another root of receipts",
            tampered(5, Item::bytes([1; 32])),
            "verify.header",
        ),
        of(
            "HeaderChanged",
            "another Bloom filter",
            tampered(6, Item::bytes([0; 256])),
            "verify.header",
        ),
        of("HeaderChanged", "another base fee", tampered(15, Item::uint(8_u8)), "verify.header"),
        of(
            "HeaderChanged",
            "another root of withdrawals",
            tampered(16, Item::bytes([1; 32])),
            "verify.header",
        ),
        of("OtherBlock", "the header of another block", header_of(&other(), 21), "verify.root"),
    ]
}

/// A devnet's header commits to no lists.
pub(super) fn devnet() -> Vec<Group> {
    let own = lists(&full());
    let named = vec![("body".to_owned(), vec![0x77; 32])];
    let cases = [vec![], named].map(|commitments| {
        let mut header = Header::new([0x55; 32], NUMBER, commitments);
        header.chain_id = setting().chain_id;
        let source = header_source(&[header.encode()]);
        let claim = claim(source, &Question::Withdrawals, &own);
        invalid("NoCommitment", "a devnet's header", claim, "verify.commitment")
    });
    let setting = Setting { kind: "devnet", ..setting() };
    vec![Group { setting, cases: cases.to_vec() }]
}
