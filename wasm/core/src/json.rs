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
    out.push_str("\"0x");
    for byte in bytes {
        hex(out, *byte);
    }
    out.push('"');
}

/// An integer as Ethereum's JSON-RPC writes quantities: `0x`, no leading zero digits.
pub fn quantity(out: &mut String, big_endian: &[u8]) {
    out.push_str("\"0x");
    let mut digits = big_endian.iter().skip_while(|byte| **byte == 0);
    match digits.next() {
        None => out.push('0'),
        Some(first) if *first < 0x10 => out.push(digit(*first)),
        Some(first) => hex(out, *first),
    }
    for byte in digits {
        hex(out, *byte);
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

fn hex(out: &mut String, byte: u8) {
    out.push(digit(byte >> 4));
    out.push(digit(byte & 0x0f));
}

const fn digit(nibble: u8) -> char {
    (match nibble {
        0..=9 => nibble.wrapping_add(b'0'),
        _ => nibble.wrapping_add(b'a' - 10),
    }) as char
}
