//! The devnet, attacked: each with the code that it must get. A refused update moves nothing.

use lightproof_core::hash::{keccak256, sha256};
use lightproof_core::header::light::{Form, LightClient};
use lightproof_testkit::Rlp;

use super::bls::{INFINITY_G1, INFINITY_G2, Keys, Signed, all, stray_g1, stray_g2};
use super::code;
use super::devnet_world::{
    CHAIN_ID, Header, SIZE, bootstrap, bootstrap_of, chain, chain_of, client_at, committee,
    finality, finality_of, genesis_hash, header, message, message_on, now, sign, update, update_of,
};

/// Applies to a client at block 3, whose store must stay as it was.
fn refused(form: Form, bytes: &[u8]) -> &'static str {
    let mut client = client_at(3);
    let before = client.export();
    let code = code(client.apply(form, bytes, now(1000), &mut ()));
    assert_eq!(client.export(), before);
    code
}

fn refused_finality(header: &Header, signed: &Signed) -> &'static str {
    refused(Form::Finality, &finality(&header.rlp(), signed))
}

#[test]
fn rejects_bits_below_two_thirds() {
    let header = header(5);
    let signed = committee(0).sign(message(&header.rlp()), |index| index < 21);
    assert_eq!(refused_finality(&header, &signed), "verify.participation");
    let nobody = Signed { bits: vec![0; 4], signature: INFINITY_G2 };
    assert_eq!(refused_finality(&header, &nobody), "verify.participation");
}

#[test]
fn rejects_a_flipped_bit() {
    let header = header(5);
    let mut signed = committee(0).sign(message(&header.rlp()), |index| index != 9);
    signed.bits[1] |= 2;
    assert_eq!(refused_finality(&header, &signed), "verify.signature");
    signed.bits[1] &= !1;
    assert_eq!(refused_finality(&header, &signed), "verify.signature");
}

#[test]
fn rejects_a_signature_over_another_domain() {
    let (header, keys) = (header(5), committee(0));
    let rlp = header.rlp();
    let messages = [
        message_on(CHAIN_ID + 1, genesis_hash(), &rlp),
        message_on(CHAIN_ID, [1; 32], &rlp),
        keccak256(&rlp).0,
        // No fork of this chain would be signed for.
        [0; 32],
    ];
    for message in messages {
        assert_eq!(refused_finality(&header, &keys.sign(message, all)), "verify.signature");
    }
}

#[test]
fn rejects_a_signature_of_another_committee_or_header() {
    let mut changed = header(5);
    changed.timestamp += 1;
    assert_eq!(refused_finality(&changed, &sign(&header(5))), "verify.signature");
    let signed = committee(1).sign(message(&header(5).rlp()), all);
    assert_eq!(refused_finality(&header(5), &signed), "verify.signature");
}

#[test]
fn rejects_signatures_off_the_subgroup_at_infinity_and_not_canonical() {
    let honest = sign(&header(5));
    let mut not_compressed = honest.signature;
    not_compressed[0] &= 0x7f;
    let mut over_modulus = honest.signature;
    over_modulus[48..].fill(0xff);
    let mut junk = INFINITY_G2;
    junk[95] = 1;
    for signature in [stray_g2(), INFINITY_G2, not_compressed, over_modulus, junk] {
        let signed = Signed { signature, ..honest.clone() };
        assert_eq!(refused_finality(&header(5), &signed), "decode.point");
    }
}

#[test]
fn rejects_participants_whose_keys_add_up_to_infinity() {
    // 22 keys cancel in pairs and sign; an infinity signature would fit any message. The other 10
    // keep the aggregate finite.
    let keys = Keys::cancelling(22, SIZE);
    let own = Header { committee_root: sha256(&[&keys.root(), &[5; 32]]).0, ..header(3) };
    let mut client = LightClient::new(&chain()).unwrap();
    let bytes = bootstrap(&own.rlp(), &keys, [5; 32]);
    client.bootstrap(&keccak256(&own.rlp()).0, &bytes, &mut ()).unwrap();
    let header = header(5);
    let signed = keys.sign(message(&header.rlp()), |index| index < 22);
    assert_eq!(signed.signature, INFINITY_G2);
    let bytes = finality(&header.rlp(), &signed);
    assert_eq!(code(client.apply(Form::Finality, &bytes, now(5), &mut ())), "decode.point");
    let signature = sign(&header).signature;
    let bytes = finality(&header.rlp(), &Signed { signature, ..signed });
    assert_eq!(code(client.apply(Form::Finality, &bytes, now(5), &mut ())), "verify.signature");
}

#[test]
fn rejects_committee_keys_that_the_header_does_not_name() {
    let (checkpoint, _) = bootstrap_of(3);
    let mut client = LightClient::new(&chain()).unwrap();
    let mut swapped = committee(0);
    swapped.public.swap(4, 5);
    let mut replaced = committee(0);
    replaced.public[4] = committee(7).public[4];
    let mut summed = committee(0);
    summed.aggregate = committee(7).aggregate;
    for keys in [swapped, replaced, summed] {
        let bytes = bootstrap(&header(3).rlp(), &keys, committee(1).root());
        assert_eq!(code(client.bootstrap(&checkpoint, &bytes, &mut ())), "verify.committee");
    }
    let bytes = bootstrap(&header(3).rlp(), &committee(0), committee(2).root());
    assert_eq!(code(client.bootstrap(&checkpoint, &bytes, &mut ())), "verify.committee");
    // The right leaf is not the left one.
    let bytes = bootstrap(&header(3).rlp(), &committee(1), committee(0).root());
    assert_eq!(code(client.bootstrap(&checkpoint, &bytes, &mut ())), "verify.committee");
    assert!(client.state().is_none());
}

/// A committee signs a header that names broken keys as the next committee.
fn handed_over(next: &Keys) -> &'static str {
    let root = sha256(&[&committee(0).root(), &next.root()]).0;
    let header = Header { committee_root: root, ..header(5) };
    refused(Form::Update, &update(&header.rlp(), &sign(&header), next, committee(0).root()))
}

#[test]
fn rejects_a_next_committee_with_broken_keys() {
    let mut infinite = committee(1);
    infinite.public[3] = INFINITY_G1;
    assert_eq!(handed_over(&infinite), "decode.point");
    let mut stray = committee(1);
    stray.public[3] = stray_g1();
    assert_eq!(handed_over(&stray), "decode.point");
    let mut no_sum = committee(1);
    no_sum.aggregate = committee(2).aggregate;
    assert_eq!(handed_over(&no_sum), "verify.committee");
}

#[test]
fn rejects_a_next_committee_that_the_header_does_not_name() {
    let (header, own) = (header(5), committee(0).root());
    let (rlp, signed) = (header.rlp(), sign(&header));
    let other = update(&rlp, &signed, &committee(2), own);
    assert_eq!(refused(Form::Update, &other), "verify.committee");
    let sibling = update(&rlp, &signed, &committee(1), committee(2).root());
    assert_eq!(refused(Form::Update, &sibling), "verify.committee");
    let swapped = update(&rlp, &signed, &committee(0), committee(1).root());
    assert_eq!(refused(Form::Update, &swapped), "verify.committee");
}

#[test]
fn rejects_another_next_committee_in_the_same_period() {
    let mut client = client_at(3);
    client.apply(Form::Update, &update_of(5), now(5), &mut ()).unwrap();
    let next = committee(6);
    let root = sha256(&[&committee(0).root(), &next.root()]).0;
    let header = Header { committee_root: root, ..header(6) };
    let bytes = update(&header.rlp(), &sign(&header), &next, committee(0).root());
    assert_eq!(code(client.apply(Form::Update, &bytes, now(6), &mut ())), "verify.committee");
    // Nor does a header of the period name another one, when it brings no keys.
    let bytes = finality(&header.rlp(), &sign(&header));
    assert_eq!(code(client.apply(Form::Finality, &bytes, now(6), &mut ())), "verify.committee");
}

#[test]
fn rejects_a_header_from_the_future() {
    let mut client = client_at(3);
    assert_eq!(code(client.apply(Form::Finality, &finality_of(5), now(4), &mut ())), "verify.time");
    client.apply(Form::Finality, &finality_of(5), now(5), &mut ()).unwrap();
}

#[test]
fn rejects_a_skipped_period() {
    assert_eq!(refused(Form::Update, &update_of(25)), "verify.period");
    // The next committee is not known yet.
    assert_eq!(refused(Form::Update, &update_of(15)), "verify.period");
    let mut client = client_at(13);
    assert_eq!(code(client.apply(Form::Update, &update_of(5), now(13), &mut ())), "verify.period");
}

#[test]
fn rejects_a_replayed_update() {
    let mut client = client_at(3);
    client.apply(Form::Update, &update_of(5), now(5), &mut ()).unwrap();
    for bytes in [update_of(5), update_of(4)] {
        assert_eq!(code(client.apply(Form::Update, &bytes, now(9), &mut ())), "verify.relevance");
    }
    assert_eq!(
        code(client.apply(Form::Finality, &finality_of(5), now(9), &mut ())),
        "verify.relevance"
    );
}

#[test]
fn rejects_another_network() {
    let mut client = LightClient::new(&chain_of(CHAIN_ID + 1, genesis_hash())).unwrap();
    let (checkpoint, bytes) = bootstrap_of(3);
    assert_eq!(code(client.bootstrap(&checkpoint, &bytes, &mut ())), "verify.chain");
    // Of the same chain id: the first signature shows that the genesis block is another.
    let mut client = LightClient::new(&chain_of(CHAIN_ID, [1; 32])).unwrap();
    client.bootstrap(&checkpoint, &bytes, &mut ()).unwrap();
    let verdict = client.apply(Form::Finality, &finality_of(5), now(5), &mut ());
    assert_eq!(code(verdict), "verify.signature");
    let (checkpoint, bytes) = bootstrap_of(0);
    assert_eq!(code(client.bootstrap(&checkpoint, &bytes, &mut ())), "verify.chain");
}

#[test]
fn rejects_headers_with_changed_missing_and_extra_fields() {
    let honest = header(5);
    let signed = |rlp: &[u8]| committee(0).sign(message(rlp), all);
    let mut missing = honest.fields();
    missing.pop();
    let mut extra = honest.fields();
    extra.push(Rlp::uint(1));
    for fields in [missing, extra] {
        let rlp = Rlp::List(fields).encode();
        let bytes = finality(&rlp, &signed(&rlp));
        assert_eq!(refused(Form::Finality, &bytes), "decode.header");
    }
    let unnamed = Header { committee_root: [0; 32], ..honest.clone() };
    assert_eq!(refused_finality(&unnamed, &signed(&unnamed.rlp())), "decode.header");
    // A header of version 2 has an origin behind these fields.
    let short = Header { version: 2, ..honest.clone() };
    assert_eq!(refused_finality(&short, &signed(&short.rlp())), "decode.header");
    let version = Header { version: 3, ..honest };
    assert_eq!(refused_finality(&version, &signed(&version.rlp())), "verify.chain");
}

#[test]
fn rejects_a_missing_malformed_or_other_checkpoint() {
    let mut client = LightClient::new(&chain()).unwrap();
    let (_, bytes) = bootstrap_of(3);
    for checkpoint in [&[][..], &[0; 32], &[1; 31], &[1; 33]] {
        assert_eq!(code(client.bootstrap(checkpoint, &bytes, &mut ())), "input.checkpoint");
        assert_eq!(code(client.import(&bytes, checkpoint, &mut ())), "input.checkpoint");
    }
    assert_eq!(code(client.bootstrap(&[1; 32], &bytes, &mut ())), "verify.checkpoint");
    let update = client.apply(Form::Update, &update_of(5), now(5), &mut ());
    assert_eq!(code(update), "input.request");
}

#[test]
fn rejects_every_truncation_and_trailing_bytes() {
    let whole = update_of(5);
    let mut client = client_at(3);
    for length in 0..whole.len() {
        let verdict = client.apply(Form::Update, &whole[..length], now(5), &mut ());
        assert!(code(verdict).starts_with("decode."));
    }
    let trailing = [whole.clone(), vec![0]].concat();
    assert_eq!(refused(Form::Update, &trailing), "decode.rlp");
    assert_eq!(refused(Form::Finality, &whole), "decode.shape");
    assert_eq!(refused(Form::Update, &finality_of(5)), "decode.shape");
}

#[test]
fn rejects_fields_of_another_length() {
    let (rlp, signed) = (header(5).rlp(), sign(&header(5)));
    let bits = Signed { bits: vec![0xff; 5], ..signed.clone() };
    assert_eq!(refused(Form::Finality, &finality(&rlp, &bits)), "decode.shape");
    let mut keys = committee(1);
    keys.public.pop();
    let bytes = update(&rlp, &signed, &keys, committee(0).root());
    assert_eq!(refused(Form::Update, &bytes), "decode.shape");
}
