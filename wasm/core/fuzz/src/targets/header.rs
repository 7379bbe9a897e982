//! Input: a header's RLP. A header is trusted by its own hash alone, on the chain it belongs to.

use crate::{DEVNET, ETHEREUM, assert_canonical, verdicts};
use lightproof_core::hash::Hash;
use lightproof_core::verifier::headers;
use lightproof_core::{Chain, TrustedHeader};
use lightproof_testkit::{Rlp, keccak};

/// One input.
pub fn fuzz(data: &[u8]) {
    for chain in [DEVNET, ETHEREUM] {
        let bytes = chain.encode();
        let parsed = Chain::from_rlp(&bytes).expect("a well-formed chain");
        let hash = Hash(keccak(data));
        if let Ok(header) = TrustedHeader::pinned(&parsed, hash, data) {
            // Fields of forks to come are hashed and not read, so they may be anything inside.
            if chain == DEVNET {
                assert_canonical(data);
            }
            assert_eq!(header.hash(), hash);
            assert_ne!(header.number(), 0, "no input hashes to the genesis hash");
            let mut changed = data.to_vec();
            changed[data.len() / 2] ^= 1;
            let error = TrustedHeader::pinned(&parsed, hash, &changed).expect_err("changed");
            assert_eq!(error.code(), "verify.header");
            // A child may name it as its parent; that makes no one trust the child.
            assert!(TrustedHeader::pinned(&parsed, header.parent_hash(), data).is_err());
        }
        verdicts(&headers(&bytes, &hash.0, &Rlp::strings([data]).encode()));
        verdicts(&headers(&bytes, &hash.0, data));
    }
}
