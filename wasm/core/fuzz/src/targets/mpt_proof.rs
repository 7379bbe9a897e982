//! Input: the RLP of an `mpt` proof. What decodes is canonical; an error points inside the input.

use lightproof_core::system::System;
use lightproof_core::system::mpt::{Mpt, Query, VARIANT};

/// One input.
pub fn fuzz(data: &[u8]) {
    let mut decoded = 0;
    for want_code in [false, true] {
        let query = Query { address: [0; 20], slots: Vec::new(), want_code };
        match Mpt::decode(&(), &query, VARIANT, data) {
            Ok(_) => {
                decoded += 1;
                crate::assert_canonical(data);
            }
            Err(error) => {
                assert!(error.span.start <= error.span.end && error.span.end <= data.len());
            }
        }
        assert!(Mpt::decode(&(), &query, "other", data).is_err());
    }
    assert!(decoded < 2, "with code and without it");
}
