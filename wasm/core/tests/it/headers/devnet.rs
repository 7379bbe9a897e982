//! The devnet, honest: what a client learns and how far it comes.

use lightproof_core::hash::{Hash, keccak256};
use lightproof_core::header::Commitment;
use lightproof_core::header::committee::Committee;
use lightproof_core::header::light::{
    Changed, Form, LightClient, LightText, verify_attested, verify_attested_text,
};
use lightproof_core::observer::Counts;
use lightproof_core::{Chain, TrustedHeader};
use lightproof_testkit::Rlp;
use serde_json::{Value, json};

use super::devnet_world::{
    GENESIS_TIME, Header, SIZE, bootstrap_of, chain, client_at, committee, finality_of, header,
    now, sign, update_of,
};

#[test]
fn starts_at_a_checkpoint() {
    let client = client_at(3);
    let state = client.state().unwrap();
    let checkpoint = bootstrap_of(3).0;
    assert_eq!((state.period, state.next_known), (0, false));
    assert_eq!((state.finalized.slot, state.finalized.root.0), (3, checkpoint));
    assert_eq!((state.anchor.0, state.anchor_slot), (checkpoint, 3));
    assert_eq!(client.committee(0).unwrap().root().0, committee(0).root());
}

#[test]
fn finalizes_each_signed_header_at_once() {
    let mut client = client_at(3);
    let applied = client.apply(Form::Finality, &finality_of(5), now(5), &mut ()).unwrap();
    assert_eq!(applied.signers, SIZE);
    let changed = Changed { finalized: true, head: true, safe: true, ..Changed::default() };
    assert_eq!(applied.changed, changed);
    let state = client.state().unwrap();
    assert_eq!(state.finalized, state.head);
    assert_eq!(state.finalized.execution.unwrap().number, Some(5));
}

#[test]
fn hands_over_from_period_to_period() {
    let mut client = client_at(3);
    for period in 0..5 {
        let number = period * 10 + 7;
        client.apply(Form::Update, &update_of(number), now(number), &mut ()).unwrap();
        let state = client.state().unwrap();
        assert_eq!((state.period, state.next_known, state.finalized.slot), (period, true, number));
        assert_eq!(client.committee(period + 1).unwrap().root().0, committee(period + 1).root());
    }
}

#[test]
fn a_finality_of_the_next_period_rotates_and_leaves_the_committee_after_it_unknown() {
    let mut client = client_at(3);
    client.apply(Form::Update, &update_of(7), now(7), &mut ()).unwrap();
    let applied = client.apply(Form::Finality, &finality_of(12), now(12), &mut ()).unwrap();
    assert!(applied.changed.period && !applied.changed.next);
    let state = client.state().unwrap();
    assert_eq!((state.period, state.next_known), (1, false));
    // An older header of the period still supplies the missing committee, and moves nothing else.
    let applied = client.apply(Form::Update, &update_of(11), now(12), &mut ()).unwrap();
    assert_eq!(applied.changed, Changed { next: true, ..Changed::default() });
    assert_eq!(client.state().unwrap().finalized.slot, 12);
}

#[test]
fn two_thirds_are_enough_and_either_side_of_the_sum_gives_the_same() {
    let mut client = client_at(3);
    let header = header(4);
    let signed = committee(0).sign(super::devnet_world::message(&header.rlp()), |index| index < 22);
    let bytes = super::devnet_world::finality(&header.rlp(), &signed);
    let mut work = Counts::default();
    let applied = client.apply(Form::Finality, &bytes, now(4), &mut work).unwrap();
    // All 32 keys and the aggregate were decompressed by the bootstrap: the signature remains.
    assert_eq!((applied.signers, work.decompressed), (22, 1));
    assert_eq!((work.loops, work.exponentiations, work.mapped), (2, 1, 1));
    assert_eq!(work.terms, 10 + 1);
}

#[test]
fn the_signed_hash_is_what_a_trusted_header_takes() {
    let mut client = client_at(3);
    client.apply(Form::Finality, &finality_of(5), now(5), &mut ()).unwrap();
    let hash = client.state().unwrap().finalized.execution.unwrap().hash;
    let chain = Chain::from_rlp(&chain()).unwrap();
    let trusted = TrustedHeader::pinned(&chain, hash, &header(5).rlp()).unwrap();
    assert_eq!(trusted.commitment("mpt"), Some(&[7; 32][..]));
    assert_eq!(trusted.committee_root().unwrap().0, header(5).committee_root);
}

#[test]
fn checks_one_header_against_a_committee_that_the_caller_trusts() {
    let chain = Chain::from_rlp(&chain()).unwrap();
    let header = header(14);
    let signed = sign(&header);
    let aggregate = [signed.bits, signed.signature.to_vec()].concat();
    let mut trusted = Committee::trusted(&committee(1).bytes(), SIZE).unwrap();
    let verdict = verify_attested(&chain, &mut trusted, &header.rlp(), &aggregate, 14).unwrap();
    assert_eq!(verdict.root, keccak256(&header.rlp()));
    let mut other = Committee::trusted(&committee(2).bytes(), SIZE).unwrap();
    let verdict = verify_attested(&chain, &mut other, &header.rlp(), &aggregate, 14);
    assert_eq!(super::code(verdict), "verify.signature");
    let verdict = verify_attested(&chain, &mut trusted, &header.rlp(), &aggregate, 15);
    assert_eq!(super::code(verdict), "verify.time");
}

#[test]
fn a_trusted_header_says_what_its_bytes_say() {
    let chain = Chain::from_rlp(&chain()).unwrap();
    let mut fields = Header { version: 2, ..header(5) }.fields();
    fields.push(Rlp::str([8; 32]));
    let rlp = Rlp::List(fields).encode();
    let trusted = TrustedHeader::pinned(&chain, keccak256(&rlp), &rlp).unwrap();
    assert_eq!((trusted.number(), trusted.timestamp()), (5, GENESIS_TIME + 5));
    assert_eq!((trusted.hash(), trusted.parent_hash()), (keccak256(&rlp), Hash([9; 32])));
    assert_eq!(trusted.origin(), Some(Hash([8; 32])));
    let commitment = Commitment { system: b"mpt".to_vec(), bytes: vec![7; 32] };
    assert_eq!(trusted.commitments(), [commitment]);
}

/// A header's number is its own word, its parent's hash is not: both must fit.
#[test]
fn a_parent_is_the_block_before() {
    let chain = Chain::from_rlp(&chain()).unwrap();
    let parent = header(4).rlp();
    let hash = keccak256(&parent);
    for number in 3..8 {
        let child = Header { parent: hash.0, ..header(number) }.rlp();
        let child = TrustedHeader::pinned(&chain, keccak256(&child), &child).unwrap();
        let found = child.parent(&chain, &parent);
        if number == 5 {
            assert_eq!(found.unwrap().hash(), hash);
        } else {
            assert_eq!(super::code(found), "verify.chain");
        }
    }
}

/// Of this period and of the next, and of no other.
#[test]
fn checks_one_header_against_a_committee_that_it_holds() {
    let mut client = client_at(3);
    let attested = |client: &mut LightClient, number| {
        let header = header(number);
        let signed = sign(&header);
        let aggregate = [signed.bits, signed.signature.to_vec()].concat();
        client.attested(&header.rlp(), &aggregate, number).map(|signed| signed.slot)
    };
    assert_eq!(attested(&mut client, 5), Ok(5));
    assert_eq!(super::code(attested(&mut client, 15)), "input.request");
    client.apply(Form::Update, &update_of(7), now(7), &mut ()).unwrap();
    assert_eq!(attested(&mut client, 5), Ok(5));
    assert_eq!(attested(&mut client, 15), Ok(15));
    assert_eq!(super::code(attested(&mut client, 25)), "input.request");
}

#[test]
fn commitments_have_printable_names_in_order() {
    let chain = Chain::from_rlp(&chain()).unwrap();
    let read = |names: &[&[u8]]| {
        let pair = |name: &&[u8]| Rlp::list([Rlp::str(name), Rlp::str([7; 32])]);
        let mut fields = header(5).fields();
        fields[5] = Rlp::List(names.iter().map(pair).collect());
        let rlp = Rlp::List(fields).encode();
        TrustedHeader::pinned(&chain, keccak256(&rlp), &rlp)
    };
    assert_eq!(read(&[]).unwrap().commitments(), []);
    let both = read(&[b"cole", b"mpt"]).unwrap();
    assert_eq!(both.commitments().len(), 2);
    assert_eq!(both.commitment("mpt"), Some(&[7; 32][..]));
    let broken: [&[&[u8]]; 5] =
        [&[b"mpt", b"cole"], &[b"mpt", b"mpt"], &[b""], &[b"m t"], &[b"\xff"]];
    for names in broken {
        assert_eq!(super::code(read(names)), "decode.header");
    }
}

#[test]
fn answers_in_json() {
    let mut text = LightText::new(&chain()).unwrap();
    let (checkpoint, bytes) = bootstrap_of(3);
    assert_eq!(text.state(), "null");
    text.bootstrap(&checkpoint, &bytes, &mut ());
    let state: Value = serde_json::from_str(&text.state()).unwrap();
    assert_eq!((&state["period"], &state["finalized"]["slot"]), (&json!("0x0"), &json!("0x3")));
    let header = header(5);
    let signed = sign(&header);
    let aggregate = [signed.bits, signed.signature.to_vec()].concat();
    let apart = |committee: &[u8], number| {
        verify_attested_text(&chain(), committee, &header.rlp(), &aggregate, number)
    };
    let keys = committee(0).bytes();
    for answer in [text.attested(&header.rlp(), &aggregate, 5), apart(&keys, 5)] {
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(
            (&answer["status"], &answer["header"]["slot"]),
            (&json!("trusted"), &json!("0x5"))
        );
    }
    let points = text.points();
    let answers = [
        (text.load_points(&points), json!("trusted"), Value::Null),
        (text.load_points(&[1]), json!("rejected"), json!("decode.shape")),
        (text.attested(&header.rlp(), &aggregate, 15), json!("rejected"), json!("input.request")),
        (apart(&keys, 6), json!("rejected"), json!("verify.time")),
        (apart(&keys[1..], 5), json!("rejected"), json!("input.request")),
        (verify_attested_text(&[], &keys, &[], &[], 5), json!("rejected"), json!("input.chain")),
    ];
    for (answer, status, code) in answers {
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!((&answer["status"], &answer["code"]), (&status, &code));
    }
}

#[test]
fn a_committee_that_comes_late_finalizes_nothing_again() {
    let mut client = client_at(3);
    client.apply(Form::Finality, &finality_of(5), now(5), &mut ()).unwrap();
    let applied = client.apply(Form::Update, &update_of(5), now(5), &mut ()).unwrap();
    assert_eq!(applied.changed, Changed { next: true, ..Changed::default() });
}
