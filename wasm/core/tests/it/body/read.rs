//! Transactions and receipts as they are read: what was signed, what is paid, how it ended.

use lightproof_core::body::{BLOOM_BYTES, Outcome, Receipt, Transaction};
use lightproof_core::error::Span;
use lightproof_core::hash::Hash;
use lightproof_core::wire::{Bytes, Uint256};
use lightproof_testkit::{Rlp, hex, keccak};

use super::{A, transaction};

fn whole(bytes: &[u8]) -> Bytes<'_> {
    Bytes { bytes, span: Span { start: 0, end: bytes.len() } }
}

fn read(bytes: &[u8]) -> Transaction<'_> {
    Transaction::read(whole(bytes)).unwrap().unwrap()
}

/// The same transaction, signed with this `v`; its fields that are signed in front.
fn signed_with(v: &[u8]) -> (Vec<Rlp>, Vec<u8>) {
    let head = [3, 20, 21_000].map(Rlp::uint);
    let fields: Vec<Rlp> =
        head.into_iter().chain([Rlp::str(A), Rlp::uint(5), Rlp::str([])]).collect();
    let signature = [Rlp::str(v), Rlp::uint(5), Rlp::uint(6)];
    let all = Rlp::list(fields.iter().cloned().chain(signature)).encode();
    (fields, all)
}

/// An integer, big-endian, without leading zeros.
fn minimal(value: u128) -> Vec<u8> {
    value.to_be_bytes().into_iter().skip_while(|byte| *byte == 0).collect()
}

/// The example of EIP-155.
#[test]
fn what_the_sender_signed_is_what_eip_155_says() {
    let raw = "f86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a\
        028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb7033\
        04b3800ccf555c9f3dc64214b297fb1966a3b6d83";
    let signed = "daf5a779ae972f972197303d7b574746c7ef83eadac0f2791ad23db92e4c8e53";
    let raw = hex::decode(raw);
    assert_eq!(read(&raw).signing_hash().0.to_vec(), hex::decode(signed));
    assert_eq!(read(&raw).hash().0, keccak(&raw));
}

#[test]
fn a_legacy_signature_names_its_chain_and_its_parity() {
    for v in [27_u128, 28, 34] {
        let (fields, all) = signed_with(&minimal(v));
        assert_eq!(read(&all).signing_hash().0, keccak(&Rlp::list(fields).encode()), "{v}");
        assert_eq!(u128::from(read(&all).parity()), (v + 1) % 2, "{v}");
    }
    for chain_id in [0, 1, 110, 111, 128, 1337, 0x8080, 0x1_0000_0000, (1 << 100) + 127] {
        for parity in [0, 1] {
            let (mut fields, all) = signed_with(&minimal(2 * chain_id + 35 + parity));
            fields.extend([Rlp::Str(minimal(chain_id)), Rlp::str([]), Rlp::str([])]);
            let expected = keccak(&Rlp::list(fields).encode());
            assert_eq!(read(&all).signing_hash().0, expected, "{chain_id}");
            assert_eq!(u128::from(read(&all).parity()), parity, "{chain_id}");
        }
    }
}

#[test]
fn a_typed_signature_is_for_the_envelope_without_it() {
    for kind in 1..5 {
        let bytes = transaction(kind, 7);
        // yParity, r and s have a byte each; the prefix of the list has one or two.
        let prefix = if bytes[1] < 0xf8 { 2 } else { 3 };
        let signed = &bytes[prefix..bytes.len() - 3];
        let length = u8::try_from(signed.len()).unwrap();
        let head = if length < 56 { vec![kind, 0xc0 + length] } else { vec![kind, 0xf8, length] };
        assert_eq!(read(&bytes).signing_hash().0, keccak(&[&head, signed].concat()));
        assert_eq!((read(&bytes).hash().0, read(&bytes).parity()), (keccak(&bytes), 1));
        let mut other = bytes.clone();
        let parity = other.len() - 3;
        other[parity] = 0x80;
        assert_eq!(read(&other).parity(), 0);
        other[parity] = 2;
        assert_eq!(Transaction::read(whole(&other)).unwrap_err().code(), "decode.shape");
    }
}

#[test]
fn fees_are_those_of_the_type() {
    let effective = |kind: u8, base: Option<u64>| {
        let bytes = transaction(kind, 0);
        read(&bytes).fee.effective(base.map(Uint256::from))
    };
    for base in [None, Some(7), Some(100)] {
        assert_eq!([0, 1].map(|kind| effective(kind, base)), [Uint256::from(30); 2]);
        let expected = Uint256::from((base.unwrap_or(0) + 2).min(40));
        assert_eq!([2, 3, 4].map(|kind| effective(kind, base)), [expected; 3]);
    }
    let blob_gas = |kind: u8| read(&transaction(kind, 0)).blob_gas();
    assert_eq!([0, 1, 2, 3, 4].map(blob_gas), [None, None, None, Some(2 * 131_072), None]);
}

/// Blobs and authorizations come with a call.
#[test]
fn only_older_types_make_contracts() {
    let called = Rlp::str(A).encode();
    for kind in 0..5 {
        let mut bytes = transaction(kind, 0);
        let at = bytes.windows(21).position(|part| part == called).unwrap();
        bytes.splice(at..at + 21, [0x80]);
        let length = usize::from(bytes[usize::from(kind > 0)] >= 0xf8);
        bytes[usize::from(kind > 0) + length] -= 20;
        let made = Transaction::read(whole(&bytes));
        if kind < 3 {
            assert_eq!(made.unwrap().unwrap().to, None);
        } else {
            assert_eq!(made.unwrap_err().code(), "decode.shape");
        }
    }
}

#[test]
fn a_receipt_says_how_its_transaction_ended() {
    let with = |status: &[u8]| {
        let fields = [Rlp::str(status), Rlp::uint(1), Rlp::str([0; BLOOM_BYTES]), Rlp::list([])];
        let bytes = Rlp::list(fields).encode();
        let read = Receipt::read(whole(&bytes)).map(|read| read.unwrap().outcome);
        read.map_err(|error| error.code())
    };
    assert_eq!((with(&[]), with(&[1])), (Ok(Outcome::Status(false)), Ok(Outcome::Status(true))));
    assert_eq!(with(&[9; 32]), Ok(Outcome::StateRoot(Hash([9; 32]))));
    assert_eq!((with(&[2]), with(&[9; 31])), (Err("decode.shape"), Err("decode.shape")));
}
