//! Devnet headers.
//!
//! RLP: `[version, chainId, parentHash, number, timestamp, [[system, bytes], …], committeeRoot]`,
//! systems ASCII and strictly ascending; hash = keccak256(RLP).

use crate::chain::{BLOCK_INTERVAL, CHAIN_ID, GENESIS_TIME};
use crate::hash::{Word, keccak256};
use crate::rlp::{self, Item};

/// The only header version.
pub const VERSION: u64 = 1;

/// A devnet header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Header format, [`VERSION`].
    pub version: u64,
    /// Chain id, [`CHAIN_ID`].
    pub chain_id: u64,
    /// Hash of the block before; zero at genesis.
    pub parent_hash: Word,
    /// Height; genesis is 0.
    pub number: u64,
    /// Seconds since 1970.
    pub timestamp: u64,
    /// What each system commits to, by system name ascending.
    pub commitments: Vec<(String, Vec<u8>)>,
    /// Binds the signing committees; zero while headers are not signed.
    pub committee_root: Word,
}

impl Header {
    /// The header of block `number` on top of `parent_hash`.
    pub fn new(parent_hash: Word, number: u64, commitments: Vec<(String, Vec<u8>)>) -> Self {
        Self {
            version: VERSION,
            chain_id: CHAIN_ID,
            parent_hash,
            number,
            timestamp: GENESIS_TIME + number * BLOCK_INTERVAL,
            commitments,
            committee_root: [0; 32],
        }
    }

    /// The bytes that are hashed.
    pub fn encode(&self) -> Vec<u8> {
        let commitments = self
            .commitments
            .iter()
            .map(|(system, bytes)| Item::List(vec![Item::bytes(system), Item::bytes(bytes)]))
            .collect();
        Item::List(vec![
            Item::uint(self.version),
            Item::uint(self.chain_id),
            Item::bytes(self.parent_hash),
            Item::uint(self.number),
            Item::uint(self.timestamp),
            Item::List(commitments),
            Item::bytes(self.committee_root),
        ])
        .encode()
    }

    /// Parses [`Header::encode`]'s bytes. `None` if they are no header.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let item = rlp::decode(bytes).ok()?;
        let [version, chain_id, parent_hash, number, timestamp, commitments, committee_root] =
            item.as_list()?
        else {
            return None;
        };
        let uint = |item: &Item| u64::try_from(item.as_uint()?).ok();
        let commitment = |item: &Item| {
            let [system, bytes] = item.as_list()? else { return None };
            Some((String::from_utf8(system.as_bytes()?.to_vec()).ok()?, bytes.as_bytes()?.to_vec()))
        };
        Some(Self {
            version: uint(version)?,
            chain_id: uint(chain_id)?,
            parent_hash: parent_hash.as_bytes()?.try_into().ok()?,
            number: uint(number)?,
            timestamp: uint(timestamp)?,
            commitments: commitments.as_list()?.iter().map(commitment).collect::<Option<_>>()?,
            committee_root: committee_root.as_bytes()?.try_into().ok()?,
        })
    }

    /// The block hash.
    pub fn hash(&self) -> Word {
        keccak256(&self.encode())
    }

    /// What `system` commits to in this block.
    pub fn commitment(&self, system: &str) -> Option<&[u8]> {
        self.commitments.iter().find(|(name, _)| name == system).map(|(_, bytes)| bytes.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips() {
        let header = Header::new(
            [7; 32],
            12,
            vec![("lvmt".into(), vec![1; 64]), ("mpt".into(), vec![2; 32])],
        );
        assert_eq!(Header::decode(&header.encode()), Some(header.clone()));
        assert_eq!(header.commitment("mpt"), Some([2; 32].as_slice()));
        assert_eq!(header.commitment("cole"), None);
        assert_eq!(Header::decode(&[0xc0]), None);
    }
}
