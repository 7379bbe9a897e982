//! Canonical RLP: one byte string per value, over every short input and a sample of longer ones.

use lightproof_core::DecodeError;
use lightproof_core::wire::{Item, Reader};
use lightproof_testkit::Rlp;
use proptest::prelude::*;

/// Everything in `reader`, in the form of the other encoder.
fn items(mut reader: Reader<'_>) -> Result<Vec<Rlp>, DecodeError> {
    let mut all = Vec::new();
    while !reader.is_empty() {
        all.push(match reader.item("item")? {
            Item::String(string) => Rlp::str(string.bytes),
            Item::List { items: list, .. } => Rlp::List(items(list)?),
        });
    }
    Ok(all)
}

/// The items that `bytes` hold, all of them, or why not.
fn decode(bytes: &[u8]) -> Result<Vec<Rlp>, DecodeError> {
    items(Reader::new(bytes))
}

fn encode(items: &[Rlp]) -> Vec<u8> {
    items.iter().flat_map(Rlp::encode).collect()
}

/// Whether `bytes` decode; if so, they must be what their items encode to.
fn canonical(bytes: &[u8]) -> bool {
    match decode(bytes) {
        Ok(all) => {
            assert_eq!(encode(&all), bytes, "decodes and is not canonical");
            true
        }
        Err(error) => {
            let code = error.code();
            assert!(code == "decode.rlp", "{bytes:02x?} is refused as {code}");
            assert!(error.span.start <= error.span.end && error.span.end <= bytes.len());
            false
        }
    }
}

#[test]
fn one_byte_strings_are_canonical_or_refused() {
    let accepted = (0..=u8::MAX).filter(|byte| canonical(&[*byte])).count();
    // 128 small bytes, the empty string, the empty list.
    assert_eq!(accepted, 130);
}

#[test]
fn two_byte_strings_are_canonical_or_refused() {
    let accepted = (0..=u16::MAX).filter(|pair| canonical(&pair.to_be_bytes())).count();
    // Two items of one byte; a prefixed byte from 0x80 on; a list of one byte.
    assert_eq!(accepted, 130 * 130 + 128 + 130);
}

#[test]
fn three_byte_strings_are_canonical_or_refused() {
    // Every first and second byte, and the third from each class of prefix.
    let thirds =
        [0x00, 0x01, 0x37, 0x38, 0x7f, 0x80, 0x81, 0xb7, 0xb8, 0xbf, 0xc0, 0xc1, 0xf7, 0xff];
    let pairs = (0..=u16::MAX).flat_map(|pair| thirds.map(|third| (pair.to_be_bytes(), third)));
    let accepted = pairs.filter(|([first, second], third)| canonical(&[*first, *second, *third]));
    // Of these 14 bytes, 7 are an item alone and 16 more end an item of two bytes.
    let in_two = 130 * 7 + 16;
    let in_three = 130 * in_two + 258 * 7 + 256 * 14 + in_two;
    assert_eq!(accepted.count(), in_three);
}

#[test]
fn every_two_byte_prefix_of_a_long_form_is_canonical_or_refused() {
    // Long enough for lengths of one and two digits to be satisfied.
    let mut bytes = vec![0; 700];
    for prefix in (0xb8..=0xbf).chain(0xf8..=0xff) {
        for digits in 0..=u16::MAX {
            bytes[0] = prefix;
            bytes[1..3].copy_from_slice(&digits.to_be_bytes());
            if let Ok(Item::String(string)) = Reader::new(&bytes).item("item") {
                let whole = Rlp::str(string.bytes).encode();
                assert_eq!(whole, bytes[..whole.len()]);
                assert_eq!(string.span.end, whole.len());
            }
        }
    }
}

#[test]
fn refuses_lengths_that_no_memory_holds() {
    for prefix in [0xbf, 0xff] {
        for length in [u64::MAX, u64::MAX >> 1, 1 << 32, (1 << 32) - 1, (1 << 31) + 64] {
            let digits = length.to_be_bytes();
            let digits: Vec<u8> = digits.into_iter().skip_while(|digit| *digit == 0).collect();
            let mut bytes = vec![prefix - 8 + u8::try_from(digits.len()).unwrap()];
            bytes.extend(digits);
            bytes.resize(600, 0);
            assert_eq!(decode(&bytes).unwrap_err().code(), "decode.rlp");
        }
    }
}

#[test]
fn refuses_integers_with_a_leading_zero() {
    for integer in [&[0x00][..], &[0x00, 0x01], &[0x00; 33]] {
        let bytes = Rlp::str(integer).encode();
        assert_eq!(Reader::new(&bytes).uint256("integer").unwrap_err().code(), "decode.rlp");
    }
}

#[test]
fn refuses_integers_over_their_width() {
    let wide = Rlp::str([1; 33]).encode();
    assert_eq!(Reader::new(&wide).uint256("integer").unwrap_err().code(), "decode.shape");
    let wide = Rlp::str([1; 9]).encode();
    assert_eq!(Reader::new(&wide).u64("integer").unwrap_err().code(), "decode.shape");
    let widest = Rlp::uint(u64::MAX).encode();
    assert_eq!(Reader::new(&widest).u64("integer"), Ok(u64::MAX));
}

fn any_rlp() -> impl Strategy<Value = Rlp> {
    let leaf = prop::collection::vec(any::<u8>(), 0..80).prop_map(Rlp::Str);
    leaf.prop_recursive(5, 64, 8, |inner| prop::collection::vec(inner, 0..8).prop_map(Rlp::List))
}

proptest! {
    #[test]
    fn reads_what_another_encoder_wrote(item in any_rlp()) {
        prop_assert_eq!(decode(&item.encode()), Ok(vec![item]));
    }

    #[test]
    fn random_bytes_are_canonical_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        canonical(&bytes);
    }

    #[test]
    fn a_changed_byte_is_canonical_or_refused(
        item in any_rlp(),
        at in any::<prop::sample::Index>(),
        mask in 1_u8..,
    ) {
        let mut bytes = item.encode();
        let at = at.index(bytes.len());
        bytes[at] ^= mask;
        canonical(&bytes);
    }
}
