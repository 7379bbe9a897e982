//! Precompiles on curves: how they are asked for, and what the caller's own code says of them.

use alloc::vec::Vec;

use revm::primitives::Address;

/// What a precompile did with its input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// It returned this.
    Output(Vec<u8>),
    /// It failed: the call uses all of its gas.
    Failure,
    /// Nobody here knows.
    Unknown,
}

/// Runs the precompiles that are not here. The caller's own code does that, never a node.
pub trait Heavy {
    /// What the precompile at `address` (0x06 to 0x08, 0x0a to 0x11, 0x100) does with `input`.
    fn run(&self, address: &Address, input: &[u8]) -> Ask;
}

/// What a precompile returned, as the caller's own code computed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given<'a> {
    /// The precompile.
    pub address: Address,
    /// Its input.
    pub input: &'a [u8],
    /// Its output; `None` if it failed.
    pub output: Option<&'a [u8]>,
}

/// Outputs that the caller computed before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outputs<'a>(pub Vec<Given<'a>>);

impl Heavy for Outputs<'_> {
    fn run(&self, address: &Address, input: &[u8]) -> Ask {
        let given = self.0.iter().find(|one| one.address == *address && one.input == input);
        match given.map(|given| given.output) {
            Some(Some(output)) => Ask::Output(output.to_vec()),
            Some(None) => Ask::Failure,
            None => Ask::Unknown,
        }
    }
}

/// Runs all of them, with the engine's own code.
#[cfg(feature = "native")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Native;

#[cfg(feature = "native")]
impl Heavy for Native {
    fn run(&self, address: &Address, input: &[u8]) -> Ask {
        use revm::precompile::{PrecompileSpecId, PrecompileStatus, Precompiles};
        let all = Precompiles::new(PrecompileSpecId::OSAKA);
        let Some(precompile) = all.get(address) else { return Ask::Unknown };
        match precompile.execute(input, u64::MAX, 0) {
            Ok(done) if done.status == PrecompileStatus::Success => {
                Ask::Output(done.bytes.to_vec())
            }
            Ok(_) | Err(_) => Ask::Failure,
        }
    }
}

/// The module that runs a heavy precompile.
pub(crate) fn module(address: &Address) -> &'static str {
    match number(address) {
        Some(6..=8) => "bn254",
        Some(0x0a..=0x11) => "bls12_381",
        Some(0x100) => "p256",
        _ => "",
    }
}

/// The precompile's number, if the address is that small.
pub(crate) fn number(address: &Address) -> Option<u64> {
    let (zeros, number) = address.split_last_chunk::<8>()?;
    zeros.iter().all(|byte| *byte == 0).then(|| u64::from_be_bytes(*number))
}
