//! Which chain a header belongs to: the part of the chain configuration that core needs.
//!
//! A configuration comes from the caller, never from a node that is being checked.

mod consensus;

pub use consensus::{Beacon, Consensus, DevnetCommittee, Fork, Shape};

use crate::error::{DecodeError, InputError};
use crate::hash::BlockHash;
use crate::wire::Reader;

/// How a chain writes its headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChainKind {
    /// Ethereum's execution layer: header RLP of any fork, committing to `stateRoot`.
    Ethereum,
    /// Lightproof's devnet: a header that lists one commitment per system.
    Devnet,
    /// A chain that operators attest with keys of their own: the devnet's headers, and committees
    /// of any size, which a handover may change.
    Attested,
}

/// A chain: the form of its headers, its id and its first block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The form of its headers.
    pub kind: ChainKind,
    /// EIP-155 chain id.
    pub chain_id: u64,
    /// Hash of block 0.
    pub genesis_hash: BlockHash,
    /// Who signs its headers; `None` if headers are trusted by hash alone.
    pub consensus: Option<Consensus>,
}

impl Chain {
    /// Decodes RLP `[kind, chainId, genesisHash]` or `[kind, chainId, genesisHash, consensus]`:
    /// ASCII `ethereum`, `devnet` or `attested`, an integer, 32 bytes, and the list that
    /// [`Consensus`] documents.
    ///
    /// # Errors
    /// [`InputError::Chain`] if the bytes are not of that form.
    pub fn from_rlp(bytes: &[u8]) -> Result<Self, InputError> {
        let malformed = |error: DecodeError| InputError::Chain(error.reason);
        let mut items = Reader::whole_list(bytes, 0, "chain").map_err(malformed)?;
        let kind = match items.string("kind").map_err(malformed)?.bytes {
            b"ethereum" => ChainKind::Ethereum,
            b"devnet" => ChainKind::Devnet,
            b"attested" => ChainKind::Attested,
            _ => return Err(InputError::Chain("unknown kind")),
        };
        let chain_id = items.u64("chain id").map_err(malformed)?;
        let genesis_hash = items.hash("genesis hash").map_err(malformed)?;
        let consensus = if items.is_empty() {
            if kind == ChainKind::Attested {
                return Err(InputError::Chain("consensus is missing: an attested chain is signed"));
            }
            None
        } else {
            let list = items.list("consensus").map_err(malformed)?;
            Some(Consensus::read(kind, list).map_err(malformed)?)
        };
        items.finish("chain").map_err(malformed)?;
        Ok(Self { kind, chain_id, genesis_hash, consensus })
    }
}
