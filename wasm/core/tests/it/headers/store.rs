//! The store as bytes, and the points beside it.

use lightproof_core::header::light::{Form, LightClient};
use lightproof_testkit::Rlp;

use super::beacon_world::{Update, VALIDATORS, World, chain_of as beacon_chain, now as beacon_now};
use super::bls::Keys;
use super::code;
use super::devnet_world::{
    CHAIN_ID, chain, chain_of, client_at, committee, finality_of, now, update_of,
};

/// A client in period 1 that knows the next committee and has seen a later header.
fn walked() -> LightClient {
    let mut client = client_at(3);
    client.apply(Form::Update, &update_of(7), now(7), &mut ()).unwrap();
    client.apply(Form::Update, &update_of(12), now(12), &mut ()).unwrap();
    client.apply(Form::Finality, &finality_of(18), now(18), &mut ()).unwrap();
    client
}

fn import(bytes: &[u8], anchor: &[u8]) -> Result<LightClient, lightproof_core::Rejection> {
    let mut client = LightClient::new(&chain())?;
    client.import(bytes, anchor, &mut ())?;
    Ok(client)
}

#[test]
fn comes_back_as_it_was() {
    for client in [client_at(3), walked()] {
        let (bytes, state) = (client.export(), client.state().unwrap());
        let again = import(&bytes, &state.anchor.0).unwrap();
        let opened = again.state().unwrap();
        assert_eq!((opened.period, opened.next_known), (state.period, state.next_known));
        assert_eq!((opened.finalized, opened.anchor), (state.finalized, state.anchor));
        assert_eq!(again.export(), bytes);
    }
}

#[test]
fn comes_back_after_a_rotation_without_the_next_committee() {
    let mut client = client_at(3);
    client.apply(Form::Update, &update_of(7), now(7), &mut ()).unwrap();
    client.apply(Form::Finality, &finality_of(12), now(12), &mut ()).unwrap();
    let anchor = client.state().unwrap().anchor;
    let mut again = import(&client.export(), &anchor.0).unwrap();
    assert_eq!(again.state().unwrap().finalized.slot, 12);
    // A committee from the past does not take the finalized header back.
    again.apply(Form::Update, &update_of(11), now(12), &mut ()).unwrap();
    let anchor = again.state().unwrap().anchor;
    let again = import(&again.export(), &anchor.0).unwrap();
    assert_eq!(
        (again.state().unwrap().finalized.slot, again.state().unwrap().next_known),
        (12, true)
    );
}

#[test]
fn comes_back_after_an_update_of_the_block_that_was_final_already() {
    let mut client = client_at(3);
    client.apply(Form::Finality, &finality_of(5), now(5), &mut ()).unwrap();
    client.apply(Form::Update, &update_of(5), now(5), &mut ()).unwrap();
    let state = client.state().unwrap();
    assert_eq!((state.finalized.slot, state.next_known), (5, true));
    let again = import(&client.export(), &state.anchor.0).unwrap();
    let opened = again.state().unwrap();
    assert_eq!((opened.finalized, opened.next_known), (state.finalized, true));
}

#[test]
fn its_anchor_moves_to_the_header_that_handed_over() {
    let client = walked();
    let state = client.state().unwrap();
    assert_eq!((state.anchor_slot, state.period), (7, 1));
    // Whoever pins the anchor again can hold its kind against what they pinned.
    assert!(state.anchor_of_next && !client_at(3).state().unwrap().anchor_of_next);
    assert_eq!(
        code(import(&client.export(), &super::devnet_world::bootstrap_of(3).0)),
        "verify.checkpoint"
    );
}

/// A later update of the same committee is no news: the first one keeps proving it.
#[test]
fn its_anchor_is_the_first_header_that_handed_over() {
    let mut client = client_at(3);
    for number in [5, 7, 12] {
        client.apply(Form::Update, &update_of(number), now(number), &mut ()).unwrap();
    }
    let state = client.state().unwrap();
    assert_eq!((state.anchor_slot, state.period, state.finalized.slot), (5, 1, 12));
    import(&client.export(), &state.anchor.0).unwrap();
}

/// The store's fields: tag, chain id, genesis, kind, header, branch, committee, update, finality.
fn fields(client: &LightClient) -> Vec<Vec<u8>> {
    let bytes = client.export();
    let mut items = lightproof_core::wire::Reader::whole_list(&bytes, 0, "store").unwrap();
    let mut fields = Vec::new();
    while !items.is_empty() {
        fields.push(items.string("field").unwrap().bytes.to_vec());
    }
    fields
}

#[test]
fn rejects_a_forged_committee() {
    let client = walked();
    let anchor = client.state().unwrap().anchor;
    let forged = |index: usize, bytes: Vec<u8>| {
        let mut fields = fields(&client);
        fields[index] = bytes;
        code(import(&Rlp::strings(fields).encode(), &anchor.0))
    };
    // The attacker's own committee; one key replaced; the branch of another.
    let saved = |keys: &Keys| [keys.bytes(), keys.proofs()].concat();
    assert_eq!(forged(6, saved(&committee(9))), "verify.committee");
    let mut one = committee(1);
    one.public[0] = committee(9).public[0];
    assert_eq!(forged(6, saved(&one)), "verify.committee");
    // Its own, with a proof of possession that is another key's, and without any.
    let mut exchanged = saved(&committee(1));
    exchanged[33 * 48..33 * 48 + 2 * 96].rotate_left(96);
    assert_eq!(forged(6, exchanged), "verify.committee");
    assert_eq!(forged(6, committee(1).bytes()), "decode.shape");
    assert_eq!(forged(5, vec![1; 32]), "verify.committee");
    assert_eq!(forged(3, Vec::new()), "verify.committee");
    // Updates that the committee did not sign, or that are older than what they replace.
    assert_eq!(forged(7, update_of(25)), "verify.period");
    assert_eq!(forged(8, finality_of(12)), "verify.relevance");
    let mut unsigned = fields(&client)[8].clone();
    let last = unsigned.len() - 1;
    unsigned[last] ^= 1;
    assert!(["decode.point", "verify.signature"].contains(&forged(8, unsigned)));
    assert_eq!(forged(0, b"lightproof-store/2".to_vec()), "decode.shape");
    assert_eq!(forged(6, Vec::new()), "decode.shape");
}

#[test]
fn rejects_a_store_without_a_finalized_header() {
    let client = walked();
    let mut fields = fields(&client);
    fields[7].clear();
    fields[8].clear();
    let anchor = client.state().unwrap().anchor;
    assert_eq!(code(import(&Rlp::strings(fields).encode(), &anchor.0)), "decode.shape");
}

#[test]
fn rejects_a_store_of_another_chain() {
    let (bytes, anchor) = (walked().export(), walked().state().unwrap().anchor);
    let mut other = LightClient::new(&chain_of(CHAIN_ID + 1, [1; 32])).unwrap();
    assert_eq!(code(other.import(&bytes, &anchor.0, &mut ())), "verify.chain");
}

#[test]
fn rejects_every_truncation() {
    let client = walked();
    let (bytes, anchor) = (client.export(), client.state().unwrap().anchor);
    for length in (0..bytes.len()).step_by(11) {
        assert!(code(import(&bytes[..length], &anchor.0)).starts_with("decode."));
    }
}

#[test]
fn points_are_taken_back_after_a_check() {
    let client = client_at(3);
    let points = client.points();
    // 32 keys and their sum, 98 bytes each, and the root.
    assert!(points.len() > 33 * 98 + 32);
    let mut again = import(&client.export(), &client.state().unwrap().anchor.0).unwrap();
    again.load_points(&points).unwrap();
    assert_eq!(again.points(), points);
    // Those of another committee are left aside.
    client_at(13).load_points(&points).unwrap();
    for at in [40, points.len() - 60, points.len() - 1] {
        let mut forged = points.clone();
        forged[at] ^= 1;
        assert_eq!(code(again.load_points(&forged)), "decode.point");
    }
    let foreign = client_at(13).points();
    let renamed = [&points[..36], &foreign[36..]].concat();
    assert_eq!(code(again.load_points(&renamed)), "decode.point");
    assert!(code(again.load_points(&points[..50])).starts_with("decode."));
}

/// Behind an anchor that hands over, the first finalized header is of the period that it hands over
/// to, and two thirds signed it.
#[test]
fn rejects_a_store_that_few_signed_or_that_finalizes_nothing_of_its_period() {
    const WORLD: World = World { size: 32 };
    let mut client = WORLD.client(424);
    for slot in [440, 474] {
        let update = WORLD.update(slot, slot - 10).ssz(Form::Update);
        client.apply(Form::Update, &update, beacon_now(slot + 1), &mut ()).unwrap();
    }
    let (fields, anchor) = (fields(&client), client.state().unwrap().anchor);
    let with = |update: &Update| {
        let mut fields = fields.clone();
        fields[7] = update.ssz(Form::Update);
        let mut again = LightClient::new(&beacon_chain(32, VALIDATORS)).unwrap();
        again.import(&Rlp::strings(fields).encode(), &anchor.0, &mut ())
    };
    let mut update = WORLD.update(474, 464);
    for (signers, expected) in [(22, None), (21, Some("decode.shape"))] {
        update.sign(WORLD, |index| index < signers);
        assert_eq!(with(&update).err().map(|rejection| rejection.code()), expected);
    }
    // The last slot before the period.
    assert_eq!(code(with(&WORLD.update(474, 447))), "decode.shape");
}
