//! Block headers that are trusted, and what they commit to.
//!
//! Trust starts at a hash that the caller pins and goes back from it: a header names its parent's
//! hash, so ancestors of a trusted block are trusted. It never goes forward along parent links:
//! anyone can write a header that names a trusted block as its parent. Forward it goes by the
//! signatures of a committee that a trusted header names (`light`), which end in such a hash.

#[cfg(feature = "bls12-381")]
pub mod committee;
mod devnet;
mod execution;
#[cfg(feature = "bls12-381")]
pub mod light;
#[cfg(feature = "bls12-381")]
pub mod signing;

use alloc::vec::Vec;

use crate::chain::{Chain, ChainKind};
use crate::error::{DecodeError, Malformed, Rejection, Span, VerifyError};
use crate::hash::{BlockHash, Hash, keccak256};

/// Longest header that is read, in bytes. Headers of today's forks take at most 700.
pub const MAX_HEADER_BYTES: usize = 16 * 1024;

/// What one header says, before anyone trusts it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Fields {
    parent_hash: BlockHash,
    number: u64,
    timestamp: u64,
    commitments: Vec<Commitment>,
    /// Binds the committees of this period and the next; `None` in a header that nobody signs.
    committee_root: Option<Hash>,
}

/// What a header commits to for one system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commitment {
    /// The system's name, ASCII.
    pub system: Vec<u8>,
    /// Its commitment, in the system's own form.
    pub bytes: Vec<u8>,
}

/// A header that is trusted: pinned by its hash, or an ancestor of a trusted one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedHeader {
    hash: BlockHash,
    fields: Fields,
}

impl TrustedHeader {
    /// The header whose hash the caller trusts.
    ///
    /// * `hash`: trusted block hash, pinned by the caller or proven earlier.
    /// * `rlp`: the header's RLP, from anyone.
    ///
    /// # Errors
    /// `verify.header` if the bytes do not hash to `hash`, `verify.chain` for a header of another
    /// chain, `decode.header` or `decode.limit` if they are no header of this chain's form.
    pub fn pinned(chain: &Chain, hash: BlockHash, rlp: &[u8]) -> Result<Self, Rejection> {
        if rlp.len() > MAX_HEADER_BYTES {
            return Err(malformed(Malformed::Limit, "header over 16 KiB", rlp).into());
        }
        let got = keccak256(rlp);
        if got != hash {
            return Err(VerifyError::Header { expected: hash, got }.into());
        }
        let fields = match chain.kind {
            ChainKind::Ethereum => execution::decode(rlp).map_err(as_header)?,
            ChainKind::Devnet => devnet::decode(chain, rlp)?,
        };
        if fields.number == 0 && hash != chain.genesis_hash {
            return Err(
                VerifyError::Chain { reason: "block 0 is not the chain's genesis block" }.into()
            );
        }
        Ok(Self { hash, fields })
    }

    /// The parent of this header.
    ///
    /// # Errors
    /// As [`TrustedHeader::pinned`], with this header's parent hash as the trusted one.
    pub fn parent(&self, chain: &Chain, rlp: &[u8]) -> Result<Self, Rejection> {
        let parent = Self::pinned(chain, self.fields.parent_hash, rlp)?;
        if parent.fields.number.checked_add(1) != Some(self.fields.number) {
            return Err(VerifyError::Chain { reason: "the parent's number is not one less" }.into());
        }
        Ok(parent)
    }

    /// keccak of the header's RLP.
    pub const fn hash(&self) -> BlockHash {
        self.hash
    }

    /// Hash of the block before it.
    pub const fn parent_hash(&self) -> BlockHash {
        self.fields.parent_hash
    }

    /// Block number; genesis is 0.
    pub const fn number(&self) -> u64 {
        self.fields.number
    }

    /// Seconds since 1970-01-01 UTC.
    pub const fn timestamp(&self) -> u64 {
        self.fields.timestamp
    }

    /// What the header commits to, one entry per system, in ascending order of name.
    pub fn commitments(&self) -> &[Commitment] {
        &self.fields.commitments
    }

    /// SHA-256 of the roots of this period's and the next period's committee, on a signed devnet.
    pub const fn committee_root(&self) -> Option<Hash> {
        self.fields.committee_root
    }

    /// The commitment of one system, if the header has one.
    pub fn commitment(&self, system: &str) -> Option<&[u8]> {
        let found =
            self.fields.commitments.iter().find(|entry| entry.system == system.as_bytes())?;
        Some(&found.bytes)
    }
}

/// Any decoding error inside a header is one of the header's form.
fn as_header(error: DecodeError) -> DecodeError {
    DecodeError { malformed: Malformed::Header, ..error }
}

fn malformed(malformed: Malformed, reason: &'static str, rlp: &[u8]) -> DecodeError {
    DecodeError { malformed, field: "header", reason, span: Span { start: 0, end: rlp.len() } }
}

/// One commitment of a chain whose headers name no systems.
fn state_root(root: Hash) -> Vec<Commitment> {
    alloc::vec![Commitment { system: b"mpt".to_vec(), bytes: root.0.to_vec() }]
}
