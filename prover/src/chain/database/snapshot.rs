//! A consistent view of the chain, for the length of one request.

use super::attestations::{self, Attestation};
use super::{FORKS, HEADERS, NAMES, NUMBERS, contents, head_number, header};
use crate::chain::header::Header;
use crate::error::StoreError;
use crate::hash::Word;
use crate::store::{self, Read, Reader};
use crate::system::Spec;
use crate::system::mpt::State;

/// The chain as it was when the snapshot was taken.
#[derive(Debug)]
pub struct Snapshot {
    reader: Reader,
    first: u64,
    head: u64,
    announced: u64,
    window: u64,
}

impl Snapshot {
    /// * `attested`: whether blocks are announced by the signatures of operators.
    pub(super) fn new(reader: Reader, window: u64, attested: bool) -> Result<Self, StoreError> {
        let head = head_number(&*reader)?;
        let first = reader.first(HEADERS)?.map(|(number, _)| store::number(&number)).transpose()?;
        let first = first.ok_or(StoreError::Corrupt("no genesis block"))?;
        let announced = if attested {
            attestations::newest(&*reader, first, head)?.map_or(first, |(number, _)| number)
        } else {
            head
        };
        Ok(Self { reader, first, head, announced, window })
    }

    /// Number of the newest block that clients are told of: on a chain that operators attest the
    /// newest one that two thirds of them signed (the first block needs no signature),
    /// elsewhere the newest.
    pub fn announced(&self) -> u64 {
        self.announced
    }

    /// The newest attestation of these blocks, and its block; `None` if there is none.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn attestation(
        &self,
        from: u64,
        to: u64,
    ) -> Result<Option<(u64, Attestation)>, StoreError> {
        attestations::newest(&*self.reader, from, to)
    }

    /// Number of the block that the chain begins with: 0, unless its first state was imported.
    pub fn first(&self) -> u64 {
        self.first
    }

    /// Number of the newest block that is durable.
    pub fn head(&self) -> u64 {
        self.head
    }

    /// Number of the oldest block whose state is provable.
    pub fn oldest_state(&self) -> u64 {
        self.oldest_in(self.window)
    }

    /// Number of the oldest block that a system proves.
    pub fn oldest_of(&self, spec: &Spec) -> u64 {
        self.oldest_in(spec.window)
    }

    fn oldest_in(&self, window: u64) -> u64 {
        (self.head + 1).saturating_sub(window).max(self.first)
    }

    /// The header of a block, `None` if it is not on the chain yet.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn header(&self, number: u64) -> Result<Option<Header>, StoreError> {
        header(&*self.reader, number)
    }

    /// The number of the block with this hash, `None` if there is none.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn number_of(&self, hash: &Word) -> Result<Option<u64>, StoreError> {
        self.reader.get(NUMBERS, hash)?.map(|number| store::number(&number)).transpose()
    }

    /// The table of forks of the chain that is followed, as
    /// [`Genesis`](crate::chain::source::Genesis) has it; empty if none is.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn forks(&self) -> Result<Vec<u8>, StoreError> {
        let forks = self.reader.get(NAMES, FORKS)?;
        Ok(forks.map(|forks| forks.to_vec()).unwrap_or_default())
    }

    /// What a block of the followed chain is made of, as its source encoded it; `None` if no such
    /// thing is kept.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn content(&self, number: u64) -> Result<Option<Vec<u8>>, StoreError> {
        contents::content(&*self.reader, number)
    }

    /// The number of the followed chain's block with this hash, `None` if no content of it is kept.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn followed(&self, origin: &Word) -> Result<Option<u64>, StoreError> {
        contents::number_of(&*self.reader, origin)
    }

    /// The number of the followed chain's block with this transaction, and the position there.
    ///
    /// # Errors
    /// [`StoreError`] if the database fails.
    pub fn find_transaction(&self, hash: &Word) -> Result<Option<(u64, usize)>, StoreError> {
        contents::transaction(&*self.reader, hash)
    }

    /// What systems prove from.
    pub fn reader(&self) -> &dyn Read {
        &*self.reader
    }

    /// The state after `block`, `None` outside the window.
    pub fn state(&self, block: u64) -> Option<State<'_>> {
        if block < self.oldest_state() || block > self.head {
            return None;
        }
        Some(State::after(&*self.reader, block))
    }
}
