//! Input: the RLP list of claims. Every claim gets a verdict of its own, and it is JSON.

use std::sync::LazyLock;

use crate::{DEVNET, ETHEREUM, verdicts};
use lightproof_core::Verifier;
use lightproof_core::system::mpt::Mpt;
use lightproof_core::wire::Reader;
use lightproof_testkit::ask;

static VERIFIERS: LazyLock<[Verifier<Mpt>; 2]> = LazyLock::new(|| {
    [DEVNET, ETHEREUM]
        .map(|chain| Verifier::new(&chain.encode(), &ask::mpt_config(), &[]).expect("well-formed"))
});

fn count(data: &[u8]) -> Option<usize> {
    let mut list = Reader::whole_list(data, 0, "claims").ok()?;
    let mut count = 0;
    while !list.is_empty() {
        list.item("claim").ok()?;
        count += 1;
    }
    Some(count)
}

/// One input.
pub fn fuzz(data: &[u8]) {
    for verifier in &*VERIFIERS {
        let verdicts = verdicts(&verifier.verify(data, [0; 32], &mut ()));
        let unread = verdicts.len() == 1 && verdicts[0]["code"] == "input.request";
        assert!(unread || Some(verdicts.len()) == count(data));
        for verdict in verdicts.iter().filter(|verdict| verdict["status"] == "proven") {
            assert!(verdict["fact"]["account"]["status"].is_string());
        }
    }
}
