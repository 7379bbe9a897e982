//! Input: any bytes. What decodes as RLP encodes to the same bytes.

use lightproof_core::wire::Reader;
use lightproof_testkit::Rlp;

/// One input.
pub fn fuzz(data: &[u8]) {
    if let Some(items) = crate::items(Reader::new(data)) {
        let again: Vec<u8> = items.iter().flat_map(Rlp::encode).collect();
        assert_eq!(again, data);
    }
    for read in [
        |reader: &mut Reader<'_>| reader.uint256("integer").map(|integer| integer.0.to_vec()),
        |reader: &mut Reader<'_>| {
            reader.u64("integer").map(|integer| integer.to_be_bytes().to_vec())
        },
        |reader: &mut Reader<'_>| reader.hash("hash").map(|hash| hash.0.to_vec()),
    ] {
        let mut reader = Reader::new(data);
        match read(&mut reader) {
            Ok(_) => assert!(reader.span().start <= data.len()),
            Err(error) => {
                assert!(error.span.start <= error.span.end && error.span.end <= data.len())
            }
        }
    }
}
