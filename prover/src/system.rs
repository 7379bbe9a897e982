//! The systems that a devnet block commits to. Each takes the same write set.
//!
//! Adding a system: one file here, one line in [`registry`].

pub mod cole;
pub mod mpt;

use redb::WriteTransaction;

use crate::chain::writes::WriteSet;
use crate::error::StoreError;

/// One commitment scheme over the chain's writes.
pub trait System: Send + Sync {
    /// Name in headers, ASCII.
    fn name(&self) -> &'static str;

    /// Format that the chain configuration pins.
    fn format(&self) -> &'static str;

    /// Names of the proof shapes that the prover can make.
    fn variants(&self) -> &'static [&'static str];

    /// Digest of the public parameters, if the system has any.
    fn params_digest(&self) -> Option<[u8; 32]>;

    /// How many blocks, the newest included, stay provable.
    fn window(&self) -> u64;

    /// Commits the writes of `block` on top of those of `block - 1`, and drops what has left the
    /// window.
    ///
    /// Everything goes into `transaction`, so that state, header and head become durable together
    /// or not at all. Returns the commitment for the header.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    fn commit(
        &self,
        transaction: &WriteTransaction,
        block: u64,
        writes: &WriteSet,
    ) -> Result<Vec<u8>, StoreError>;
}

/// Every system of the chain, by name ascending, as headers list them.
///
/// `window`: blocks of state that stay provable in systems that keep history.
pub fn registry(window: u64) -> Vec<Box<dyn System>> {
    vec![Box::new(mpt::Mpt::new(window))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_ascend_strictly() {
        let names: Vec<_> = registry(64).iter().map(|system| system.name()).collect();
        assert!(names.is_sorted_by(|a, b| a < b));
        assert!(names.iter().all(|name| name.is_ascii()));
    }
}
