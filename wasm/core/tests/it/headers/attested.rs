//! An attested chain: committees of operators, each of its own size.

use lightproof_core::Chain;
use lightproof_core::hash::{keccak256, sha256};
use lightproof_core::header::committee::Committee;
use lightproof_core::header::light::{Form, LightClient, verify_attested};
use lightproof_testkit::Rlp;

use super::bls::{Keys, Signed, all, alone, prove};
use super::code;
use super::devnet_world::{
    CHAIN_ID, GENESIS_TIME, Header, PERIOD, bootstrap, finality, message_on, now, update,
};
use ark_bls12_381::Fr;

/// Members of the committee of each period.
const SIZES: [usize; 4] = [3, 7, 1, 9];

fn committee(period: u64) -> Keys {
    Keys::new(50 + period, SIZES[usize::try_from(period).unwrap() % 4])
}

fn header(number: u64) -> Header {
    let period = number / PERIOD;
    let roots = [committee(period).root(), committee(period + 1).root()];
    Header {
        version: 1,
        chain_id: CHAIN_ID,
        parent: if number == 0 { [0; 32] } else { [9; 32] },
        number,
        timestamp: GENESIS_TIME + number,
        committee_root: sha256(&[&roots[0], &roots[1]]).0,
    }
}

fn genesis_hash() -> [u8; 32] {
    keccak256(&header(0).rlp()).0
}

fn chain() -> Vec<u8> {
    let consensus = Rlp::list([Rlp::uint(PERIOD)]);
    let head = [Rlp::str("attested"), Rlp::uint(CHAIN_ID), Rlp::str(genesis_hash()), consensus];
    Rlp::list(head).encode()
}

fn message(header: &Header) -> [u8; 32] {
    message_on(CHAIN_ID, genesis_hash(), &header.rlp())
}

fn signed(header: &Header, signs: impl Fn(usize) -> bool) -> Signed {
    committee(header.number / PERIOD).sign(message(header), signs)
}

fn update_of(number: u64) -> Vec<u8> {
    let (header, period) = (header(number), number / PERIOD);
    let own = committee(period).root();
    update(&header.rlp(), &signed(&header, all), &committee(period + 1), own)
}

fn finality_of(number: u64, signs: impl Fn(usize) -> bool) -> Vec<u8> {
    let header = header(number);
    finality(&header.rlp(), &signed(&header, signs))
}

/// A client at block 0, which the chain's configuration names.
fn client() -> LightClient {
    let mut client = LightClient::new(&chain()).unwrap();
    let bytes = bootstrap(&header(0).rlp(), &committee(0), committee(1).root());
    client.bootstrap(&genesis_hash(), &bytes, &mut ()).unwrap();
    client
}

#[test]
fn hands_over_between_committees_of_any_size() {
    let mut client = client();
    for period in 0..6 {
        let number = period * PERIOD + 4;
        let applied = client.apply(Form::Update, &update_of(number), now(number), &mut ()).unwrap();
        let size = SIZES[usize::try_from(period).unwrap() % 4];
        assert_eq!((applied.signers, applied.of), (size, size));
        let state = client.state().unwrap();
        assert_eq!((state.period, state.finalized.slot), (period, number));
        assert_eq!(state.finalized.signers, Some((size, size)));
        // One of one is fewer than half of the committee before, and final all the same.
        assert_eq!((state.head, state.safe), (state.finalized, state.finalized));
        assert!(applied.changed.head && applied.changed.finalized);
    }
    // A store of such a chain opens again.
    let mut other = LightClient::new(&chain()).unwrap();
    let anchor = client.state().unwrap().anchor.0;
    other.import(&client.export(), &anchor, &mut ()).unwrap();
    assert_eq!(other.export(), client.export());
    assert_eq!(other.state().unwrap().finalized, client.state().unwrap().finalized);
}

#[test]
fn two_thirds_of_the_committee_that_signs_are_needed() {
    for (of, needed) in [(3, 2), (7, 5), (1, 1), (9, 6)] {
        let period = SIZES.iter().position(|size| *size == of).unwrap() as u64;
        let mut client = client();
        for period in 0..period {
            let number = period * PERIOD + 4;
            client.apply(Form::Update, &update_of(number), now(number), &mut ()).unwrap();
        }
        let number = period * PERIOD + 5;
        let few = finality_of(number, |index| index + 1 < needed);
        let verdict = client.apply(Form::Finality, &few, now(number), &mut ());
        assert_eq!(code(verdict), "verify.participation");
        let enough = finality_of(number, |index| index < needed);
        let applied = client.apply(Form::Finality, &enough, now(number), &mut ()).unwrap();
        assert_eq!((applied.signers, applied.of), (needed, of));
    }
}

#[test]
fn rejects_bits_that_are_nobodys() {
    // One of three signs; five bits after the last member's would make it six.
    let number = 5;
    let mut signed = signed(&header(number), |index| index == 0);
    signed.bits = vec![0b1111_1001];
    let bytes = finality(&header(number).rlp(), &signed);
    let verdict = client().apply(Form::Finality, &bytes, now(number), &mut ());
    assert_eq!(code(verdict), "decode.shape");
    for bits in [vec![], vec![7, 0], vec![0, 7]] {
        let bytes = finality(&header(number).rlp(), &Signed { bits, ..signed.clone() });
        let verdict = client().apply(Form::Finality, &bytes, now(number), &mut ());
        assert_eq!(code(verdict), "decode.shape");
    }
    let mut trusted = Committee::trusted(&committee(0).bytes(), None).unwrap();
    let chain = Chain::from_rlp(&chain()).unwrap();
    let aggregate = [signed.bits, signed.signature.to_vec()].concat();
    let rlp = header(number).rlp();
    let verdict = verify_attested(&chain, &mut trusted, &rlp, &aggregate, number);
    assert_eq!(code(verdict), "decode.shape");
}

#[test]
fn rejects_a_signature_of_another_committee_or_chain() {
    let number = 5;
    let of = |keys: Keys, message| finality(&header(number).rlp(), &keys.sign(message, all));
    let honest = message(&header(number));
    let elsewhere = message_on(CHAIN_ID, [3; 32], &header(number).rlp());
    let wrong = [
        of(Keys::new(99, 3), honest),
        of(committee(0), elsewhere),
        of(committee(0), message(&header(number + 1))),
    ];
    for bytes in wrong {
        let verdict = client().apply(Form::Finality, &bytes, now(number), &mut ());
        assert_eq!(code(verdict), "verify.signature");
    }
    // The one after the next is not known yet, whatever its size.
    let bytes = finality_of(2 * PERIOD + 5, all);
    let verdict = client().apply(Form::Finality, &bytes, now(2 * PERIOD + 5), &mut ());
    assert_eq!(code(verdict), "verify.period");
}

#[test]
fn rejects_a_handover_to_keys_that_two_thirds_did_not_name() {
    let header = header(5);
    let others = Keys::new(99, 3);
    let bytes = update(&header.rlp(), &signed(&header, all), &others, committee(0).root());
    let verdict = client().apply(Form::Update, &bytes, now(5), &mut ());
    assert_eq!(code(verdict), "verify.committee");
    // Fewer than two thirds name them.
    let root = sha256(&[&committee(0).root(), &others.root()]).0;
    let named = Header { committee_root: root, ..header };
    let few = committee(0).sign(message(&named), |index| index == 2);
    let bytes = update(&named.rlp(), &few, &others, committee(0).root());
    let verdict = client().apply(Form::Update, &bytes, now(5), &mut ());
    assert_eq!(code(verdict), "verify.participation");
}

/// A bootstrap of a chain whose first committee is another.
fn bootstrap_by(keys: &Keys, proofs: &[u8]) -> Result<(), lightproof_core::Rejection> {
    let root = sha256(&[&keys.root(), &[5; 32]]).0;
    let own = Header { committee_root: root, ..header(3) }.rlp();
    let public = keys.public.concat();
    let fields: [&[u8]; 5] = [&own, &public, &keys.aggregate, proofs, &[5; 32]];
    let mut client = LightClient::new(&chain()).unwrap();
    client.bootstrap(&keccak256(&own).0, &Rlp::strings(fields).encode(), &mut ())
}

#[test]
fn rejects_a_rogue_key_and_one_that_is_listed_twice() {
    const OWN: u64 = 4711;
    let rogue = Keys::rogue(60, 5, OWN);
    // With such a committee one member signs for all.
    let rlp = header(5).rlp();
    let forged = alone(OWN, message(&header(5)), 8);
    let aggregate = [vec![0b1_1111], forged.signature.to_vec()].concat();
    let mut trusted = Committee::trusted(&rogue.bytes(), None).unwrap();
    let chain = Chain::from_rlp(&chain()).unwrap();
    verify_attested(&chain, &mut trusted, &rlp, &aggregate, 5).unwrap();
    let mut proofs = rogue.proofs();
    proofs[..96].copy_from_slice(&prove(Fr::from(OWN), &rogue.public[0]));
    assert_eq!(code(bootstrap_by(&rogue, &proofs)), "verify.committee");
    let bytes = [rogue.bytes(), proofs].concat();
    assert_eq!(code(Committee::checked(&bytes)), "verify.committee");

    let twice = Keys::new(61, 4).twice();
    assert_eq!(code(bootstrap_by(&twice, &twice.proofs())), "verify.committee");
    // In a handover too, although two thirds name it.
    let named = |keys: &Keys| {
        let root = sha256(&[&committee(0).root(), &keys.root()]).0;
        let header = Header { committee_root: root, ..header(5) };
        let signed = committee(0).sign(message(&header), all);
        let bytes = update(&header.rlp(), &signed, keys, committee(0).root());
        client().apply(Form::Update, &bytes, now(5), &mut ())
    };
    assert_eq!(code(named(&twice)), "verify.committee");
    named(&Keys::new(61, 4)).unwrap();
    let honest = Keys::new(61, 4);
    bootstrap_by(&honest, &honest.proofs()).unwrap();
    let bytes = [honest.bytes(), honest.proofs()].concat();
    assert_eq!(Committee::checked(&bytes).unwrap().root().0, honest.root());
    assert_eq!(code(Committee::checked(&bytes[..bytes.len() - 1])), "input.request");
}

#[test]
fn rejects_committees_of_no_size_or_of_too_many() {
    let proofs = |size: usize| vec![0; 96 * size];
    let start = |keys: &[u8], proofs: &[u8]| {
        let own = header(0).rlp();
        let fields: [&[u8]; 5] = [&own, keys, &[0; 48], proofs, &[5; 32]];
        let mut client = LightClient::new(&chain()).unwrap();
        client.bootstrap(&keccak256(&own).0, &Rlp::strings(fields).encode(), &mut ())
    };
    for (keys, proofs) in [
        (vec![], vec![]),
        (vec![0; 47], proofs(1)),
        (vec![0; 48], proofs(2)),
        (vec![0; 48 * 513], proofs(513)),
    ] {
        assert_eq!(code(start(&keys, &proofs)), "decode.shape");
    }
}

#[test]
fn one_signer_checks_itself_alone() {
    let mut all_of = Committee::trusted(&committee(1).bytes(), None).unwrap();
    let header = header(14);
    let one = signed(&header, |index| index == 6);
    let aggregate = [one.bits, one.signature.to_vec()].concat();
    let message = lightproof_core::hash::Hash(message(&header));
    all_of.signed(&aggregate, message).unwrap();
    let mut other = aggregate.clone();
    other[0] = 1;
    assert_eq!(code(all_of.signed(&other, message)), "verify.signature");
    other[0] = 0x80;
    assert_eq!(code(all_of.signed(&other, message)), "decode.shape");
}
