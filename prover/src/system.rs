//! The systems that a devnet block commits to. Each takes the same write set.
//!
//! Adding a system: one file here, one line in [`registry`].

pub mod cole;
pub mod mpt;

use std::path::Path;

use redb::{ReadTransaction, WriteTransaction};

use crate::chain::writes::WriteSet;
use crate::error::StoreError;
use crate::node::Config;

/// Why a system does not prove what it was asked.
#[derive(Debug)]
pub enum Refusal {
    /// The query is not of the system's form.
    Query(&'static str),
    /// The block is not provable any more.
    Window,
    /// The store failed.
    Store(StoreError),
}

impl<E: Into<StoreError>> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self::Store(error.into())
    }
}

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

    /// Checks and opens what the system keeps beside the database.
    ///
    /// # Errors
    /// [`StoreError`] names the file that is damaged.
    fn open(&self, transaction: &ReadTransaction) -> Result<(), StoreError> {
        let _ = transaction;
        Ok(())
    }

    /// The public parameters, if the system has any.
    fn params(&self) -> Option<Vec<u8>> {
        None
    }

    /// Told after every transaction that became durable.
    ///
    /// # Errors
    /// [`StoreError`] if files beside the database cannot be cleared up.
    fn durable(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// The proof that answers a query about the state after `block`.
    ///
    /// # Errors
    /// [`Refusal`] says whether question, block or store is at fault.
    fn prove(
        &self,
        transaction: &ReadTransaction,
        block: u64,
        query: &[u8],
    ) -> Result<Vec<u8>, Refusal> {
        let _ = (transaction, block, query);
        Err(Refusal::Query("the system's proofs travel by a method of their own"))
    }
}

/// Every system of the chain, by name ascending, as headers list them.
///
/// `directory`: the chain's data directory, for files that systems keep beside the database.
pub fn registry(directory: &Path, config: &Config) -> Vec<Box<dyn System>> {
    vec![
        Box::new(cole::Cole::new(directory.join(cole::store::NAME), config.cole)),
        Box::new(mpt::Mpt::new(config.window)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_ascend_strictly() {
        let names: Vec<_> = registry(Path::new("unused"), &Config::new(7, 64))
            .iter()
            .map(|system| system.name())
            .collect();
        assert!(names.is_sorted_by(|a, b| a < b));
        assert!(names.iter().all(|name| name.is_ascii()));
    }
}
