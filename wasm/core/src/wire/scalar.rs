//! Elements of a curve's scalar field: 32 bytes, big-endian, below the order r.

use ark_ff::PrimeField;

use super::Bytes;
use crate::error::{DecodeError, Malformed};

/// Bytes of a scalar.
pub const SCALAR_BYTES: usize = 32;

/// A scalar of a field of at most 256 bits. Nothing is reduced: one byte string per scalar.
///
/// # Errors
/// `decode.scalar` unless there are 32 bytes of an integer below the modulus.
pub fn scalar<S: PrimeField>(from: Bytes<'_>, field: &'static str) -> Result<S, DecodeError> {
    let wrong = |reason| Malformed::Scalar.at(field, reason, from.span);
    let bytes: [u8; SCALAR_BYTES] = from.bytes.try_into().map_err(|_| wrong("wrong length"))?;
    let mut integer = S::BigInt::default();
    for (limb, word) in integer.as_mut().iter_mut().rev().zip(bytes.as_chunks().0) {
        *limb = u64::from_be_bytes(*word);
    }
    S::from_bigint(integer).ok_or(wrong("not below the order of the group"))
}

#[cfg(test)]
mod tests {
    use ark_ff::BigInteger;

    use super::*;
    use crate::error::Span;

    fn check<S: PrimeField>() {
        let read = |bytes: &[u8]| scalar::<S>(Bytes { bytes, span: Span::default() }, "scalar");
        let order = S::MODULUS.to_bytes_be();
        assert_eq!(read(&order).unwrap_err().code(), "decode.scalar");
        assert!(read(&[0xff; 32]).is_err());
        // The order is odd.
        let mut largest = order.clone();
        *largest.last_mut().unwrap() &= 0xfe;
        assert_eq!(read(&largest).unwrap().into_bigint().to_bytes_be(), largest);
        assert_eq!(read(&[0; 32]), Ok(S::zero()));
        let mut bytes = [0; 32];
        (bytes[31], bytes[30]) = (2, 1);
        assert_eq!(read(&bytes), Ok(S::from(258_u64)));
        assert!(read(&bytes[1..]).is_err());
        assert!(read(&[&bytes[..], &[0]].concat()).is_err());
    }

    #[test]
    fn one_string_of_bytes_for_each_scalar() {
        check::<ark_bls12_381::Fr>();
        check::<ark_bn254::Fr>();
    }
}
