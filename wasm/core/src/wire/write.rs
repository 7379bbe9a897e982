//! Canonical RLP, written: what the reader of this module reads.

use alloc::vec::Vec;

/// Appends a string.
pub(crate) fn string(out: &mut Vec<u8>, bytes: &[u8]) {
    if !matches!(bytes, [0..=0x7f]) {
        prefix(out, 0x80, bytes.len());
    }
    out.extend_from_slice(bytes);
}

/// Appends what stands before a payload of `length` bytes: `base` is 0x80 for a string, 0xc0 for a
/// list.
pub(crate) fn prefix(out: &mut Vec<u8>, base: u8, length: usize) {
    if let Ok(short @ 0..=55) = u8::try_from(length) {
        out.push(base.saturating_add(short));
        return;
    }
    let digits = length.to_be_bytes();
    let digits = digits.split_at(digits.iter().take_while(|digit| **digit == 0).count()).1;
    // A usize has at most 8 digits.
    let size = u8::try_from(digits.len()).unwrap_or(8);
    out.push(base.saturating_add(55).saturating_add(size));
    out.extend_from_slice(digits);
}

/// Writes the items of one list.
#[derive(Clone, Debug, Default)]
pub struct ListWriter(Vec<u8>);

impl ListWriter {
    /// Appends a string.
    pub fn string(&mut self, bytes: &[u8]) -> &mut Self {
        string(&mut self.0, bytes);
        self
    }

    /// Appends an integer, minimal big-endian.
    pub fn u64(&mut self, value: u64) -> &mut Self {
        let bytes = value.to_be_bytes();
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        self.string(bytes.get(zeros..).unwrap_or_default())
    }

    /// The whole list.
    pub fn finish(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.0.len().saturating_add(9));
        prefix(&mut out, 0xc0, self.0.len());
        out.extend_from_slice(&self.0);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Reader;

    #[test]
    fn writes_what_the_strict_reader_reads() {
        let long = alloc::vec![0x80; 300];
        let strings: [&[u8]; 7] = [b"", b"\0", b"\x7f", b"\x80", &long[..55], &long[..56], &long];
        let mut writer = ListWriter::default();
        for string in strings {
            writer.string(string);
        }
        let list = writer.u64(0).u64(127).u64(256).finish();
        let mut items = Reader::whole_list(&list, 0, "list").unwrap();
        for string in strings {
            assert_eq!(items.string("string").unwrap().bytes, string);
        }
        for value in [0, 127, 256] {
            assert_eq!(items.u64("integer").unwrap(), value);
        }
        assert!(items.is_empty());
    }
}
