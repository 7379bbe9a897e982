//! Input: the RLP of an `mpt` query. What decodes encodes to the same bytes and asks no slot twice.

use std::collections::BTreeSet;

use lightproof_core::system::mpt::{MAX_SLOTS, Query};
use lightproof_testkit::Query as Model;

/// One input.
pub fn fuzz(data: &[u8]) {
    if let Ok(query) = Query::from_rlp(data) {
        let slots: BTreeSet<_> = query.slots.iter().collect();
        assert!(slots.len() == query.slots.len() && slots.len() <= MAX_SLOTS);
        let again = Model {
            address: query.address.to_vec(),
            slots: query.slots.iter().map(|slot| slot.to_vec()).collect(),
            want_code: query.want_code,
        };
        assert_eq!(again.encode(), data);
    }
}
