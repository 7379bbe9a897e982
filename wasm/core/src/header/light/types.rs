//! What a light client answers with.

use crate::chain::Chain;
use crate::hash::Hash;

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
    /// How many signed, and the keys of their committee; `None` for a pinned header.
    pub signers: Option<(usize, usize)>,
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
#[expect(clippy::struct_excessive_bools, reason = "five facts, each on its own")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// The finalized header.
    pub finalized: bool,
    /// The head.
    pub head: bool,
    /// The newest header that two thirds signed.
    pub safe: bool,
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
            safe: self.safe | other.safe,
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
    /// Keys of the committee that signed.
    pub of: usize,
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
    /// Whether it names the current committee as the one after its own period: such an anchor was
    /// signed, and is not the checkpoint that the caller chose. Who pins a root again knows
    /// which of the two it is.
    pub anchor_of_next: bool,
    /// Newest finalized header.
    pub finalized: &'a Signed,
    /// Newest signed header, by the specification's rule: a single signer can move it, so nothing
    /// is answered from it.
    pub head: &'a Signed,
    /// Newest header that two thirds of its committee signed, at least the finalized one.
    pub safe: &'a Signed,
    /// Whether the client moved by force, without finality, since its bootstrap. It stays so
    /// whatever is signed later: whom it believes now follows from that step.
    pub forced: bool,
    pub(super) chain: &'a Chain,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_either_moved_was_moved() {
        let of = |flag, other| Changed {
            finalized: flag,
            head: other,
            safe: flag,
            next: other,
            period: flag,
        };
        for (left, right) in [(false, false), (false, true), (true, false), (true, true)] {
            for flag in [false, true] {
                let joined = of(left, flag).joined(of(right, flag));
                assert_eq!(joined, of(left | right, flag));
                let joined = of(flag, left).joined(of(flag, right));
                assert_eq!(joined, of(flag, left | right));
            }
        }
    }
}
