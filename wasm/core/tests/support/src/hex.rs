//! Hexadecimal text as nodes and vectors write it.

/// Bytes of hex text, with or without `0x`; an odd number of digits is read as if a zero led.
pub fn decode(text: &str) -> Vec<u8> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let padded = if digits.len() % 2 == 1 { format!("0{digits}") } else { digits.to_owned() };
    padded
        .as_bytes()
        .chunks_exact(2)
        .map(|pair| {
            let pair = std::str::from_utf8(pair).expect("hex digits are ASCII");
            u8::from_str_radix(pair, 16).unwrap_or_else(|_| panic!("not hex: {text}"))
        })
        .collect()
}

/// Exactly `N` bytes of hex text.
pub fn array<const N: usize>(text: &str) -> [u8; N] {
    let bytes = decode(text);
    bytes.as_slice().try_into().unwrap_or_else(|_| panic!("not {N} bytes: {text}"))
}

/// Hex text after `0x`: every byte, two digits.
pub fn encode(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::from("0x"), |mut out, byte| {
        write!(out, "{byte:02x}").expect("a String takes everything");
        out
    })
}

/// A quantity: `0x`, no leading zero digits.
pub fn quantity(big_endian: &[u8]) -> String {
    let digits = encode(big_endian);
    let digits = digits["0x".len()..].trim_start_matches('0');
    format!("0x{}", if digits.is_empty() { "0" } else { digits })
}

/// Bytes without leading zeros: the form of an integer in RLP.
pub fn minimal(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().copied().skip_while(|byte| *byte == 0).collect()
}
