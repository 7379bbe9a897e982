//! Devnet headers.
//!
//! RLP: `[version, chainId, parentHash, number, timestamp, [[system, bytes], …], committeeRoot]`,
//! from version 2 on with `origin` at the end; systems ASCII and strictly ascending; hash =
//! keccak256(RLP).

use crate::chain::{BLOCK_INTERVAL, CHAIN_ID, GENESIS_TIME};
use crate::hash::{Word, keccak256};
use crate::rlp::{self, Item};

/// Version of a header without an origin.
pub const VERSION: u64 = 1;

/// Version of a header with an origin.
pub const ORIGIN_VERSION: u64 = 2;

/// A devnet header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Header format: [`VERSION`], or [`ORIGIN_VERSION`] if there is an origin.
    pub version: u64,
    /// Chain id; [`CHAIN_ID`] on the devnet.
    pub chain_id: u64,
    /// Hash of the block before; at genesis the digest of the source's configuration, or zero.
    pub parent_hash: Word,
    /// Height; genesis is 0.
    pub number: u64,
    /// Seconds since 1970.
    pub timestamp: u64,
    /// What each system commits to, by system name ascending.
    pub commitments: Vec<(String, Vec<u8>)>,
    /// Binds the signing committees; zero while headers are not signed.
    pub committee_root: Word,
    /// Hash of the block that this one follows, or digest of the block that was pushed; zero, and
    /// then not in the bytes, if there is neither.
    pub origin: Word,
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
            origin: [0; 32],
        }
    }

    /// The same header with an origin, in the version that has one; zero leaves it without.
    #[must_use]
    pub fn with_origin(self, origin: Word) -> Self {
        let version = if origin == [0; 32] { VERSION } else { ORIGIN_VERSION };
        Self { version, origin, ..self }
    }

    /// The bytes that are hashed.
    pub fn encode(&self) -> Vec<u8> {
        let commitments = self
            .commitments
            .iter()
            .map(|(system, bytes)| Item::List(vec![Item::bytes(system), Item::bytes(bytes)]))
            .collect();
        let mut items = vec![
            Item::uint(self.version),
            Item::uint(self.chain_id),
            Item::bytes(self.parent_hash),
            Item::uint(self.number),
            Item::uint(self.timestamp),
            Item::List(commitments),
            Item::bytes(self.committee_root),
        ];
        if self.version >= ORIGIN_VERSION {
            items.push(Item::bytes(self.origin));
        }
        Item::List(items).encode()
    }

    /// Parses [`Header::encode`]'s bytes. `None` if they are no header.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let item = rlp::decode(bytes).ok()?;
        let uint = |item: &Item| u64::try_from(item.as_uint()?).ok();
        let [
            version,
            chain_id,
            parent_hash,
            number,
            timestamp,
            commitments,
            committee_root,
            rest @ ..,
        ] = item.as_list()?
        else {
            return None;
        };
        let origin = match (uint(version)?, rest) {
            (VERSION, []) => [0; 32],
            (ORIGIN_VERSION, [origin]) => origin.as_bytes()?.try_into().ok()?,
            _ => return None,
        };
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
            origin,
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
        let followed = header.clone().with_origin([9; 32]);
        assert_eq!(Header::decode(&followed.encode()), Some(followed.clone()));
        assert_ne!(followed.hash(), header.clone().with_origin([8; 32]).hash());
        assert_eq!(Header::decode(&Header { version: 3, ..followed }.encode()), None);
    }
}
