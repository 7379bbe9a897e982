//! Input: the RLP of a chain, or of a system's configuration. What decodes is canonical.

use crate::{DEVNET, assert_canonical};
use lightproof_core::system::SystemConfig;
use lightproof_core::system::mpt::Mpt;
use lightproof_core::{Chain, Verifier};
use lightproof_testkit::ask;

/// One input.
pub fn fuzz(data: &[u8]) {
    let chain = Chain::from_rlp(data).map(|_| assert_canonical(data)).is_ok();
    let config = SystemConfig::from_rlp(data).map(|_| assert_canonical(data)).is_ok();
    let with_chain = Verifier::<Mpt>::new(data, &ask::mpt_config(), &[]).is_ok();
    assert_eq!(with_chain, chain);
    let with_config = Verifier::<Mpt>::new(&DEVNET.encode(), data, &[]).is_ok();
    assert_eq!(with_config, config && data == ask::mpt_config());
    assert!(
        Verifier::<Mpt>::new(&DEVNET.encode(), &ask::mpt_config(), data).is_ok() == data.is_empty()
    );
}
