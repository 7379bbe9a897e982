//! What core's entry takes: chain, configuration and claims, in RLP.

use crate::rlp::Rlp;

/// A chain configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// `ethereum` or `devnet`.
    pub kind: &'static str,
    /// EIP-155 chain id.
    pub chain_id: u64,
    /// Hash of block 0.
    pub genesis_hash: [u8; 32],
}

impl Chain {
    /// RLP `[kind, chainId, genesisHash]`.
    pub fn encode(&self) -> Vec<u8> {
        Rlp::list([Rlp::str(self.kind), Rlp::uint(self.chain_id), Rlp::str(self.genesis_hash)])
            .encode()
    }
}

/// The configuration of `mpt`: RLP `[format, paramsDigest]`.
pub fn mpt_config() -> Vec<u8> {
    Rlp::list([Rlp::str("mpt/1"), Rlp::str([])]).encode()
}

/// Where a root comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A trusted hash, and headers linked back from it.
    Header {
        /// The trusted hash.
        hash: Vec<u8>,
        /// Headers, newest first.
        rlps: Vec<Vec<u8>>,
    },
    /// A root that the caller pins.
    Root {
        /// Block number.
        number: u64,
        /// The root.
        bytes: Vec<u8>,
    },
}

impl Source {
    /// A pinned root of block 0.
    pub fn root(root: [u8; 32]) -> Self {
        Self::Root { number: 0, bytes: root.to_vec() }
    }

    fn rlp(&self) -> Rlp {
        match self {
            Self::Header { hash, rlps } => {
                Rlp::list([Rlp::str("header"), Rlp::str(hash), Rlp::strings(rlps)])
            }
            Self::Root { number, bytes } => {
                Rlp::list([Rlp::str("root"), Rlp::uint(*number), Rlp::str(bytes)])
            }
        }
    }
}

/// One claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Where the root comes from.
    pub source: Source,
    /// The query's RLP.
    pub query: Vec<u8>,
    /// Name of the proof's shape.
    pub variant: String,
    /// The proof's RLP.
    pub proof: Vec<u8>,
}

impl Claim {
    /// A claim of variant `plain`.
    pub fn plain(source: Source, query: Vec<u8>, proof: Vec<u8>) -> Self {
        Self { source, query, variant: "plain".into(), proof }
    }
}

/// RLP list of `[source, query, variant, proof]`.
pub fn claims(claims: &[Claim]) -> Vec<u8> {
    let claim = |claim: &Claim| {
        Rlp::list([
            claim.source.rlp(),
            Rlp::str(&claim.query),
            Rlp::str(&claim.variant),
            Rlp::str(&claim.proof),
        ])
    };
    Rlp::list(claims.iter().map(claim)).encode()
}
