//! The systems that a devnet block commits to. Each takes the same write set.
//!
//! Adding a system: one file here, one line in [`REGISTRY`].

pub mod balanceproofs;
pub mod cole;
pub mod lmpt;
pub mod lvmt;
pub mod mpt;
mod selection;
pub mod verkle;

use std::path::Path;

use redb::{Database, ReadTransaction, WriteTransaction};

use crate::chain::writes::WriteSet;
use crate::error::StoreError;
use crate::node::Config;
pub use selection::Selection;

/// Why a system does not prove what it was asked.
#[derive(Debug)]
pub enum Refusal {
    /// The query is not of the system's form.
    Query(&'static str),
    /// The block is not provable any more.
    Window,
    /// What was asked for is proven elsewhere: this is the part that is proven here.
    Shard(lvmt::Shard),
    /// The store failed.
    Store(StoreError),
}

impl<E: Into<StoreError>> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self::Store(error.into())
    }
}

/// A proof that a system made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Its shape.
    pub variant: &'static str,
    /// As they travel: a canonical RLP list.
    pub bytes: Vec<u8>,
}

impl Proof {
    /// A proof of a system that has a single shape.
    pub fn plain(bytes: Vec<u8>) -> Self {
        Self { variant: PLAIN, bytes }
    }
}

/// Name of the only shape, where a system has but one.
pub const PLAIN: &str = "plain";

/// One commitment scheme over the chain's writes.
pub trait System: Send + Sync {
    /// Name in headers, ASCII.
    fn name(&self) -> &'static str;

    /// Format that the chain configuration pins.
    fn format(&self) -> &'static str;

    /// Names of the proof shapes that the prover can make.
    fn variants(&self) -> &'static [&'static str] {
        &[PLAIN]
    }

    /// Digest of the public parameters, if the system has any.
    fn params_digest(&self) -> Option<[u8; 32]>;

    /// Whether somebody knows the secret behind the public parameters, and so can prove anything.
    fn is_insecure(&self) -> bool {
        false
    }

    /// How many blocks, the newest included, stay provable.
    fn window(&self) -> u64;

    /// The part of the state that is proven here; `None` for all of it.
    fn shard(&self) -> Option<lvmt::Shard> {
        None
    }

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

    /// Told before every transaction that makes blocks, with the database as it is then.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    fn begin(&self, database: &Database) -> Result<(), StoreError> {
        let _ = database;
        Ok(())
    }

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

    /// The proof that answers a query about the state after `block`, and the name of its shape: one of
    /// `accepted`, which is the part of [`System::variants`] that the client takes, never empty, in the
    /// system's own order.
    ///
    /// # Errors
    /// [`Refusal`] says whether question, block or store is at fault.
    fn prove(
        &self,
        transaction: &ReadTransaction,
        block: u64,
        query: &[u8],
        accepted: &[&'static str],
    ) -> Result<Proof, Refusal> {
        let _ = (transaction, block, query, accepted);
        Err(Refusal::Query("the system's proofs travel by a method of their own"))
    }
}

/// Makes a system for the chain in a data directory, where it may keep files beside the database.
type Make = fn(&Path, &Config) -> Box<dyn System>;

/// Every system, by name ascending, as headers list them.
const REGISTRY: &[(&str, Make)] = &[
    (balanceproofs::store::NAME, |_, config| {
        Box::new(balanceproofs::BalanceProofs::new(config.balanceproofs))
    }),
    (cole::store::NAME, |data, config| {
        Box::new(cole::Cole::new(data.join(cole::store::NAME), config.cole))
    }),
    (lmpt::store::NAME, |_, config| Box::new(lmpt::Lmpt::new(config.lmpt))),
    (lvmt::store::NAME, |data, config| {
        Box::new(lvmt::Lvmt::new(config.lvmt).caching_in(data.join(lvmt::store::NAME)))
    }),
    (mpt::NAME, |_, config| Box::new(mpt::Mpt::new(config.window))),
    (verkle::store::NAME, |_, config| Box::new(verkle::Verkle::new(config.verkle))),
];

/// The systems that a chain commits to, by name ascending.
///
/// `directory`: the chain's data directory.
pub fn registry(directory: &Path, config: &Config) -> Vec<Box<dyn System>> {
    let chosen = REGISTRY.iter().filter(|(name, _)| config.systems.contains(name));
    chosen.map(|(_, make)| make(directory, config)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_ascend_strictly_and_say_the_names_that_they_are_registered_by() {
        let names: Vec<_> = registry(Path::new("unused"), &Config::new(7, 64))
            .iter()
            .map(|system| system.name())
            .collect();
        assert!(names.is_sorted_by(|a, b| a < b));
        assert!(names.iter().all(|name| name.is_ascii()));
        assert_eq!(names, Selection::ALL.names().collect::<Vec<_>>());
    }
}
