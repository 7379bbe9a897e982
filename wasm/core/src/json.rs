//! Results as JSON text, the one form that bindings, vectors and files share. Write-only.

use alloc::string::String;

use core::fmt::Write;

/// Writes itself as JSON.
pub trait ToJson {
    /// Appends the JSON text to `out`.
    fn to_json(&self, out: &mut String);
}

/// A string of hex digits after `0x`: every byte, two digits.
pub fn bytes(out: &mut String, bytes: &[u8]) {
    make_room(out, bytes.len());
    out.push_str("\"0x");
    hex(out, bytes);
    out.push('"');
}

/// Room for the digits of long bytes, and little more: doubled, a text would take four times what
/// it holds.
pub(crate) fn make_room(out: &mut String, bytes: usize) {
    let wanted = bytes.saturating_mul(2).saturating_add(64);
    if bytes >= 128 && out.capacity().saturating_sub(out.len()) < wanted {
        out.reserve_exact(wanted.max(out.len() / 8));
    }
}

/// An integer as Ethereum's JSON-RPC writes quantities: `0x`, no leading zero digits.
pub fn quantity(out: &mut String, big_endian: &[u8]) {
    out.push_str("\"0x");
    let mut rest = big_endian;
    while let [0, tail @ ..] = rest {
        rest = tail;
    }
    match rest {
        [] => out.push('0'),
        [first @ 0..0x10, tail @ ..] => {
            out.push(digit(*first).into());
            hex(out, tail);
        }
        _ => hex(out, rest),
    }
    out.push('"');
}

/// A list.
pub fn list<T>(out: &mut String, items: &[T], mut each: impl FnMut(&mut String, &T)) {
    out.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        each(out, item);
    }
    out.push(']');
}

/// A string, escaped.
pub fn string(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            control if control < ' ' => {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(control));
            }
            other => out.push(other),
        }
    }
    out.push('"');
}

/// A number below 2^53, in decimal.
pub fn number(out: &mut String, value: usize) {
    // Writing to a String cannot fail.
    let _ = write!(out, "{value}");
}

/// Two digits a byte; four bytes at a time, since histories are thousands of bytes.
fn hex(out: &mut String, bytes: &[u8]) {
    for word in bytes.chunks(128) {
        let mut text = [[0; 8]; 32];
        let (fours, rest) = word.as_chunks();
        let last = rest.iter().rev().fold(0, |four, byte| (four << 8) | u32::from(*byte));
        let fours = fours.iter().map(|four| u32::from_le_bytes(*four)).chain([last]);
        for (digits, four) in text.iter_mut().zip(fours) {
            *digits = digits_of(four);
        }
        let digits = text.as_flattened().get(..word.len().saturating_mul(2)).unwrap_or_default();
        // Digits are ASCII.
        out.push_str(core::str::from_utf8(digits).unwrap_or_default());
    }
}

/// The eight digits of four bytes, the first byte lowest: each nibble in a byte of its own, and all
/// of them made digits at once.
const fn digits_of(four: u32) -> [u8; 8] {
    let word = four as u64;
    let word = ((word & 0xffff_0000) << 16) | (word & 0xffff);
    let word = ((word << 8) | word) & 0x00ff_00ff_00ff_00ff;
    let nibbles = ((word >> 4) | (word << 8)) & 0x0f0f_0f0f_0f0f_0f0f;
    // One where a nibble is 10 or more: letters come 39 after the digits' end. No byte overflows
    // into the next.
    let letters = (nibbles.wrapping_add(0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101;
    let digits = nibbles.wrapping_add(0x3030_3030_3030_3030);
    digits.wrapping_add(letters.wrapping_mul(39)).to_le_bytes()
}

const fn digit(nibble: u8) -> u8 {
    match nibble {
        0..=9 => nibble.wrapping_add(b'0'),
        _ => nibble.wrapping_add(b'a' - 10),
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::vec::Vec;

    use super::*;

    fn written(write: impl FnOnce(&mut String)) -> String {
        let mut out = String::new();
        write(&mut out);
        out
    }

    /// Lengths around the words that are written at a time.
    #[test]
    fn bytes_are_two_digits_each() {
        let all: Vec<u8> = (0..=u8::MAX).collect();
        for end in [0, 1, 31, 32, 33, 127, 128, 129, 256] {
            let mut expected = String::from("\"0x");
            all[..end].iter().for_each(|byte| write!(expected, "{byte:02x}").unwrap());
            expected.push('"');
            assert_eq!(written(|out| bytes(out, &all[..end])), expected);
        }
    }

    #[test]
    fn quantities_have_no_leading_zero() {
        let cases: [(&[u8], &str); 6] = [
            (&[], "0x0"),
            (&[0, 0], "0x0"),
            (&[0, 1], "0x1"),
            (&[0x0f, 0x00], "0xf00"),
            (&[0, 0x10, 0x0a], "0x100a"),
            (&[0xff; 33], "0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
        ];
        for (big_endian, expected) in cases {
            assert_eq!(written(|out| quantity(out, big_endian)), format!("\"{expected}\""));
        }
    }
}
