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
pub mod possession;
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
    /// What an Ethereum header commits to beside state: [`crate::body::Root`].
    body: Option<Vec<u8>>,
    /// Binds the committees of this period and the next; `None` in a header that nobody signs.
    committee_root: Option<Hash>,
    /// What the block follows, on a chain of Lightproof's.
    origin: Option<Hash>,
}

/// What a header commits to for one system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commitment {
    /// The system's name, ASCII.
    pub system: Vec<u8>,
    /// Its commitment, in the system's own form.
    pub bytes: Vec<u8>,
}

/// A header that is decoded and not trusted: anyone can write one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ParsedHeader {
    hash: BlockHash,
    fields: Fields,
}

impl ParsedHeader {
    /// * `hash`: that of `rlp`.
    fn decode(chain: &Chain, hash: BlockHash, rlp: &[u8]) -> Result<Self, Rejection> {
        let fields = match chain.kind {
            ChainKind::Ethereum => execution::decode(rlp).map_err(DecodeError::in_header)?,
            ChainKind::Devnet | ChainKind::Attested => devnet::decode(chain, rlp)?,
        };
        if fields.number == 0 && hash != chain.genesis_hash {
            return Err(VerifyError::Chain {
                reason: "block 0 does not have the chain's genesis hash",
            }
            .into());
        }
        Ok(Self { hash, fields })
    }
}

/// What the light client asks of a header that nobody vouches for yet.
#[cfg(feature = "bls12-381")]
impl ParsedHeader {
    /// Reads a header from anyone.
    ///
    /// # Errors
    /// As [`TrustedHeader::pinned`], but for the hash, which is compared with nothing.
    pub(crate) fn read(chain: &Chain, rlp: &[u8]) -> Result<Self, Rejection> {
        within_limit(rlp)?;
        Self::decode(chain, keccak256(rlp), rlp)
    }

    /// keccak of the header's RLP.
    pub(crate) const fn hash(&self) -> BlockHash {
        self.hash
    }

    /// Block number; genesis is 0.
    pub(crate) const fn number(&self) -> u64 {
        self.fields.number
    }

    /// Seconds since 1970-01-01 UTC.
    pub(crate) const fn timestamp(&self) -> u64 {
        self.fields.timestamp
    }

    /// SHA-256 of the roots of this period's and the next period's committee, on a signed devnet.
    pub(crate) const fn committee_root(&self) -> Option<Hash> {
        self.fields.committee_root
    }
}

/// A header that is trusted: pinned by its hash, or an ancestor of a trusted one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedHeader(ParsedHeader);

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
        within_limit(rlp)?;
        let got = keccak256(rlp);
        if got != hash {
            return Err(VerifyError::Header { expected: hash, got }.into());
        }
        ParsedHeader::decode(chain, hash, rlp).map(Self)
    }

    /// What the header says.
    #[cfg(feature = "bls12-381")]
    pub(crate) const fn parsed(&self) -> &ParsedHeader {
        &self.0
    }

    /// The parent of this header.
    ///
    /// # Errors
    /// As [`TrustedHeader::pinned`], with this header's parent hash as the trusted one.
    pub fn parent(&self, chain: &Chain, rlp: &[u8]) -> Result<Self, Rejection> {
        let parent = Self::pinned(chain, self.0.fields.parent_hash, rlp)?;
        if parent.0.fields.number.checked_add(1) != Some(self.0.fields.number) {
            return Err(VerifyError::Chain {
                reason: "the parent's block number is not one less than the child's",
            }
            .into());
        }
        Ok(parent)
    }

    /// keccak of the header's RLP.
    pub const fn hash(&self) -> BlockHash {
        self.0.hash
    }

    /// Hash of the block before it.
    pub const fn parent_hash(&self) -> BlockHash {
        self.0.fields.parent_hash
    }

    /// Block number; genesis is 0.
    pub const fn number(&self) -> u64 {
        self.0.fields.number
    }

    /// Seconds since 1970-01-01 UTC.
    pub const fn timestamp(&self) -> u64 {
        self.0.fields.timestamp
    }

    /// What the header commits to, one entry per system, in ascending order of name.
    pub fn commitments(&self) -> &[Commitment] {
        &self.0.fields.commitments
    }

    /// What an Ethereum header commits to beside state: [`crate::body::Root`].
    pub(crate) fn body(&self) -> Option<&[u8]> {
        self.0.fields.body.as_deref()
    }

    /// SHA-256 of the roots of this period's and the next period's committee, on a signed devnet.
    pub const fn committee_root(&self) -> Option<Hash> {
        self.0.fields.committee_root
    }

    /// Hash of the block of another chain that this one follows, or digest of the block that an
    /// application pushed; `None` in a header that has neither.
    pub const fn origin(&self) -> Option<Hash> {
        self.0.fields.origin
    }

    /// The commitment of one system, if the header has one.
    pub fn commitment(&self, system: &str) -> Option<&[u8]> {
        let found =
            self.0.fields.commitments.iter().find(|entry| entry.system == system.as_bytes())?;
        Some(&found.bytes)
    }
}

fn within_limit(rlp: &[u8]) -> Result<(), DecodeError> {
    if rlp.len() <= MAX_HEADER_BYTES {
        return Ok(());
    }
    let span = Span { start: 0, end: rlp.len() };
    Err(Malformed::Limit.at("header", "header over 16 KiB", span))
}

/// One commitment of a chain whose headers name no systems.
fn state_root(root: Hash) -> Vec<Commitment> {
    alloc::vec![Commitment { system: b"mpt".to_vec(), bytes: root.0.to_vec() }]
}
