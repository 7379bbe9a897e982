//! The `0x` hex of JSON-RPC: data (whole bytes) and quantities (no leading zeros).

use std::fmt::Write as _;

/// Why a string is not the hex that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HexError {
    /// No `0x` in front.
    #[error("hex must start with 0x")]
    Prefix,
    /// A character outside 0-9, a-f, A-F, or an odd number of them.
    #[error("not hex of whole bytes")]
    Digits,
    /// The right kind of hex, the wrong number of bytes.
    #[error("expected {expected} bytes, got {got}")]
    Length {
        /// Bytes wanted.
        expected: usize,
        /// Bytes given.
        got: usize,
    },
    /// A quantity that is empty, has a leading zero or does not fit in 64 bits.
    #[error("not a quantity: 0x and hex digits without a leading zero, below 2^64")]
    Quantity,
}

/// `0x` and two lower-case digits a byte.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 + 2 * bytes.len());
    text.push_str("0x");
    for byte in bytes {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// A number as a JSON-RPC quantity: `0x0`, `0x2a`.
pub fn quantity(number: impl Into<u128>) -> String {
    format!("{:#x}", number.into())
}

/// Big-endian bytes of any length as a quantity.
pub fn quantity_of_bytes(bytes: &[u8]) -> String {
    let digits = encode(bytes);
    let trimmed = digits.trim_start_matches("0x").trim_start_matches('0');
    format!("0x{}", if trimmed.is_empty() { "0" } else { trimmed })
}

/// Decodes `0x` data of whole bytes.
///
/// # Errors
/// [`HexError::Prefix`] or [`HexError::Digits`].
pub fn decode(text: &str) -> Result<Vec<u8>, HexError> {
    let digits = text.strip_prefix("0x").ok_or(HexError::Prefix)?.as_bytes();
    let (pairs, rest) = digits.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(HexError::Digits);
    }
    pairs
        .iter()
        .map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?))
        .collect::<Option<_>>()
        .ok_or(HexError::Digits)
}

/// Decodes exactly `N` bytes.
///
/// # Errors
/// As [`decode`], and [`HexError::Length`].
pub fn decode_fixed<const N: usize>(text: &str) -> Result<[u8; N], HexError> {
    let bytes = decode(text)?;
    bytes.as_slice().try_into().map_err(|_| HexError::Length { expected: N, got: bytes.len() })
}

/// Decodes a quantity below 2^64.
///
/// # Errors
/// [`HexError::Prefix`] or [`HexError::Quantity`].
pub fn decode_quantity(text: &str) -> Result<u64, HexError> {
    let digits = text.strip_prefix("0x").ok_or(HexError::Prefix)?;
    let leading_zero = digits.len() > 1 && digits.starts_with('0');
    // from_str_radix would accept a sign.
    if leading_zero || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(HexError::Quantity);
    }
    u64::from_str_radix(digits, 16).map_err(|_| HexError::Quantity)
}

fn digit(character: u8) -> Option<u8> {
    (character as char).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_round_trips() {
        assert_eq!(encode(&[0, 0xab]), "0x00ab");
        assert_eq!(decode("0x00AB"), Ok(vec![0, 0xab]));
        assert_eq!(decode("00ab"), Err(HexError::Prefix));
        assert_eq!(decode("0x0"), Err(HexError::Digits));
        assert_eq!(decode("0x0g"), Err(HexError::Digits));
        assert_eq!(decode_fixed::<3>("0x00ab"), Err(HexError::Length { expected: 3, got: 2 }));
    }

    #[test]
    fn quantities_are_canonical() {
        assert_eq!(quantity(0_u64), "0x0");
        assert_eq!(quantity_of_bytes(&[0, 0, 0x2a]), "0x2a");
        assert_eq!(quantity_of_bytes(&[]), "0x0");
        assert_eq!(decode_quantity("0x2a"), Ok(42));
        for bad in ["0x", "0x02a", "0x+1", "0x10000000000000000"] {
            assert_eq!(decode_quantity(bad), Err(HexError::Quantity), "{bad}");
        }
    }
}
