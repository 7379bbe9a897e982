//! Keys that are made from others': what they could do, and what stops them.

use ark_bls12_381::Fr;
use lightproof_core::Chain;
use lightproof_core::hash::{keccak256, sha256};
use lightproof_core::header::committee::Committee;
use lightproof_core::header::light::{Form, LightClient, verify_attested};
use lightproof_core::observer::Counts;
use lightproof_testkit::Rlp;

use super::bls::{Keys, all, alone, prove};
use super::code;
use super::devnet_world::{
    Header, SIZE, bootstrap, bootstrap_of, chain, client_at, committee, finality_of, header,
    message, now, sign, update,
};

const OWN: u64 = 4711;

/// The rogue key under the best proof that its owner can make.
fn proofs(rogue: &Keys) -> Vec<u8> {
    let mut proofs = rogue.proofs();
    proofs[..96].copy_from_slice(&prove(Fr::from(OWN), &rogue.public[0]));
    proofs
}

#[test]
fn a_rogue_key_signs_alone_as_32_of_32() {
    let rogue = Keys::rogue(1, SIZE, OWN);
    let rlp = header(5).rlp();
    // One who knows nothing but 4711 signs, and the bits say that everyone did.
    let forged = alone(OWN, message(&rlp), SIZE);
    let honest = rogue.sign(message(&rlp), all);
    assert_eq!((&forged.bits, forged.signature), (&honest.bits, honest.signature));
    let mut trusted = Committee::trusted(&rogue.bytes(), SIZE).unwrap();
    let aggregate = [forged.bits, forged.signature.to_vec()].concat();
    let chain = Chain::from_rlp(&chain()).unwrap();
    let verdict = verify_attested(&chain, &mut trusted, &rlp, &aggregate, 5).unwrap();
    assert_eq!(verdict.signers, Some((SIZE, SIZE)));
}

#[test]
fn rejects_a_rogue_key_in_a_bootstrap_and_in_a_handover() {
    let rogue = Keys::rogue(1, SIZE, OWN);
    let own = Header { committee_root: sha256(&[&rogue.root(), &[5; 32]]).0, ..header(3) }.rlp();
    let start = |proofs: &[u8]| {
        let keys = rogue.public.concat();
        let fields: [&[u8]; 5] = [&own, &keys, &rogue.aggregate, proofs, &[5; 32]];
        let mut client = LightClient::new(&chain()).unwrap();
        client.bootstrap(&keccak256(&own).0, &Rlp::strings(fields).encode(), &mut ())
    };
    assert_eq!(code(start(&proofs(&rogue))), "verify.committee");
    // Only who knows all secrets can prove it.
    start(&rogue.proofs()).unwrap();
    let root = sha256(&[&committee(0).root(), &rogue.root()]).0;
    let named = Header { committee_root: root, ..header(5) };
    let signed = sign(&named);
    let handover = |proofs: &[u8]| {
        let (rlp, keys, sibling) = (named.rlp(), rogue.public.concat(), committee(0).root());
        let fields: [&[u8]; 7] =
            [&rlp, &signed.bits, &signed.signature, &keys, &rogue.aggregate, proofs, &sibling];
        Rlp::strings(fields).encode()
    };
    let mut client = client_at(3);
    let before = client.export();
    let verdict = client.apply(Form::Update, &handover(&proofs(&rogue)), now(5), &mut ());
    assert_eq!(code(verdict), "verify.committee");
    assert_eq!(client.export(), before);
    client.apply(Form::Update, &handover(&rogue.proofs()), now(5), &mut ()).unwrap();
}

#[test]
fn proofs_are_checked_with_as_many_loops_as_keys_and_one() {
    let (checkpoint, bytes) = bootstrap_of(3);
    let mut client = LightClient::new(&chain()).unwrap();
    let mut work = Counts::default();
    client.bootstrap(&checkpoint, &bytes, &mut work).unwrap();
    assert_eq!((work.mapped, work.loops, work.exponentiations), (32, 33, 1));
    // Keys, their sum, proofs.
    assert_eq!(work.decompressed, 32 + 1 + 32);
    // What was proven is not proven again.
    let bytes = update(&header(5).rlp(), &sign(&header(5)), &committee(1), committee(0).root());
    let mut work = Counts::default();
    client.apply(Form::Update, &bytes, now(5), &mut work).unwrap();
    assert_eq!((work.mapped, work.loops, work.exponentiations), (33, 35, 2));
    let bytes = update(&header(6).rlp(), &sign(&header(6)), &committee(1), committee(0).root());
    let mut work = Counts::default();
    client.apply(Form::Update, &bytes, now(6), &mut work).unwrap();
    assert_eq!((work.mapped, work.loops, work.exponentiations), (1, 2, 1));
    client.apply(Form::Finality, &finality_of(7), now(7), &mut ()).unwrap();
}

#[test]
fn refuses_a_committee_of_another_size() {
    let small = Keys::new(1, SIZE / 2);
    let mut trusted = Committee::trusted(&small.bytes(), SIZE / 2).unwrap();
    let rlp = header(5).rlp();
    let signed = small.sign(message(&rlp), all);
    let aggregate = [signed.bits, signed.signature.to_vec()].concat();
    let chain = Chain::from_rlp(&chain()).unwrap();
    let verdict = verify_attested(&chain, &mut trusted, &rlp, &aggregate, 5);
    assert_eq!(code(verdict), "input.request");
    let keys = bootstrap(&rlp, &small, committee(1).root());
    let verdict = LightClient::new(&super::devnet_world::chain()).unwrap().bootstrap(
        &keccak256(&rlp).0,
        &keys,
        &mut (),
    );
    assert_eq!(code(verdict), "decode.shape");
}

/// As on Ethereum, where a validator may be drawn more than once: each of its places counts.
#[test]
fn a_devnets_committee_may_list_a_key_twice() {
    let twice = Keys::new(1, SIZE).twice();
    let root = sha256(&[&committee(0).root(), &twice.root()]).0;
    let named = Header { committee_root: root, ..header(5) };
    let bytes = update(&named.rlp(), &sign(&named), &twice, committee(0).root());
    let mut client = client_at(3);
    client.apply(Form::Update, &bytes, now(5), &mut ()).unwrap();
    assert_eq!(client.committee(1).unwrap().root().0, twice.root());
}
