//! Precompiles on curves: the caller's own modules run them.

use lightproof_core::precompile::Outcome;
use revm::primitives::Address;

/// Runs the precompiles that are not in this crate. The caller's own code does that, never a node.
pub trait Heavy {
    /// What precompile `number` (0x06 to 0x08, 0x0a to 0x11, 0x100) does with `input`.
    fn run(&self, number: u64, input: &[u8]) -> Outcome;
}

/// Has none of them.
impl Heavy for () {
    fn run(&self, _: u64, _: &[u8]) -> Outcome {
        Outcome::Unknown
    }
}

/// Runs all of them here.
#[cfg(feature = "native")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Native;

#[cfg(feature = "native")]
impl Heavy for Native {
    fn run(&self, number: u64, input: &[u8]) -> Outcome {
        use lightproof_core::precompile::{bls12_381, bn254, p256};
        [bn254::run, bls12_381::run, p256::run]
            .iter()
            .map(|run| run(number, input))
            .find(|outcome| *outcome != Outcome::Unknown)
            .unwrap_or(Outcome::Unknown)
    }
}

/// The precompile's number, if the address is that small.
pub(crate) fn number(address: &Address) -> Option<u64> {
    let (zeros, number) = address.split_last_chunk::<8>()?;
    zeros.iter().all(|byte| *byte == 0).then(|| u64::from_be_bytes(*number))
}
