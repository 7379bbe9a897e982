//! Where blocks come from.

use std::error::Error;

use crate::chain::state::StateReader;
use crate::chain::writes::WriteSet;
use crate::error::StoreError;
use crate::hash::Word;

/// A source of blocks. A node applies each block to every system before it asks for the next one.
pub trait Source: Send {
    /// What the first block says and holds. The same each time: a data directory that was made from
    /// another genesis is refused. One that began with an imported state goes on under the genesis
    /// of the same chain.
    ///
    /// # Errors
    /// [`SourceError`] if the source cannot tell.
    fn genesis(&self) -> Result<Genesis, SourceError>;

    /// The block after `parent`; `None` while there is none. `state` reads the state after the
    /// parent. May block, so it is called where blocking is allowed.
    ///
    /// # Errors
    /// [`SourceError`] stops the node: there is no block that it could go on with. A peer that does
    /// not answer is no error: the source tries again, or says that there is no block yet.
    fn next(
        &mut self,
        parent: &Parent,
        state: &dyn StateReader,
    ) -> Result<Option<SourceBlock>, SourceError>;

    /// Compares the root of the state (`mpt`) after a block that this source gave last, or after
    /// the first. The block is not durable yet, and never becomes so if this is an error.
    ///
    /// # Errors
    /// [`StoreError::Block`] if the source knows another root.
    fn check_root(&self, number: u64, root: &Word) -> Result<(), StoreError> {
        let _ = (number, root);
        Ok(())
    }
}

/// Identity of a chain, and the state that it begins with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Genesis {
    /// Chain id of every header.
    pub chain_id: u64,
    /// Number of the first block: 0, unless the chain begins with a state that was imported.
    pub number: u64,
    /// Timestamp of the first block, in seconds since 1970.
    pub timestamp: u64,
    /// Hash of the block that the first one follows; zero if it follows none.
    pub origin: Word,
    /// Digest of what the source is configured with and `origin` does not cover; zero if there is
    /// nothing. It is the parent hash of the first block.
    pub config: Word,
    /// The table of forks by which calls are run on the chain that is followed (`spec/calls.md`,
    /// section 3); empty if no calls can be run.
    pub forks: Vec<u8>,
    /// The state after the first block.
    pub writes: WriteSet,
    /// What the first block is made of, if the node is to serve that.
    pub content: Option<Content>,
}

/// The block that the next one goes on top of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parent {
    /// Height.
    pub number: u64,
    /// Hash of its header.
    pub hash: Word,
    /// Seconds since 1970.
    pub timestamp: u64,
    /// Its origin.
    pub origin: Word,
}

/// A block that a source gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceBlock {
    /// Height: one more than the parent's.
    pub number: u64,
    /// Seconds since 1970, not below the parent's.
    pub timestamp: u64,
    /// Hash of the block that is followed, or digest of the block that was pushed; zero if there
    /// is neither.
    pub origin: Word,
    /// What it changes.
    pub writes: WriteSet,
    /// What it is made of, if the node is to serve that.
    pub content: Option<Content>,
}

/// What a block of another chain is made of. A node keeps it within its window, found by the
/// block's number and origin and by its transactions; what the bytes say is the source's to know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Content {
    /// The block.
    pub bytes: Vec<u8>,
    /// Hashes of the transactions, in the block's order. None of another block has one of them.
    pub transactions: Vec<Word>,
}

/// Why a source gives no block any more.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The state cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The source's own words.
    #[error("{0}")]
    Source(#[source] Box<dyn Error + Send + Sync>),
}
