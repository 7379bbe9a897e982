//! What a light client answers with.

use crate::chain::Chain;
use crate::hash::Hash;
use crate::hash::merkle::Work;

/// A header that a committee signed, or that the caller pinned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed {
    /// Its slot; on the devnet its number.
    pub slot: u64,
    /// Root of the beacon header; on the devnet the header's hash.
    pub root: Hash,
    /// Unix time at which its slot starts, or that the devnet's header states.
    pub timestamp: u64,
    /// Its execution block; `None` before Capella.
    pub execution: Option<Execution>,
    /// How many signed; `None` for a pinned header.
    pub signers: Option<usize>,
}

/// An execution block, proven to be part of a signed one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Execution {
    /// Its hash, which its header must have.
    pub hash: Hash,
    /// Its number; `None` from Gloas on, where only the hash is signed.
    pub number: Option<u64>,
}

/// What an update moved.
#[expect(clippy::struct_excessive_bools, reason = "four facts, each on its own")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// The finalized header.
    pub finalized: bool,
    /// The head.
    pub head: bool,
    /// The next committee became known.
    pub next: bool,
    /// The next committee became the current one.
    pub period: bool,
}

impl Changed {
    pub(super) const fn joined(self, other: Self) -> Self {
        Self {
            finalized: self.finalized | other.finalized,
            head: self.head | other.head,
            next: self.next | other.next,
            period: self.period | other.period,
        }
    }
}

/// An update that was accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// What it moved; an update can be valid and move nothing.
    pub changed: Changed,
    /// How many signed.
    pub signers: usize,
    /// What it took to check.
    pub work: Work,
}

/// A view of what the client holds.
#[derive(Clone, Copy, Debug)]
pub struct State<'a> {
    /// The committee period of the finalized header.
    pub period: u64,
    /// Whether the committee of the next period is known.
    pub next_known: bool,
    /// Root of the header that proves the current committee; pins the store on import.
    pub anchor: Hash,
    /// Its slot.
    pub anchor_slot: u64,
    /// Newest finalized header.
    pub finalized: &'a Signed,
    /// Newest signed header.
    pub head: &'a Signed,
    pub(super) size: usize,
    pub(super) chain: &'a Chain,
}
