//! The systems that a devnet block commits to. Each takes the same write set.

pub mod balanceproofs;
pub mod cole;
pub mod lmpt;
pub mod lvmt;
pub mod mpt;
pub mod verkle;

use std::fmt;
use std::path::Path;

use crate::chain::writes::WriteSet;
use crate::error::StoreError;
use crate::hash::Word;
use crate::store::{Read, Reader, Store, Write};

/// Why a system does not prove what it was asked.
#[derive(Debug)]
pub enum Refusal {
    /// The query is not of the system's form.
    Query(&'static str),
    /// The block is not provable any more.
    Window,
    /// What was asked for is proven elsewhere: this is the part that is proven here.
    Elsewhere(ShardId),
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

/// A part of a state: of 2^bits, the one with this index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShardId {
    /// log2 of the number of shards, below 32.
    pub bits: u8,
    /// Which of them.
    pub index: u32,
}

impl fmt::Display for ShardId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.index, 1_u32 << self.bits)
    }
}

/// What a node tells of a system on its chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// Name in headers, ASCII.
    pub name: &'static str,
    /// Format that the chain configuration pins.
    pub format: &'static str,
    /// Names of the proof shapes that the prover can make.
    pub variants: &'static [&'static str],
    /// The RPC method that serves proofs.
    pub method: &'static str,
    /// Digest of the public parameters, if the system has any.
    pub params: Option<Word>,
    /// How many blocks, the newest included, stay provable.
    pub window: u64,
    /// The part of the state that is proven here; `None` for all of it.
    pub shard: Option<ShardId>,
    /// Whether somebody knows the secret behind the public parameters, and so can prove anything.
    pub insecure: bool,
}

impl Spec {
    /// A system without parameters, whose proofs have a single shape.
    pub fn new(name: &'static str, format: &'static str, window: u64) -> Self {
        Self {
            name,
            format,
            variants: &[PLAIN],
            method: "lp_getProof",
            params: None,
            window,
            shard: None,
            insecure: false,
        }
    }
}

/// What a system on a chain is made from.
pub trait Configuration: fmt::Debug + Send + Sync {
    /// Name of the system.
    fn name(&self) -> &'static str;

    /// What tells chains apart, each number with its name: a data directory keeps them, and is of
    /// no other chain.
    fn identity(&self) -> Vec<(&'static str, u64)>;

    /// The system of the chain in a store.
    ///
    /// * `cache`: a directory where it may keep what can be made again; `None` if there is none.
    fn make(&self, cache: Option<&Path>, store: &dyn Store) -> Box<dyn System>;
}

/// One commitment scheme over the chain's writes.
pub trait System: Send + Sync {
    /// What a node tells of it.
    fn spec(&self) -> Spec;

    /// Commits the writes of `block` on top of those of `block - 1`, and drops what has left the
    /// window.
    ///
    /// Everything goes into `batch`, so that state, header and head become durable together or not
    /// at all. Returns the commitment for the header.
    ///
    /// # Errors
    /// [`StoreError`] if the store fails.
    fn commit(
        &self,
        batch: &mut dyn Write,
        block: u64,
        writes: &WriteSet,
    ) -> Result<Vec<u8>, StoreError>;

    /// Told before every batch of blocks, with the store as it is then.
    fn begin(&self, before: &Reader) {
        let _ = before;
    }

    /// Checks and opens what the system keeps beside the store.
    ///
    /// # Errors
    /// [`StoreError`] names the file that is damaged.
    fn open(&self, store: &dyn Read) -> Result<(), StoreError> {
        let _ = store;
        Ok(())
    }

    /// As [`Self::open`], each time that another process has made blocks: what is in memory follows
    /// the store, of which nothing is written.
    ///
    /// # Errors
    /// [`StoreError`] if the store fails; what is in memory stays as it is then.
    fn follow(&self, store: &dyn Read) -> Result<(), StoreError> {
        self.open(store)
    }

    /// The public parameters, if the system has any.
    fn params(&self) -> Option<Vec<u8>> {
        None
    }

    /// Told after every batch that became durable.
    ///
    /// # Errors
    /// [`StoreError`] if files beside the store cannot be cleared up.
    fn durable(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// The proof that answers a query about the state after `block`, and the name of its shape: one
    /// of `accepted`, which is the part of [`Spec::variants`] that the client takes, never
    /// empty, in the system's own order.
    ///
    /// # Errors
    /// [`Refusal`] says whether question, block or store is at fault.
    fn prove(
        &self,
        store: &dyn Read,
        block: u64,
        query: &[u8],
        accepted: &[&'static str],
    ) -> Result<Proof, Refusal> {
        let _ = (store, block, query, accepted);
        Err(Refusal::Query("no proofs by this method"))
    }
}
