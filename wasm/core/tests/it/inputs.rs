//! What the caller hands over must be of its form to the byte, and a fault in it is named as the
//! caller's; Ethereum headers of every fork, field by field.

use lightproof_core::Verifier;
use lightproof_core::system::mpt::Mpt;
use lightproof_core::verifier::headers;
use lightproof_testkit::{Chain, Claim, Rlp, Source, ask, keccak, large, sample};
use serde_json::Value;

const CHAIN: Chain = Chain { kind: "devnet", chain_id: 0x4c50, genesis_hash: [0x77; 32] };

/// `list` with one item more.
fn longer(list: &[Rlp], item: Rlp) -> Vec<u8> {
    Rlp::list(list.iter().cloned().chain([item])).encode()
}

fn refused(chain: &[u8], config: &[u8], params: &[u8]) -> &'static str {
    Verifier::<Mpt>::new(chain, config, params).unwrap_err().code()
}

fn code(answer: &str) -> String {
    let answer: Value = serde_json::from_str(answer).unwrap();
    let verdict = answer.get(0).unwrap_or(&answer);
    verdict["code"].as_str().unwrap_or_else(|| panic!("{verdict}")).to_owned()
}

#[test]
fn a_chain_of_another_form_is_refused() {
    let items = [Rlp::str("devnet"), Rlp::uint(1), Rlp::str([1; 32])];
    assert!(
        Verifier::<Mpt>::new(&Rlp::list(items.clone()).encode(), &ask::mpt_config(), &[]).is_ok()
    );
    let mut malformed = vec![
        longer(&items, Rlp::str([1; 31])),
        longer(&items, Rlp::list([Rlp::str([1])])),
        Rlp::list(items[..2].to_vec()).encode(),
        [Rlp::list(items.clone()).encode(), vec![0]].concat(),
        Vec::new(),
    ];
    let signed = [&items[..], &[Rlp::list([Rlp::uint(8), Rlp::uint(64)])]].concat();
    let chain = Rlp::list(signed.clone()).encode();
    assert!(Verifier::<Mpt>::new(&chain, &ask::mpt_config(), &[]).is_ok());
    malformed.push(longer(&signed, Rlp::str([])));
    let wrong = [Rlp::str("Devnet"), Rlp::str([0, 1]), Rlp::str([1; 33])];
    for (at, item) in wrong.into_iter().enumerate() {
        let mut items = items.clone();
        items[at] = item;
        malformed.push(Rlp::list(items).encode());
    }
    for chain in malformed {
        assert_eq!(refused(&chain, &ask::mpt_config(), &[]), "input.chain");
    }
}

#[test]
fn a_configuration_of_another_form_is_refused() {
    let items = [Rlp::str("mpt/1"), Rlp::str([])];
    for config in [
        longer(&items, Rlp::str([])),
        Rlp::list(items[..1].to_vec()).encode(),
        Rlp::list([Rlp::str("mpt/1"), Rlp::str([1; 31])]).encode(),
        Rlp::list([Rlp::str("mpt/2"), Rlp::str([])]).encode(),
        Rlp::list([Rlp::str("mpt/1\0"), Rlp::str([])]).encode(),
        Vec::new(),
    ] {
        assert_eq!(refused(&CHAIN.encode(), &config, &[]), "input.config");
    }
}

#[test]
fn parameters_of_a_system_without_any_are_refused() {
    assert_eq!(refused(&CHAIN.encode(), &ask::mpt_config(), &[0]), "input.params");
    let pinned = Rlp::list([Rlp::str("mpt/1"), Rlp::str([1; 32])]).encode();
    assert_eq!(refused(&CHAIN.encode(), &pinned, &[]), "input.params");
}

#[test]
fn claims_of_another_form_are_refused_as_the_callers_fault() {
    let verifier = Verifier::<Mpt>::new(&CHAIN.encode(), &ask::mpt_config(), &[]).unwrap();
    let state = sample::state();
    let query = &sample::queries()[0];
    let proof = state.prove(query).encode();
    let source = [Rlp::str("root"), Rlp::uint(1), Rlp::str(state.root())];
    let claim =
        [Rlp::list(source.clone()), Rlp::str(query.encode()), Rlp::str("plain"), Rlp::str(&proof)];
    let verdict = |claims: Vec<u8>| verifier.verify(&claims, [0; 32], &mut ());
    let honest = verdict(Rlp::list([Rlp::list(claim.clone())]).encode());
    assert!(honest.starts_with("[{\"status\":\"proven\""));
    let with_source = |source: Vec<u8>| {
        let claim = [Rlp::Raw(source), claim[1].clone(), claim[2].clone(), claim[3].clone()];
        Rlp::list([Rlp::list(claim)]).encode()
    };
    let header = [Rlp::str("header"), Rlp::str([1; 32]), Rlp::list([])];
    for claims in [
        Rlp::list([Rlp::Raw(longer(&claim, Rlp::str([])))]).encode(),
        Rlp::list([Rlp::list(claim[..3].to_vec())]).encode(),
        with_source(longer(&source, Rlp::str([]))),
        with_source(Rlp::list(source[..2].to_vec()).encode()),
        with_source(longer(&header, Rlp::str([]))),
        with_source(Rlp::list(header.clone()).encode()),
        with_source(Rlp::list([Rlp::str("header"), Rlp::str([1; 31]), Rlp::list([])]).encode()),
        with_source(Rlp::list([Rlp::str("other"), Rlp::uint(1), Rlp::str([1; 32])]).encode()),
        with_source(Rlp::list([Rlp::str("root"), Rlp::uint(1), Rlp::str([1; 31])]).encode()),
        Rlp::list([Rlp::list(claim.clone()), Rlp::str([])]).encode(),
        Rlp::str([]).encode(),
        Vec::new(),
    ] {
        assert_eq!(code(&verdict(claims)), "input.request");
    }
    assert_eq!(verdict(Rlp::list([]).encode()), "[]");
}

#[test]
fn queries_of_another_form_are_refused_as_the_callers_fault() {
    let verifier = Verifier::<Mpt>::new(&CHAIN.encode(), &ask::mpt_config(), &[]).unwrap();
    let (address, slot) = (Rlp::str([1; 20]), Rlp::str([2; 32]));
    let slots = Rlp::list([slot.clone()]);
    for query in [
        Rlp::list([Rlp::str([1; 19]), slots.clone(), Rlp::uint(0)]),
        Rlp::list([address.clone(), Rlp::list([Rlp::str([2; 33])]), Rlp::uint(0)]),
        Rlp::list([address.clone(), Rlp::list([slot.clone(), slot.clone()]), Rlp::uint(0)]),
        Rlp::list([address.clone(), slots.clone(), Rlp::uint(2)]),
        Rlp::list([address.clone(), slots.clone()]),
        Rlp::list([address, slots, Rlp::uint(0), Rlp::uint(0)]),
    ] {
        let claim = Claim::plain(Source::root([1; 32]), query.encode(), vec![0xc0]);
        assert_eq!(code(&verifier.verify(&ask::claims(&[claim]), [0; 32], &mut ())), "input.query");
    }
}

/// The items of a header with every field that a fork has brought so far.
fn newest_header() -> Vec<Rlp> {
    let rlp = large::execution_header(&[1; 32]);
    let mut list = lightproof_core::wire::Reader::whole_list(&rlp, 0, "header").unwrap();
    let mut items = Vec::new();
    while !list.is_empty() {
        items.push(Rlp::str(list.string("field").unwrap().bytes));
    }
    items.extend([Rlp::str([5; 32]), Rlp::uint(7)]);
    items
}

fn header_answer(items: &[Rlp]) -> String {
    let rlp = Rlp::list(items.iter().cloned()).encode();
    headers(&large::CHAIN.encode(), &keccak(&rlp), &Rlp::strings([rlp]).encode())
}

#[test]
fn headers_of_every_fork_are_read() {
    let items = newest_header();
    assert_eq!(items.len(), 23);
    for fields in 15..=23 {
        let answer = header_answer(&items[..fields]);
        assert!(answer.starts_with("{\"status\":\"trusted\""), "{fields} fields: {answer}");
    }
    // What a later fork appends is hashed, whatever it is.
    for later in [Rlp::str([]), Rlp::str([9; 32]), Rlp::list([Rlp::uint(1)])] {
        let answer = header_answer(&[&items[..], &[later]].concat());
        assert!(answer.starts_with("{\"status\":\"trusted\""), "{answer}");
    }
    for fields in 0..15 {
        assert_eq!(code(&header_answer(&items[..fields])), "decode.header");
    }
}

#[test]
fn every_known_field_of_a_header_has_its_form() {
    let items = newest_header();
    for at in 0..items.len() {
        let mut changed = items.clone();
        changed[at] = Rlp::list([]);
        assert_eq!(code(&header_answer(&changed)), "decode.header", "field {at} a list");
        // extraData alone is free in length.
        if at != 12 {
            changed[at] = Rlp::str([1; 40]);
            assert_eq!(code(&header_answer(&changed)), "decode.header", "field {at} too long");
        }
        // Numbers: difficulty, number, gas, time, base fee, blob gas, slot.
        if [7, 8, 9, 10, 11, 15, 17, 18, 22].contains(&at) {
            changed[at] = Rlp::str([0, 1]);
            assert_eq!(code(&header_answer(&changed)), "decode.header", "field {at} padded");
        } else if at != 12 {
            changed[at] = Rlp::str([]);
            assert_eq!(code(&header_answer(&changed)), "decode.header", "field {at} empty");
        }
    }
}
